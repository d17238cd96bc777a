"""The exact commands with which a person settles what a sync left open. Pure."""

import re
import shlex
from collections.abc import Sequence

from syncline.config.models import Lane
from syncline.git.paths import path_text
from syncline.trailer_names import SETTLED

_PLAIN = re.compile(r"[\x20-\x7e]*|[^\x00-\x1f\x7f-\x9f\ud800-\udfff]*")
# Text with an apostrophe in which double quotes change nothing.
_READABLE = re.compile(r"[\w ',.:;/@%+=-]*", re.ASCII)
_MAGIC = re.compile(rb"^:|[*?\[\\]")
_EDIT = "# edit the {what}, then:"
_LONG = 12


def shell_quote(text: str | bytes) -> str:
    r"""Quote for a POSIX shell; what cannot be typed is written as in bash and zsh: `$'caf\xe9'`."""
    raw = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    words = raw.decode("utf-8", "surrogateescape")
    if "'" in words and _READABLE.fullmatch(words):
        return f'"{words}"'
    if _PLAIN.fullmatch(words):
        return shlex.quote(words)
    return "$'" + "".join(_escaped(byte) for byte in raw) + "'"


def _escaped(byte: int) -> str:
    if byte in b"\\'":
        return "\\" + chr(byte)
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}"


def trailer_pattern(path: bytes) -> str:
    """Return the gitignore pattern that names this path: what a trailer cannot hold becomes `?`."""
    escaped = re.sub(r"([\\*?\[\]])", r"\\\1", path_text(path))
    escaped = re.sub("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]", "?", escaped)
    return "/" + re.sub(r"\s+$", lambda spaces: "?" * len(spaces[0]), escaped)


def settling_commands(lane: Lane, branch: str, paths: Sequence[bytes]) -> tuple[str, ...]:
    """Return the commands that settle `paths` by editing them, and start the sync again."""
    if not paths:
        return ()
    what = "file" if len(paths) == 1 else f"{len(paths)} files"
    return (
        *_enter(lane, branch),
        _EDIT.format(what=what),
        *_adding(paths),
        "git commit -m "
        + shell_quote("Settle the conflicts of the sync" if len(paths) > 1 else "Settle a conflict"),
        *_leave(lane, branch),
    )


def accepting_commands(lane: Lane, branch: str, paths: Sequence[bytes], side: str) -> tuple[str, ...]:
    """Return the commands that accept what the tree holds of `paths`: `side` is whose it is."""
    if not paths:
        return ()
    patterns = [trailer_pattern(path) for path in paths] if len(paths) <= _LONG else ["*"]
    trailers = " ".join("--trailer " + shell_quote(f"{SETTLED}: {pattern}") for pattern in patterns)
    words = shell_quote(f"Keep {side}")
    return (
        *_enter(lane, branch),
        f"git commit --allow-empty -m {words} {trailers}",
        *_leave(lane, branch),
    )


def applying_commands(lane: Lane, branch: str, *, patch: str, message: str) -> tuple[str, ...]:
    """Return the commands that commit what a patch file settles, with the message of a file; no patch is empty."""
    apply = (f"git apply --index --whitespace=nowarn {shell_quote(patch)}",) if patch else ()
    commit = f"git commit --allow-empty --file {shell_quote(message)}"
    return (*_enter(lane, branch), *apply, commit, *_leave(lane, branch))


def _enter(lane: Lane, branch: str) -> tuple[str, ...]:
    switch = f"git switch {shell_quote(branch)}"
    if lane.target_at is None:
        return (switch,)
    return (f"git fetch {shell_quote(lane.target_at)}", switch)


def _leave(lane: Lane, branch: str) -> tuple[str, ...]:
    sync = f"syncline sync {shell_quote(lane.name)}"
    # Back to where they were: the policy is read from the work tree, and the branch may hold another one.
    back = ("git switch -", sync)
    if lane.target_at is None:
        return back
    return (f"git push {shell_quote(lane.target_at)} {shell_quote(branch)}", *back)


def _adding(paths: Sequence[bytes]) -> tuple[str, ...]:
    if len(paths) > _LONG:
        return ("git add --update",)
    literal = " --literal-pathspecs" if any(_MAGIC.search(path) for path in paths) else ""
    return (f"git{literal} add -- " + " ".join(shell_quote(path) for path in paths),)

"""Starting git: argument lists only, never a shell; failures become `GitError` in git's own words."""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

from syncline.errors import GitError
from syncline.git.missing import missing_hint
from syncline.git.version import GitVersion
from syncline.search_path import clean_path

# Up to the last @ before a slash: a password may hold one itself.
_CREDENTIALS = re.compile(r"(\w+://)[^/\s]*@")
_STDERR_LIMIT = 2000


def mask(text: str) -> str:
    """Hide user names, passwords and tokens that stand in URLs."""
    return _CREDENTIALS.sub(r"\1***@", text)


@cache
def executable() -> str:
    """Return the absolute path of git.

    Raises:
        GitError: when there is none on PATH, or it is too old.
    """
    import os  # noqa: PLC0415 - only here

    found = shutil.which("git", path=clean_path(os.environ.get("PATH", os.defpath)))
    if found is None:
        raise GitError("git was not found on PATH", hint="install git 2.38 or newer")
    return found


@cache
def version() -> GitVersion:
    """Return the version of the git on PATH, refused when it is too old.

    Raises:
        GitError: when git cannot be started or is older than 2.38.
    """
    try:
        printed = subprocess.run([executable(), "version"], capture_output=True, check=False)
    except OSError as error:
        raise GitError(
            f"{executable()} cannot be started: {error.strerror}", hint="install git 2.38 or newer"
        ) from None
    found = GitVersion.parse(printed.stdout.decode("utf-8", "replace"))
    found.require_minimum()
    return found


def run(
    arguments: Sequence[str | bytes],
    *,
    environment: Mapping[str, str],
    where: Path,
    input: bytes = b"",  # noqa: A002 - the name subprocess uses
    accept: Sequence[int] = (0,),
    cwd: Path = Path("/"),
) -> subprocess.CompletedProcess[bytes]:
    """Run git to its end and return what it printed.

    Args:
        arguments: what follows `git`.
        environment: the whole environment (see `seal`).
        where: the repository, named in errors.
        input: its standard input.
        accept: exit statuses that are answers and not failures.
        cwd: the working directory; the root, so that no file of any work tree is looked up by accident.

    Raises:
        GitError: for any other exit status; names the command, the repository and git's message.
    """
    done = subprocess.run(
        [executable(), *arguments],
        input=input,
        capture_output=True,
        env=dict(environment),
        cwd=cwd,
        check=False,
    )
    if done.returncode not in accept:
        raise failure(arguments, done.returncode, done.stderr, where)
    return done


def start(
    arguments: Sequence[str | bytes],
    *,
    environment: Mapping[str, str],
    stdin: int = subprocess.DEVNULL,
    stdout: int | IO[bytes] = subprocess.PIPE,
    stderr: int | IO[bytes] = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start git and return at once; the caller ends it."""
    return subprocess.Popen(
        [executable(), *arguments], stdin=stdin, stdout=stdout, stderr=stderr, env=dict(environment), cwd="/"
    )


def failure(arguments: Sequence[str | bytes], status: int, stderr: bytes, where: Path) -> GitError:
    """Return the error for a git that ended with `status`."""
    words = [word.decode("utf-8", "replace") if isinstance(word, bytes) else word for word in arguments]
    while words[:1] == ["-c"]:
        del words[:2]  # our own switches say nothing to the reader
    shown = " ".join(words[:12]) + (" ..." if len(words) > 12 else "")
    text = (
        # Masked before it is cut: half a URL would not be known for one.
        mask(stderr.decode("utf-8", "replace")).strip()[-_STDERR_LIMIT:]
        or f"(it printed nothing; status {status})"
    )
    hint = ""
    if "No space left on device" in text:
        hint = "the disk is full: free some space and run the same command again; nothing was lost"
    elif "unable to create temporary file" in text or "insufficient permission" in text:
        hint = "the repository's object directory must be writable"
    elif "Assertion" in text:
        hint = "git itself broke down over this: a fault of this git version, try a newer one"
    elif re.search(r"Could not read from remote|unable to access|Could not resolve host", text):
        hint = "the remote cannot be reached, or refuses: `git ls-remote` tells more"
    elif re.search(r"missing blob|unable to read|could not read|bad object|promisor", text, re.IGNORECASE):
        hint = missing_hint(executable(), where)
    return GitError(f"`git {mask(shown)}` failed in {where}: {text}", hint=hint)

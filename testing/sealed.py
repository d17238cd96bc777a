"""The environment in which tests run git: nothing of the machine, the user or the caller gets in."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

CLOCK = 1_700_000_000
"""The second (Unix time, 2023-11-14T22:13:20Z) at which every test's history begins."""

IDENTITY = "Sync Tester <tester@example.org>"

# Kept from the caller: how to find programs, and where this run may put its temporary files.
_KEPT = ("PATH", "TMPDIR", "VIRTUAL_ENV")

# No prompt, no editor, no housekeeping in the background, no waiting for the disk.
_GLOBAL_CONFIG = """\
[user]
\tname = Sync Tester
\temail = tester@example.org
[init]
\tdefaultBranch = main
[core]
\tfsync = none
\tquotePath = true
[gc]
\tauto = 0
[maintenance]
\tauto = false
[advice]
\tdetachedHead = false
[protocol "file"]
\tallow = always
"""


def sealed_environment(home: Path) -> dict[str, str]:
    """A whole environment for a child process, with `home` as the user's home.

    `home` and the git configuration in it are made when they are not there. The result holds nothing of the
    caller's environment but where programs and temporary files are; dates are fixed to `CLOCK`, and git can
    reach no network.
    """
    home.mkdir(parents=True, exist_ok=True)
    config = home / ".gitconfig"
    if not config.exists():
        config.write_text(_GLOBAL_CONFIG, encoding="utf-8")
    name, _, email = IDENTITY.removesuffix(">").partition(" <")
    date = f"{CLOCK} +0000"
    return {key: os.environ[key] for key in _KEPT if key in os.environ} | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "LC_ALL": "C.UTF-8",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "GIT_EDITOR": "false",
        "GIT_PAGER": "cat",
        "GIT_ALLOW_PROTOCOL": "file",
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": email,
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": email,
        "GIT_COMMITTER_DATE": date,
    }


@functools.cache
def sealed_home() -> Path:
    """The home directory of this test process; it goes away with the process."""
    home = Path(tempfile.mkdtemp(prefix="sealed-home-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    return home


@functools.cache
def _environment() -> Mapping[str, str]:
    return sealed_environment(sealed_home())


class GitFailedError(AssertionError):
    """A git command of a test went wrong; the message holds the command, where it ran and what git said."""


def run_git(
    repo: Path,
    *args: str | bytes | Path,
    input: bytes | None = None,  # noqa: A002 - the name subprocess.run has for it
) -> subprocess.CompletedProcess[bytes]:
    """`git -C repo args...` in the sealed environment, whatever its exit code."""
    command = ["git", "-C", repo, *args]
    return subprocess.run(command, env=_environment(), input=input, capture_output=True, check=False)


def git(
    repo: Path,
    *args: str | bytes | Path,
    input: bytes | None = None,  # noqa: A002 - the name subprocess.run has for it
    check: bool = True,
) -> bytes:
    """What `git -C repo args...` prints, as bytes.

    Raises:
        GitFailedError: git's exit code is not 0 and `check` is set.
    """
    done = run_git(repo, *args, input=input)
    if check and done.returncode != 0:
        command = " ".join(os.fsdecode(arg) for arg in args)
        said = done.stderr.decode(errors="replace").strip()
        raise GitFailedError(f"git -C {repo} {command}: exit code {done.returncode}: {said}")
    return done.stdout

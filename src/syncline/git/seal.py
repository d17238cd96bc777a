"""The environment and configuration git runs under.

Two rooms:

* **sealed** — a git directory of our own that borrows the repository's objects and nothing else. No ref,
  hook, filter, attribute file, alias, driver or config value of the repository, of the user or of the system
  is seen there, so nothing in the repository being merged can steer it. Everything that only needs objects
  runs here: merging, diffing, reading, writing.
* **the repository's own git directory** — for what needs refs or a remote. Hooks, fsmonitor and external
  transports are switched off.

Sources: git(1) "ENVIRONMENT VARIABLES", git-config(1), gitattributes(5).
"""

import os
from pathlib import Path

from syncline.search_path import clean_path

EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""git knows these trees without storing them; used as the source of attributes, so that there are none."""

_KEEP = ("HOME", "TMPDIR", "USER", "LOGNAME", "GNUPGHOME", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR", "SYSTEMROOT")
"""What programs that git starts (gpg, ssh-keygen) need; everything else of the caller is dropped."""

_KEEP_FOR_NETWORK = (
    "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE",
    "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_SSL_CAINFO", "GIT_HTTP_USER_AGENT",
    "GIT_PROXY_SSL_CAINFO",
)  # fmt: skip
"""The user's own way to a remote. Kept by name: any other GIT_* could redirect the command."""

OWN_GIT_DIR_SWITCHES = (
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "core.untrackedCache=false",
    "-c", "protocol.ext.allow=never",
    "-c", "submodule.recurse=false",
    "-c", "fetch.recurseSubmodules=false",
    "-c", "push.recurseSubmodules=no",
    "-c", "push.gpgSign=false",
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
)  # fmt: skip
"""What a git directory's own config must not decide while we use its refs or remotes."""


def _common() -> dict[str, str]:
    environment = {name: os.environ[name] for name in _KEEP if name in os.environ}
    return environment | {
        "PATH": clean_path(os.environ.get("PATH", os.defpath)),
        "LC_ALL": "C",  # messages are parsed
        "TZ": "UTC",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": f"{os.devnull}/none",  # a file that can be opened, even an empty one, makes git complain
        "GIT_EDITOR": "false",
        "GIT_PAGER": "cat",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_ADVICE": "0",
    }


def sealed_environment(git_dir: Path, objects: Path, object_format: str) -> dict[str, str]:
    """Return the whole environment for git in the sealed room."""
    return _common() | {
        "GIT_DIR": str(git_dir),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_ATTR_SOURCE": EMPTY_TREE[object_format],
    }


def refs_environment(git_dir: Path) -> dict[str, str]:
    """Return the environment for commands on the repository's refs; the user's own config is not read."""
    return _common() | {
        "GIT_DIR": str(git_dir),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        # A reflog entry needs a name; git would otherwise look at the machine's.
        "GIT_COMMITTER_NAME": "syncline",
        "GIT_COMMITTER_EMAIL": "syncline@localhost",
    }


def network_environment(git_dir: Path) -> dict[str, str]:
    """Return the environment for fetch and push: the user's own config, credentials and proxies count."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEEP_FOR_NETWORK
    }
    return kept | _common() | {"GIT_DIR": str(git_dir)}


def discovery_environment() -> dict[str, str]:
    """Return the environment to find a repository: the user's `safe.directory` counts, GIT_DIR does not."""
    config = {name: os.environ[name] for name in _KEEP_FOR_NETWORK if name in os.environ}
    xdg = {name: os.environ[name] for name in ("XDG_CONFIG_HOME",) if name in os.environ}
    return _common() | config | xdg


def borrow_objects(objects: Path, lender: Path) -> None:
    """Let an object directory borrow all objects of another one."""
    (objects / "info" / "alternates").write_bytes(_alternates_line(os.fsencode(lender)))


def _alternates_line(directory: bytes) -> bytes:
    """Return a line of objects/info/alternates (gitrepository-layout(5)); quoted as in C where it must be."""
    if b"\n" not in directory:
        return directory + b"\n"
    quoted = directory.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + quoted + b'"\n'


def make_git_dir(place: Path, object_format: str, *, bare: bool) -> Path:
    """Lay out the smallest git directory there is at `place` and return it.

    Written by hand: `git init` would copy the user's templates and read their config.
    """
    (place / "objects" / "info").mkdir(parents=True)
    (place / "refs" / "heads").mkdir(parents=True)
    (place / "HEAD").write_text("ref: refs/heads/none\n")
    sha256 = object_format == "sha256"
    config = [
        "[core]",
        f"\trepositoryformatversion = {int(sha256)}",
        f"\tbare = {str(bare).lower()}",
        "\tfilemode = true",
        f"\tattributesFile = {os.devnull}",
        f"\thooksPath = {os.devnull}",
        "[gc]",
        "\tauto = 0",
        *(("[extensions]", "\tobjectFormat = sha256") if sha256 else ()),
    ]
    (place / "config").write_text("\n".join(config) + "\n")
    return place

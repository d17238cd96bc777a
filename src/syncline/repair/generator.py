"""Runs a command that makes files from others, such as a lock file, in a clean check-out of a tree.

Of what it changes there only what it may write is taken; the rest is told and left out. Nothing it does reaches
the repository, and without being let it reaches neither the network nor anybody's home.
"""

import os
import stat
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from syncline.checks.model import Conclusion
from syncline.config.models import Regenerate
from syncline.git import Entry, Mode, Repository, TreeId
from syncline.git.checkout import checkout
from syncline.git.commit import Person, write_commit
from syncline.git.paths import json_path
from syncline.git.scratch import Scratch
from syncline.merge.resolvers.patterns import matches
from syncline.programs.apart import apart
from syncline.programs.logfile import BoundedLog, one_line
from syncline.programs.process import Ended
from syncline.programs.read_inside import NotTheFileError, held_open, read_inside
from syncline.programs.sealed import run_sealed
from syncline.secrets.hide import HIDDEN, hidden

_LOG = 4_000_000
_LARGEST = 64_000_000
"""Bytes that are taken over from one command."""
_SHOWN = 3
_SECRET = 6
"""Shorter values of variables are no secrets, and words of any text."""
_NOBODY = Person("syncline", "syncline@localhost")
_Stamps = Mapping[bytes, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Made:
    """What a command made."""

    entries: tuple[tuple[bytes, Entry | None], ...] = ()
    """What is new or different of that which it may write; None for what it removed."""
    beside: str = ""
    """What it changed beside, in words; it is left out."""
    trouble: str = ""
    """Why nothing is taken of it, in words."""


class _TroubleError(Exception):
    """Nothing can be taken over; the text says why."""


def run_generator(repository: Repository, tree: TreeId, what: Regenerate) -> Made:
    """Run a command on the files of a tree.

    Raises:
        GitError: the tree cannot be checked out.
    """
    before = apart(network=what.network)
    if before is None:
        return Made(
            trouble="it is to run without network, and this kernel lets nobody shut that off:"
            " allow user namespaces, or write network = true in its table"
        )
    missing = [name for name in what.pass_env if name not in os.environ]
    if missing:
        return Made(trouble=f"it is to get the variable {missing[0]}, which is not set")
    # Of no ref, and always the same one for a tree: what the command is told of it must not differ.
    commit = write_commit(
        repository, tree=tree, parents=(), message="to be generated from\n", author=_NOBODY, committer=_NOBODY,
        when=datetime.fromtimestamp(0, tz=UTC),
    )  # fmt: skip
    with checkout(repository, commit) as place, held_open(place) as root, _home() as home:
        try:
            stood = dict(_stamps(root))
            ended = _run(what, place, home, before)
            if ended.conclusion is not Conclusion.SUCCESS:
                return Made(trouble=_told(what, ended))
            return _taken(repository, tree, what, root, stood)
        except _TroubleError as trouble:
            return Made(trouble=str(trouble))


@contextmanager
def _home() -> Generator[Path]:
    scratch = Scratch.make()
    try:
        yield scratch.path
    finally:
        scratch.remove()


def _run(what: Regenerate, place: Path, aside: Path, before: tuple[str, ...]) -> Ended:
    places = {"HOME": aside / "home", "TMPDIR": aside / "tmp"}
    for directory in places.values():
        directory.mkdir()
    variables = {name: str(directory) for name, directory in places.items()}
    variables |= {name: os.environ[name] for name in what.pass_env}
    with BoundedLog(aside / "log", limit=_LOG, head=_LOG // 4) as log:
        return run_sealed((*before, *what.command), place, what.timeout, log, variables=variables)


def _told(what: Regenerate, ended: Ended) -> str:
    """Return how it ended, in words that hold no secret."""
    words = ended.summary
    for name in what.pass_env:
        if len(os.environ[name]) >= _SECRET:
            words = words.replace(os.environ[name], HIDDEN)
    return one_line(hidden(words))


def _stamps(root: int) -> Iterator[tuple[bytes, tuple[int, ...]]]:
    """Yield each file below a directory, with what changes when it is written to (nothing can set back ctime).

    Raises:
        _TroubleError: a directory cannot be read.
    """

    def refuse(error: OSError) -> None:
        raise _TroubleError(f"it left a directory that cannot be read: {error.strerror}")

    for here, directories, files, handle in os.fwalk(b".", dir_fd=root, onerror=refuse):
        inside = here.removeprefix(b".").removeprefix(b"/")
        if not inside and b".git" in directories:
            directories.remove(b".git")
        for name in (*files, *directories):
            try:
                found = os.stat(name, dir_fd=handle, follow_symlinks=False)
            except OSError as error:
                refuse(error)
                continue
            if not stat.S_ISDIR(found.st_mode):
                path = inside + b"/" + name if inside else name
                yield path, (found.st_mode, found.st_size, found.st_ino, found.st_ctime_ns)


def _taken(repository: Repository, tree: TreeId, what: Regenerate, root: int, stood: _Stamps) -> Made:
    """Return what of the changes is to be taken over.

    Raises:
        _TroubleError: what it left cannot be taken.
    """
    stands = dict(_stamps(root))
    entries: dict[bytes, Entry | None] = {}
    beside: list[bytes] = []
    left = _LARGEST
    for path in sorted(stood.keys() | stands.keys()):
        if stands.get(path) == stood.get(path):
            continue
        before = repository.entry(tree, path)
        if not matches(what.match, path) or b".git" in path.lower().split(b"/"):
            if not _as_it_was(repository, root, path, before):
                beside.append(path)
        elif path not in stands:
            entries[path] = None
        else:
            try:
                content = read_inside(root, path, largest=left)
            except NotTheFileError as error:
                raise _TroubleError(f"it left {_shown(path)} in a way that cannot be taken: it {error}") from error
            left -= len(content)
            mode = Mode.EXECUTABLE if stands[path][0] & stat.S_IXUSR else Mode.FILE
            entry = Entry(mode, repository.write_blob(content))
            if entry != before:
                entries[path] = entry
    return Made(tuple(entries.items()), _beside(beside))


def _as_it_was(repository: Repository, root: int, path: bytes, before: Entry | None) -> bool:
    """Whether a file that was written to has the content that it had."""
    if before is None or not before.mode.is_file:
        return False
    try:
        return read_inside(root, path, largest=_LARGEST) == repository.blob(before.oid)
    except NotTheFileError:
        return False


def _beside(paths: list[bytes]) -> str:
    if not paths:
        return ""
    shown = ", ".join(map(_shown, paths[:_SHOWN]))
    return f"{shown}{f' and {len(paths) - _SHOWN:,} more' if len(paths) > _SHOWN else ''}"


def _shown(path: bytes) -> str:
    return json_path(path[:200])

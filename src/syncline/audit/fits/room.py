"""A directory that holds the files of one tree, then of the next: most are the same."""

import fcntl
import json
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from syncline.git import Entry, Mode, Repository
from syncline.git.extract import extract
from syncline.git.oid import BlobId
from syncline.git.scratch import remove_tree
from syncline.whole_file import written_beside

Files = Sequence[tuple[bytes, Entry]]


class Room:
    """A directory for trees. Nothing but what is put there may change it."""

    def __init__(self, repository: Repository, place: Path) -> None:
        self._repository = repository
        self._place = place
        self._now: dict[bytes, Entry] = {}

    @classmethod
    @contextmanager
    def kept(cls, repository: Repository, shelf: Path, aside: Path) -> Generator[Self]:
        """Yield the room that is kept on a shelf, with what was in it last, for one process at a time.

        Writing a tree costs a tenth of what checking it costs, and from night to night little of it changes. While
        another process has the room, or where it cannot be kept, it is an empty one.

        Args:
            repository: where the objects are.
            shelf: the directory for it; it is made.
            aside: an empty directory for the other room.
        """
        try:
            shelf.mkdir(parents=True, exist_ok=True)
            handle = os.open(shelf, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            yield cls(repository, aside / "tree")
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            room = cls(repository, shelf / "tree")
            room._now = _still_there(shelf)
        except OSError:
            os.close(handle)
            yield cls(repository, aside / "tree")
            return
        try:
            yield room
            _remember(shelf, room._now)
        finally:
            os.close(handle)

    def holding(self, files: Files) -> Path:
        """Return the directory, with these regular files in it and no others.

        Raises:
            GitError: a blob is missing, or there is no room on the disk.
        """
        wanted = dict(files)
        self._place.mkdir(exist_ok=True)
        for path, entry in self._now.items():
            if wanted.get(path) != entry:
                old = self._place / os.fsdecode(path)
                old.unlink()
                _prune(old.parent, self._place)
        extract(
            self._repository,
            [(path, entry) for path, entry in wanted.items() if self._now.get(path) != entry],
            self._place,
        )
        self._now = wanted
        return self._place


def _prune(directory: Path, top: Path) -> None:
    """Remove directories that are empty: a file may come where one was."""
    while directory != top:
        try:
            directory.rmdir()
        except OSError:
            return
        directory = directory.parent


# --- what is kept ---------------------------------------------------------------------------------------------

_LIST = "tree.json"
"""What was in the room when it was left: path, mode, object, lstat(2); there is none while somebody is in it."""


def _still_there(shelf: Path) -> dict[bytes, Entry]:
    """Return what is in the room as it was left; all else that is in it goes.

    Raises:
        OSError: it cannot be emptied.
    """
    tree, listed = shelf / "tree", shelf / _LIST
    known: dict[bytes, tuple[Entry, Any]] = {}
    try:
        for path, mode, oid, stamp in json.loads(listed.read_bytes()):
            known[os.fsencode(path)] = Entry(Mode(mode), BlobId(oid)), stamp
    except (OSError, ValueError, TypeError, RecursionError):
        known = {}
    listed.unlink(missing_ok=True)
    if not known:
        remove_tree(tree)
        return {}
    found: dict[bytes, Entry] = {}
    top = os.fsencode(tree)
    for directory, below, names in os.walk(top, topdown=False):
        for name in (*names, *below):
            place = os.path.join(directory, name)  # noqa: PTH118 - bytes
            entry, stamp = known.get(place[len(top) + 1 :], (None, None))
            if entry is not None and _stamp(place) == stamp:
                found[place[len(top) + 1 :]] = entry
            elif name in names or os.path.islink(place):  # noqa: PTH114
                os.unlink(place)  # noqa: PTH108
        if directory != top and not os.listdir(directory):  # noqa: PTH208
            os.rmdir(directory)  # noqa: PTH106
    return found


def _remember(shelf: Path, held: dict[bytes, Entry]) -> None:
    """List what is in the room. Without the list it is made anew, which only costs time."""
    top = os.fsencode(shelf / "tree")
    try:
        rows = [
            (os.fsdecode(path), entry.mode.value, entry.oid, _stamp(top + b"/" + path))
            for path, entry in held.items()
        ]
        with written_beside(shelf / _LIST, json.dumps(rows).encode()) as new:
            new.replace(shelf / _LIST)
    except OSError:
        return


def _stamp(place: bytes) -> list[int]:
    """Return what changes when a file does."""
    about = os.lstat(place)
    return [about.st_mode, about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino]

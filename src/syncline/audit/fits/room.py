"""A directory that holds the files of one tree, then of the next: most are the same."""

import fcntl
import json
import os
import re
import secrets
import shutil
import stat
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
        self._sound = True
        """Whether what is there is known: not after an error on the way from one tree to the next."""

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
        handle = _held(shelf)
        if handle is None:
            yield cls(repository, aside / "tree")
            return
        try:
            tree, held = _still_there(shelf)
            room = cls(repository, tree)
            room._now = held
            yield room
            if room._sound:
                _remember(shelf, tree, room._now)
        finally:
            os.close(handle)

    def holding(self, files: Files) -> Path:
        """Return the directory, with these regular files in it and no others.

        Raises:
            GitError: a blob is missing, or there is no room on the disk.
        """
        wanted = dict(files)
        if not self._sound:
            remove_tree(self._place)
            self._now = {}
        self._sound = False
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
        self._now, self._sound = wanted, True
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
"""The directory and what was in it when it was left: path, mode, object, lstat(2). None while it is in use."""
_TREE = re.compile(r"tree-[0-9a-f]{16}")
_LEAST_FREE = 1 << 30
"""Bytes that must be free on the disk of the git directory; with less, temporary files take their usual place."""


def _held(shelf: Path) -> int | None:
    """Return a handle that holds the shelf for this process; None where somebody else has it, or nobody can."""
    try:
        shelf.mkdir(parents=True, exist_ok=True)
        handle = os.open(shelf, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.access(shelf, os.W_OK) and shutil.disk_usage(shelf).free >= _LEAST_FREE:
            return handle
    except OSError:
        pass  # held by another process
    os.close(handle)
    return None


def _still_there(shelf: Path) -> tuple[Path, dict[bytes, Entry]]:
    """Return the room's directory and what is in it as it was left; all else on the shelf goes.

    Without a list the directory is a new one: a process that was killed may have left a git that writes to the
    old one.
    """
    tree = shelf / f"tree-{secrets.token_hex(8)}"
    known: dict[bytes, tuple[Entry, Any]] = {}
    try:
        name, rows = json.loads((shelf / _LIST).read_bytes())
        for path, mode, oid, stamp in rows:
            known[os.fsencode(path)] = Entry(Mode(mode), BlobId(oid)), stamp
        if _TREE.fullmatch(name) and stat.S_ISDIR((shelf / name).lstat().st_mode):
            tree = shelf / name
        else:
            known = {}
        (shelf / _LIST).unlink()
    except (OSError, ValueError, TypeError, RecursionError):
        known = {}
        tree = shelf / f"tree-{secrets.token_hex(8)}"
    for other in shelf.iterdir():
        if other.name.startswith("tree") and other != tree:
            remove_tree(other) if stat.S_ISDIR(other.lstat().st_mode) else other.unlink(missing_ok=True)
    return tree, _unchanged(os.fsencode(tree), known)


def _unchanged(top: bytes, known: dict[bytes, tuple[Entry, Any]]) -> dict[bytes, Entry]:
    """Return what is below a directory as it is known; all else there goes."""
    found: dict[bytes, Entry] = {}
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


def _remember(shelf: Path, tree: Path, held: dict[bytes, Entry]) -> None:
    """List what is in the room. Without the list it is made anew, which only costs time."""
    top = os.fsencode(tree)
    try:
        rows = [
            (os.fsdecode(path), entry.mode.value, entry.oid, _stamp(top + b"/" + path))
            for path, entry in held.items()
        ]
        with written_beside(shelf / _LIST, json.dumps((tree.name, rows)).encode()) as new:
            new.replace(shelf / _LIST)
    except OSError:
        return


def _stamp(place: bytes) -> list[int]:
    """Return what changes when a file does."""
    about = os.lstat(place)
    return [about.st_mode, about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino]

"""Temporary directories that do not outlive the process that made them by long, however it ended."""

import fcntl
import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_PREFIX = "syncline-"
_LOCK = "in-use"
_BEING_MADE_SECONDS = 600
"""A directory without its lock may be one that is being made; far longer than that takes."""


@dataclass(frozen=True, slots=True)
class Scratch:
    """A private directory. Its lock is the kernel's: it is free as soon as the process is gone."""

    path: Path
    _lock: IO[bytes]

    @classmethod
    def make(cls) -> "Scratch":
        """Make one, and sweep away those that killed processes of this user left behind."""
        _sweep()
        while True:
            path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getuid()}-"))
            try:
                lock = (path / _LOCK).open("wb")
            except FileNotFoundError:
                continue
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Another process that sweeps may have come between the file and its lock; then all of it is gone.
            if (path / _LOCK).exists():
                return cls(path, lock)
            lock.close()

    def remove(self) -> None:
        """Remove it with all that is in it."""
        remove_tree(self.path)
        self._lock.close()


def _sweep() -> None:
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}{os.getuid()}-*"):
        try:
            if not (left / _LOCK).exists() and time.time() - left.stat().st_mtime > _BEING_MADE_SECONDS:
                left.rmdir()  # killed before it was locked; there is nothing in it
                continue
            with (left / _LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove_tree(left)
        except OSError:
            continue  # in use, being made or removed this moment, or not ours after all


def remove_tree(place: Path) -> None:
    """Remove a directory whatever modes a command left in it (Go's module cache is read-only)."""

    def unlock(_function: object, path: str, _error: object) -> None:
        target = Path(path)
        target.parent.chmod(0o700)
        if target.is_dir() and not target.is_symlink():
            target.chmod(0o700)
            shutil.rmtree(target, ignore_errors=True)
        else:
            target.unlink(missing_ok=True)

    shutil.rmtree(place, onerror=unlock)  # onexc needs 3.12

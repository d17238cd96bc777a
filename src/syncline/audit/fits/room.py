"""A directory that holds the files of one tree, then of the next: most are the same."""

import os
from collections.abc import Sequence
from pathlib import Path

from syncline.git import Entry, Repository
from syncline.git.extract import extract

Files = Sequence[tuple[bytes, Entry]]


class Room:
    """A directory for trees. Nothing but what is put there may change it."""

    def __init__(self, repository: Repository, place: Path) -> None:
        self._repository = repository
        self._place = place
        self._now: dict[bytes, Entry] = {}

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

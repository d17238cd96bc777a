"""The directory that the pages are written to: a new or an empty one, or one that an earlier replay wrote."""

import errno
from pathlib import Path

from syncline.errors import ConfigError

MARK = ".syncline-replay"
"""A file of this name says that the directory is ours to write over."""
_PARTS = ("merges", "hunks")
_HINT = "name a new directory, an empty one, or one that an earlier --html wrote"


def claim(directory: Path) -> None:
    """Make the directory ready: made when missing, emptied when an earlier replay wrote it.

    Raises:
        ConfigError: it holds something else, which is left alone; it cannot be made or written.
        OSError: the disk is full.
    """
    try:
        _claim(directory)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise ConfigError(
            f"the pages were to go to {directory}, which cannot be written: {error.strerror}", hint=_HINT
        ) from error


def _claim(directory: Path) -> None:
    if directory.exists() and not directory.is_dir():
        raise ConfigError(f"the pages need a directory, {directory} is something else", hint=_HINT)
    mark = directory / MARK
    if directory.exists() and any(directory.iterdir()) and (mark.is_symlink() or not mark.is_file()):
        raise ConfigError(f"{directory} is not empty, and no earlier replay wrote it", hint=_HINT)
    directory.mkdir(parents=True, exist_ok=True)
    # The mark comes first: what is killed half way can be written over.
    mark.write_text("Pages of `syncline replay --html`; the next one writes over them.\n", encoding="utf-8")
    (directory / "index.html").unlink(missing_ok=True)
    for name in _PARTS:
        part = directory / name
        if part.is_symlink():
            raise ConfigError(f"{part} is a link, no replay made it", hint=_HINT)
        part.mkdir(exist_ok=True)
        for page in part.glob("*.html"):
            page.unlink()

"""Reading back what a program has left in a directory, without being led out of it."""

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def held_open(place: Path) -> Generator[int]:
    """Hold on to a directory: what a program puts in its place is not it."""
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield handle
    finally:
        os.close(handle)


class NotTheFileError(Exception):
    """What stands at a path is not the regular file that was there; the text says what has become of it."""


def read_inside(root: int, path: bytes, *, largest: int | None = None) -> bytes:
    """Return the content of the regular file at `path` below the open directory `root`.

    No symbolic link is followed, at no part of the path: one could show any file of this machine.

    Raises:
        NotTheFileError: there is no such file, it cannot be read, or it has more than `largest` bytes.
    """
    *above, name = path.split(b"/")
    directory = os.dup(root)
    try:
        for part in above:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=directory)
            os.close(directory)
            directory = below
        # O_NONBLOCK: to open a named pipe would wait for a writer.
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, dir_fd=directory)
    except OSError as error:
        raise NotTheFileError(_words(error)) from error
    finally:
        os.close(directory)
    kind = os.fstat(handle).st_mode
    # Not a file object yet: that refuses directories.
    if not stat.S_ISREG(kind):
        os.close(handle)
        raise NotTheFileError("is a directory now" if stat.S_ISDIR(kind) else "is no regular file any more")
    with os.fdopen(handle, "rb") as file:
        content = file.read() if largest is None else file.read(largest + 1)
    if largest is not None and len(content) > largest:
        raise NotTheFileError(f"has more than {largest} bytes now")
    return content


def _words(error: OSError) -> str:
    if error.errno == errno.ENOENT:
        return "is gone"
    if error.errno == errno.ELOOP:
        return "is a symbolic link now"
    if error.errno == errno.ENOTDIR:
        return "is no longer in a directory, but behind a symbolic link or a file"
    if error.errno == errno.EACCES:
        return "cannot be read any more"
    return f"cannot be read: {error.strerror}"

"""Files that appear whole or not at all, whenever this process is killed."""

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_beside(path: Path, content: bytes, *, mode: int = 0o666) -> Generator[Path]:
    """Yield a file that holds `content`, in the directory of `path`, for the caller to give it that name.

    Only within one file system can a file appear at once. It is gone at the end, unless it was renamed.

    Raises:
        OSError: it cannot be written.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        write_new(beside, content, mode=mode)
        yield beside
    finally:
        beside.unlink(missing_ok=True)


def write_new(path: Path, content: bytes, *, mode: int = 0o666) -> None:
    """Write a file that is not there yet, down to the disk; `mode` is as in open(2).

    Raises:
        FileExistsError: something is there, be it a dangling link.
        OSError: it cannot be written.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())

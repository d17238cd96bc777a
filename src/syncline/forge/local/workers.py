"""Which workers live. Each holds a lock on a file of its own; the kernel lets go when it dies, however.

This needs no process ids, which are used again, and holds between containers that share the directory.
"""

import fcntl
import os
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from syncline.errors import ForgeError


@contextmanager
def worker(directory: Path) -> Generator[str]:
    """Be a worker while the block runs; gives its name. Also removes the files that dead workers have left."""
    name = uuid.uuid4().hex
    path = directory / f"{name}.lock"
    # Locked before it gets its name: a file of that name that is not locked is always a dead worker's.
    unnamed = directory / f"{name}.new"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(unnamed, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644)
    except OSError as error:
        raise ForgeError(
            f"a worker needs to write to {directory}: {error.strerror}", hint="make it writable, or make room"
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ForgeError(
                f"the file system of {directory} cannot lock files: {error.strerror}",
                hint="keep the repository on a local disk",
            ) from error
        unnamed.rename(path)
        for other in directory.glob("*.lock"):
            if not is_alive(directory, other.stem):
                other.unlink(missing_ok=True)
        yield name
    finally:
        unnamed.unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        os.close(handle)


def is_alive(directory: Path, name: str) -> bool:
    """Whether the worker `name` still runs, in this process or any other."""
    try:
        handle = os.open(directory / f"{name}.lock", os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ForgeError(f"cannot tell whether worker {name} lives: {error}") from error
    try:
        # Shared, so that two who ask at the same time do not take each other for the worker.
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(handle)

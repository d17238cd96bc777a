"""Reading a configuration file: never more than it may hold, never what is not a file."""

import os
import stat
from pathlib import Path

from syncline.errors import ConfigError

LARGEST = 1024 * 1024
"""Bytes a configuration may have."""

_KINDS = (
    (stat.S_ISDIR, "a directory", "name the file in it"),
    (stat.S_ISFIFO, "a named pipe", "write it to a file first"),
    (stat.S_ISSOCK, "a socket", "name a file"),
    (stat.S_ISCHR, "a device", "name a file"),
    (stat.S_ISBLK, "a device", "name a file"),
)


def not_a_file(path: Path, mode: int) -> tuple[str, str] | None:
    """Return what is wrong and a hint if `mode`, from stat(2), is no regular file's: reading may never end."""
    if stat.S_ISREG(mode):
        return None
    kind, hint = next(((kind, hint) for test, kind, hint in _KINDS if test(mode)), ("no file", "name a file"))
    return f"{path} is {kind}; wanted a configuration file", hint


def read_file(path: Path) -> bytes:
    """Return the content of a configuration file.

    Raises:
        ConfigError: it is no regular file, or larger than LARGEST.
        OSError: it is not there or cannot be read.
        ValueError: no file can have this name.
    """
    # O_NONBLOCK: opening a named pipe would wait for a writer.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    refused = not_a_file(path, os.fstat(handle).st_mode)
    if refused is not None:
        os.close(handle)
        raise ConfigError(refused[0], hint=refused[1])
    with os.fdopen(handle, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ConfigError(
            f"{path} is larger than 1 MiB; wanted a configuration written by hand", hint="is it the right file?"
        )
    return data

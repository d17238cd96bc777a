"""The logs in a file, whatever holds them: text, gzip, a zip (GitHub's job logs and artifacts), a directory."""

import gzip
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO

from syncline.checks.logs.lines import Readable
from syncline.errors import SynclineError

MOST_FILES = 5000
LARGEST = 4 << 30
"""Bytes of all unpacked logs of one file. Twenty bytes packed may be a gigabyte that says nothing."""
_RATIO = 2000
"""How much smaller than its content a packed log may be. Real ones are 5 to 100 times smaller."""
_PEEK = 4096
_LEAST = 1 << 26
"""Bytes that may be unpacked from anything."""
_NO_LOGS = (
    ".png", ".jpg", ".gif", ".pdf", ".whl", ".so", ".pyc", ".pt", ".bin", ".npz", ".npy", ".tar", ".tgz", ".7z",
    ".exe", ".safetensors", ".parquet", ".sqlite", ".db", ".o", ".a", ".dll", ".class", ".jar",
    ".woff2", ".ico", ".mp4",
)  # fmt: skip
_STEP = re.compile(r"(.+)/\d+_[^/]+\.txt")
_JOB = re.compile(r"-?\d+_(.+)\.txt")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
"""What reading a broken, encrypted or unknown archive raises."""


class BrokenLogError(Exception):
    """A log cannot be read, or not to its end; the message says why."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """One log: what it is called within the file that holds it (empty for the file itself), and its bytes."""

    name: str
    source: Readable


class _Unreadable:
    """Stands for a file that is no log, or cannot be opened."""

    def __init__(self, why: str) -> None:
        self._why = why

    def read(self, _size: int, /) -> bytes:
        raise BrokenLogError(self._why)


class _Bounded:
    """Reads no more than it may, and tells what breaks in one way."""

    def __init__(self, file: IO[bytes] | gzip.GzipFile, size: int) -> None:
        self._file, self._size, self.used = file, size, 0

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes.

        Raises:
            BrokenLogError: it is broken, or larger unpacked than any log.
        """
        try:
            data = self._file.read(size)
        except _BROKEN as error:
            raise BrokenLogError(f"broken: {str(error) or type(error).__name__}") from error
        self.used += len(data)
        if self.used > self._size:
            raise BrokenLogError(f"unpacked it is larger than {self._size >> 20} MiB, which no log is")
        return data


class _Member:
    """A file in a zip, which is opened when it is first read."""

    def __init__(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, size: int) -> None:
        self._archive, self._member, self._size = archive, member, size
        self._open: _Bounded | None = None
        self._file: IO[bytes] | None = None

    @property
    def used(self) -> int:
        return 0 if self._open is None else self._open.used

    def read(self, size: int, /) -> bytes:
        if self._open is None:
            try:
                self._file = self._archive.open(self._member)
            except _BROKEN as error:
                raise BrokenLogError(f"broken: {str(error) or type(error).__name__}") from error
            self._open = _Bounded(self._file, self._size)
        return self._open.read(size)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def logs_in(path: Path, *, largest: int | None = None) -> Iterator[LogFile]:
    """Yield the logs that a file or directory holds, in the order of their names; each is to be read at once.

    A reader of `source` gets a BrokenLogError where a log ends in the middle, or where more than `largest` bytes
    (by default `LARGEST`) were packed.

    Raises:
        SynclineError: there is no such file, it cannot be read, or it holds no log.
    """
    if path.is_dir():
        yield from _in_directory(path)
        return
    try:
        with path.open("rb") as file:
            yield from _in_file(file, path, LARGEST if largest is None else largest)
    except OSError as error:
        raise SynclineError(
            f"the log {path} cannot be read: {error.strerror or error}",
            hint="name a text, .gz or .zip file, a directory of them, or - for what comes in by a pipe",
        ) from error


def _in_directory(directory: Path) -> Iterator[LogFile]:
    found = False
    for number, path in enumerate(sorted(_files_below(directory), key=lambda one: natural(str(one)))):
        if number >= MOST_FILES:
            raise SynclineError(
                f"the directory {directory} holds more than {MOST_FILES} files", hint="name the logs, or one job's"
            )
        if _is_data(path.name):
            continue
        name = path.relative_to(directory).as_posix()
        try:
            for log in logs_in(path):
                found = True
                yield LogFile(f"{name}/{log.name}" if log.name else name, log.source)
        except SynclineError as error:
            # The others tell all the same.
            found = True
            yield LogFile(name, _Unreadable(error.message))
    if not found:
        raise SynclineError(f"the directory {directory} holds no logs", hint="name a directory with log files")


def _files_below(directory: Path) -> Iterator[Path]:
    for path in directory.rglob("*"):
        # Not what links lead to: a link may lead out of it, or to a device that never ends.
        if path.is_file() and not path.is_symlink():
            yield path


def _in_file(file: BufferedReader, path: Path, largest: int) -> Iterator[LogFile]:
    start = file.peek(_PEEK)[:_PEEK]
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        yield from _in_zip(file, path, largest)
    elif start.startswith(b"\x1f\x8b"):
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield LogFile("", _Bounded(unpacked, min(largest, max(_LEAST, _RATIO * path.stat().st_size))))
    elif is_text(start):
        yield LogFile("", file)
    else:
        raise SynclineError(f"{path} is no log: it is not text", hint="name a text, .gz or .zip file")


def is_text(start: bytes) -> bool:
    """Tell from the first bytes of a file whether it may be a log. A log may well hold some other bytes."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    odd = sum(byte < 32 and byte not in b"\t\n\v\f\r\x1b\b\a" for byte in start)
    # Nor is text of an old encoding all letters with accents.
    return odd * 20 <= len(start) and start.decode("utf-8", "replace").count("\ufffd") * 4 <= len(start)


def _in_zip(file: IO[bytes], path: Path, largest: int) -> Iterator[LogFile]:
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN as error:
        raise SynclineError(
            f"the archive {path} is broken: {error}", hint="download it again, and let it come to its end"
        ) from error
    with archive:
        members = [one for one in archive.infolist() if not one.is_dir() and not _is_data(one.filename)]
        if not members:
            raise SynclineError(f"the archive {path} holds no logs", hint="name an archive with log files")
        if len(members) > MOST_FILES:
            raise SynclineError(
                f"the archive {path} holds {len(members)} files, more than {MOST_FILES}",
                hint="name one job's logs",
            )
        left = largest
        jobs = {job[1] for one in members if (job := _JOB.fullmatch(one.filename)) is not None}
        for member in sorted(members, key=lambda one: natural(one.filename)):
            step = _STEP.fullmatch(member.filename)
            if step is not None and step[1] in jobs:
                continue
            source = _Member(archive, member, min(left, max(_LEAST, _RATIO * member.compress_size)))
            yield LogFile(member.filename, source)
            source.close()
            left -= source.used


def _is_data(name: str) -> bool:
    return name.lower().endswith(_NO_LOGS)


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts `rank2` before `rank10`."""
    return tuple((int(part[:18]), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name))

"""Reads logs from files of any kind: each log in them by itself, what could not be read told."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from syncline.checks.logs.archive import BrokenLogError, LogFile, logs_in
from syncline.checks.logs.failure import LogFailure
from syncline.checks.logs.first_cause import first_cause
from syncline.checks.logs.read_log import ReadLog, read_log

# rank3.log, rank_3/stderr.txt, node0-rank12.out; and torchrun's --log-dir: .../attempt_0/3/stderr.log
_RANK = re.compile(r"(?:^|[/_.-])rank[_-]?(\d{1,6})(?=[/_.-]|$)|attempt_\d+/(\d{1,6})/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Log:
    """One log that was read."""

    name: str
    """The file that was named, and the one within it, if any."""
    read: ReadLog
    broken: str = ""
    """Why it could not be read, or not to its end."""


@dataclass(frozen=True, slots=True)
class ReadLogs:
    """What all of them tell."""

    logs: tuple[Log, ...]

    @property
    def failures(self) -> tuple[tuple[str, LogFailure], ...]:
        """All failures, each with the name of its log."""
        return tuple((log.name, one) for log in self.logs for one in log.read.failures)

    @property
    def cause(self) -> LogFailure | None:
        """The failure that is the cause of others; of several logs the first one's, if nothing tells better."""
        return first_cause([one for _, one in self.failures])


def read_paths(paths: Iterable[Path]) -> ReadLogs:
    """Read all logs that files and directories hold.

    Raises:
        SynclineError: there is no such file, or it holds no log.
    """
    return ReadLogs(tuple(read_one(str(path), log) for path in paths for log in logs_in(path)))


def read_one(where: str, log: LogFile) -> Log:
    """Read one log of a file called `where`, as far as that goes."""
    watched = _Watched(log)
    read = read_log(watched, name=log.name)
    name = f"{where}/{log.name}" if log.name else where
    found = _RANK.search(name)
    if found is not None:
        rank = int(found[1] or found[2])
        told = tuple(one if one.rank is not None else replace(one, rank=rank) for one in read.failures)
        read = replace(read, failures=told)
    return Log(name, read, watched.broken)


class _Watched:
    """A log that ends where it cannot be read any further."""

    def __init__(self, log: LogFile) -> None:
        self._source = log.source
        self.broken = ""

    def read(self, size: int, /) -> bytes:
        if self.broken:
            return b""
        try:
            return self._source.read(size)
        except (BrokenLogError, OSError) as error:
            self.broken = str(error)
            return b""

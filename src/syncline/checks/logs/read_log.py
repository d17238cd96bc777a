"""Reads one log, of any size, from a file or a stream: the failures in it, and the one that counts."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from syncline.checks.logs.failure import LogFailure
from syncline.checks.logs.first_cause import first_cause, without_doubles
from syncline.checks.logs.lines import Readable, blocks
from syncline.checks.logs.parser import Parser
from syncline.checks.logs.parsers.registry import PARSERS
from syncline.checks.logs.processes import Processes

MOST = 1000
"""Failures kept of one log. Nobody reads more, and the first of them tell."""


@dataclass(frozen=True, slots=True)
class ReadLog:
    """What one log tells."""

    failures: tuple[LogFailure, ...]
    """In the log's order; the same failure of the same test, or of many processes, once."""
    lines: int
    truncated: bool
    """Whether there were more than `MOST` failures."""

    @property
    def cause(self) -> LogFailure | None:
        """The first failure that is the cause of others, or the nearest to one there is."""
        return first_cause(self.failures)


def read_log(source: Readable | Path, *, name: str = "", parsers: Sequence[type[Parser]] = PARSERS) -> ReadLog:
    """Read a log to its end: in time that grows with its size, in memory that does not.

    `source` is a binary file, left open, or the path of one; `name` is what the log is called in an archive.

    Raises:
        OSError: the file cannot be read. Whatever is in it is fine.
    """
    processes = Processes(parsers)
    found: dict[tuple[object, ...], LogFailure] = {}
    truncated = False
    last = "\n"

    def keep(failure: LogFailure) -> None:
        nonlocal truncated
        key = (failure.signature, failure.test, failure.line if not failure.test else None)
        if key in found:
            return
        if len(found) >= MOST:
            truncated = True
            return
        found[key] = replace(failure, log=name) if name else failure

    with source.open("rb") if isinstance(source, Path) else nullcontext(source) as file:
        for block in blocks(file):
            last = block[-1:]
            for failure in processes.feed(block):
                keep(failure)
    for failure in processes.end():
        keep(failure)
    lines = processes.lines + (last != "\n")
    told = sorted(found.values(), key=lambda one: (one.at, one.test))
    return ReadLog(tuple(without_doubles(told)), lines, truncated)

"""What every parser of a tool's output is: a small machine that is fed line by line.

One file a tool in `parsers/`, each with a class that satisfies `Parser` and is listed in `parsers/registry.py`.
A parser keeps a bounded amount of text whatever it is fed, takes time linear in the log, and never raises.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from syncline.checks.logs.failure import LogFailure


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a log, cleaned: no ANSI codes, timestamps, prefixes of ranks or runners; secrets masked."""

    number: int
    """1-based, in the log as it came."""
    text: str
    """Without line break, at most some thousands of characters."""
    rank: int | None = None
    """The process of a distributed job that wrote it, where a prefix tells."""


class Parser(Protocol):
    """Reads one tool's output; made anew for each log (and each rank in it, since processes interleave)."""

    tool: str

    def feed(self, line: Line) -> Iterator[LogFailure]:
        """Take the next line, and yield the failures that are complete by now."""
        ...

    def end(self) -> Iterator[LogFailure]:
        """The log is over: yield what was still open."""
        ...

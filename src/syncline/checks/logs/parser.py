"""What every parser of a tool's output is: a small machine that is fed line by line.

One file a tool in `parsers/`, each with a class that satisfies `Parser` and is listed in `parsers/registry.py`.
A parser keeps a bounded amount of text whatever it is fed, takes time linear in the log, and never raises.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

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
    """Reads one tool's output; made anew for each log (and each rank in it, since processes interleave).

    Nearly all lines of a long log tell nothing, and to hand each of them to every parser would take minutes.
    So a parser is fed a line only when the line holds one of its `words`, or while it is `busy`.
    """

    tool: ClassVar[str]
    words: ClassVar[tuple[str, ...]]
    """Each line that may begin something for this parser holds one of these texts, letter for letter, somewhere.
    One that begins with `^` counts only at the line's beginning, after prefixes and an annotation's mark.
    The rarer in logs that tell of no failure, the better; empty: each line is wanted, which is slow."""

    @property
    def busy(self) -> bool:
        """Whether it is in the middle of something, and wants every line whatever it holds.

        It is asked after each line it was fed. (A plain attribute will do.)
        """
        ...

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """Take a line, and give the failures that are complete by now: a tuple, or a generator.

        Lines it did not ask for may come as well, and lines may be missing between two where it was not busy:
        `Line.number` tells.
        """
        ...

    def end(self) -> Iterable[LogFailure]:
        """The log is over: give what was still open."""
        ...

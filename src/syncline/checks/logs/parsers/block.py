"""Parsers of tools that tell a failure on several lines, which follow each other."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from syncline.checks.logs.failure import LogFailure
from syncline.checks.logs.parser import Line
from syncline.checks.logs.parsers.rules import bare

EXCERPT = 20
"""Lines of a block that are shown."""


class BlockParser:
    """Gathers the lines from one that opens a block to one that closes it, at most `longest`, and reads them."""

    tool: ClassVar[str]
    words: ClassVar[tuple[str, ...]]
    longest: ClassVar[int] = 60

    def __init__(self) -> None:
        """Begin outside of any block."""
        self._block: list[Line] = []

    @property
    def busy(self) -> bool:
        """Whether a block is open."""
        return bool(self._block)

    def feed(self, line: Line) -> Iterable[LogFailure]:
        """Take a line; give the failures of the block that it ends, if it does."""
        line = replace(line, text=bare(line.text))
        opens = self.opens(line.text)
        found: Iterable[LogFailure] = ()
        if self._block:
            if not opens and len(self._block) < self.longest and not self.closes(line.text):
                self._block.append(line)
                return ()
            found = tuple(self.read(self._block))
            self._block = []
        if opens:
            self._block = [line]
        return found

    def end(self) -> Iterable[LogFailure]:
        """Give the failures of the block that is open."""
        block, self._block = self._block, []
        return tuple(self.read(block)) if block else ()

    def opens(self, text: str) -> bool:
        """Tell whether a line is the first of a block. Asked once for each line."""
        raise NotImplementedError

    def closes(self, text: str) -> bool:
        """Tell whether a line is no part of the open block any more."""
        return not text.strip()

    def read(self, block: Sequence[Line]) -> Iterable[LogFailure]:
        """Give the failures that a block tells; its first line is the one that opened it."""
        raise NotImplementedError


def excerpt(block: Sequence[Line]) -> tuple[str, ...]:
    """Return the first lines of a block, without the empty ones at its end."""
    lines = [line.text for line in block[:EXCERPT]]
    while lines and not lines[-1].strip():
        lines.pop()
    return tuple(lines)

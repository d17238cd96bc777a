"""The lines that a side added since base and the merge has not, in blocks. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from syncline.audit.dropped.text import Text
from syncline.merge.text.diff import matches

GAP = 3
"""Lines between two lost ones of one block: closing brackets, blank lines, what both sides have."""


_SAYS = re.compile(rb"\w{4}.*\w{3}")
"""What tells a line from those that are everywhere, as `else:` and `return x`."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lost lines that stand together in the side's version. 0-based, `end` is the line after the last one."""

    start: int
    end: int
    lost: tuple[int, ...]
    """Which of them are lost."""


def lost_lines(base: Text, side: Text, other: Text, merged: Text) -> list[int]:
    """Return the lines of `side` that it added since base and that the merge has less often than it should.

    White space around a line and its place do not count, so moves and new indentation are no losses; blank lines
    are none either. Where the other side took away as many, nothing was lost.
    """
    before, there, now = base.counts, other.counts, merged.counts
    missing = {
        line
        for line, count in side.counts.items()
        if line
        and count > before.get(line, 0)
        and now.get(line, 0) < count + min(0, there.get(line, 0) - before.get(line, 0))
    }
    if not missing:
        return []
    if not any(side.counts[line] > 1 and _SAYS.search(line) for line in missing):
        return [at for at, line in enumerate(side.bare) if line in missing and side.counts[line] == 1]
    kept = {match.a + at for match in matches(side.bare, merged.bare) for at in range(match.size)}
    return [at for at, line in enumerate(side.bare) if line in missing and at not in kept]


def blocks(lost: Sequence[int], lines: Sequence[bytes]) -> list[Block]:
    """Group lost lines (ascending) that stand close together, or in something that begins with a lost line.

    Args:
        lost: the lost lines.
        lines: all lines of the side's version.
    """
    found: list[list[int]] = []
    ends = 0
    for at in lost:
        if found and (at - found[-1][-1] <= GAP or at < ends):
            found[-1].append(at)
        else:
            found.append([at])
            ends = 0
        if at >= ends:
            ends = _end_of(at, lines)
    return [Block(run[0], run[-1] + 1, tuple(run)) for run in found]


def _end_of(at: int, lines: Sequence[bytes]) -> int:
    """Return the line behind what a line begins: all that is indented deeper than it."""
    depth = indent(lines[at])
    end = at + 1
    for below in range(at + 1, len(lines)):
        line = lines[below]
        if line and not line.isspace():
            if indent(line) <= depth:
                break
            end = below + 1
    return end


def indent(line: bytes) -> int:
    """Return how deep a line is indented; a tab counts as eight."""
    if line[:1] not in (b" ", b"\t"):
        return 0
    blank = line[: len(line) - len(line.lstrip())]
    return len(blank.expandtabs(8))

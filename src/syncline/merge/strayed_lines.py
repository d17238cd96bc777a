"""Lines that an answer puts into another block than the side they come from, or out of one. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice, pairwise, takewhile

from syncline.merge.case import FileCase, HunkCase, Span
from syncline.merge.hunks import Hunk, Lines
from syncline.merge.text.blocks import Blocks, Manner, manner_of, statement_key

_BELOW = 40
"""Lines below a hunk that are read with it: what its last ones stand beside, and what may fall under these."""
_TOLD = 2
"""How many lines of a side are told."""


def strayed_lines(hunk: HunkCase, lines: Lines) -> Iterator[str]:
    """Yield a sentence for each line that would stand under another header than in the side that has it.

    Where both sides have a line it may stand as in either, or, if only one of them moved it, as in that one. It
    may also stand where the lines beside it went on the other side: who wraps a block wraps what is added in it. A
    header that is no more says nothing, and neither does one that was put together of both sides.
    """
    file = hunk.file
    ours = _of_version(file.our_lines, hunk.at.ours, file.path)
    theirs = _of_version(file.their_lines, hunk.at.theirs, file.path)
    for side, other, name in ((ours, theirs, "target"), (theirs, ours, "source")):
        result = _of_answer(lines, hunk, ours=side is ours)
        for at in islice(_Judge(hunk, result, side, other).strayed(), _TOLD):
            header = result.header_text(at)
            where = f"under {_shown(header)}" if header is not None else "in no block"
            yield f"{_shown(result.text(at))} would stand {where}, which is not where {name} has it"
    yield from _not_indented(hunk, lines)


def _not_indented(hunk: HunkCase, lines: Lines) -> Iterator[str]:
    """Yield a sentence for a line that is no deeper than the brace it stands in, as neither side has it."""
    manner = manner_of(hunk.file.path)
    for (depth, one), (indent, other) in pairwise(manner.statements(lines)):
        # What begins deeper than its block is the end of something that began above.
        least = 0 if _BLOCK.match(one) else depth
        if one.endswith(b"{") and least <= indent <= depth and not other.startswith(_CLOSING):
            pair = statement_key(one), statement_key(other)
            sides = hunk.file.our_lines, hunk.file.their_lines
            if not any(pair in _pairs(manner, side) for side in sides):
                yield f"{_shown(other)} would be no deeper than {_shown(one)}, in which it stands"
                return


_CLOSING = (b"}", b")", b"]")
_BLOCK = re.compile(
    rb"(\}\s*)?(if|else|for|foreach|while|do|switch|try|catch|finally|function|func|fn|match|loop)\b"
)


def _pairs(manner: Manner, lines: list[bytes]) -> set[tuple[bytes, bytes]]:
    return set(pairwise(statement_key(text) for _, text in manner.statements(lines)))


@dataclass(frozen=True)
class _Version:
    blocks: Blocks
    lines: list[bytes]
    manner: Manner

    @cached_property
    def keys(self) -> frozenset[bytes]:
        """All statements of the file."""
        return frozenset(statement_key(text) for _, text in self.manner.statements(self.lines))


@dataclass(frozen=True)
class _Judge:
    hunk: HunkCase
    result: Blocks
    side: _Version
    other: _Version
    headers: dict[int, set[bytes | None]] = field(default_factory=dict)

    @cached_property
    def base(self) -> Blocks:
        """Read only when it is needed, which is seldom."""
        return _of_version(self.hunk.file.base_lines, self.hunk.outer.base, self.hunk.file.path).blocks

    def strayed(self) -> Iterator[int]:
        """Yield the places of the lines in the answer and below that stray from where the side has them."""
        yield from self._of(self.result.inside, self.side.blocks.inside)
        # Below, what may stand under a line of either.
        least = min(blocks.least for blocks in (self.result, self.side.blocks, self.other.blocks))
        deep = takewhile(lambda place: self.result.indent(place[1]) > least, self.result.below.items())
        yield from self._of(dict(deep), self.side.blocks.below)

    def _of(self, here: Mapping[bytes, int], there: Mapping[bytes, int]) -> Iterator[int]:
        result, side = self.result, self.side.blocks
        for line, at in here.items():
            place = there.get(line)
            if place is None or result.counts[line] > side.counts[line]:
                continue  # not to be told which one it is
            if result.header(at) == side.header(place):
                continue
            if result.is_above(at) and side.is_above(place) and result.indent(at) == side.indent(place):
                continue  # what is above is not the answer's doing
            if self._strays(line, place, result.header(at)):
                yield at

    def _strays(self, line: bytes, place: int, header: bytes | None) -> bool:
        base, side, other = self.base, self.side.blocks, self.other.blocks
        wanted = side.header(place)
        if not self._is_kept(wanted):
            return False
        at, old = other.around.get(line), base.around.get(line)
        if at is not None and other.header(at) == header:
            return old is not None and base.header(old) == header  # only this side moved it
        if header is not None and header not in self.side.keys and header not in self.other.keys:
            return False  # put together of both
        if wanted is not None and wanted not in self.other.keys:
            return True
        near = (other.header(other.around[one]) for one in side.beside(place) if one in other.around)
        return header not in near and header not in self._replaced(side.indent(place))

    def _replaced(self, depth: int) -> set[bytes | None]:
        """Return under what the other side has those lines of base, so deep, that the side changed."""
        if depth not in self.headers:
            gone = (one for one in self.base.so_deep(depth) if not self.side.blocks.counts[one])
            other = self.other.blocks
            self.headers[depth] = {other.header(other.around[one]) for one in gone if one in other.around}
        return self.headers[depth]

    def _is_kept(self, header: bytes | None) -> bool:
        return header is None or self.result.counts[header] >= self.side.blocks.counts[header]


def _of_version(file: list[bytes], at: Span, path: bytes) -> _Version:
    above = (file[number] for number in range(at.start - 1, -1, -1))
    below = islice(file, at.end, at.end + _BELOW)
    manner = manner_of(path)
    return _Version(Blocks(above, at.of(file), below, manner), file, manner)


def _of_answer(answer: Lines, hunk: HunkCase, *, ours: bool) -> Blocks:
    """Return an answer among what git merged, other hunks as one side has them."""
    above, below = _around(hunk.file, hunk.index, ours=ours)
    return Blocks(above, answer, islice(below, _BELOW), manner_of(hunk.file.path))


def _around(file: FileCase, index: int, *, ours: bool) -> tuple[Iterator[bytes], Iterator[bytes]]:
    """Return the lines above a hunk, the nearest first, and those below."""
    parts = [part if isinstance(part, tuple) else part.ours if ours else part.theirs for part in file.cut.parts]
    at = [number for number, part in enumerate(file.cut.parts) if isinstance(part, Hunk)][index]
    above = chain.from_iterable(reversed(part) for part in reversed(parts[:at]))
    return above, chain.from_iterable(parts[at + 1 :])


def _shown(text: bytes) -> str:
    return f"`{text.decode('utf-8', 'replace')[:80]}`"

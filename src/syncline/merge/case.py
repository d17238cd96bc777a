"""A conflict as resolvers see it: the three versions of the file, its hunks, and where each stands in them."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from syncline.merge.hunks import ConflictedFile, Hunk, Lines, split_lines
from syncline.merge.model import ConflictKind
from syncline.merge.text.diff import Match, matches

if TYPE_CHECKING:
    from syncline.merge.text.hunk_words import HunkWords
    from syncline.merge.text.token_region import TokenRegion


@dataclass(frozen=True, slots=True)
class Span:
    """The lines `start` (0-based) up to, not including, `end` of a version."""

    start: int
    end: int

    def of(self, lines: Sequence[bytes]) -> Lines:
        """Return those lines."""
        return tuple(lines[self.start : self.end])


@dataclass(frozen=True, slots=True)
class Region:
    """The same place in the three versions."""

    base: Span
    ours: Span
    theirs: Span


@dataclass(frozen=True)
class FileCase:
    """One conflicted file. An absent base (both sides added the file) is empty."""

    path: bytes
    kind: ConflictKind
    base: bytes
    ours: bytes
    theirs: bytes
    cut: ConflictedFile
    has_base: bool = True
    token_regions: dict[Region, "TokenRegion | None"] = field(default_factory=dict, compare=False, repr=False)
    """What resolvers cut into tokens, for those after them; forgotten when all were asked."""
    words: dict[int, "HunkWords"] = field(default_factory=dict, compare=False, repr=False)
    """The same for the words of hunks, by their index."""

    @cached_property
    def base_lines(self) -> list[bytes]:
        """The base, line by line."""
        return split_lines(self.base)

    @cached_property
    def our_lines(self) -> list[bytes]:
        """Ours, line by line."""
        return split_lines(self.ours)

    @cached_property
    def their_lines(self) -> list[bytes]:
        """Theirs, line by line."""
        return split_lines(self.theirs)

    @cached_property
    def base_in_ours(self) -> list[Match]:
        """What of the base stands in ours."""
        return matches(self.base_lines, self.our_lines)

    @cached_property
    def base_in_theirs(self) -> list[Match]:
        """What of the base stands in theirs."""
        return matches(self.base_lines, self.their_lines)

    @cached_property
    def hunks(self) -> tuple["HunkCase", ...]:
        """The hunks, in order."""
        ours = _places(self.cut, self.our_lines, ours=True)
        theirs = _places(self.cut, self.their_lines, ours=False)
        stable = _stable(self.base_in_ours, self.base_in_theirs)
        starts = [block[1] for block in stable]
        our_map = _Lines([Match(match.b, match.a, match.size) for match in self.base_in_ours])
        their_map = _Lines([Match(match.b, match.a, match.size) for match in self.base_in_theirs])
        found = []
        for index, hunk in enumerate(self.cut.hunks):
            our_span, their_span = ours[index], theirs[index]
            outer = self._outer(our_span, their_span, stable, starts)
            low = _after(our_map, our_span.start), _after(their_map, their_span.start)
            high = (
                self._before(our_map, our_span.end, len(self.our_lines)),
                self._before(their_map, their_span.end, len(self.their_lines)),
            )
            inner = _inner_base(low, high, outer, our_span, their_span)
            certain = not self.has_base or (_agree(low) and _agree(high))
            found.append(HunkCase(self, index, hunk, Region(inner, our_span, their_span), outer, certain=certain))
        return tuple(found)

    def _before(self, places: "_Lines", line: int, size: int) -> int | None:
        return len(self.base_lines) if line == size else places.get(line)

    def _outer(
        self, ours: Span, theirs: Span, stable: list[tuple[int, int, int, int]], starts: list[int]
    ) -> Region:
        """Return the least region around both spans that begins and ends where all three versions agree."""
        base_start = our_start = their_start = 0
        at = bisect_right(starts, ours.start - 1) - 1
        while at >= 0:
            b, o, t, size = stable[at]
            reach = min(size, ours.start - o, theirs.start - t)
            if reach > 0:
                base_start, our_start, their_start = b + reach, o + reach, t + reach
                break
            at -= 1
        base_end, our_end, their_end = len(self.base_lines), len(self.our_lines), len(self.their_lines)
        for index in range(max(at, 0), len(stable)):
            b, o, t, size = stable[index]
            skip = max(0, ours.end - o, theirs.end - t)
            if skip < size:
                base_end, our_end, their_end = b + skip, o + skip, t + skip
                break
        return Region(Span(base_start, base_end), Span(our_start, our_end), Span(their_start, their_end))


@dataclass(frozen=True)
class HunkCase:
    """One hunk of a file, with what stands in its place in each version."""

    file: FileCase
    index: int
    hunk: Hunk
    at: Region
    """Git's marked region. Git cuts off what both sides begin or end with, so base may not line up."""
    outer: Region
    """The least region around it that begins and ends where all three versions agree (untrimmed)."""
    certain: bool = field(default=True)
    """Whether both sides tell the same borders in base."""

    @property
    def ours(self) -> Lines:
        """Ours' lines."""
        return self.hunk.ours

    @property
    def theirs(self) -> Lines:
        """Theirs' lines."""
        return self.hunk.theirs

    @cached_property
    def base(self) -> Lines:
        """Base's lines."""
        return self.at.base.of(self.file.base_lines)

    @cached_property
    def frame(self) -> tuple[Lines, Lines] | None:
        """What both sides have in `outer` above and below the hunk; None where another hunk is there, too."""
        ours, theirs = self.file.our_lines, self.file.their_lines
        above = Span(self.outer.ours.start, self.at.ours.start).of(ours)
        below = Span(self.at.ours.end, self.outer.ours.end).of(ours)
        if above != Span(self.outer.theirs.start, self.at.theirs.start).of(theirs):
            return None
        if below != Span(self.at.theirs.end, self.outer.theirs.end).of(theirs):
            return None
        return above, below


def _inner_base(
    low: tuple[int | None, int | None],
    high: tuple[int | None, int | None],
    outer: Region,
    ours: Span,
    theirs: Span,
) -> Span:
    """Return base's part of a hunk: by the lines around it, or by counting where a side kept their number."""
    start, end = (next((x for x in border if x is not None), None) for border in (low, high))
    size = outer.base.end - outer.base.start
    for span, whole in ((ours, outer.ours), (theirs, outer.theirs)):
        if whole.end - whole.start == size:
            start = outer.base.start + span.start - whole.start if start is None else start
            end = outer.base.end - (whole.end - span.end) if end is None else end
    start = outer.base.start if start is None else start
    end = outer.base.end if end is None else end
    return Span(start, end) if outer.base.start <= start <= end <= outer.base.end else outer.base


def _agree(borders: tuple[int | None, int | None]) -> bool:
    one, other = borders
    return (one is not None or other is not None) and (one is None or other is None or one == other)


def _places(cut: ConflictedFile, side: list[bytes], *, ours: bool) -> list[Span]:
    """Return where each hunk's lines stand in a side's file."""
    view: list[bytes] = []
    spans: list[tuple[int, int]] = []
    for part in cut.parts:
        if isinstance(part, Hunk):
            lines = part.ours if ours else part.theirs
            spans.append((len(view), len(view) + len(lines)))
            view += lines
        else:
            view += part
    place = _Lines(matches(view, side))
    found = []
    low = 0
    for start, end in spans:
        at, before = place.get(start), place.get(start - 1)
        if start < end and at is not None:
            first = at
        elif before is not None:
            first = before + 1
        elif start == end and at is not None:
            first = at
        else:
            first = low
        first = max(first, low)
        last = min(first + end - start, len(side))
        found.append(Span(min(first, last), last))
        low = last
    return found


def _stable(ours: list[Match], theirs: list[Match]) -> list[tuple[int, int, int, int]]:
    """Return the stretches of base that stand in both sides: (base, ours, theirs, size)."""
    found = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        one, other = ours[i], theirs[j]
        start, end = max(one.a, other.a), min(one.a + one.size, other.a + other.size)
        if start < end:
            found.append((start, one.b + start - one.a, other.b + start - other.a, end - start))
        if one.a + one.size <= other.a + other.size:
            i += 1
        else:
            j += 1
    return found


class _Lines:
    """Where lines of one version stand in another."""

    def __init__(self, found: list[Match]) -> None:
        self._found = found
        self._starts = [match.a for match in found]

    def get(self, line: int) -> int | None:
        """Return the place of a line; None when it is not there."""
        at = bisect_right(self._starts, line) - 1
        if at < 0:
            return None
        match = self._found[at]
        return match.b + line - match.a if line < match.a + match.size else None


def _after(places: _Lines, line: int) -> int | None:
    if line == 0:
        return 0
    before = places.get(line - 1)
    return None if before is None else before + 1

"""How lines are indented anew, and what is moved with them. Pure."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from syncline.merge.alignment import squeezed
from syncline.merge.hunks import Lines
from syncline.merge.text.diff import Edit, Match

Move = tuple[bytes, bytes]
"""What is cut off at the start of an indent, and what is put there."""

_WORD = re.compile(rb"\w")
_STAYS: Move = (b"", b"")
_FAR = 20
"""Lines within which one is sought that both versions have."""
_NEAR = 3
"""Lines between two changes beyond which these have nothing to do with each other."""


def move(own: bytes, other: bytes) -> Move:
    """Return how an indent becomes another."""
    size = next(
        (
            at
            for at in range(min(len(own), len(other)), -1, -1)
            if own[len(own) - at :] == other[len(other) - at :]
        ),
        0,
    )
    return own[: len(own) - size], other[: len(other) - size]


def indent(line: bytes) -> bytes:
    """Return what stands before the first letter of a line."""
    return line[: len(line) - len(line.lstrip())]


def _depth(line: bytes) -> int:
    return len(indent(line))


class Indents:
    """How a side indented the lines of base."""

    def __init__(
        self, base: Sequence[bytes], side: Sequence[bytes], found: Sequence[Match], edits: Sequence[Edit]
    ) -> None:
        """Remember the versions, what of base stands in the side, and what became something else."""
        self._base = base
        self._side = side
        self._found = found
        self._edits = edits
        self._kept: dict[int, dict[bytes, bytes]] = {}
        self._starts = [match.a for match in found]
        self._edit_starts = [edit.a for edit in edits]

    def moved(self, edit: Edit, lines: Lines) -> Lines | None:
        """Return what the other side wrote, moved as the lines that it replaced.

        Where it added some, those around it must be moved so, too, unless it is less indented than all that was
        moved there. None where not all are moved alike, and where there is nothing above or below to tell.
        """
        if not lines or self._stays(max(edit.a - _NEAR, 0), min(edit.a_end + _NEAR, len(self._base))):
            return lines
        inside = list(self._moves(range(edit.a, edit.a_end)))
        upwards = range(edit.a - 1, max(edit.a - _FAR, 0) - 1, -1)
        downwards = range(edit.a_end, min(edit.a_end + _FAR, len(self._base)))
        above, below = next(self._moves(upwards), None), next(self._moves(downwards), None)
        filled = [line for line in lines if line.strip()]
        adds = len(filled) > sum(bool(line.strip()) for line in self._base[edit.a : edit.a_end])
        moves = {*inside, above, below} if adds or not inside else set(inside)
        if moves <= {None, _STAYS}:
            return lines
        if not inside and filled and _depth(filled[0]) < self._least_moved((*upwards, *downwards)):
            return lines
        one = moves.pop()
        if moves or one is None:
            return None
        gone, new = one
        if not all(line.startswith(gone) for line in filled):
            return None
        return tuple(new + line[len(gone) :] if line.strip() else line for line in lines)

    def _stays(self, start: int, end: int) -> bool:
        """Whether the side has these lines of base as they are."""
        at = bisect_right(self._starts, start) - 1
        if at < 0 or end > self._found[at].a + self._found[at].size:
            return False
        shift = self._found[at].b - self._found[at].a
        return self._base[start:end] == self._side[start + shift : end + shift]

    def _least_moved(self, places: Iterable[int]) -> int:
        """Return how deep the outermost line was that the side moved."""
        found = (
            _depth(self._base[place]) for place in places if any(one != _STAYS for one in self._moves((place,)))
        )
        return min(found, default=0)

    def _moves(self, places: Iterable[int]) -> Iterator[Move]:
        for place in places:
            line = self._base[place]
            # Which of several braces one became is not to be told.
            became = self._became(place) if _WORD.search(line) else None
            if became is not None:
                yield _STAYS if became == line else move(indent(line), indent(became))

    def _became(self, place: int) -> bytes | None:
        """Return the line that a line of base became, white space aside; None where that is not to be told."""
        at = bisect_right(self._starts, place) - 1
        if at >= 0 and place < self._found[at].a + self._found[at].size:
            return self._side[self._found[at].b + place - self._found[at].a]
        at = bisect_right(self._edit_starts, place) - 1
        if at < 0 or place >= self._edits[at].a_end:
            return None
        if at not in self._kept:
            self._kept[at] = _kept(self._base, self._side, self._edits[at])
        return self._kept[at].get(squeezed(self._base[place]))


def _kept(base: Sequence[bytes], side: Sequence[bytes], edit: Edit) -> dict[bytes, bytes]:
    """Return the lines that an edit only laid out otherwise, by what they say: those that stand in it once."""
    old = Counter(map(squeezed, base[edit.a : edit.a_end]))
    new = {squeezed(line): line for line in side[edit.b : edit.b_end]}
    count = Counter(map(squeezed, side[edit.b : edit.b_end]))
    return {key: line for key, line in new.items() if old[key] == count[key] == 1}

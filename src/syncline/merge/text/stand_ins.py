"""Where in the other side stands what a side replaced. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from syncline.merge.text.diff import Edit
from syncline.merge.text.three_way import Place

Sides = tuple[int | None, int | None]
"""Where a token stands in ours and theirs."""


@dataclass(frozen=True, slots=True)
class StandIns:
    """What the first and the last token of each replacement stand in for, as places in the other side."""

    firsts: Mapping[Sides, int]
    lasts: Mapping[Sides, int]

    @classmethod
    def of(cls, our_edits: Sequence[Edit], their_edits: Sequence[Edit]) -> "StandIns":
        """Find them; what the other side changed, too, is left out."""
        firsts: dict[Sides, int] = {}
        lasts: dict[Sides, int] = {}
        for edit, shift in _shifted(our_edits, their_edits):
            firsts[edit.b, None] = edit.a + shift
            lasts[edit.b_end - 1, None] = edit.a_end - 1 + shift
        for edit, shift in _shifted(their_edits, our_edits):
            firsts[None, edit.b] = edit.a + shift
            lasts[None, edit.b_end - 1] = edit.a_end - 1 + shift
        return cls(firsts, lasts)

    def between(self, before: Place, place: Place) -> Sides:
        """Return where the second of two tokens stands, or what it stands in for, where they are neighbours so."""
        one, other = (before.ours, before.theirs), (place.ours, place.theirs)
        start = self._pair(one, self.lasts)
        end = self._pair(other, self.firsts)
        found = [b if a is not None and b == a + 1 else None for a, b in zip(start, end, strict=True)]
        return found[0], found[1]

    @staticmethod
    def _pair(sides: Sides, known: Mapping[Sides, int]) -> Sides:
        ours, theirs = sides
        there = known.get(sides)
        return (there if ours is None else ours), (there if theirs is None else theirs)


def _shifted(edits: Sequence[Edit], other_edits: Sequence[Edit]) -> Iterator[tuple[Edit, int]]:
    """Yield the replacements, each with how far what it replaced is moved in the other side."""
    at = shift = 0
    for edit in edits:
        if edit.a == edit.a_end or edit.b == edit.b_end:
            continue
        while at < len(other_edits) and other_edits[at].a_end <= edit.a:
            shift = other_edits[at].b_end - other_edits[at].a_end
            at += 1
        if at == len(other_edits) or other_edits[at].a >= edit.a_end:
            yield edit, shift

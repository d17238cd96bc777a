"""The white space of merged tokens: each gap from the version that says something about it. Pure."""

from collections.abc import Sequence

from syncline.merge.text.diff import Edit
from syncline.merge.text.three_way import Place
from syncline.merge.text.tokens import Tokens


def lay_out(
    places: Sequence[Place],
    base: Tokens,
    ours: Tokens,
    theirs: Tokens,
    our_edits: Sequence[Edit],
    their_edits: Sequence[Edit],
) -> bytes:
    """Write merged tokens.

    The space before a token is merged three-way like the token: that of the side which changed it, ours where both
    did. Before the first token of a replacement it is compared with the space before what was replaced. Lines of
    one side inside what the other indented anew move with it.
    """
    sides = base, ours, theirs
    indents = _Indents(places, base, ours, theirs)
    replaced = _replaced(base, ours, theirs, our_edits, their_edits)
    written: list[bytes] = []
    before = Place(-1, -1, -1)
    for index, place in enumerate([*places, Place(len(base), len(ours), len(theirs))]):
        if place.base is not None and place.ours is not None and place.theirs is not None:
            gap = _choose(base.gaps[place.base], ours.gaps[place.ours], theirs.gaps[place.theirs])
        elif _joined(place, before):
            gap = ours.gaps[place.ours] if place.ours is not None else theirs.gaps[place.theirs or 0]
            gap = replaced.get((place.ours, place.theirs), gap)
        else:
            gap = _between(before, place, sides)
        if (place.ours is None or place.theirs is None) and b"\n" in gap:
            gap = indents.moved(index, place, gap)
        written.append(gap)
        if index < len(places):
            written.append(_text(place, sides))
        before = place
    return b"".join(written)


def _joined(place: Place, before: Place) -> bool:
    """Whether one token follows the other on a side."""
    return (place.ours is not None and before.ours is not None and place.ours == before.ours + 1) or (
        place.theirs is not None and before.theirs is not None and place.theirs == before.theirs + 1
    )


def _replaced(
    base: Tokens, ours: Tokens, theirs: Tokens, our_edits: Sequence[Edit], their_edits: Sequence[Edit]
) -> dict[tuple[int | None, int | None], bytes]:
    """Return the space before the first token of each replacement, where the other side changed that space."""
    found: dict[tuple[int | None, int | None], bytes] = {}
    for edits, side, other_edits, other, is_ours in (
        (our_edits, ours, their_edits, theirs, True),
        (their_edits, theirs, our_edits, ours, False),
    ):
        at = shift = 0
        for edit in edits:
            if edit.a == edit.a_end or edit.b == edit.b_end:
                continue
            while at < len(other_edits) and other_edits[at].a_end <= edit.a:
                shift = other_edits[at].b_end - other_edits[at].a_end
                at += 1
            kept = at == len(other_edits) or other_edits[at].a > edit.a
            if kept and side.gaps[edit.b] == base.gaps[edit.a]:
                found[(edit.b, None) if is_ours else (None, edit.b)] = other.gaps[edit.a + shift]
    return found


def _choose(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Merge one gap three-way; ours where both changed it."""
    return theirs if ours == base else ours


def _between(before: Place, place: Place, sides: tuple[Tokens, Tokens, Tokens]) -> bytes:
    """Return the gap between two tokens that are neighbours nowhere: the widest that either has on that side."""
    found = [tokens.gaps[at] for tokens, at in zip(sides, place, strict=True) if at is not None]
    found += [tokens.gaps[at + 1] for tokens, at in zip(sides, before, strict=True) if at is not None]
    return max(found, key=lambda gap: (b"\n" in gap, len(gap)))


def _text(place: Place, sides: tuple[Tokens, Tokens, Tokens]) -> bytes:
    _, ours, theirs = sides
    return ours.texts[place.ours] if place.ours is not None else theirs.texts[place.theirs or 0]


class _Indents:
    """How a side indented anew the lines that stand in all versions."""

    def __init__(self, places: Sequence[Place], base: Tokens, ours: Tokens, theirs: Tokens) -> None:
        ours_kept: list[tuple[int, bytes, bytes]] = []
        theirs_kept: list[tuple[int, bytes, bytes]] = []
        for index, place in enumerate(places):
            if place.base is None or place.ours is None or place.theirs is None:
                continue
            gaps = base.gaps[place.base], ours.gaps[place.ours], theirs.gaps[place.theirs]
            if all(b"\n" in gap or not at for gap, at in zip(gaps, place, strict=True)):
                old, our, their = (gap.rpartition(b"\n")[2] for gap in gaps)
                if our == old:
                    ours_kept.append((index, our, their))
                if their == old:
                    theirs_kept.append((index, their, our))
        self.kept = [
            kept if any(own != other for _, own, other in kept) else () for kept in (theirs_kept, ours_kept)
        ]
        """The lines whose indent theirs, ours kept: their place, that indent, and the other side's.

        None where the other side kept all of them, too."""

    def moved(self, index: int, place: Place, gap: bytes) -> bytes:
        """Return the gap before a line that one side alone wrote, indented as the other side indents there."""
        kept = self.kept[place.ours is not None]
        before, _, indent = gap.rpartition(b"\n")
        best: tuple[int, int, bytes, bytes] | None = None
        for at, own, other in kept:
            if not (indent.startswith(own) or own.startswith(indent)):
                continue
            rank = abs(len(own) - len(indent)), abs(at - index)
            if best is None or rank < best[:2]:
                best = *rank, own, other
        if best is None or best[2] == best[3]:
            return gap
        own, other = best[2:]
        if indent.startswith(own):
            return before + b"\n" + other + indent[len(own) :]
        return before + b"\n" + other[: max(0, len(other) - (len(own) - len(indent)))]

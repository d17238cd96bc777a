"""The white space of merged tokens: each gap from the version that says something about it. Pure."""

from collections.abc import Sequence

from syncline.merge.text.diff import Edit
from syncline.merge.text.three_way import Place
from syncline.merge.text.tokens import Tokens

_OPENING = frozenset((b"(", b"["))
_CLOSING = frozenset((b")", b"]"))


def lay_out(
    places: Sequence[Place],
    base: Tokens,
    ours: Tokens,
    theirs: Tokens,
    our_edits: Sequence[Edit],
    their_edits: Sequence[Edit],
) -> bytes | None:
    """Write merged tokens; None where it cannot be told whether two that now meet stand on one line.

    The space before a token is merged three-way like the token: that of the side which changed it, ours where both
    did. Before the first token of a replacement it is compared with the space before what was replaced. Lines of
    one side inside what the other indented anew move with it.
    """
    if not places:
        return _choose(base.gaps[-1], ours.gaps[-1], theirs.gaps[-1])
    end = next((tokens.gaps[-1] for tokens in (base, ours, theirs) if len(tokens)), b"")
    sides = _Gaps(base, end), _Gaps(ours, end), _Gaps(theirs, end)
    indents = _Indents(places, base, ours, theirs)
    replaced = _replaced(*sides, our_edits, their_edits)
    starts: dict[tuple[int | None, int | None], int] = {(None, edit.b): edit.a for edit in their_edits} | {
        (edit.b, None): edit.a for edit in our_edits
    }
    stand_in = {
        *((edit.b_end - 1, None) for edit in our_edits if edit.a < edit.a_end),
        *((None, edit.b_end - 1) for edit in their_edits if edit.a < edit.a_end),
    }
    written: list[bytes] = []
    depth = 0
    before = Place(-1, -1, -1)
    for index, place in enumerate([*places, Place(len(base), len(ours), len(theirs))]):
        gap: bytes | None
        if place.base is not None and place.ours is not None and place.theirs is not None:
            may_join = depth > 0 or (before.ours, before.theirs) in stand_in
            gap = _of_all(before, place, sides, may_join=may_join)
        elif _joined(place, before):
            gap = sides[1][place.ours] if place.ours is not None else sides[2][place.theirs or 0]
            gap = replaced.get((place.ours, place.theirs), gap)
        else:
            gap = _between(before, place, sides, starts.get((place.ours, place.theirs)))
        if gap is None:
            return None
        if (place.ours is None or place.theirs is None) and _breaks(gap):
            gap = indents.moved(index, place, gap)
        # The line break before the first line is not there.
        written.append(gap.removeprefix(b"\n") if not index else gap)
        if index < len(places):
            text = _text(place, ours, theirs)
            depth = max(0, depth + (text in _OPENING) - (text in _CLOSING))
            written.append(text)
        before = place
    return b"".join(written)


class _Gaps:
    """The white space before each token of a stretch of whole lines, and behind the last.

    Before the first line a line break is added: its first token begins a line, whatever stands before it later.
    Where there are no tokens, `end` stands for what ends the last line: nothing was said about it.
    """

    def __init__(self, tokens: Tokens, end: bytes) -> None:
        self._gaps = (b"\n" + tokens.gaps[0], *tokens.gaps[1:]) if len(tokens) else (end,)

    def __getitem__(self, at: int) -> bytes:
        return self._gaps[at]


def _breaks(gap: bytes) -> bool:
    """Whether a token stands on another line than the one before."""
    return b"\n" in gap


def _joined(place: Place, before: Place) -> bool:
    """Whether one token follows the other on a side."""
    return any(_follows(one, other) for one, other in zip(place[1:], before[1:], strict=True))


def _follows(place: int | None, before: int | None) -> bool:
    return place is not None and before is not None and place == before + 1


def _of_all(before: Place, place: Place, sides: Sequence[_Gaps], *, may_join: bool) -> bytes | None:
    """Return the gap before a token that all versions have; None where it cannot be told.

    A side that joined two lines did not mean what is new between them, unless that stands in for something
    (`may_join`) or all is within brackets.
    """
    gaps = [gaps[at or 0] for gaps, at in zip(sides, place, strict=True)]
    near = [gap for gap, at, last in zip(gaps, place, before, strict=True) if _follows(at, last)]
    gap = _choose(*gaps)
    if not near:
        return gap if may_join or _agree(gaps + _behind(before, sides)) else None
    joins = not _breaks(gap) and any(map(_breaks, near))
    return None if joins and not may_join and len(near) < len(gaps) else gap


def _agree(gaps: Sequence[bytes]) -> bool:
    return len({_breaks(gap) for gap in gaps}) == 1


def _behind(before: Place, sides: Sequence[_Gaps]) -> list[bytes]:
    return [gaps[at + 1] for gaps, at in zip(sides, before, strict=True) if at is not None]


def _replaced(
    base: _Gaps, ours: _Gaps, theirs: _Gaps, our_edits: Sequence[Edit], their_edits: Sequence[Edit]
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
            if kept and side[edit.b] == base[edit.a]:
                found[(edit.b, None) if is_ours else (None, edit.b)] = other[edit.a + shift]
    return found


def _choose(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Merge one gap three-way; ours where both changed it."""
    return theirs if ours == base else ours


def _between(before: Place, place: Place, sides: Sequence[_Gaps], start: int | None) -> bytes | None:
    """Return the gap between two tokens that are neighbours nowhere; None where it cannot be told.

    It is the widest that either has on that side, if all agree on whether a line ends there. If not, `start` tells
    where in base the second begins to say something else: what base has there is merged with both like any gap.
    """
    own = [gaps[at] for gaps, at in zip(sides, place, strict=True) if at is not None]
    behind = _behind(before, sides)
    if _agree(own + behind):
        return max(own + behind, key=len)
    if start is None or len(own) != 1 or len(behind) != 1:
        return None
    old = sides[0][start]
    changed = [gap for gap in (*own, *behind) if _breaks(gap) != _breaks(old)]
    return changed[0] if len(changed) == 1 else None


def _text(place: Place, ours: Tokens, theirs: Tokens) -> bytes:
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

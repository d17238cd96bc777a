"""The white space of merged tokens: each gap from the version that says something about it. Pure."""

from bisect import bisect_left
from collections.abc import Sequence

from syncline.merge.text.diff import Edit
from syncline.merge.text.indents import move
from syncline.merge.text.stand_ins import Sides, StandIns
from syncline.merge.text.three_way import Place
from syncline.merge.text.tokens import Tokens

_OPENING = frozenset((b"(", b"["))
_CLOSING = frozenset((b")", b"]"))
_ATTACHED = _CLOSING | {b",", b";", b"."}
"""What has its place at the token before it."""


def lay_out(
    places: Sequence[Place],
    base: Tokens,
    ours: Tokens,
    theirs: Tokens,
    our_edits: Sequence[Edit],
    their_edits: Sequence[Edit],
) -> bytes | None:
    """Write merged tokens; None where their layout cannot be told.

    That is: on which line one of two tokens stands that now meet, how deep a line stands that both sides indented
    otherwise or that one wrote among lines which the other moved, or how lines end.

    The space before a token is merged three-way like the token. Before the first token of a replacement it is
    compared with the space before what was replaced. Lines of one side between lines that the other indented anew
    move with them.
    """
    ending = merged_ending(base, ours, theirs)
    if ending is None:
        return None
    base, ours, theirs = _with_line_feeds(base), _with_line_feeds(ours), _with_line_feeds(theirs)
    text = _written(places, base, ours, theirs, our_edits, their_edits)
    return text if text is None or ending == b"\n" else text.replace(b"\n", ending)


def _written(
    places: Sequence[Place],
    base: Tokens,
    ours: Tokens,
    theirs: Tokens,
    our_edits: Sequence[Edit],
    their_edits: Sequence[Edit],
) -> bytes | None:
    if not places:
        # Who deleted everything says what is left.
        return b"" if len(ours) and len(theirs) else theirs.gaps[0] if len(ours) else ours.gaps[0]
    end = next((tokens.gaps[-1] for tokens in (base, ours, theirs) if len(tokens)), b"")
    sides = _Gaps(base, end), _Gaps(ours, end), _Gaps(theirs, end)
    indents = _Indents(places, base, ours, theirs)
    replaced = _replaced(*sides, our_edits, their_edits)
    stand_ins = StandIns.of(our_edits, their_edits)
    starts: dict[Sides, int] = {(None, edit.b): edit.a for edit in their_edits}
    starts |= {(edit.b, None): edit.a for edit in our_edits}
    stand_in = {
        *((edit.b_end - 1, None) for edit in our_edits if edit.a < edit.a_end),
        *((None, edit.b_end - 1) for edit in their_edits if edit.a < edit.a_end),
    }
    written: list[bytes] = []
    depth = 0
    before = Place(-1, -1, -1)
    for index, place in enumerate([*places, Place(len(base), len(ours), len(theirs))]):
        gap: bytes | None
        here: Sides = place.ours, place.theirs
        if place.base is not None and place.ours is not None and place.theirs is not None:
            may_join = depth > 0 or (before.ours, before.theirs) in stand_in
            gap = _of_all(before, place, sides, may_join=may_join)
        elif _joined(place, before):
            gap = sides[1][place.ours] if place.ours is not None else sides[2][place.theirs or 0]
            gap = replaced.get(here, gap)
        else:
            gap = _between(before, place, sides, starts.get(here))
            if gap is not None and not _breaks(gap):
                gap = _within_line(gap, before, place, (base, ours, theirs), stand_ins)
        if (
            gap is not None
            and (place.ours is None or place.theirs is None)
            and _breaks(gap)
            and here not in replaced
        ):
            gap = indents.moved(index, place, gap)
        if gap is None:
            return None
        # The line break before the first line is not there.
        written.append(gap.removeprefix(b"\n") if not index else gap)
        if index < len(places):
            text = _text(place, ours, theirs)
            depth = max(0, depth + (text in _OPENING) - (text in _CLOSING))
            written.append(text)
        before = place
    return b"".join(written)


def merged_ending(base: Tokens, ours: Tokens, theirs: Tokens) -> bytes | None:
    """Return what lines end with when each version's ending is merged three-way; None where one mixes them."""
    found = [_endings(tokens) for tokens in (base, ours, theirs)]
    if any(len(endings) > 1 for endings in found):
        return None
    old, our, their = (next(iter(endings), None) for endings in found)
    changed = [ending for ending in (our, their) if ending is not None and ending != old]
    return changed[0] if changed else old or b"\n"


def _endings(tokens: Tokens) -> set[bytes]:
    space = b" ".join(tokens.gaps)
    crlf = space.count(b"\r\n")
    return {*([b"\r\n"] if crlf else []), *([b"\n"] if space.count(b"\n") > crlf else [])}


def _with_line_feeds(tokens: Tokens) -> Tokens:
    if not any(b"\r" in gap for gap in tokens.gaps):
        return tokens
    return Tokens(tokens.texts, tuple(gap.replace(b"\r\n", b"\n") for gap in tokens.gaps), tokens.kinds)


class _Gaps:
    """The white space before each token of a stretch of whole lines, and behind the last.

    Before the first line a line break is added: its first token begins a line, whatever stands before it later.
    Where there are no tokens, `end` stands for what ends the last line: nothing was said about it.
    """

    def __init__(self, tokens: Tokens, end: bytes) -> None:
        self._gaps = (b"\n" + tokens.gaps[0], *tokens.gaps[1:]) if len(tokens) else (end,)

    def __getitem__(self, at: int) -> bytes:
        return self._gaps[at]

    def behind(self, at: int) -> bytes:
        """Return the space behind a token where something else follows; a line that has no end yet ends there."""
        gap = self._gaps[at + 1]
        return gap + b"\n" if at + 2 == len(self._gaps) and b"\n" not in gap else gap


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
    if gap is None:
        return None
    if not near:
        return gap if may_join or _agree(gaps + _behind(before, sides)) else None
    of_side = [one for one, at, last in zip(gaps[1:], place[1:], before[1:], strict=True) if _follows(at, last)]
    if len(of_side) == 1 and not any(map(_breaks, (gap, *near))):
        return of_side[0]  # what stands between other neighbours says nothing of these
    joins = not _breaks(gap) and any(map(_breaks, near))
    return None if joins and not may_join and len(near) < len(gaps) else gap


def _agree(gaps: Sequence[bytes]) -> bool:
    return len({_breaks(gap) for gap in gaps}) == 1


def _behind(before: Place, sides: Sequence[_Gaps]) -> list[bytes]:
    return [gaps.behind(at) for gaps, at in zip(sides, before, strict=True) if at is not None]


def _replaced(
    base: _Gaps, ours: _Gaps, theirs: _Gaps, our_edits: Sequence[Edit], their_edits: Sequence[Edit]
) -> dict[Sides, bytes | None]:
    """Return the space before the first token of each replacement, merged with that before what it replaces."""
    found: dict[Sides, bytes | None] = {}
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
            if at == len(other_edits) or other_edits[at].a > edit.a:
                gaps = side[edit.b], other[edit.a + shift]
                place = (edit.b, None) if is_ours else (None, edit.b)
                found[place] = _choose(base[edit.a], *(gaps if is_ours else gaps[::-1]))
    return found


def _choose(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Merge one gap three-way, where both changed it part by part; None where both indented a line otherwise."""
    if ours == base:
        return theirs
    if theirs in {base, ours}:
        return ours
    if not _breaks(ours) and not _breaks(theirs):
        return ours
    if not _breaks(ours) or not _breaks(theirs):
        # One side moved it to another line, the other has it on the line before.
        return None if _breaks(base) else ours if _breaks(ours) else theirs
    (old_blank, old), (our_blank, our), (their_blank, their) = map(_blank_and_indent, (base, ours, theirs))
    blank = their_blank if our_blank == old_blank else our_blank
    if len({old, our, their}) == len((old, our, their)):
        return None
    return blank + (their if our == old else our)


def _blank_and_indent(gap: bytes) -> tuple[bytes, bytes]:
    """Cut a gap into the end of the line before and blank lines, without what stands in them, and the indent."""
    blank, found, indent = gap.rpartition(b"\n")
    return (b"\n" * blank.count(b"\n") + found, indent) if found else (b"\n", b"")


def _between(before: Place, place: Place, sides: Sequence[_Gaps], start: int | None) -> bytes | None:
    """Return the gap between two tokens that are neighbours nowhere; None where it cannot be told.

    It is the widest that either has on that side, if all agree on whether a line ends there. If not, `start` tells
    where in base the second begins to say something else: what base has there is merged with both like any gap.
    """
    own = [gaps[at] for gaps, at in zip(sides, place, strict=True) if at is not None]
    behind = _behind(before, sides)
    if _agree(own + behind):
        return own[0] if _breaks(own[0]) else max(own + behind, key=len)
    if start is None or len(own) != 1 or len(behind) != 1:
        return None
    old = sides[0][start]
    changed = [gap for gap in (*own, *behind) if _breaks(gap) != _breaks(old)]
    return changed[0] if len(changed) == 1 else None


def _within_line(
    widest: bytes, before: Place, place: Place, versions: tuple[Tokens, Tokens, Tokens], stand_ins: StandIns
) -> bytes:
    """Return the gap between two tokens of a line that are neighbours nowhere.

    Where one stands in for a token that is the other's neighbour, it is theirs. Brackets, commas and the like have
    on their inner side what they have there in the versions.
    """
    for at, side in zip(stand_ins.between(before, place), versions[1:], strict=True):
        if at is not None and not _breaks(side.gaps[at]):
            there = [_kind(text) for text in side.texts[at - 1 : at + 1]]
            if there == [_kind(_text(one, *versions[1:])) for one in (before, place)]:
                return side.gaps[at]
    for token, shift, texts in ((before, 1, _OPENING), (place, 0, _ATTACHED)):
        known = [(side, at) for side, at in zip(versions, token, strict=True) if at is not None and at < len(side)]
        if known and all(side.texts[at] in texts for side, at in known):
            return min((side.gaps[at + shift] for side, at in known), key=len)
    return widest


def _kind(text: bytes) -> bytes:
    """Return by what tokens have the same space around them: words, numbers and strings are alike."""
    return b"word" if text[:1].isalnum() or text[:1] in b"_$\"'`" or text[:1] >= b"\x80" else text


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
            kept if any(own != other for _, own, other in kept) else [] for kept in (theirs_kept, ours_kept)
        ]
        """The lines whose indent theirs, ours kept: their place, that indent, and the other side's.

        Nothing where the other side kept all of them, too."""

    def moved(self, index: int, place: Place, gap: bytes) -> bytes | None:
        """Return the gap before a line that one side alone wrote, moved as the lines around it are.

        None where those above and below are not moved alike.
        """
        kept = self.kept[place.ours is not None]
        if not kept:
            return gap
        at = bisect_left(kept, index, key=lambda line: line[0])
        moves = {move(own, other) for _, own, other in (*kept[max(at - 1, 0) : at], *kept[at : at + 1])}
        if moves == {(b"", b"")}:
            return gap
        if len(moves) > 1 or not 0 < at < len(kept):
            return None
        gone, new = moves.pop()
        blank, _, indent = gap.rpartition(b"\n")
        return blank + b"\n" + new + indent[len(gone) :] if indent.startswith(gone) else None

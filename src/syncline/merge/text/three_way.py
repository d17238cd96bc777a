"""Three-way merge of sequences (diff3), told as where each element of the result comes from. Pure."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from syncline.merge.text.diff import Edit, Match


class Place(NamedTuple):
    """Where an element of the merged sequence stands in the three; None where it does not."""

    base: int | None
    ours: int | None
    theirs: int | None


@dataclass(frozen=True, slots=True)
class Merged:
    """A merge in which no edit of one side overlaps one of the other."""

    places: tuple[Place, ...]
    gap: int
    """How many elements of base stand between the nearest edits of the two sides."""
    ours: tuple[Edit, ...]
    """The edits that ours alone made."""
    theirs: tuple[Edit, ...]
    woven: int = 0
    """How many places both sides rewrote, so that one has all the other has and more, or each adds elsewhere."""


def merge_edits(
    ours: Sequence[Hashable],
    theirs: Sequence[Hashable],
    base_size: int,
    our_edits: Sequence[Edit],
    their_edits: Sequence[Edit],
    common: Callable[[Edit, Edit], Sequence[Match]] | None = None,
) -> Merged | None:
    """Apply both sides' edits of one base.

    Edits may touch, not overlap; what both sides did alike is done once. None where they overlap or insert at the
    same place.

    With `common`, which tells what both put in the same place have in common (positions counted from the edits'
    starts), such texts are woven into one where between their common parts only one of them says something; not
    beside edits of one side alone.
    """
    places: list[Place] = []
    only_ours: list[Edit] = []
    only_theirs: list[Edit] = []
    base = our_at = their_at = 0
    i = j = woven = 0
    gap = base_size
    last: tuple[int, bool] | None = None
    while i < len(our_edits) or j < len(their_edits):
        one = our_edits[i] if i < len(our_edits) else None
        other = their_edits[j] if j < len(their_edits) else None
        if one and other and _collide(one, other):
            steps = range(one.a - base)
            places += [Place(base + step, our_at + step, their_at + step) for step in steps]
            if _alike(ours, theirs, one, other):
                places += [Place(None, one.b + step, other.b + step) for step in range(one.b_end - one.b)]
            else:
                inside = _weave(one, other, common) if common else []
                if not inside:
                    return None
                places += inside
                woven += 1
            base, our_at, their_at = one.a_end, one.b_end, other.b_end
            i, j = i + 1, j + 1
            continue
        is_ours = other is None or (one is not None and (one.a, one.a_end) <= (other.a, other.a_end))
        edit = one if is_ours else other
        assert edit is not None  # noqa: S101
        places += [Place(base + step, our_at + step, their_at + step) for step in range(edit.a - base)]
        our_at, their_at = our_at + edit.a - base, their_at + edit.a - base
        base = edit.a_end
        if is_ours:
            places += [Place(None, step, None) for step in range(edit.b, edit.b_end)]
            our_at, their_at = edit.b_end, their_at + edit.a_end - edit.a
            only_ours.append(edit)
            i += 1
        else:
            places += [Place(None, None, step) for step in range(edit.b, edit.b_end)]
            our_at, their_at = our_at + edit.a_end - edit.a, edit.b_end
            only_theirs.append(edit)
            j += 1
        if last is not None and last[1] != is_ours:
            gap = min(gap, edit.a - last[0])
        last = edit.a_end, is_ours
    # Where single edits stand beside woven ones, the sides contradict each other: 0 of 9 were right.
    if woven and (only_ours or only_theirs):
        return None
    places += [Place(base + step, our_at + step, their_at + step) for step in range(base_size - base)]
    return Merged(tuple(places), gap, tuple(only_ours), tuple(only_theirs), woven)


def _collide(one: Edit, other: Edit) -> bool:
    """Whether two edits overlap, or both insert at one place."""
    if one.a == other.a:
        return one.a_end == other.a_end or (one.a_end > one.a and other.a_end > other.a)
    return one.a < other.a_end and other.a < one.a_end


def _alike(ours: Sequence[Hashable], theirs: Sequence[Hashable], one: Edit, other: Edit) -> bool:
    return (one.a, one.a_end) == (other.a, other.a_end) and (
        list(ours[one.b : one.b_end]) == list(theirs[other.b : other.b_end])
    )


def _weave(one: Edit, other: Edit, common: Callable[[Edit, Edit], Sequence[Match]]) -> list[Place]:
    """Return what both put in the same place, woven; nothing where they contradict or share nothing."""
    if (one.a, one.a_end) != (other.a, other.a_end):
        return []
    found = common(one, other)
    if not found:
        return []
    places: list[Place] = []
    ours, theirs = one.b, other.b
    for match in [*found, Match(one.b_end - one.b, other.b_end - other.b, 0)]:
        our_end, their_end = one.b + match.a, other.b + match.b
        if our_end > ours and their_end > theirs:
            return []
        places += [Place(None, at, None) for at in range(ours, our_end)]
        places += [Place(None, None, at) for at in range(theirs, their_end)]
        places += [Place(None, our_end + step, their_end + step) for step in range(match.size)]
        ours, theirs = our_end + match.size, their_end + match.size
    return places

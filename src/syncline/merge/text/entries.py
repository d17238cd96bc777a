"""Three-way merge of lists whose entries have a key: which stay, with what value, in what order. Pure.

Knows nothing of formats: a resolver cuts its lines into entries and lays the result out again.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from syncline.merge.alignment import squeezed
from syncline.merge.case import HunkCase
from syncline.merge.hunks import Lines

K = TypeVar("K", bound=Hashable)


MAX_LINES = 5000
"""Of a frame's version: a larger one is no list, and many hunks may share it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A hunk's three versions with the lines that git cut off because both sides have them."""

    base: Lines
    ours: Lines
    theirs: Lines
    before: Lines
    """What both sides begin with, before git's marked region."""
    after: Lines
    """What both sides end with, behind it."""

    def cut(self, merged: Sequence[bytes]) -> Lines | None:
        """Return of a merge of the whole frame what stands in the marked region; None if its edges changed."""
        head, tail = len(self.before), len(merged) - len(self.after)
        if head > tail or tuple(merged[:head]) != self.before or tuple(merged[tail:]) != self.after:
            return None
        return tuple(merged[head:tail])


def trimmed(hunk: HunkCase) -> Frame | None:
    """Return the marked region as it is; None where its place in base is not certain."""
    return Frame(hunk.base, hunk.ours, hunk.theirs, (), ()) if hunk.certain else None


def untrimmed(hunk: HunkCase) -> Frame | None:
    """Return the region that all three agree around; None when it holds more than this hunk."""
    file, outer = hunk.file, hunk.outer
    if max(span.end - span.start for span in (outer.base, outer.ours, outer.theirs)) > MAX_LINES:
        return None
    if hunk.frame is None:
        return None
    return Frame(
        outer.base.of(file.base_lines),
        outer.ours.of(file.our_lines),
        outer.theirs.of(file.their_lines),
        *hunk.frame,
    )


def frames(hunk: HunkCase) -> list[Frame]:
    """Return the frames a resolver may try, the marked region first; none where the sides say the same."""
    if squeezed(b"".join(hunk.ours)) == squeezed(b"".join(hunk.theirs)):
        return []
    found = [frame for frame in (trimmed(hunk), untrimmed(hunk)) if frame is not None]
    return found[:1] if len(found) == 2 and found[0] == found[1] else found


def sorts_better(lines: Sequence[bytes], other: Sequence[bytes]) -> tuple[str, ...]:
    """Return a mark that says which of two orders of the same lines is nearer to a sorted one; none if neither."""
    ascents = [_ascents(lines), _ascents(other)]
    if ascents[0] == ascents[1]:
        return ()
    return ("sorts-better",) if ascents[0] > ascents[1] else ("sorts-worse",)


def _ascents(lines: Sequence[bytes]) -> int:
    keys = [line.strip().lower() for line in lines if line.strip()]
    return sum(one <= other for one, other in pairwise(keys))


def kept(
    base: Mapping[K, bytes], ours: Mapping[K, bytes], theirs: Mapping[K, bytes]
) -> dict[K, bytes | None] | None:
    """Merge values (normalised texts) key by key.

    Returns the value each key that stays has, None standing for one that both sides changed, each in its way; or
    None altogether when one side deleted what the other changed.
    """
    merged: dict[K, bytes | None] = {}
    for key in dict.fromkeys((*ours, *theirs)):
        old, our, their = base.get(key), ours.get(key), theirs.get(key)
        if their in {our, old}:
            value = our
        elif our == old:
            value = their
        elif our is None or their is None:
            return None
        else:
            merged[key] = None
            continue
        if value is not None:
            merged[key] = value
    return merged


@dataclass(frozen=True, slots=True)
class Order(Generic[K]):
    """The keys of a merged list in order."""

    keys: tuple[K, ...]
    ambiguous: bool
    """Whether both sides put something new at the same place, so that which comes first is a guess."""


def in_order(
    base: Sequence[K], ours: Sequence[K], theirs: Sequence[K], keep: set[K], *, ours_first: bool = True
) -> Order[K] | None:
    """Return the kept keys in order: each stands behind what it stood behind; None if both sides moved some."""
    in_ours, in_theirs = set(ours), set(theirs)
    our_common = [key for key in ours if key in in_theirs]
    their_common = [key for key in theirs if key in in_ours]
    if our_common != their_common:
        old = [key for key in base if key in in_ours and key in in_theirs]
        if our_common == old:
            return in_order(base, theirs, ours, keep, ours_first=not ours_first)
        if their_common != old:
            return None
    known = set(base)
    result = [key for key in ours if key in keep]
    behind: dict[K | None, list[K]] = {}
    last: K | None = None
    in_result = set(result)
    for key in theirs:
        if key in in_result:
            last = key
        elif key in keep:
            behind.setdefault(last, []).append(key)
    merged: list[K] = list(behind.get(None, ())) if not ours_first else []
    waiting: list[K] = list(behind.get(None, ())) if ours_first else []
    ambiguous = False
    open_place = bool(behind.get(None))
    for key in result:
        if key in in_theirs:
            merged += waiting
            waiting = []
            merged.append(key)
            new = behind.get(key, [])
            open_place = bool(new)
            if ours_first:
                waiting = list(new)
            else:
                merged += new
        else:
            ambiguous |= open_place and key not in known
            merged.append(key)
    return Order((*merged, *waiting), ambiguous)

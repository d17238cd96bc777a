"""Line merge: three-way by lines where git saw a conflict, with other alignments and with edits that touch.

Git calls two edits a conflict when no unchanged line stands between them, and aligns lines by one algorithm.
Here edits may touch, and lines are aligned in three ways (patience, plain Myers, white space ignored), in the hunk
itself and over the whole file. Measured on eight repositories' history: touching without an insertion 81 %
right, whole file by another algorithm 78 %, white space ignored 73 % (the project's study of resolvers).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from syncline.merge.alignment import regions, squeezed, squeezed_lines
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.hunks import Lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.text.diff import Edit, Match, edits_between, matches, shortest_edits
from syncline.merge.text.indents import Indents

NAME = "line-merge"

MAX_LINES = 30_000
"""A longer version is not merged as a whole; its hunks still are."""

MAX_HUNK_LINES = 4_000
"""A hunk with more lines in a version is not merged."""

MAX_MYERS_EDITS = 250
"""How far plain Myers looks over a whole file; time grows with the square."""

Aligner = Callable[[Sequence[bytes], Sequence[bytes]], list[Match] | None]


@dataclass(frozen=True, slots=True)
class Contact:
    """Where an edit of one side comes behind one of the other."""

    at: int
    """The base line at which the later edit begins."""
    gap: int
    """How many unchanged lines stand between them."""
    insertion: bool
    """Whether one of them only inserts: touching, their order is a guess."""
    deletion: bool
    """Whether one of them only deletes."""


@dataclass(frozen=True, slots=True)
class LineMerge:
    """Three versions merged by lines."""

    lines: Lines
    """What came out; `CONFLICT` stands for each stretch that did not merge."""
    contacts: tuple[Contact, ...]
    inserted: tuple[int, ...]
    """The base lines before which a side only inserted."""

    @property
    def whole(self) -> bool:
        """Whether all of it merged."""
        return CONFLICT not in self.lines

    def guards(self, start: int, end: int) -> tuple[str, ...]:
        """Return which guards hold for the base lines from `start` to `end`."""
        near = [contact for contact in self.contacts if start <= contact.at <= end]
        touching = [contact for contact in near if not contact.gap]
        if not near:
            return ("one-side",)
        if not touching:
            return ("gap-3",) if min(contact.gap for contact in near) >= 3 else ("gap-1",)
        if not any(start <= place <= end for place in self.inserted):
            return ("no-insertions",)
        if not any(contact.insertion for contact in touching):
            return ("touching",)
        return ("insertion-touches", "beside-deletion") if _deletes(touching) else ("insertion-touches",)


def _deletes(touching: Sequence[Contact]) -> bool:
    return all(contact.deletion for contact in touching if contact.insertion)


CONFLICT = b"\n\n"
"""Stands for a stretch that did not merge: no line of a file has two newlines."""


def merge_lines(
    base: Sequence[bytes],
    ours: Sequence[bytes],
    theirs: Sequence[bytes],
    in_ours: Sequence[Match],
    in_theirs: Sequence[Match],
) -> LineMerge:
    """Merge two sides into base; edits of both sides may touch.

    What one side wrote among lines that the other indented anew is moved with these, or stays a conflict.

    Args:
        base: lines of the common version.
        ours: lines of one side.
        theirs: lines of the other.
        in_ours: what of base stands in ours.
        in_theirs: what of base stands in theirs.
    """
    our_edits = edits_between(in_ours, len(base), len(ours))
    their_edits = edits_between(in_theirs, len(base), len(theirs))
    changes = [*((edit, ours) for edit in our_edits), *((edit, theirs) for edit in their_edits)]
    changes.sort(key=lambda change: (change[0].a, change[0].a_end))
    indents = Indents(base, ours, in_ours, our_edits), Indents(base, theirs, in_theirs, their_edits)
    unedited = _kept_text(base, ours, theirs, in_ours, in_theirs)
    merged: list[bytes] = []
    contacts = []
    at = 0
    last: tuple[Edit, Sequence[bytes]] | None = None
    for edit, side in changes:
        if last is not None and last[1] is not side:
            before = last[0]
            if _same(last, (edit, side)):
                continue
            if edit.a < at or edit.a == edit.a_end == before.a:
                merged += [] if merged[-1:] == [CONFLICT] else [CONFLICT]
                last = (edit, side) if edit.a_end > at else last
                at = max(at, edit.a_end)
                continue
            insertion = edit.a == edit.a_end or before.a == before.a_end
            deletion = edit.b == edit.b_end or before.b == before.b_end
            contacts.append(Contact(edit.a, edit.a - before.a_end, insertion, deletion))
        merged += unedited[at : edit.a]
        lines = indents[side is ours].moved(edit, tuple(side[edit.b : edit.b_end]))
        merged += (CONFLICT,) if lines is None else lines
        at = max(at, edit.a_end)
        last = (edit, side)
    merged += unedited[at:]
    inserted = tuple(edit.a for edit, _ in changes if edit.a == edit.a_end)
    return LineMerge(tuple(merged), tuple(contacts), inserted)


def _kept_text(
    base: Sequence[bytes],
    ours: Sequence[bytes],
    theirs: Sequence[bytes],
    in_ours: Sequence[Match],
    in_theirs: Sequence[Match],
) -> list[bytes]:
    """Return base with each line as the side wrote it that changed its white space (ours, if both did)."""
    text = list(base)
    for found, side in ((in_theirs, theirs), (in_ours, ours)):
        for match in found:
            if side[match.b : match.b + match.size] == base[match.a : match.a + match.size]:
                continue
            for step in range(match.size):
                line = side[match.b + step]
                if line != base[match.a + step]:
                    text[match.a + step] = line
    return text


def _same(one: tuple[Edit, Sequence[bytes]], other: tuple[Edit, Sequence[bytes]]) -> bool:
    first, second = one[0], other[0]
    return (first.a, first.a_end) == (second.a, second.a_end) and (
        one[1][first.b : first.b_end] == other[1][second.b : second.b_end]
    )


def keeps_common(hunk: HunkCase, lines: Sequence[bytes]) -> bool:
    """Whether `lines` still hold every line that all three versions of a hunk hold."""
    common = set(hunk.ours) & set(hunk.theirs) & set(hunk.base)
    return all(not squeezed(line) or line in lines for line in common) if common else True


def merge_hunk(hunk: HunkCase, align: Aligner, *, outer: bool) -> LineMerge | None:
    """Merge a hunk by lines, in git's borders or in the least region where all three agree; None in conflict."""
    file = hunk.file
    place = hunk.outer if outer else hunk.at
    base, ours, theirs = (
        place.base.of(file.base_lines),
        place.ours.of(file.our_lines),
        place.theirs.of(file.their_lines),
    )
    if not outer:
        ours, theirs = hunk.ours, hunk.theirs
    if not base or (outer and hunk.frame is None) or max(len(base), len(ours), len(theirs)) > MAX_HUNK_LINES:
        return None
    in_ours, in_theirs = align(base, ours), align(base, theirs)
    if in_ours is None or in_theirs is None:
        return None
    merged = merge_lines(base, ours, theirs, in_ours, in_theirs)
    if not merged.whole:
        return None
    if not outer:
        return merged
    inner = inner_lines(hunk, merged.lines)
    if inner is None:
        return None
    return LineMerge(inner, merged.contacts, merged.inserted)


def inner_lines(hunk: HunkCase, lines: Lines) -> Lines | None:
    """Cut what git merged itself around a hunk off the merged region around it; None when it is not there."""
    if hunk.frame is None:
        return None
    before, after = hunk.frame
    end = len(lines) - len(after)
    if len(before) > end or lines[: len(before)] != before or lines[end:] != after:
        return None
    return lines[len(before) : end]


def propose(case: FileCase) -> Iterator[Proposal]:
    """Yield line merges of the hunks: at most one for each distinct text."""
    if not case.has_base:
        return
    whole = _whole_files(case)
    for hunk in case.hunks:
        if hunk.ours == hunk.theirs:
            continue
        offers: dict[Lines, list[str]] = {}
        for lines, marks in _of_hunk(hunk):
            offers.setdefault(lines, []).extend(marks)
        for name, merged, answers in whole:
            answer = answers[hunk.index]
            if answer is not None and CONFLICT not in answer:
                span = hunk.outer.base
                known = offers.setdefault(answer, [])
                known += [name] if known else [name, *merged.guards(span.start, span.end)]
        added = _added(hunk)
        for lines, marks in offers.items():
            # What a side added went elsewhere in the file, or is lost: 35 % right, 11 % where one side is taken.
            if not added <= {squeezed(line) for line in lines}:
                continue
            # Never once right in 26: an insertion that git had merged itself, taken in again.
            again = "insertion-touches" in marks and "hunk-exact" not in marks and "outer-exact" in marks
            if keeps_common(hunk, lines) and not again:
                evidence = Evidence(_sentence(marks))
                yield Proposal(hunk.index, lines, NAME, (evidence,), tuple(dict.fromkeys(marks)))


def _added(hunk: HunkCase) -> set[bytes]:
    """Return the lines that a side has in a hunk and base has not around it, without white space."""
    before = {squeezed(line) for line in hunk.outer.base.of(hunk.file.base_lines)} | {b""}
    return {squeezed(line) for line in (*hunk.ours, *hunk.theirs)} - before


def _of_hunk(hunk: HunkCase) -> Iterator[tuple[Lines, list[str]]]:
    """Yield what merging inside the hunk gives, with the guards that hold."""
    for outer in (False, True):
        if not outer and not hunk.certain:
            continue
        for name, align in (("exact", matches), ("spaces", _loose)):
            merged = merge_hunk(hunk, align, outer=outer)
            if merged is None:
                continue
            place = "outer" if outer else "hunk"
            yield merged.lines, [f"{place}-{name}", *merged.guards(0, len(hunk.file.base_lines))]
            break


def _whole_files(case: FileCase) -> list[tuple[str, LineMerge, tuple[Lines | None, ...]]]:
    """Return the merges of the whole file, one for each alignment within the bounds."""
    base, ours, theirs = case.base_lines, case.our_lines, case.their_lines
    if max(len(base), len(ours), len(theirs)) > MAX_LINES:
        return []
    found: list[tuple[str, LineMerge, tuple[Lines | None, ...]]] = []
    for name, align in (("file-patience", _of_case), ("file-myers", _by_myers), ("file-spaces", _without_spaces)):
        aligned = align(case)
        if aligned is None:
            continue
        in_ours, in_theirs = aligned
        merged = merge_lines(base, ours, theirs, in_ours, in_theirs)
        # Aligning the result costs more than the merge, and mostly all three say the same.
        same = next((answers for _, other, answers in found if other.lines == merged.lines), None)
        found.append((name, merged, regions(case.cut, merged.lines) if same is None else same))
    return found


def _of_case(case: FileCase) -> tuple[list[Match], list[Match]]:
    return case.base_in_ours, case.base_in_theirs


def _by_myers(case: FileCase) -> tuple[list[Match], list[Match]] | None:
    in_ours = myers(case.base_lines, case.our_lines)
    in_theirs = myers(case.base_lines, case.their_lines) if in_ours is not None else None
    return None if in_ours is None or in_theirs is None else (in_ours, in_theirs)


def _without_spaces(case: FileCase) -> tuple[list[Match], list[Match]]:
    base, ours, theirs = map(squeezed_lines, (case.base, case.ours, case.theirs))
    return matches(base, ours), matches(base, theirs)


def _loose(old: Sequence[bytes], new: Sequence[bytes]) -> list[Match]:
    return matches(list(map(squeezed, old)), list(map(squeezed, new)))


def myers(old: Sequence[bytes], new: Sequence[bytes]) -> list[Match] | None:
    """Return the common stretches by the plain O(ND) algorithm, deletions first; None beyond the bound."""
    found = shortest_edits(old, new, MAX_MYERS_EDITS)
    return None if found is None else [Match(*stretch) for stretch in found]


def _sentence(marks: Sequence[str]) -> str:
    if "gap-1" in marks or "gap-3" in marks:
        return "target and source changed different lines, with unchanged lines between them"
    if "one-side" in marks:
        return "aligned another way, only one side changed these lines"
    return "target and source changed different lines of the common version, though they touch"

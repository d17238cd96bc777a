"""Merges a hunk token by token: both sides changed the same lines, but not the same words.

Three-way on the tokens of base, ours and theirs, in git's marked region and in the untrimmed one around it.
Where one side's edits are all among the other's, the result is that side, laid out as both want it.
Source: 3,167 hunks of 23 repositories; where both regions give the same text 601 of 899 are right, else 15 of 97.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase, HunkCase, Region
from syncline.merge.hunks import Lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.text.edit_marks import broken, edit_marks
from syncline.merge.text.edit_words import told_edits
from syncline.merge.text.merge_region import merge_region
from syncline.merge.text.phrases import merge_phrases
from syncline.merge.text.three_way import Merged
from syncline.merge.text.token_region import TokenRegion, as_lines, cut_region, without_frame

NAME = "token-merge"

MAX_HUNKS = 300
"""A file with more was generated or moved about."""
MAX_LINES = 20_000
"""Of base in the regions of a file; hunks of one region count it each. Beyond, a file takes minutes."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    region: TokenRegion
    merged: Merged
    lines: Lines
    text: bytes


def propose(case: FileCase) -> Iterator[Proposal]:
    """Yield the merge of each hunk's tokens, where no edit of one side overlaps one of the other."""
    if len(case.cut.hunks) > MAX_HUNKS:
        return
    lines = 0
    for hunk in case.hunks:
        lines += hunk.outer.base.end - hunk.outer.base.start
        if hunk.ours != hunk.theirs and lines <= MAX_LINES:
            yield from _of_hunk(hunk)


def _of_hunk(hunk: HunkCase) -> Iterator[Proposal]:
    inner = _attempt(hunk, hunk.at) if hunk.certain else None
    outer = inner if hunk.certain and hunk.outer == hunk.at else _attempt(hunk, hunk.outer)
    if outer is None:
        return
    marks = tuple(edit_marks(outer.region, outer.merged, outer.lines))
    if merge_phrases(outer.region) == squeezed(outer.text):
        marks = (*marks, "phrases-agree")
    agree = inner is not None and _squeeze(inner.lines) == _squeeze(outer.lines)
    if agree:
        marks = (*marks, "regions-agree")
    elif "different-lines" not in marks and ("no-shared-words" not in marks or "gap-0" in marks):
        # 11 of 14 were right with these marks, 4 of 83 of the others that only one region gave.
        return
    evidence = Evidence(told_edits(outer.region, outer.merged))
    yield Proposal(hunk.index, outer.lines, NAME, (evidence,), marks)


def _attempt(hunk: HunkCase, region: Region) -> _Attempt | None:
    if region != hunk.at and hunk.frame is None:
        return None
    cut = cut_region(hunk, region)
    if cut is None:
        return None
    found = merge_region(cut)
    if found is None:
        return None
    merged, text = found.merged, found.text
    lines = as_lines(hunk, text) if region == hunk.at else without_frame(hunk, text)
    if lines is None or broken(lines, (hunk.base, hunk.ours, hunk.theirs)):
        return None
    has_all = found.both_changed and not (merged.ours and merged.theirs)
    if _squeeze(lines) in {_squeeze(hunk.ours), _squeeze(hunk.theirs)} and not has_all:
        return None
    return _Attempt(cut, merged, lines, text)


def _squeeze(lines: Lines) -> bytes:
    return squeezed(b"".join(lines))

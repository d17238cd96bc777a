"""The three-way merge of a region's tokens, laid out. Pure."""

from dataclasses import dataclass

from syncline.merge.text.diff import Edit, Match
from syncline.merge.text.layout import lay_out
from syncline.merge.text.three_way import Merged, merge_edits
from syncline.merge.text.token_diff import line_matches
from syncline.merge.text.token_region import TokenRegion


@dataclass(frozen=True, slots=True)
class MergedRegion:
    """A region's merge: where each token comes from, and the text."""

    merged: Merged
    text: bytes
    both_changed: bool
    """Whether either side changed tokens, not white space alone."""


def merge_region(region: TokenRegion) -> MergedRegion | None:
    """Merge a region; None where edits of the two sides overlap, or lines could be torn or joined."""
    base, ours, theirs = region.base, region.ours, region.theirs

    def common(one: Edit, other: Edit) -> list[Match]:
        return line_matches(ours.part(one.b, one.b_end), theirs.part(other.b, other.b_end))

    our_edits, their_edits = region.our_edits, region.their_edits
    merged = merge_edits(ours.texts, theirs.texts, len(base), our_edits, their_edits, common)
    if merged is None:
        return None
    text = lay_out(merged.places, base, ours, theirs, our_edits, their_edits)
    if text is None:
        return None
    return MergedRegion(merged, text, bool(our_edits and their_edits))

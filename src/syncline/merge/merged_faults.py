"""Why a text that was merged of both sides must not be accepted, though every word of it somebody wrote. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from syncline.merge.case import FileCase, HunkCase
from syncline.merge.doubled_numbers import doubled_numbers
from syncline.merge.empty_ranges import empty_ranges
from syncline.merge.hunks import Lines
from syncline.merge.leaf_faults import LeafJudge
from syncline.merge.literal_faults import literal_faults
from syncline.merge.mixed_lines import MixedLines
from syncline.merge.pattern_order import pattern_order
from syncline.merge.sql_verbs import sql_verbs


@dataclass(frozen=True)
class MergedFaults:
    """Judges merged texts for one file; what it learns of the file it learns once."""

    case: FileCase

    def of_hunk(self, hunk: HunkCase, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each reason, told by a hunk's text alone."""
        yield from literal_faults(hunk, lines)
        yield from empty_ranges(hunk, lines)
        yield from doubled_numbers(hunk, lines)
        yield from pattern_order(hunk)
        yield from sql_verbs(hunk, lines)
        yield from self._mixed.faults(hunk, lines)
        yield from self._leaves.hunk_faults(hunk, lines)

    def of_file(self, content: bytes) -> tuple[str, ...]:
        """Return a sentence for each reason, told by the file as a whole."""
        if not content.strip() and self.case.ours.strip() and self.case.theirs.strip():
            return ("nothing of the file would be left, of which either side kept something",)
        return tuple(self._leaves.faults(content))

    @cached_property
    def _mixed(self) -> MixedLines:
        return MixedLines(self.case)

    @cached_property
    def _leaves(self) -> LeafJudge:
        return LeafJudge(self.case)

"""Why a merged text must not be accepted: it says what nobody wrote, in words that somebody did. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from syncline.merge.case import FileCase, HunkCase
from syncline.merge.hunks import Lines
from syncline.merge.leaf_faults import LeafJudge
from syncline.merge.literal_faults import literal_faults
from syncline.merge.mixed_lines import MixedLines


@dataclass(frozen=True)
class MadeUp:
    """Judges merged texts for one file; what it learns of the file it learns once."""

    case: FileCase

    def hunk_faults(self, hunk: HunkCase, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each statement or value of a hunk's merged text that no version has."""
        yield from literal_faults(hunk, lines)
        yield from self._mixed.faults(hunk, lines)
        yield from self._leaves.hunk_faults(hunk, lines)

    def file_faults(self, content: bytes) -> tuple[str, ...]:
        """Return a sentence for each value of a whole file that no version has at its place."""
        return tuple(self._leaves.faults(content))

    @cached_property
    def _mixed(self) -> MixedLines:
        return MixedLines(self.case)

    @cached_property
    def _leaves(self) -> LeafJudge:
        return LeafJudge(self.case)

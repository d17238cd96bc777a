"""The words of a hunk's versions and what of base's stands in the sides, for all who ask. Pure."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from syncline.merge.case import HunkCase
from syncline.merge.text.diff import Edit, Match, edits_between, matches

_WORD = re.compile(rb"\w+|[^\s\w]")


def split_words(lines: Iterable[bytes]) -> list[bytes]:
    """Return words and single signs, in order; white space is dropped."""
    return _WORD.findall(b"".join(lines))


@dataclass(frozen=True)
class Compared:
    """A version in words, compared with base."""

    base: list[bytes]
    words: list[bytes]

    @cached_property
    def kept(self) -> list[Match]:
        """What of base stands in it."""
        return matches(self.base, self.words)

    @cached_property
    def edits(self) -> list[Edit]:
        """What it changed."""
        return edits_between(self.kept, len(self.base), len(self.words))

    @cached_property
    def common(self) -> int:
        """How many words it has in common with base, in whatever order."""
        return (Counter(self.base) & Counter(self.words)).total()

    @cached_property
    def likeness(self) -> float:
        """How much it shares with base, 0 to 1: twice the common words by both lengths; 1 for two empty texts."""
        total = len(self.base) + len(self.words)
        return 2 * sum(match.size for match in self.kept) / total if total else 1.0


@dataclass(frozen=True, slots=True)
class HunkWords:
    """The three versions of a hunk."""

    base: list[bytes]
    ours: Compared
    theirs: Compared


def hunk_words(hunk: HunkCase) -> HunkWords:
    """Return the words of a hunk."""
    known = hunk.file.words
    if hunk.index not in known:
        base, ours, theirs = (split_words(lines) for lines in (hunk.base, hunk.ours, hunk.theirs))
        known[hunk.index] = HunkWords(base, Compared(base, ours), Compared(base, theirs))
    return known[hunk.index]

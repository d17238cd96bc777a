"""Lines of a merged text that are put together of two unlike lines: a statement nobody wrote. Pure, bounded.

`limit(0)` of one side and `pool(4)` of the other become `limit(4)` where brackets and signs are aligned across
lines. No word of it is new, so that only where its words come from tells.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from syncline.merge.alignment import squeezed, squeezed_lines
from syncline.merge.case import FileCase, HunkCase, Span
from syncline.merge.hunks import Lines
from syncline.merge.text.diff import Match, edits_between

_WORD = re.compile(rb"[\w\x80-\xff]+")
_Words = frozenset[bytes]


@dataclass(frozen=True)
class MixedLines:
    """Judges merged texts for one file; what it learns of the file it learns once."""

    case: FileCase

    def faults(self, hunk: HunkCase, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each line of a merged text that is new, and whose words do not come together.

        They come together where a line of one side has them with those lines of the other that descend from the
        same line of base, or with names that the other side brought in: a rename made again.
        """
        known = {squeezed(line) for version in (hunk.ours, hunk.theirs, hunk.base) for line in version}
        new = [line for line in lines if squeezed(line) not in known and _WORD.search(line)]
        new = [line for line in new if squeezed(line) not in self._known] if new else []
        if new:
            ours, theirs = self._sides(hunk)
            wrong = (
                line
                for words, line in _by_words(new).items()
                if not _from(ours, theirs, words) and not _from(theirs, ours, words)
            )
            for line in islice(wrong, _TOLD):
                yield f"puts together what no version has in one place: {_shown(line)}"

    @cached_property
    def _known(self) -> frozenset[bytes]:
        case = self.case
        return frozenset(key for text in (case.base, case.ours, case.theirs) for key in squeezed_lines(text))

    def _sides(self, hunk: HunkCase) -> "tuple[_Side, _Side]":
        case, outer = self.case, hunk.outer
        ours, theirs = self._changes
        return (
            _side(ours, case.our_lines, case.base_in_ours, outer.ours),
            _side(theirs, case.their_lines, case.base_in_theirs, outer.theirs),
        )

    @cached_property
    def _changes(self) -> "tuple[_Changes, _Changes]":
        case = self.case
        return (
            _changes(case.base_lines, case.our_lines, case.base_in_ours),
            _changes(case.base_lines, case.their_lines, case.base_in_theirs),
        )


@dataclass(frozen=True)
class _Changes:
    """The lines that a side has and base has not."""

    words: dict[int, _Words]
    descent: dict[int, frozenset[int]]
    """Which lines of base each descends from; none for what the side added."""
    dropped: _Words
    """Names that stand no more in lines that the side changed."""
    brought: _Words
    """Names that stand there instead."""


@dataclass(frozen=True)
class _Side:
    """The lines of a side around a hunk."""

    changes: _Changes
    words: dict[int, _Words]
    descent: dict[int, frozenset[int]]

    @cached_property
    def having(self) -> dict[bytes, list[int]]:
        """The lines that have a word."""
        return _having(self.words)

    @cached_property
    def heirs(self) -> dict[int, list[int]]:
        """The lines that descend from a line of base."""
        found: dict[int, list[int]] = defaultdict(list)
        for at, olds in self.descent.items():
            for old in olds:
                found[old].append(at)
        return found


def _from(one: _Side, other: _Side, words: _Words) -> bool:
    """Return whether a line of one side has all words with its kin on the other, or by what was renamed there."""
    for at in _near(words, one.having):
        here = one.words[at]
        left = words - here
        if left <= other.changes.brought and _named(here - words) <= other.changes.dropped:
            return True
        kin = set(islice((heir for old in one.descent[at] for heir in other.heirs.get(old, ())), _ASKED))
        if not one.descent[at]:
            kin = {
                heir
                for heir in _near(_named(here), other.having)
                if not other.descent[heir] and _alike(here, other.words[heir]) >= _KIN
            }
        if left <= frozenset[bytes]().union(*(other.words[heir] for heir in kin)):
            return True
    return False


_TOLD = 3
"""So many lines are told: one is enough to leave a text to people."""
_RARE = 4
"""By so many of its words, those that fewest lines have, it is sought what a line has to do with."""
_ASKED = 50
"""How many lines are looked at for each of them."""
_KIN = 0.5
"""How much two lines that both sides added in one place have in common, when they are versions of each other."""


def _side(changes: _Changes, lines: Sequence[bytes], found: Sequence[Match], within: Span) -> _Side:
    around = range(within.start, within.end)
    words = {at: changes.words[at] if at in changes.words else _words(lines[at]) for at in around}
    descent = {at: changes.descent[at] for at in around if at in changes.descent}
    for match in found:
        for at in range(max(match.b, within.start), min(match.b + match.size, within.end)):
            descent[at] = frozenset({match.a + at - match.b})
    return _Side(changes, words, descent)


def _changes(base: Sequence[bytes], lines: Sequence[bytes], found: Sequence[Match]) -> _Changes:
    words: dict[int, _Words] = {}
    descent: dict[int, frozenset[int]] = {}
    dropped: set[bytes] = set()
    brought: set[bytes] = set()
    for edit in edits_between(found, len(base), len(lines)):
        olds = {at: _words(base[at]) for at in range(edit.a, edit.a_end)}
        news = {at: _words(lines[at]) for at in range(edit.b, edit.b_end)}
        words |= news
        for at, kin in _pairs(olds, news):
            descent[at] = kin
            before = frozenset[bytes]().union(*(olds[old] for old in kin))
            if before:
                dropped |= before - news[at]
                brought |= news[at] - before
    return _Changes(words, descent, _named(dropped), _named(brought))


def _pairs(olds: dict[int, _Words], news: dict[int, _Words]) -> Iterator[tuple[int, frozenset[int]]]:
    """Yield which lines of base each line of a changed stretch descends from."""
    having_old, having_new = _having(olds), _having(news)
    best_new = {old: _best(there, news, having_new) for old, there in olds.items()}
    found: dict[int, set[int]] = {}
    for at, here in news.items():
        best_old = _best(here, olds, having_old)
        found[at] = {
            old
            for old in _near(here, having_old)
            # What is a part of the other was wrapped, or joined.
            if here <= olds[old] or olds[old] <= here or (best_new[old] == at and best_old == old)
        }
    # What is left in one place was written anew.
    taken = {old for kin in found.values() for old in kin}
    alone = [at for at, kin in found.items() if not kin and news[at]]
    without = [old for old, there in olds.items() if there and old not in taken]
    if len(alone) == len(without):
        for at, old in zip(alone, without, strict=True):
            found[at].add(old)
    yield from ((at, frozenset(kin)) for at, kin in found.items())


def _having(lines: dict[int, _Words]) -> dict[bytes, list[int]]:
    """Return which lines have a word, in order."""
    found: dict[bytes, list[int]] = defaultdict(list)
    for at, words in lines.items():
        for word in words:
            found[word].append(at)
    return found


def _near(words: _Words, having: dict[bytes, list[int]]) -> list[int]:
    """Return lines that share words with a line, in order: by those of its words that fewest lines have."""
    places = sorted((having[word] for word in sorted(words) if word in having), key=len)[:_RARE]
    return sorted({at for found in places for at in found[:_ASKED]})


def _best(words: _Words, among: dict[int, _Words], having: dict[bytes, list[int]]) -> int | None:
    near = _near(words, having)
    return max(near, key=lambda at: _alike(words, among[at])) if near else None


def _alike(one: _Words, other: _Words) -> float:
    """Return how much two lines have in common, 0 to 1; names count most."""
    total = _weight(one) + _weight(other)
    return 2 * _weight(one & other) / total if total else 0.0


def _weight(words: Iterable[bytes]) -> int:
    return sum(1 if word[:1].isdigit() else 4 for word in words)


def _by_words(lines: Iterable[bytes]) -> dict[_Words, bytes]:
    """Return lines by their words, the first of those that have the same."""
    found: dict[_Words, bytes] = {}
    for line in lines:
        found.setdefault(_words(line), line)
    return found


def _words(line: bytes) -> _Words:
    return frozenset(_WORD.findall(line))


def _named(words: Iterable[bytes]) -> _Words:
    return frozenset(word for word in words if not word[:1].isdigit())


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()[:100]

"""Lines of a merged text that are put together of two unlike lines: a statement nobody wrote. Pure, bounded.

`limit(0)` of one side and `pool(4)` of the other become `limit(4)` where brackets and signs are aligned across
lines. No word of it is new, so that only where its words come from tells.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from syncline.merge.alignment import squeezed, squeezed_lines
from syncline.merge.case import FileCase, HunkCase, Span
from syncline.merge.hunks import Lines
from syncline.merge.text.diff import Edit, Match, edits_between

_WORD = re.compile(rb"[\w\x80-\xff]+")
_Words = frozenset[bytes]


def mixed_lines(hunk: HunkCase, lines: Lines) -> Iterator[str]:
    """Yield a sentence for each line of a merged text that no version has, and whose words do not come together.

    They come together where a line of one side has them with those lines of the other that descend from the same
    line of base, or with names that the other side brought in: a rename made again.
    """
    known = {squeezed(line) for version in (hunk.ours, hunk.theirs, hunk.base) for line in version}
    new = [line for line in lines if squeezed(line) not in known and _WORD.search(line)]
    if not new:
        return
    known = {key for text in (hunk.file.base, hunk.file.ours, hunk.file.theirs) for key in squeezed_lines(text)}
    new = [line for line in new if squeezed(line) not in known]
    sources = _Sources(hunk) if new else None
    for line in new:
        if sources is not None and not sources.explain(frozenset(_WORD.findall(line))):
            yield f"puts together what no version has in one place: {_shown(line)}"


@dataclass(frozen=True)
class _Side:
    """The lines of a side, and which lines of base they descend from."""

    words: list[_Words]
    descent: list[frozenset[int]]
    """For each line; none for what the side added."""
    within: Span
    """What is around the hunk."""
    dropped: _Words
    """Names that stand no more in lines that the side changed."""
    brought: _Words
    """Names that stand there instead."""

    @cached_property
    def having(self) -> dict[bytes, list[int]]:
        """The lines around the hunk that have a word."""
        found: dict[bytes, list[int]] = defaultdict(list)
        for at in range(self.within.start, self.within.end):
            for word in self.words[at]:
                found[word].append(at)
        return found

    @cached_property
    def heirs(self) -> dict[int, list[int]]:
        """The lines that descend from a line of base."""
        found: dict[int, list[int]] = defaultdict(list)
        for at, olds in enumerate(self.descent):
            for old in olds:
                found[old].append(at)
        return found


@dataclass(frozen=True)
class _Sources:
    """Where the words of a hunk's answer may come from."""

    hunk: HunkCase

    @cached_property
    def sides(self) -> tuple[_Side, _Side]:
        """Ours and theirs around the hunk."""
        file, outer = self.hunk.file, self.hunk.outer
        return (
            _side(file, file.our_lines, file.base_in_ours, outer.ours),
            _side(file, file.their_lines, file.base_in_theirs, outer.theirs),
        )

    def explain(self, words: _Words) -> bool:
        """Return whether the words of a line come together."""
        ours, theirs = self.sides
        return _from(ours, theirs, words) or _from(theirs, ours, words)


def _from(one: _Side, other: _Side, words: _Words) -> bool:
    """Return whether a line of one side has all words with its kin on the other, or by what was renamed there."""
    places = [one.having.get(word, ()) for word in words]
    near = Counter(at for found in sorted(filter(None, places), key=len)[:_RARE] for at in found[:_ASKED])
    for at, _ in near.most_common(_ASKED):
        here = one.words[at]
        left = words - here
        if left <= other.brought and _named(here - words) <= other.dropped:
            return True
        kin = {heir for old in one.descent[at] for heir in other.heirs.get(old, ())}
        if not one.descent[at]:
            kin = {
                heir
                for word in _named(here)
                for heir in other.having.get(word, ())[:_ASKED]
                if not other.descent[heir] and _alike(here, other.words[heir]) >= _KIN
            }
        if left <= frozenset[bytes]().union(*(other.words[heir] for heir in kin)):
            return True
    return False


_RARE = 4
"""By so many of its words, those that stand in fewest lines, it is sought where a line may come from."""
_ASKED = 50
"""How many lines are looked at for each."""
_KIN = 0.5
"""How much two lines that both sides added in one place have in common, when they are versions of each other."""
_PAIRS = 20_000
"""Pairs of lines of a changed stretch that are still compared; in a longer one any line may descend from any."""


def _side(file: FileCase, lines: Sequence[bytes], found: Sequence[Match], within: Span) -> _Side:
    words = [frozenset(_WORD.findall(line)) for line in lines]
    descent: list[frozenset[int]] = [frozenset()] * len(words)
    for match in found:
        for at in range(match.size):
            descent[match.b + at] = frozenset({match.a + at})
    dropped: set[bytes] = set()
    brought: set[bytes] = set()
    for edit in edits_between(found, len(file.base_lines), len(lines)):
        for at, olds in _pairs(file, words, edit):
            descent[at] = olds
            before = frozenset[bytes]().union(*(_WORD.findall(file.base_lines[old]) for old in olds))
            if before:
                dropped |= before - words[at]
                brought |= words[at] - before
    return _Side(words, descent, within, _named(dropped), _named(brought))


def _pairs(file: FileCase, words: Sequence[_Words], edit: Edit) -> Iterator[tuple[int, frozenset[int]]]:
    """Yield which lines of base each line of a changed stretch descends from."""
    olds = {at: frozenset(_WORD.findall(file.base_lines[at])) for at in range(edit.a, edit.a_end)}
    news = {at: words[at] for at in range(edit.b, edit.b_end)}
    if len(olds) * len(news) > _PAIRS:
        yield from ((at, frozenset(olds)) for at in news)
        return
    best_new = {old: _best(there, news) for old, there in olds.items()}
    found: dict[int, set[int]] = {}
    for at, here in news.items():
        best_old = _best(here, olds)
        found[at] = {
            old
            for old, there in olds.items()
            # What is a part of the other was wrapped, or joined.
            if here and there and (here <= there or there <= here or (best_new[old] == at and best_old == old))
        }
    # What is left in one place was written anew.
    alone = [at for at, there in found.items() if not there and news[at]]
    without = [old for old, there in olds.items() if there and not any(old in kin for kin in found.values())]
    if len(alone) == len(without):
        for at, old in zip(alone, without, strict=True):
            found[at].add(old)
    yield from ((at, frozenset(there)) for at, there in found.items())


def _best(words: _Words, among: dict[int, _Words]) -> int | None:
    best, most = None, 0.0
    for at, there in among.items():
        alike = _alike(words, there)
        if alike > most:
            best, most = at, alike
    return best


def _alike(one: _Words, other: _Words) -> float:
    """Return how much two lines have in common, 0 to 1; names count most."""
    total = _weight(one) + _weight(other)
    return 2 * _weight(one & other) / total if total else 0.0


def _weight(words: Iterable[bytes]) -> int:
    return sum(1 if word[:1].isdigit() else 4 for word in words)


def _named(words: Iterable[bytes]) -> _Words:
    return frozenset(word for word in words if not word[:1].isdigit())


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()[:100]

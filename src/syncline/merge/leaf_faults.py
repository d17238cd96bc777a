"""Why a merged JSON, TOML or YAML file must not be accepted: a value stands where no version has it. Pure.

Merged line by line or token by token, a value slips under another key, or two become one, and every word is known.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from syncline.merge.case import FileCase, HunkCase, Span
from syncline.merge.hunks import Lines
from syncline.merge.text.leaves import KeyPath, Leaf, leaves

_MOST = 3_000_000
"""Bytes that are read anew for all hunks of a file together: some seconds of YAML."""
_TOLD = 3
"""How many values are told."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class LeafJudge:
    """Judges the values of merged versions of one file; what it learns of the file it learns once."""

    case: FileCase

    def faults(self, content: bytes) -> Iterator[str]:
        """Yield a sentence for each value that no version has at its place, of a file as it would be written.

        A place may have another name, or have moved, by what one of the sides did.
        """
        if self._known is None:
            return
        known = self._known
        here = leaves(self.case.path, content) or frozenset()
        found = (leaf for leaf in sorted(here - known.all) if not known.accounts_for(leaf))
        for at, value in islice(found, _TOLD):
            yield f"has {'.'.join(at)[:80]}: {value[:80]}, as no version has it there"

    def hunk_faults(self, hunk: HunkCase, lines: Lines) -> tuple[str, ...]:
        """Return the same for lines in the place of a hunk, the other hunks being left as one side has them.

        It is enough that the values fit one side so. In a large file of many hunks only the whole is judged.
        """
        if len(self.case.ours) * len(self.case.hunks) > _MOST or self._known is None:
            return ()
        ours = tuple(self.faults(_replaced(self.case.our_lines, hunk.at.ours, lines)))
        return ours if ours and any(self.faults(_replaced(self.case.their_lines, hunk.at.theirs, lines))) else ()

    @cached_property
    def _known(self) -> "_Known | None":
        case = self.case
        base = leaves(case.path, case.base) if case.has_base else frozenset[Leaf]()
        ours, theirs = leaves(case.path, case.ours), leaves(case.path, case.theirs)
        return None if base is None or ours is None or theirs is None else _Known(base, ours, theirs)


@dataclass(frozen=True)
class _Known:
    """The values of the three versions."""

    base: frozenset[Leaf]
    ours: frozenset[Leaf]
    theirs: frozenset[Leaf]

    @cached_property
    def all(self) -> frozenset[Leaf]:
        """What any version has."""
        return self.base | self.ours | self.theirs

    @cached_property
    def moves(self) -> "tuple[_Moves, _Moves]":
        """What each side moved."""
        return _Moves.of(self.base, self.ours), _Moves.of(self.base, self.theirs)

    def accounts_for(self, leaf: Leaf) -> bool:
        """Return whether a value that no version has there was moved, or is put together of what both sides wrote.

        Two texts may be: a path, a requirement. What is one word is a value of which one holds.
        """
        at, value = leaf
        places = [at, *(old for move in self.moves for old in move.back(at))]
        return any((place, value) in self.all for place in places[1:]) or any(
            self._puts_together(place, value) for place in places
        )

    def _puts_together(self, at: KeyPath, value: str) -> bool:
        old, *sides = ({tuple(_WORD.findall(text)) for text in there.get(at, ())} for there in self._by_place)
        written = [side - old for side in sides]
        return all(any(len(words) > 1 for words in side) for side in written) and set(_WORD.findall(value)) <= {
            word for texts in (*written, old) for words in texts for word in words
        }

    @cached_property
    def _by_place(self) -> tuple[dict[KeyPath, list[str]], ...]:
        found: list[dict[KeyPath, list[str]]] = []
        for version in (self.base, self.ours, self.theirs):
            places: dict[KeyPath, list[str]] = defaultdict(list)
            for at, value in version:
                places[at].append(value)
            found.append(places)
        return tuple(found)


@dataclass(frozen=True)
class _Moves:
    """Which places a side has no more, and which are new."""

    new: frozenset[KeyPath]
    gone_by_parent: dict[KeyPath, list[KeyPath]]
    gone_by_name: dict[str, list[KeyPath]]

    @staticmethod
    def of(base: Iterable[Leaf], side: Iterable[Leaf]) -> "_Moves":
        olds, news = _places(base), _places(side)
        by_parent: dict[KeyPath, list[KeyPath]] = defaultdict(list)
        by_name: dict[str, list[KeyPath]] = defaultdict(list)
        for gone in olds - news:
            by_parent[gone[:-1]].append(gone)
            by_name[gone[-1]].append(gone)
        return _Moves(frozenset(news - olds), by_parent, by_name)

    def back(self, at: KeyPath) -> Iterator[KeyPath]:
        """Yield where a place may have been before the side moved it, or gave a part of it another name."""
        for size in range(1, len(at) + 1):
            place = at[:size]
            if place in self.new:
                for old in (*self.gone_by_parent.get(place[:-1], ()), *self.gone_by_name.get(place[-1], ())):
                    yield (*old, *at[size:])


def _replaced(version: list[bytes], at: Span, lines: Lines) -> bytes:
    return b"".join((*version[: at.start], *lines, *version[at.end :]))


def _places(found: Iterable[Leaf]) -> set[KeyPath]:
    return {at[:size] for at in {at for at, _ in found} for size in range(1, len(at) + 1)}

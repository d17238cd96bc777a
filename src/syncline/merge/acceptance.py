"""Why text that a resolver offers must not be accepted: it is broken, says something twice, or loses lines.

Everything is judged against both sides: what was wrong in one of them already is not the merge's doing.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from syncline.merge.case import FileCase, Span
from syncline.merge.hunks import Lines, split_lines
from syncline.merge.names_in_file import names_in_file
from syncline.merge.text import syntax
from syncline.merge.text.aliases import alias_fault
from syncline.merge.text.diff import matches
from syncline.merge.text.languages import Language
from syncline.merge.text.loads import json_fault, python_fault, toml_fault

if TYPE_CHECKING:
    from tree_sitter import Tree

_MARKERS = (b"<<<<<<< ", b"||||||| ", b">>>>>>> ")
_BROKEN = 200
"""Broken places of a side beyond which its grammar says nothing (templates, dialects, another language)."""
_SMALL = 2_000
"""Bytes that may be broken in any file."""
_TOLD = 5
"""How many faults of one sort are told."""


def faults(case: FileCase, content: bytes) -> tuple[str, ...]:
    """Return why a wholly settled file must not be accepted, a sentence each."""
    return Acceptance(case).file_faults(content)


def hunk_faults(case: FileCase, index: int, lines: Lines) -> tuple[str, ...]:
    """Return why `lines` must not stand in place of a hunk, judged in either side's file; none if it may."""
    return Acceptance(case).hunk_faults(index, lines)


def lost(case: FileCase, content: bytes) -> tuple[bytes, ...]:
    """Return the lines that a side added and `content` has nowhere, in the order of the sides, ours first.

    A line is added when it stands oftener in a side than in base and the other side; blank ones and those of
    brackets alone say nothing. White space does not count, and neither does the order of lines. Whether a loss is
    right (the decision took the other side) is not told here.
    """
    there = _counted(split_lines(content))
    base = _counted(case.base_lines)
    found: list[bytes] = []
    sides = (case.our_lines, case.their_lines)
    for side, other in (sides, sides[::-1]):
        rest = _counted(side) - base - _counted(other)
        missing = rest - there
        for line in side:
            key = _squeezed(line)
            if missing[key] > 0 and there[key] < rest[key]:
                missing[key] -= 1
                found.append(line)
    return tuple(found)


@dataclass(frozen=True)
class Acceptance:
    """Judges offers for one file; what it learns of the sides it learns once."""

    case: FileCase

    def file_faults(self, content: bytes) -> tuple[str, ...]:
        """Return why the whole `content` must not be accepted (see `faults`)."""
        if content in {self.case.ours, self.case.theirs}:
            return ()
        return tuple(self._file_faults(content))

    def hunk_faults(self, index: int, lines: Lines) -> tuple[str, ...]:
        """Return why `lines` must not stand in place of hunk `index` (see `hunk_faults`).

        The other hunks are left as one side has them; it is enough that the lines fit one side so.
        """
        hunk = self.case.hunks[index]
        if lines in {hunk.ours, hunk.theirs}:
            return ()
        marker = next((line for line in lines if line.startswith(_MARKERS)), None)
        if marker is not None and marker not in {*hunk.ours, *hunk.theirs}:
            return (f"holds a conflict marker: {_shown(marker)}",)
        if self.language is None:
            return ()
        ours = tuple(self._ours.faults(hunk.at.ours, lines, self))
        if not ours:
            return ()
        theirs = tuple(self._theirs.faults(hunk.at.theirs, lines, self))
        return ours if theirs else ()

    @cached_property
    def language(self) -> Language | None:
        """What the file is written in."""
        return syntax.language_of(self.case.path, self.case.ours)

    @property
    def _named(self) -> str:
        return self.language.name if self.language else "text"

    @cached_property
    def _ours(self) -> "_Side":
        return _Side(self.language, self.case.ours, self.case.our_lines)

    @cached_property
    def _theirs(self) -> "_Side":
        return _Side(self.language, self.case.theirs, self.case.their_lines)

    @property
    def sides(self) -> "tuple[_Side, _Side]":
        """What is known of ours and theirs."""
        return self._ours, self._theirs

    def worse(self, tree: "Tree") -> bool:
        """Return whether a tree has more that does not follow the grammar than the sides and their changes."""
        count, size = syntax.broken(tree)
        ours, theirs = self._ours.broken, self._theirs.broken
        # Sides that are read badly (macros, templates) are read a bit otherwise after any change.
        return count > max(ours[0], theirs[0]) or size > 2 * max(ours[1], theirs[1]) + 200

    def _file_faults(self, content: bytes) -> Iterator[str]:
        lines = split_lines(content)
        known = {*self.case.our_lines, *self.case.their_lines}
        yield from (
            f"line {number} is a conflict marker: {_shown(line)}"
            for number, line in enumerate(lines, 1)
            if line.startswith(_MARKERS) and line not in known
        )
        yield from self._unloadable(content)
        yield from self._kept_but_lost(lines)
        yield from self.names_twice(lines)
        if self.language is None:
            return
        tree = syntax.parse(self.language, content) if all(side.tree for side in self.sides) else None
        if tree is None:
            return
        if self.worse(tree):
            yield f"does not follow the grammar of {self._named} as the sides do"
            return
        doubled = syntax.doubled(syntax.units(self.language, tree, content))
        yield from self.told(doubled)

    def names_twice(self, lines: list[bytes]) -> Iterator[str]:
        """Yield a sentence for each name that a file of `lines` gives oftener than any version of it does.

        What git merged outside the hunks counts, too. Lines that are still to come may be missing.
        """
        twice = ((name, count) for name, count in names_in_file(self.case.path, lines).items() if count > 1)
        for name, count in islice(((n, c) for n, c in twice if c > self._most[n]), _TOLD):
            yield f"gives {_shown(name)} {_times(count)} in the whole file, as no version of it does"

    @cached_property
    def _most(self) -> Counter[bytes]:
        """How often a version gives each name at most."""
        most: Counter[bytes] = Counter()
        for lines in (self.case.base_lines, self.case.our_lines, self.case.their_lines):
            most |= names_in_file(self.case.path, lines)
        return most

    def told(self, doubled: "list[syntax.Unit]") -> Iterator[str]:
        """Yield a sentence for each unit that stands twice and does so in neither side."""
        left = _TOLD
        for unit in doubled:
            if left and not any(unit.key in side.doubled for side in self.sides):
                left -= 1
                name = unit.name.decode("utf-8", "replace").split("\n")[0][:80]
                yield f"the {unit.word} {name} stands twice in one scope (line {unit.line}), in neither side"

    def _unloadable(self, content: bytes) -> Iterator[str]:
        check = _LOADERS.get(self.language.name) if self.language else None
        if check is None or not syntax.parsable(content):
            return
        fault = check(content)
        if fault is not None and check(self.case.ours) is None and check(self.case.theirs) is None:
            yield f"cannot be read as {self._named} any more, as both sides can: {fault}"

    def _kept_but_lost(self, lines: list[bytes]) -> Iterator[str]:
        """Yield the lines that stand in all three versions, in what nobody changed, and not here."""
        if not self.case.has_base:
            return
        theirs = {m.a + i for m in self.case.base_in_theirs for i in range(m.size)}
        both = [
            line
            for m in self.case.base_in_ours
            for i in range(m.size)
            if m.a + i in theirs and _squeezed(line := self.case.base_lines[m.a + i])
        ]
        if Counter(both) <= Counter(lines):
            return  # the common case: nothing can be missing
        here = {m.a + i for m in matches(both, lines) for i in range(m.size)}
        there = _counted(lines)
        wanted = _counted(both)
        gone = [
            line
            for at, line in enumerate(both)
            if at not in here and there[_squeezed(line)] < wanted[_squeezed(line)]
        ]
        yield from (f"lost a line that both sides kept: {_shown(line)}" for line in gone[:_TOLD])


@dataclass(frozen=True)
class _Side:
    """What is known of a side's file."""

    language: Language | None
    content: bytes
    lines: list[bytes]

    @cached_property
    def tree(self) -> "Tree | None":
        """The tree; None when the grammar cannot make sense of a good part of the file."""
        tree = syntax.parse(self.language, self.content) if self.language else None
        if tree is None:
            return None
        count, size = syntax.broken(tree)
        return tree if count <= _BROKEN and size <= max(_SMALL, len(self.content) // 5) else None

    @cached_property
    def broken(self) -> tuple[int, int]:
        return syntax.broken(self.tree) if self.tree else (0, 0)

    @cached_property
    def doubled(self) -> frozenset[bytes]:
        """The keys of what stands twice in one scope."""
        if self.language is None or self.tree is None:
            return frozenset()
        return frozenset(unit.key for unit in syntax.doubled(syntax.units(self.language, self.tree, self.content)))

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins, and the end."""
        places = [0]
        for line in self.lines:
            places.append(places[-1] + len(line))
        return places

    def faults(self, at: Span, lines: Lines, judge: Acceptance) -> Iterator[str]:
        """Yield what is wrong when `lines` stand at a place of this side's file."""
        old = self.tree
        if old is None or self.language is None or any(side.tree is None for side in judge.sides):
            return
        start, end = self.starts[at.start], self.starts[at.end]
        new = b"".join(lines)
        if new and not new.endswith(b"\n") and end < len(self.content):
            new += b"\n"
        content = self.content[:start] + new + self.content[end:]
        near = old.copy()
        ends = at.start + new.count(b"\n"), 0 if new.endswith(b"\n") or not new else len(lines[-1])
        near.edit(start, end, start + len(new), (at.start, 0), (at.end, 0), ends)
        tree = syntax.parse(self.language, content, near=near)
        if tree is not None and judge.worse(tree):
            # A tree that grew from another may have found another way round an error.
            tree = syntax.parse(self.language, content)
        if tree is None:
            return
        if judge.worse(tree):
            yield f"would not follow the grammar of {self.language.name} as the sides do"
            return
        within = (start, start + len(new))
        yield from judge.told(syntax.doubled(syntax.units(self.language, tree, content, within=within)))


def _compile_fault(content: bytes) -> str | None:
    fault = python_fault(content)
    return None if fault is None else f"{fault[1]} (line {fault[0]})" if fault[0] is not None else fault[1]


_LOADERS = {"Python": _compile_fault, "JSON": json_fault, "TOML": toml_fault, "YAML": alias_fault}


def _squeezed(line: bytes) -> bytes:
    key = b"".join(line.split())
    return b"" if not key.strip(b"()[]{},;") else key


def _counted(lines: list[bytes]) -> Counter[bytes]:
    counted = Counter(map(_squeezed, lines))
    del counted[b""]
    return counted


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()[:100]

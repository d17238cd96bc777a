"""Where names stand in the trees, as far as the files tell in which these differ.

A name that is new since base can only stand in files that changed since base, so these are enough.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from syncline.audit.dropped.code_words import WORD, style_of
from syncline.audit.four_trees import LARGEST, SIDES, Versions
from syncline.audit.occurrences import occurrences, stands_in
from syncline.audit.pattern_lines import SideFile, side_lines
from syncline.audit.task import Task
from syncline.git import Entry
from syncline.merge.model import Side

_SHORT = 8
"""Bytes of a line that may stand in any file."""
_FEW = 80
"""Names that are faster sought one by one than by cutting every file into words."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a name stands in the merge."""

    count: int
    """How often in all changed files, comments and strings included."""
    gained: int
    """How many of these are in files which have more of them than in the side's tree: it may have moved there."""
    paths: tuple[bytes, ...]
    """The files."""


class Standing:
    """The changed files of code, to look for names in."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._trees = task.trees

    @cached_property
    def _code(self) -> tuple[Versions, ...]:
        found = tuple(file for file in self._trees.files if style_of(file.path) is not None)
        self._trees.read_ahead(entry for file in found for entry in (file.base, file.merged))
        return found

    def in_base(self, names: Collection[bytes]) -> set[bytes]:
        """Return those names that base has in any of the files."""
        open_names = set(names)
        for file in self._code:
            if open_names:
                open_names -= _those_in(self._text(file.base), open_names)
        return set(names) - open_names

    @cached_property
    def _written(self) -> Mapping[tuple[bytes, Side], SideFile]:
        """What a side did to files that the merge has as that side has them."""
        found = side_lines(self._task)
        return {
            (one.file.path, side): one
            for side in SIDES
            for one in found[side].files
            if one.file.merged == one.file.of(side)
        }

    def in_merge(self, side: Side, names: Collection[bytes], old: Collection[bytes]) -> Mapping[bytes, Stand]:
        """Return where the merge has names that a side has; `old` are those that base has (see `in_base`)."""
        new = _Sought(name for name in names if name not in old)
        known = [name for name in names if name in old]
        count: Counter[bytes] = Counter()
        gained: Counter[bytes] = Counter()
        paths: dict[bytes, list[bytes]] = {name: [] for name in names}
        for file in self._code:
            here = self._text(file.merged)
            added = self._written.get((file.path, Side.OURS)) or self._written.get((file.path, Side.THEIRS))
            # What is new can only stand in lines that somebody added.
            sought = names if added is None else [*new.among(added.words), *known]
            for name in _those_in(here, sought):
                now = occurrences(here, name)
                count[name] += now
                paths[name].append(file.path)
                if file.merged != file.of(side):
                    gained[name] += max(0, now - occurrences(self._text(file.of(side)), name))
        return {name: Stand(count[name], gained[name], tuple(paths[name])) for name in names}

    def moved(self, side: Side, path: bytes, lines: Collection[bytes]) -> set[bytes]:
        """Return those lines (bare) that the merge has in another file of the same kind and the side has not."""
        ending = path.rpartition(b"/")[2].rpartition(b".")[2]
        wanted = {line for line in lines if len(line) > _SHORT}
        found: set[bytes] = set()
        for file in self._trees.files:
            if wanted and file.path != path and file.merged != file.of(side) and file.path.endswith(ending):
                here = self._text(file.merged)
                there = {line for line in wanted if line in here}
                if there:
                    before = self._text(file.of(side))
                    found |= {line for line in there if line not in before}
                wanted -= found
        return found

    def text_at(self, path: bytes) -> bytes:
        """Return the merge's content of a changed file."""
        file = self._trees.by_path.get(path)
        return self._text(file.merged) if file is not None else b""

    def _text(self, entry: Entry | None) -> bytes:
        content = self._trees.text(entry)
        return content if len(content) <= LARGEST else b""


class _Sought:
    """Names, by the first word in each."""

    def __init__(self, names: Iterable[bytes]) -> None:
        self._names: dict[bytes, list[bytes]] = {}
        for name in names:
            self._names.setdefault(name.strip(b"$").partition(b"$")[0], []).append(name)

    def among(self, words: set[bytes]) -> Iterator[bytes]:
        """Yield the names that may stand in a text with those words, which have no `$`."""
        for word in (*(self._names.keys() & words), b""):
            yield from self._names.get(word, ())


def _those_in(content: bytes, names: Collection[bytes]) -> set[bytes]:
    if len(names) > _FEW:
        return set(WORD.findall(content)).intersection(names)
    return {name for name in names if name in content and stands_in(content, name)}

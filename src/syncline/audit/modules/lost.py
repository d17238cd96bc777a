"""Files that a side has and the merge has not, and what in the merge still imports them."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from syncline.audit.four_trees import LARGEST, SIDES, FourTrees, other
from syncline.audit.modules.import_words import words_imported
from syncline.audit.modules.imports import Force, Import, Paths, imports, stems
from syncline.audit.task import Task
from syncline.git import Entry, TreeId
from syncline.git.commit import read_commit
from syncline.git.diff import changes
from syncline.git.tree import Mode
from syncline.merge.model import Side
from syncline.merge.text.syntax import language_of

_ROOTS = (b"", b"src/", b"lib/", b"python/")
"""Where modules begin that are not found beside the file that imports them."""
_FEW_WORDS = 30
"""So many words or paths are sought one by one; for more all words of a file are looked up."""
_MOST_READ = 4_000
"""How many files are looked through for imports of a file that neither side deleted."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A file that the merge has not at its place."""

    path: bytes
    sides: tuple[Side, ...]
    """Who has it there."""
    entry: Entry
    """What they have, the first of them."""
    base: Entry | None = None
    """What base has there."""
    moved_to: bytes | None = None
    """Where the merge has it instead."""

    @property
    def by(self) -> Side | None:
        """The side that has it no more (or never had); None where both have it."""
        return other(self.sides[0]) if len(self.sides) == 1 else None


@dataclass(frozen=True, slots=True)
class Use:
    """An import of a lost file."""

    path: bytes
    """The file of the merge that imports it."""
    what: Import


def lost_files(task: Task) -> Sequence[Lost]:
    """Return the regular files that a side has and the merge has not at that path, sorted."""
    known = _KNOWN.setdefault(task.trees, {})
    ignore = task.settings.ignore
    if ignore not in known:
        known[ignore] = tuple(_lost_files(task))
    return known[ignore]


_KNOWN: WeakKeyDictionary[FourTrees, dict[tuple[str, ...], Sequence[Lost]]] = WeakKeyDictionary()
"""More than one audit asks."""


def _lost_files(task: Task) -> Iterator[Lost]:
    trees = task.trees
    moved = {
        (side, file.path_of(side)): file.path for file in trees.files for side in SIDES if file.merged is not None
    }
    found: dict[bytes, Lost] = {}
    base = _base_tree(trees)
    for side, commit in ((Side.OURS, trees.ours), (Side.THEIRS, trees.theirs)):
        # Not by `trees.files`: a file that was moved and not changed is none of those that differ.
        differ = list(changes(trees.repository, commit, trees.merged))
        come = {change.new: change.path for change in differ if change.old is None and change.new is not None}
        for change in differ:
            old, path = change.old, change.path
            if change.new is not None or old is None or not old.mode.is_file or task.ignores(path):
                continue
            if path in found:
                found[path] = replace(found[path], sides=SIDES)
            else:
                place = moved.get((side, path)) or come.get(old)
                found[path] = Lost(path, (side,), old, trees.repository.entry(base, path), place)
    for path in sorted(found):
        yield found[path]


def _base_tree(trees: FourTrees) -> TreeId:
    return trees.base if isinstance(trees.base, TreeId) else read_commit(trees.repository, trees.base).tree


def users(task: Task, lost: Sequence[Lost], *, back: bool = False) -> Mapping[bytes, list[Use]]:
    """Return what of the merge imports each of some lost files, by the path that is lost.

    An import that was broken in the side that has the file no more is not told, and none that may fail by intent.

    Args:
        task: the merge.
        lost: the files.
        back: whether the merge has the files all the same; told is what would miss them.
    """
    wanted = [one for one in lost if stems(one.path)]
    found: dict[bytes, list[Use]] = defaultdict(list)
    for side in (*SIDES, None):
        gone = [one for one in wanted if one.by is side]
        if gone:
            tree = task.trees.tree_of(side) if back and side is not None else task.trees.merged_tree
            for one, use in _Search(task.trees, gone, side, tree).uses(_candidates(task, gone, side)):
                found[one.path].append(use)
    return found


_SETTINGS = re.compile(
    rb"\.(?:ya?ml|toml|json|cfg|ini|conf|sh|bash|cmake|mk|gradle|xml|in)$|(?:^|/)(?:Dockerfile|Makefile|CMakeLists)[^/]*$",
    re.IGNORECASE,
)


_PATH = re.compile(rb"[\w.-]+(?:/[\w.-]+)+")


def mentions(task: Task, lost: Sequence[Lost]) -> Mapping[bytes, list[Use]]:
    """Return the lines of settings and scripts in the merge that name a lost file by its whole path.

    Only what the side that has the file no more does not say itself.
    """
    found: dict[bytes, list[Use]] = defaultdict(list)
    wanted = {one.path: one for one in lost if b"/" in one.path and one.by is not None}
    tops = {path[: path.index(b"/") + 1] for path in wanted}
    if not wanted:
        return found
    listed = [file for file in task.files if file.merged is not None and _SETTINGS.search(file.path)]
    task.trees.read_ahead(file.merged for file in listed)
    for file in listed:
        sides = [side for side in SIDES if file.merged != file.of(side)]
        content = task.trees.text(file.merged)
        if len(content) > LARGEST or not any(top in content for top in tops):
            continue
        if len(wanted) <= _FEW_WORDS and not any(path in content for path in wanted):
            continue
        if wanted.keys().isdisjoint(path.removeprefix(b"./") for path in _PATH.findall(content)):
            continue
        for match in _PATH.finditer(content):
            one = wanted.get(match[0].removeprefix(b"./"))
            if one is None or one.by not in sides or one.path in task.trees.text(file.of(one.by)):
                continue
            start = content.rfind(b"\n", 0, match.start()) + 1
            words = content[start:].split(b"\n", 1)[0].strip()
            line = content.count(b"\n", 0, match.start()) + 1
            found[one.path].append(Use(file.path, Import(line, words, (), (), Force.NAMED)))
    return found


def _candidates(task: Task, gone: Sequence[Lost], side: Side | None) -> list[tuple[bytes, Entry]]:
    """Return the files of the merge that may import what `side` has no more; what it has as it is may not."""
    names = {name for one in gone if (name := _kind(one.path))}
    listed = {
        file.path: file.merged
        for file in task.files
        if file.merged is not None
        and file.merged.mode.is_file
        and _kind(file.path) in names
        and (side is None or file.merged != file.of(side))
    }
    if side is None:  # neither side deleted it: any file may
        for path, entry in _walk(task.trees, task.trees.merged_tree, b""):
            if len(listed) >= _MOST_READ:
                break
            if _kind(path) in names and not task.ignores(path):
                listed[path] = entry
    return list(listed.items())


def _kind(path: bytes) -> str:
    """Return a word for the languages that may import each other."""
    language = language_of(path)
    name = "script" if path.endswith(b".vue") else language.name if language is not None else ""
    return {"JavaScript": "script", "TypeScript": "script", "Kotlin": "Java", "Scala": "Java", "C": "C++"}.get(
        name, name
    )


def _walk(trees: FourTrees, tree: TreeId, prefix: bytes) -> Iterator[tuple[bytes, Entry]]:
    for name, entry in trees.repository.tree(tree).items():
        if entry.mode is Mode.DIRECTORY:
            yield from _walk(trees, TreeId(entry.oid), prefix + name + b"/")
        elif entry.mode.is_file:
            yield prefix + name, entry


_WORD = re.compile(rb"\w+")


class _Search:
    def __init__(self, trees: FourTrees, gone: Sequence[Lost], by: Side | None, tree: TreeId) -> None:
        self._trees = trees
        self._tree = tree
        self._by = by
        self._at = {one.path: one for one in gone}
        for one in gone:  # a package of Go is a directory
            if one.path.endswith(b".go"):
                directory = posixpath.dirname(one.path)
                if trees.repository.entry(tree, directory) is None:
                    self._at.setdefault(directory, one)
        self._named = defaultdict(list)
        for path in self._at:
            self._named[posixpath.basename(path)].append(path)
        self._words: set[bytes] = set()
        for one in gone:
            for stem in stems(one.path):
                words: list[bytes] = _WORD.findall(stem) or [stem]
                self._words.add(max(words, key=len))
        self._come = defaultdict(list)
        for file in trees.files:
            if file.merged is not None:
                self._come[posixpath.basename(file.path)].append(file.path)

    def uses(self, candidates: Iterable[tuple[bytes, Entry]]) -> Iterator[tuple[Lost, Use]]:
        """Yield each import of a lost file."""
        listed = list(candidates)
        self._trees.read_ahead(entry for _, entry in listed)
        for path, entry in listed:
            content = self._trees.text(entry)
            if len(content) <= LARGEST and self._may_import(path, entry, content):
                yield from self._in_file(path, content)

    def _may_import(self, path: bytes, entry: Entry, content: bytes) -> bool:
        if _kind(path) == "Python":
            return not self._words.isdisjoint(words_imported(self._trees, entry))
        if len(self._words) <= _FEW_WORDS:
            return any(word in content for word in self._words)
        return not self._words.isdisjoint(_WORD.findall(content))

    def _in_file(self, path: bytes, content: bytes) -> Iterator[tuple[Lost, Use]]:
        broken: set[bytes] | None = None
        for what in imports(path, content, self._words):
            one = self._meant(path, what) if what.force is not Force.GUARDED else None
            if one is None or one.path == path:
                continue
            if broken is None:
                broken = self._broken(path)
            if what.words not in broken:
                yield one, Use(path, what)

    def _broken(self, path: bytes) -> set[bytes]:
        """Return what the side that has the file no more imports all the same."""
        file = self._trees.by_path.get(path)
        if file is None or self._by is None:
            return set()
        return {what.words for what in imports(path, self._trees.text(file.of(self._by)), self._words)}

    def _meant(self, path: bytes, what: Import) -> Lost | None:
        """Return the lost file that an import names; None when the merge has another one that it may mean."""
        for number, group in enumerate(what.exact):
            gone = next((place for place in group if place in self._at), None)
            if gone is not None and not self._there(path, group):
                later = what.exact[number + 1 :]
                return None if what.name and self._holds(later, what.name) else self._at[gone]
        for number, group in enumerate(what.ends):
            for end in group:
                root = self._root(path, end)
                if (
                    root is None
                    or self._there(path, [root + one for one in group])
                    or self._elsewhere(path, group)
                ):
                    continue
                later = [tuple(root + one for one in paths) for paths in what.ends[number + 1 :]]
                return None if what.name and self._holds(later, what.name) else self._at[root + end]
        return None

    def _root(self, path: bytes, end: bytes) -> bytes | None:
        """Return the directory under which a lost file is that ends so, when `path` may search there."""
        for gone in self._named.get(posixpath.basename(end), ()):
            if gone != end and not gone.endswith(b"/" + end):
                continue
            root = gone[: len(gone) - len(end)]
            if not end.endswith(b".py") or root in _ROOTS or path.startswith(root):
                return root
        return None

    def _there(self, path: bytes, places: Iterable[bytes]) -> bool:
        for place in places:
            entry = self._trees.repository.entry(self._tree, place) if place else None
            if entry is not None and (entry.mode.is_file or path.endswith(b".go")):
                return True
        return False

    def _elsewhere(self, path: bytes, group: Paths) -> bool:
        """Return whether the merge has such a file anew under another root (Python looks at no other)."""
        return not path.endswith(b".py") and any(
            come.endswith(b"/" + end) for end in group for come in self._come.get(posixpath.basename(end), ())
        )

    def _holds(self, modules: Iterable[Paths], name: bytes) -> bool:
        """Return whether a module of the merge speaks of a name: then that is what is imported."""
        for group in modules:
            for place in group:
                entry = self._trees.repository.entry(self._tree, place) if place else None
                if entry is not None and entry.mode.is_file:
                    return re.search(rb"\b%b\b" % re.escape(name), self._trees.text(entry)) is not None
        return False

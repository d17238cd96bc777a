"""Cycles among the modules of Python that a merge closed: neither side has all of their imports."""

import posixpath
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from syncline.audit.four_trees import LARGEST, SIDES, FourTrees, other
from syncline.audit.task import Task
from syncline.git import Entry, Oid, TreeId
from syncline.git.tree import Mode
from syncline.merge.model import Side

_MOST_READ = 1_500
"""How many modules are looked at to close a cycle."""
_IMPORT = re.compile(
    rb"\n(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n\\#]*(?:\\\r?\n[^\n\\#]*)*)"
    rb"|import[ \t]+([\w.][^\n#;]*))"
)
"""One that runs when the module is loaded whatever the conditions: not indented."""
_HASH = re.compile(rb"#[^\n]*")
Statements = tuple[tuple[bytes, ...], ...]
"""Import statements, each the groups of `_IMPORT`."""
Edge = tuple[bytes, bytes]
"""What imports and what is imported, by their paths."""


@dataclass(frozen=True, slots=True)
class Step:
    """An import on a cycle."""

    path: bytes
    """The file that imports."""
    line: int
    """1-based."""
    words: bytes
    """The statement, on one line."""
    target: bytes
    """The file that is imported."""
    by_name: bool
    """Whether a name is taken out of the module, which has to be there by then."""
    side: Side | None
    """The side that added the import; None for one that both have."""


def new_cycles(task: Task) -> Iterator[list[Step]]:
    """Yield cycles that a new import of source closes over new ones of target, the shortest through each.

    Modules that hang together in a circle in a side already are left alone: one import more changes nothing.
    """
    graph = Graph(task.trees)
    new = {side: _added(task, side, graph) for side in SIDES}
    ours = new[Side.OURS] - new[Side.THEIRS]
    theirs = new[Side.THEIRS] - new[Side.OURS]
    if not ours or not theirs:
        return
    told: set[bytes] = set()
    for start, target in sorted(theirs):
        back = graph.way(target, start)
        if back is None or told & set(back):
            continue
        # Without what target added the circle is source's own; without what source added, target's.
        if graph.way(target, start, without=ours) is not None:
            continue
        if graph.way(target, start, without=theirs) and graph.way(start, target, without=theirs):
            continue
        told |= set(back)
        way = [start, *back]
        yield [_step(graph, edge, ours, theirs) for edge in pairwise(way)]


def _step(graph: "Graph", edge: Edge, ours: Collection[Edge], theirs: Collection[Edge]) -> Step:
    path, target = edge
    line, words, by_name = graph.statement(path, target)
    side = Side.OURS if edge in ours else Side.THEIRS if edge in theirs else None
    return Step(path, line, words, target, by_name, side)


def _added(task: Task, side: Side, graph: "Graph") -> set[Edge]:
    """Return the imports that the merge has and the other side has not."""
    trees, without = task.trees, other(side)
    changed = [
        file for file in task.files
        if file.merged is not None and file.merged.mode.is_file and file.path.endswith(b".py")
        and file.merged != file.of(without) and not posixpath.basename(file.path).startswith(b"test_")
    ]  # fmt: skip
    trees.read_ahead(entry for file in changed for entry in (file.merged, file.of(without)))
    found: set[Edge] = set()
    for file in changed:
        old = frozenset(graph.statements(file.of(without)))
        new = set(graph.meant(file.path, (one for one in graph.statements(file.merged) if one not in old)))
        if new:
            found |= {(file.path, target) for target in new.difference(graph.meant(file.path, old))}
    return found


class Graph:
    """The modules of a tree and what they import when they are loaded, read when asked for."""

    def __init__(self, trees: FourTrees, tree: TreeId | None = None) -> None:
        """Read the modules of `tree`; without one, those of the merge."""
        self._trees = trees
        self._tree = tree if tree is not None else trees.merged_tree
        self._targets: dict[bytes, tuple[bytes, ...]] = {}
        self._meant: dict[tuple[bytes, ...], Mapping[bytes, bool]] = {}
        self._statements: dict[Oid, Statements] = {}
        self._directories: dict[bytes, Container[bytes]] = {}
        self._around: dict[bytes, tuple[bytes, ...]] = {}
        self._modules: dict[tuple[bytes, bool], tuple[bytes, ...]] = {}
        self._roots: dict[bytes, tuple[bytes, ...]] = {}
        top = trees.repository.tree(self._tree)
        for root in (b"", b"src", b"lib", b"python"):
            entry = top.get(root)
            if root and (entry is None or entry.mode is not Mode.DIRECTORY):
                continue
            names = trees.repository.tree(TreeId(entry.oid)) if entry is not None else top
            for name in names:
                package = name.removesuffix(b".py")
                self._roots[package] = (*self._roots.get(package, ()), root)

    def statements(self, entry: Entry | None) -> Statements:
        """Return the import statements of a file."""
        if entry is None:
            return ()
        known = self._statements.get(entry.oid)
        if known is None:
            content = self._trees.text(entry)
            found = _IMPORT.findall(b"\n" + content) if len(content) <= LARGEST else ()
            known = self._statements[entry.oid] = tuple(found)
        return known

    def targets(self, path: bytes) -> tuple[bytes, ...]:
        """Return the modules that a module of the merge imports."""
        known = self._targets.get(path)
        if known is None:
            if len(self._targets) >= _MOST_READ:
                return ()
            entry = self._trees.repository.entry(self._tree, path)
            known = self._targets[path] = tuple(dict.fromkeys(self.meant(path, self.statements(entry))))
        return known

    def meant(self, path: bytes, statements: Iterable[tuple[bytes, ...]]) -> Iterator[bytes]:
        """Yield what statements would import in that module, as far as it is in the merge."""
        for groups in statements:
            yield from self._meaning(path, groups)

    def way(self, start: bytes, end: bytes, *, without: Collection[Edge] = ()) -> list[bytes] | None:
        """Return the shortest chain of imports from a module to another, both included; None for none."""
        came: dict[bytes, bytes] = {start: b""}
        frontier = [start]
        while frontier and end not in came:
            self.read_ahead(frontier)
            beyond: list[bytes] = []
            for path in frontier:
                for target in self.targets(path):
                    if target not in came and (path, target) not in without:
                        came[target] = path
                        beyond.append(target)
            frontier = beyond
        if end not in came:
            return None
        way = [end]
        while came[way[-1]]:
            way.append(came[way[-1]])
        return way[::-1]

    def read_ahead(self, paths: Sequence[bytes]) -> None:
        """Read the modules that are asked for next at once."""
        new = [path for path in paths if path not in self._targets][: _MOST_READ - len(self._targets)]
        self._trees.read_ahead(self._trees.repository.entry(self._tree, path) for path in new)

    def statement(self, path: bytes, target: bytes) -> tuple[int, bytes, bool]:
        """Return line and words of the import of a module, and whether it takes names out of it."""
        content = self.content(path)
        for match in _IMPORT.finditer(b"\n" + content):
            by_name = self._meaning(path, match.groups(b"")).get(target)
            if by_name is not None:
                return content.count(b"\n", 0, match.start()) + 1, b" ".join(match[0].split()), by_name
        return 1, b"", False

    def content(self, path: bytes) -> bytes:
        """Return what a module says; empty where there is none."""
        return self._trees.text(self._trees.repository.entry(self._tree, path))

    def _meaning(self, path: bytes, groups: tuple[bytes, ...]) -> Mapping[bytes, bool]:
        """Return the modules of the tree that a statement imports, and whether it takes names out of them."""
        module, _, plain = groups
        relative = module.startswith(b".")
        first = (module or plain).split(b".", 1)[0].split(b",", 1)[0].strip()
        if not relative and first not in self._roots and b"," not in plain:
            return {}  # not of this tree
        key = (posixpath.dirname(path) if relative else b"", *groups)
        if key not in self._meant:
            self._meant[key] = dict(self._resolved(*key))
        return self._meant[key]

    def _resolved(self, here: bytes, module: bytes, names: bytes, plain: bytes) -> Iterator[tuple[bytes, bool]]:
        for part in plain.split(b",") if plain else ():
            for found in self.module(part.split(b" as ")[0].strip().replace(b".", b"/")):
                yield found, False
        if not module:
            return
        dotted = module.lstrip(b".")
        inner = dotted.replace(b".", b"/")
        level = len(module) - len(dotted)
        for _ in range(level - 1):
            here = posixpath.dirname(here)
        package = (posixpath.join(here, inner) if inner else here) if level else inner
        by_name = False
        for name in _names(names):
            modules = list(self.module(posixpath.join(package, name), rooted=bool(level)))
            by_name |= not modules
            for found in modules:
                yield found, False
        if by_name:
            for found in self.module(package, rooted=bool(level)):
                yield found, True

    def module(self, dotted: bytes, *, rooted: bool = False) -> tuple[bytes, ...]:
        """Return the file of a module, if it is in the tree: one, or none."""
        if not dotted:
            return ()
        key = dotted, rooted
        if key not in self._modules:
            self._modules[key] = tuple(self._module(dotted, rooted=rooted))
        return self._modules[key]

    def _module(self, dotted: bytes, *, rooted: bool) -> Iterator[bytes]:
        roots = (b"",) if rooted else self._roots.get(dotted.split(b"/", 1)[0], ())
        for root in roots:
            directory, _, name = posixpath.join(root, dotted).rpartition(b"/")
            names = self._names_in(directory)
            if name + b".py" in names:
                yield posixpath.join(directory, name + b".py")
                return
            if name in names and b"__init__.py" in self._names_in(posixpath.join(directory, name)):
                yield posixpath.join(directory, name, b"__init__.py")
                return

    def packages_of(self, path: bytes) -> tuple[bytes, ...]:
        """Return what Python loads before a module: the packages around it, the outermost first."""
        directory, _, name = path.rpartition(b"/")
        return self._packages(posixpath.dirname(directory) if name == b"__init__.py" else directory)

    def _packages(self, directory: bytes) -> tuple[bytes, ...]:
        known = self._around.get(directory)
        if known is None:
            known = ()
            if directory and b"__init__.py" in self._names_in(directory):
                outer = self._packages(posixpath.dirname(directory))
                known = (*outer, posixpath.join(directory, b"__init__.py"))
            self._around[directory] = known
        return known

    def _names_in(self, directory: bytes) -> Container[bytes]:
        """Return the names in a directory of the merge."""
        known = self._directories.get(directory)
        if known is None:
            trees = self._trees
            entry = trees.repository.entry(self._tree, directory) if directory else None
            tree = TreeId(entry.oid) if entry is not None else self._tree
            there = not directory or (entry is not None and entry.mode is Mode.DIRECTORY)
            known = self._directories[directory] = trees.repository.tree(tree) if there else ()
        return known


def _names(listed: bytes) -> list[bytes]:
    plain = _HASH.sub(b"", listed).strip(b" \t\r()").replace(b"\\", b" ")
    return [name for part in plain.split(b",") if (name := part.split(b" as ")[0].strip())]

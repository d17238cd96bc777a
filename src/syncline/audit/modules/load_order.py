"""Orders of imports that fail when the modules are loaded, though every side's order works.

Modules that import each other can work as long as what one takes out of the other is there by then. Whoever
sorts imports anew, or puts those of both sides together, may take that away. Loading is played through as Python
does it, on texts alone: nothing of the repository is run.
"""

import posixpath
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from syncline.audit.four_trees import LARGEST, SIDES, Versions
from syncline.audit.modules.cycles import Graph, Statements
from syncline.audit.modules.module_events import Bound, Loaded, events
from syncline.audit.task import Task
from syncline.merge.model import Side

_MOST_FILES = 40
"""Files with a new order of imports that are looked at."""
_MOST_MODULES = 1_500
"""Modules that one of them may hang together with."""
_MOST_STARTS = 8
"""Modules from which loading is begun, for each of them."""
_DEEPEST = 150
"""How deep modules may load each other: far above anything real, far below what Python could not follow."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An import that takes a name out of a module that is still being loaded, before the name is there."""

    path: bytes
    """The module that imports."""
    line: int
    words: str
    name: str
    target: bytes
    """The module that is still being loaded."""


@dataclass(frozen=True, slots=True)
class Reordered:
    """A module whose order of imports is new, and what fails because of it."""

    path: bytes
    start: bytes
    """The module that is loaded first."""
    failure: Failure


def failing_orders(task: Task) -> Iterator[Reordered]:
    """Yield each module with an order of imports that makes loading fail where it fails on neither side."""
    trees = task.trees
    changed = [file for file in task.mixed if file.path.endswith(b".py")]
    trees.read_ahead(entry for file in changed for entry in (file.ours, file.theirs))
    graph = Graph(trees)
    # Of a file that is a side's as it is, the order is that side's own matter.
    moved = [file for file in changed if any(_differs(graph, file, side) for side in SIDES)]
    told: set[Failure] = set()
    circles = _Circles(graph)
    loadings: dict[frozenset[bytes], _Loading] = {}
    for file in moved[:_MOST_FILES]:
        circle = circles.of(file.path)
        merged = loadings.setdefault(circle, _Loading(graph, circle))
        found = _failing(task, graph, file, circle, merged)
        if found is not None and found.failure not in told:
            told.add(found.failure)
            yield found


def _differs(graph: Graph, file: Versions, side: Side) -> bool:
    version = file.of(side)
    if version is None:
        return False
    merged, had = (_named(graph.statements(entry)) for entry in (file.merged, version))
    common = set(merged) & set(had)
    return [one for one in merged if one in common] != [one for one in had if one in common]


def _named(statements: Statements) -> list[bytes]:
    """Return what is imported, name by name: formatters split and join statements."""
    found: list[bytes] = []
    for module, names, plain in statements:
        listed = names.strip(b" \t\r()").replace(b"\\", b" ") if module else plain
        found += [module + b":" + b" ".join(part.split()) for part in listed.split(b",") if part.strip()]
    return list(dict.fromkeys(found))


def _failing(
    task: Task, graph: Graph, file: Versions, circle: frozenset[bytes], merged: "_Loading"
) -> Reordered | None:
    if len(circle) < 2:
        return None
    sides: list[_Loading] | None = None
    starts = [file.path, *(one for one in graph.targets(file.path) if one in circle)]
    for start in starts[:_MOST_STARTS]:
        failure = merged.failure(start)
        if failure is None:
            continue
        if sides is None:
            sides = [_Loading(Graph(task.trees, task.trees.tree_of(side)), circle) for side in SIDES]
        having = [side for side in sides if side.has(start) and side.has(file.path)]
        if having and all(side.failure(start) is None for side in having):
            return Reordered(file.path, start, failure)
    return None


class _Circles:
    """Finds the modules that a module loads and that load it."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._loaded: dict[bytes, dict[bytes, None]] = {}
        self._known: dict[bytes, frozenset[bytes]] = {}

    def of(self, path: bytes) -> frozenset[bytes]:
        """Return the circle of a module, itself included; modules of one circle have the same."""
        if path not in self._known:
            circle = self._find(path)
            self._known |= dict.fromkeys(circle, circle)
        return self._known[path]

    def _find(self, path: bytes) -> frozenset[bytes]:
        before: dict[bytes, set[bytes]] = {path: set()}
        frontier = [path]
        while frontier and len(before) < _MOST_MODULES:
            self._graph.read_ahead(frontier)
            beyond: list[bytes] = []
            for here in frontier:
                for target in self._loaded_by(here):
                    if target not in before:
                        before[target] = set()
                        beyond.append(target)
                    before[target].add(here)
            frontier = beyond
        found, waiting = {path}, [path]
        while waiting:
            new = before[waiting.pop()] - found
            found |= new
            waiting += new
        return frozenset(found)

    def _loaded_by(self, path: bytes) -> dict[bytes, None]:
        known = self._loaded.get(path)
        if known is None:
            direct = self._graph.targets(path)
            packages = (one for target in direct for one in self._graph.packages_of(target))
            known = self._loaded[path] = dict.fromkeys((*direct, *packages))
        return known


@dataclass
class _Module:
    """What is known of a module while it is loaded."""

    names: set[str] = field(default_factory=set)
    whole: bool = False


class _Loading:
    """Plays through how the modules of a tree are loaded, as far as they are among some."""

    def __init__(self, graph: Graph, among: Collection[bytes]) -> None:
        self._graph = graph
        self._among = among
        self._events: dict[bytes, Sequence[Bound | Loaded]] = {}
        self._ever: dict[bytes, frozenset[str]] = {}

    def has(self, path: bytes) -> bool:
        """Whether the tree has a module."""
        return bool(self._graph.content(path))

    def failure(self, start: bytes) -> Failure | None:
        """Return what fails first when a module is loaded before all others; None where nothing does."""
        state: dict[bytes, _Module] = {}
        for path in (*self._graph.packages_of(start), start):
            found = self._load(path, state, 0)
            if found is not None:
                return found
        return None

    def _of(self, path: bytes) -> Sequence[Bound | Loaded]:
        known = self._events.get(path)
        if known is None:
            content = self._graph.content(path)
            known = self._events[path] = (events(content) if len(content) <= LARGEST else None) or ()
            self._ever[path] = frozenset(
                name for one in known for name in (one.names if isinstance(one, Bound) else one.bound)
            )
        return known

    def _load(self, path: bytes, state: dict[bytes, _Module], depth: int) -> Failure | None:
        if path in state or path not in self._among or depth > _DEEPEST:
            return None
        module = state[path] = _Module()
        for event in self._of(path):
            if isinstance(event, Loaded):
                failure = self._import(path, event, state, depth)
                if failure is not None and not event.guarded:
                    del state[path]  # as Python does: the next one who asks begins anew
                    return failure
                module.names.update(event.bound)
            else:
                module.names.update(event.names)
        module.whole = True
        return None

    def _import(self, path: bytes, event: Loaded, state: dict[bytes, _Module], depth: int) -> Failure | None:
        for target in self._targets(path, event.level, event.module):
            if (failure := self._load(target, state, depth + 1)) is not None:
                return failure
        if not event.names:
            return None
        target = next(iter(self._module(path, event.level, event.module)), None)
        for name in event.names:
            inner = f"{event.module}.{name}" if event.module else name
            held = state.get(target) if target is not None else None
            if held is not None and name in held.names:
                continue
            below = next(iter(self._module(path, event.level, inner)), None)
            if below is not None:
                if (failure := self._load(below, state, depth + 1)) is not None:
                    return failure
            elif target is not None and held is not None and not held.whole and self._comes(target, name):
                return Failure(path, event.line, event.words, name, target)
        return None

    def _comes(self, target: bytes, name: str) -> bool:
        """Whether a module that is still being loaded is to have a name."""
        self._of(target)
        return name in self._ever[target] and "__getattr__" not in self._ever[target]

    def _targets(self, path: bytes, level: int, module: str) -> Iterator[bytes]:
        """Yield the modules that are loaded for an import, the packages around it first."""
        for found in self._module(path, level, module):
            yield from self._graph.packages_of(found)
            yield found

    def _module(self, path: bytes, level: int, module: str) -> Iterator[bytes]:
        inner = module.encode("utf-8", "surrogateescape").replace(b".", b"/")
        if not level:
            yield from self._graph.module(inner)
            return
        here = posixpath.dirname(path)
        for _ in range(level - 1):
            here = posixpath.dirname(here)
        yield from self._graph.module(posixpath.join(here, inner) if inner else here, rooted=True)

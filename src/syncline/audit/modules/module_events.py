"""What a module of Python does when it is loaded, in order: what it imports, which names it has then. Pure."""

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bound:
    """Names that are there from here on."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loaded:
    """An import. Without names it is a plain one: `import module`."""

    line: int
    """1-based."""
    level: int
    """How many dots stand before the module."""
    module: str
    names: tuple[str, ...]
    """What is taken out of the module; `*` for all."""
    bound: tuple[str, ...]
    """The names that it has here."""
    guarded: bool
    """Whether it stands under a condition, or what it raises may be caught."""

    @property
    def words(self) -> str:
        """The statement."""
        module = "." * self.level + self.module
        return f"from {module} import {', '.join(self.names)}" if self.names else f"import {module}"


def events(content: bytes) -> tuple[Bound | Loaded, ...] | None:
    """Return what happens when a module is loaded; None where it cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the text is like is not our business
            return tuple(_of(ast.parse(content).body, guarded=False))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _of(body: Iterable[ast.stmt], *, guarded: bool) -> Iterator[Bound | Loaded]:
    for node in body:
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from _imported(node, guarded=guarded)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield Bound((node.name,))
            case ast.If() | ast.Try() | ast.TryStar():
                yield from _perhaps(node, guarded=guarded)
            case _:
                if names := tuple(_stored(node)):
                    yield Bound(names)
                if isinstance(node, ast.For | ast.While | ast.With):
                    yield from _of(node.body, guarded=guarded or not isinstance(node, ast.With))


def _imported(node: ast.Import | ast.ImportFrom, *, guarded: bool) -> Iterator[Loaded]:
    if isinstance(node, ast.ImportFrom):
        names = tuple(one.name for one in node.names)
        bound = tuple(one.asname or one.name for one in node.names)
        yield Loaded(node.lineno, node.level, node.module or "", names, bound, guarded)
        return
    for one in node.names:
        yield Loaded(node.lineno, 0, one.name, (), (one.asname or one.name.partition(".")[0],), guarded)


def _perhaps(node: ast.If | ast.Try | ast.TryStar, *, guarded: bool) -> Iterator[Bound | Loaded]:
    if isinstance(node, ast.If):
        if not _for_checkers(node.test):
            yield from _of(node.body, guarded=True)
        yield from _of(node.orelse, guarded=True)
        return
    for part in (node.body, *(one.body for one in node.handlers), node.orelse, node.finalbody):
        yield from _of(part, guarded=guarded or bool(node.handlers))


def _for_checkers(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"


def _stored(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement binds at its own level."""
    match node:
        case ast.Assign():
            targets: list[ast.expr] = list(node.targets)
        case ast.AnnAssign():
            targets = [node.target] if node.value is not None else []
        case ast.AugAssign() | ast.For():
            targets = [node.target]
        case ast.With():
            targets = [one.optional_vars for one in node.items if one.optional_vars is not None]
        case _:
            targets = []
    for target in targets:
        yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))

"""The definitions of a Python file, with the lines they stand on. Pure."""

import ast
import warnings
from dataclasses import dataclass

from syncline.merge.hunks import split_lines

_LARGEST = 500_000


@dataclass(frozen=True, slots=True)
class PythonUnit:
    """A function, a class or a name that is bound, at the top of a file or in a class."""

    name: str
    """With the classes around it: `Trainer.fit`."""
    start: int
    """The first line, decorators included, 0-based."""
    end: int
    """The line after the last one."""
    lines: tuple[bytes, ...]
    is_definition: bool
    """Whether it is a function or a class."""

    @property
    def bare(self) -> bytes:
        """Its text without white space at the ends of lines and blank lines."""
        return b"\n".join(line.rstrip() for line in self.lines if line.strip())


def python_units(content: bytes) -> dict[str, PythonUnit] | None:
    """Return the units by their names; of several of one name the last. None for what cannot be read."""
    if len(content) > _LARGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the text is like is not our business
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: dict[str, PythonUnit] = {}
    _collect(tree.body, "", split_lines(content), found)
    return found


def _collect(body: list[ast.stmt], around: str, lines: list[bytes], found: dict[str, PythonUnit]) -> None:
    for node in body:
        for name in _names(node):
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))]) - 1
            end = node.end_lineno or node.lineno
            full = f"{around}{name}"
            is_definition = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            found[full] = PythonUnit(full, first, end, tuple(lines[first:end]), is_definition)
        if isinstance(node, ast.ClassDef):
            _collect(node.body, f"{around}{node.name}.", lines, found)


def _names(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            return [one.id for one in node.targets if isinstance(one, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []

"""The import that a merge lost: what it was on a side, and where it goes."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

Statement = ast.Import | ast.ImportFrom
_LARGEST = 1_000_000
"""Characters of a file that is still parsed."""


@dataclass(frozen=True, slots=True)
class Import:
    """A name that a module imports at its top."""

    module: str
    """What it is imported from; the module itself for `import x`."""
    name: str
    """What is imported of it; empty for the module as a whole."""
    statement: str


def import_of(imports: Sequence[Statement], name: str) -> Import | None:
    """Return how a module imports a name, outside of any block; None if it does not."""
    for node in imports:
        for alias in node.names:
            if (alias.asname or alias.name) != name:
                continue
            renamed = f" as {alias.asname}" if alias.asname else ""
            if isinstance(node, ast.Import):
                return Import(alias.name, "", f"import {alias.name}{renamed}")
            module = "." * node.level + (node.module or "")
            return Import(module, alias.name, f"from {module} import {alias.name}{renamed}")
    return None


def place_for_import(imports: Sequence[Statement], before: int) -> int | None:
    """Return after how many lines an import can go that a line (1-based) needs: behind the last one above it."""
    ends = [node.end_lineno or 0 for node in imports if node.lineno < before]
    return max(ends, default=None)


def imports_of(lines: Sequence[str]) -> list[Statement]:
    """Return the imports of a module outside of any block; none when it cannot be parsed."""
    text = "\n".join(lines)
    if len(text) > _LARGEST:
        return []
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return [node for node in tree.body if isinstance(node, Statement)]

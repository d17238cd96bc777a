"""The mend of an order of imports that makes loading fail: back to the order that a side has."""

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from syncline.audit.finding import Edit, Finding
from syncline.audit.four_trees import SIDES
from syncline.audit.task import Task
from syncline.merge.hunks import split_lines
from syncline.merge.model import Side
from syncline.repair.mend import Mend

_NAMES = {Side.OURS: "target", Side.THEIRS: "source"}


@dataclass(frozen=True, slots=True)
class _Statement:
    """An import at the top level of a file, on lines of its own."""

    start: int
    """The first line, 0-based."""
    end: int
    """The line after the last one."""
    lines: tuple[bytes, ...]
    names: frozenset[tuple[int, str, str]]
    """What it imports: dots, module, name."""


def order_as_before(task: Task, finding: Finding) -> Iterator[Mend]:
    """Yield the file with its imports in target's order, and in source's.

    An import that this side does not have stays behind the one that it stands behind. Comments and blank lines
    between imports stay where they are.
    """
    file = task.trees.by_path.get(finding.path)
    contents = task.trees.contents(file) if finding.kind == "import-order" and file is not None else None
    merged = _statements(contents.merged) if contents is not None else None
    if contents is None or not merged:
        return
    for side in SIDES:
        had = _statements(contents.of(side))
        if not had:
            continue
        edits = tuple(
            Edit(finding.path, stood.start, stood.end, stands.lines)
            for stood, stands in zip(merged, _in_order_of(had, merged), strict=True)
            if stood is not stands
        )
        if edits:
            yield Mend(finding, f"put the imports back into {_NAMES[side]}'s order", edits=edits)


def _in_order_of(had: Sequence[_Statement], merged: Sequence[_Statement]) -> list[_Statement]:
    place = {name: number for number, one in reversed(list(enumerate(had))) for name in one.names}
    keys: list[tuple[int, int]] = []
    last = -1
    for number, one in enumerate(merged):
        last = min((place[name] for name in one.names if name in place), default=last)
        keys.append((last, number))
    return [one for _, one in sorted(zip(keys, merged, strict=True), key=lambda pair: pair[0])]


def _statements(content: bytes) -> list[_Statement] | None:
    """Return the imports at the top level; None where they cannot be told apart by lines."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the text is like is not our business
            body = ast.parse(content).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = split_lines(content)
    found: list[_Statement] = []
    ended = 0
    for node in body:
        start, end = node.lineno - 1, node.end_lineno or node.lineno
        if start < ended:
            return None  # two statements on one line
        ended = end
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(_Statement(start, end, tuple(lines[start:end]), frozenset(_named(node))))
    return found


def _named(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[int, str, str]]:
    for one in node.names:
        if isinstance(node, ast.Import):
            yield 0, one.name, ""
        else:
            yield node.level, node.module or "", one.name

"""Statements that stand twice in one block of the merge and of no side. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from syncline.audit.pieces import Piece
from syncline.merge.text import syntax
from syncline.merge.text.languages import Language

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_SAYS_SOMETHING = re.compile(rb"\w.*\w.*\w")
_NO_STATEMENT = frozenset({
    "pass_statement", "break_statement", "continue_statement", "return_statement", "pair", "keyword_argument",
    "function_definition", "class_definition", "decorated_definition", "import_statement", "import_from_statement",
    "future_import_statement", "block_mapping_pair", "flow_pair", "method_declaration", "field_declaration",
    "import_declaration", "namespace_use_declaration", "preproc_include", "use_declaration", "using_directive",
    "break", "empty_statement", "method", "preproc_def", "preproc_ifdef", "preproc_if", "preproc_call",
})  # fmt: skip
"""What is told by its name, or may stand as often as one likes."""
_LISTS = frozenset({"list", "array", "block_sequence", "flow_sequence"})
"""What holds values, of which texts are told."""
_BLOCKS = frozenset({
    "module", "block", "program", "statement_block", "source_file", "statement_list", "compound_statement",
    "body_statement", "translation_unit", "compilation_unit", "constructor_body", "template_body", "class_body",
    "declaration_list",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Repeated:
    """Statements side by side that stand again in the same block."""

    first: int
    """The line of the first time, 1-based."""
    start: int
    """The first line of the second time, 1-based."""
    end: int
    """The last line of the second time, 1-based."""
    next_to: bool
    """Whether nothing stands between the two."""
    whole_lines: bool
    """Whether nothing else stands on the lines of the second time."""
    in_list: bool
    """Whether it is a value in a list."""
    common: bool
    """Whether a side has it more than once as well, as a check of errors that stands everywhere."""
    binds: bool
    """Whether it is one that gives a name a value, for which once is enough."""


@dataclass(frozen=True)
class Statements:
    """Looks for repeated statements in one merged file."""

    language: Language
    merged: bytes
    sides: Sequence[bytes]

    def repeated(self, pieces: Sequence[Piece]) -> Iterator[Repeated]:
        """Yield what stands twice in a block of one of the pieces, oftener than in any side."""
        for piece in pieces:
            rows = self._suspects(piece.alone)
            tree = syntax.parse(self.language, piece.alone) if rows else None
            if tree is not None:
                shift = piece.line - (1 if piece.inside else 0)
                yield from self._in_tree(tree, piece.alone, rows, shift)

    def _suspects(self, text: bytes) -> dict[bytes, list[int]]:
        """Return the lines that stand oftener in a text, and in the file, than in a side: line -> its rows."""
        rows: dict[bytes, list[int]] = defaultdict(list)
        for row, line in enumerate(text.split(b"\n")):
            rows[line.strip()].append(row)
        return {
            line: at
            for line, at in rows.items()
            if len(at) > 1 and len(at) <= _MOST and _SAYS_SOMETHING.search(line) and self._more_lines(line)
        }

    def _more_lines(self, line: bytes) -> bool:
        here, *there = self._lines
        return all(here[line] > side[line] for side in there)

    @cached_property
    def _lines(self) -> tuple[Counter[bytes], ...]:
        return tuple(Counter(map(bytes.strip, text.split(b"\n"))) for text in (self.merged, *self.sides))

    @cached_property
    def _squeezed(self) -> tuple[bytes, ...]:
        return tuple(_squeeze(text) for text in (self.merged, *self.sides))

    def _in_tree(
        self, tree: Tree, text: bytes, suspects: dict[bytes, list[int]], shift: int
    ) -> Iterator[Repeated]:
        lines = text.split(b"\n")
        blocks: dict[int, tuple[Node, dict[bytes, list[Node]]]] = {}
        for rows in suspects.values():
            for row in rows:
                node = self._statement(tree, lines, row)
                if node is not None and node.parent is not None:
                    said = _squeeze(text[node.start_byte : node.end_byte])
                    blocks.setdefault(node.parent.id, (node.parent, {}))[1].setdefault(said, []).append(node)
        for block, statements in blocks.values():
            again = {
                said: _Again(nodes, more, common=most > 1)
                for said, nodes in statements.items()
                if len(nodes) > 1
                for more, most in (self._more(said),)
                if more > 0
            }
            if again and not self._known(text[block.start_byte : block.end_byte]):
                yield from _runs(block, again, lines, shift)

    def _statement(self, tree: Tree, lines: list[bytes], row: int) -> Node | None:
        """Return the statement that begins on a row; None where there is none."""
        line = lines[row]
        column = len(line) - len(line.lstrip())
        node = tree.root_node.descendant_for_point_range((row, column), (row, column + 1))
        while node is not None and node.parent is not None and node.parent.type not in self.language.bodies:
            node = node.parent
        if node is None or node.parent is None or node.start_point[0] != row or node.has_error:
            return None
        if node.type in _NO_STATEMENT or node.type in self.language.comments:
            return None
        if node.parent.type in _LISTS:
            return node if _is_text(node) else None
        return node if node.parent.type in _BLOCKS and not _is_docstring(node) else None

    def _more(self, said: bytes) -> tuple[int, int]:
        """Return how many times oftener a statement stands in the merge than in any side, and how often there."""
        here, *there = self._squeezed
        most = max(side.count(said) for side in there)
        return here.count(said) - most, most

    def _known(self, block: bytes) -> bool:
        text = _squeeze(block)
        return any(text in side for side in self._squeezed[1:])


_MOST = 2_000
"""How often a line may stand in a text and still be suspicious; what is oftener is data."""


def _squeeze(text: bytes) -> bytes:
    return b"".join(text.split())


def _is_text(node: Node) -> bool:
    kinds = {"string", "double_quote_scalar", "single_quote_scalar", "flow_node", "block_sequence_item"}
    return node.type in kinds


def _is_docstring(node: Node) -> bool:
    return (
        node.type == "expression_statement"
        and node.named_child_count == 1
        and node.named_children[0].type == "string"
    )


def _binds(node: Node) -> bool:
    inner = node.named_children[0].type if node.type == "expression_statement" and node.named_child_count else ""
    return "assignment" in (inner or node.type) or "declaration" in node.type


@dataclass(frozen=True, slots=True)
class _Again:
    """A statement that stands in a block more than once."""

    nodes: list[Node]
    more: int
    """How many more there are than in a side."""
    common: bool


def _runs(block: Node, again: dict[bytes, _Again], lines: list[bytes], shift: int) -> Iterator[Repeated]:
    """Yield the repeated statements of a block, those that stand side by side both times as one.

    Of a statement that a side has more than once, as many are told as there are more, the nearest ones first.
    """
    order = {node.id: number for number, node in enumerate(n for n in block.named_children if n.type != "comment")}
    pairs: list[tuple[int, int, Node, Node]] = []
    common: set[int] = set()
    for statement in again.values():
        nodes = sorted(statement.nodes, key=lambda node: node.start_byte)
        beside = [(order[second.id], order[first.id], second, first) for first, second in pairwise(nodes)]
        pairs += sorted(beside, key=lambda pair: (pair[0] - pair[1], -pair[0]))[: statement.more]
        common |= {order[node.id] for node in nodes if statement.common}
    pairs.sort(key=lambda pair: pair[:2])
    runs: list[list[tuple[int, int, Node, Node]]] = []
    for pair in pairs:
        last = runs[-1][-1] if runs else None
        if last is not None and pair[0] == last[0] + 1 and pair[1] == last[1] + 1:
            runs[-1].append(pair)
        else:
            runs.append([pair])
    for run in runs:
        second, last, first = run[0][2], run[-1][2], run[0][3]
        end = last.end_point[0] - (1 if last.end_point[1] == 0 else 0)
        tail = lines[last.end_point[0]][last.end_point[1] :].strip() if last.end_point[1] else b""
        yield Repeated(
            first.start_point[0] + shift,
            second.start_point[0] + shift,
            end + shift,
            next_to=run[0][0] - run[0][1] <= len(run),
            whole_lines=tail in {b"", b",", b";"} or tail.startswith((b"#", b"//")),
            in_list=block.type in _LISTS,
            common=all(pair[0] in common for pair in run),
            binds=_binds(second),
        )

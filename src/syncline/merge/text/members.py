"""Cuts a file into what it is made of: named units on lines of their own, and their members. Pure.

Only whole lines are cut, so that whatever is put together again keeps its layout. A unit owns the comments and
attributes above it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from syncline.merge.hunks import Lines
from syncline.merge.text.languages import Language

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

MAX_DEPTH = 30
"""How deep members are looked for; deeper ones are text."""


@dataclass(frozen=True)
class Member:
    """A unit with what belongs to it, in lines."""

    kind: str
    """Its node type."""
    name: bytes | None
    """What it is called; None for a statement that has no name."""
    blank: Lines
    """The blank lines above it."""
    lines: Lines
    """The rest: comments and itself, without the separator."""
    separator: bytes
    """A comma or semicolon behind it that is not its own; empty if there is none."""
    _cutter: _Cutter
    _node: Node
    _span: tuple[int, int, int]

    @cached_property
    def bare(self) -> bytes:
        """Its text without white space."""
        return b"".join(b"".join(self.lines).split())

    @cached_property
    def inner(self) -> Body | None:
        """Its own members, where they have names; they stand in `lines`."""
        node = _inner(self._cutter.language, self._node)
        body = self._cutter.body(node, *self._span) if node is not None else None
        if body is None or 2 * sum(member.name is not None for member in body.members) <= len(body.members):
            return None  # statements are told apart by their text only
        if self.separator:
            return Body(body.head, body.members, (*body.foot[:-1], self.lines[-1])) if body.foot else None
        return body


@dataclass(frozen=True, slots=True)
class Body:
    """What holds members: the lines above the first, the members, the lines below the last."""

    head: Lines
    members: tuple[Member, ...]
    foot: Lines


def cut(language: Language, tree: Tree, lines: list[bytes]) -> Body | None:
    """Return the members of a file; None when it has none on lines of their own."""
    root = tree.root_node
    cutter = _Cutter(language, lines, b"".join(lines))
    if root.type in _SHELLS:
        inner = _inner(language, root)
        return cutter.body(inner, 0, len(lines), 1) if inner is not None else None
    return cutter.body(root, 0, len(lines), 0)


_SHELLS = frozenset({"document", "stream"})
"""Roots of data files, which hold one value."""


@dataclass(slots=True)
class _Piece:
    """A child of a body: the lines `first` to `last` are its own, comments above included."""

    first: int
    last: int
    node: Node
    separator: Node | None = None


@dataclass(frozen=True, slots=True)
class _Cutter:
    language: Language
    file: list[bytes]
    content: bytes

    def body(self, node: Node, start: int, end: int, depth: int) -> Body | None:
        """Cut the children of `node`, which stands in the lines from `start` to `end`."""
        pieces = self._pieces(node)
        if not pieces or depth > MAX_DEPTH or pieces[0].first < start or pieces[-1].last >= end:
            return None
        opened = bool(node.child_count) and not node.children[0].is_named
        if opened and (pieces[0].first <= node.start_point[0] or pieces[-1].last >= _last_line(node)):
            return None  # the first or last member shares its line with a bracket
        if depth > 1 and pieces[0].first == start:
            return None
        members = []
        at = pieces[0].first
        for piece in pieces:
            members.append(self._member(piece, at, depth))
            at = piece.last + 1
        return Body(tuple(self.file[start : pieces[0].first]), tuple(members), tuple(self.file[at:end]))

    def _pieces(self, node: Node) -> list[_Piece]:
        """Return the children with their lines; none where two share one."""
        found: list[_Piece] = []
        above: int | None = None
        for child in node.children:
            first, last = child.start_point[0], _last_line(child)
            if not child.is_named:
                if child.type in {",", ";"} and found and found[-1].last == first:
                    found[-1].separator = child
            elif child.type in self.language.comments:
                if above is None and not (found and found[-1].last == first):
                    above = first
            else:
                top = first if above is None else above
                above = None
                if child.is_missing or child.is_error or (found and found[-1].last >= top):
                    return []
                found.append(_Piece(top, last, child))
        return found

    def _member(self, piece: _Piece, at: int, depth: int) -> Member:
        top = at
        while top < piece.first and not self.file[top].strip():
            top += 1
        lines = self.file[top : piece.last + 1]
        separator = b""
        if piece.separator is not None:
            column = piece.separator.start_point[1]
            separator = lines[-1][column : column + 1]
            lines[-1] = lines[-1][:column] + lines[-1][column + 1 :]
        blank = tuple(self.file[at:top])
        span = top, piece.last + 1, depth + 1
        return Member(
            piece.node.type,
            _name(piece.node, self.content),
            blank,
            tuple(lines),
            separator,
            self,
            piece.node,
            span,
        )


_NAMES = ("name", "key", "left", "path", "pattern")
_WAYS = ("declarator", "definition", "declaration")
_MODULES = ("module_name", "source")


def _name(node: Node, content: bytes) -> bytes | None:
    """Return what a child of a body is called; None when it has no name."""

    def text(start: Node, end: int | None = None) -> bytes:
        return b"".join(content[start.start_byte : start.end_byte if end is None else end].split())

    if node.type in _IMPORTS:
        return text(next((n for field in _MODULES if (n := node.child_by_field_name(field)) is not None), node))
    body = node.child_by_field_name("body")
    if node.type == "impl_item" and body is not None:
        return text(node, body.start_byte)
    for _ in range(20):
        if node.type in _OWN_NAME:
            return text(node)
        if node.type == "array_element_initializer" and node.named_child_count == 2:
            return text(node.named_children[0])
        found = next((n for field in _NAMES if (n := node.child_by_field_name(field)) is not None), None)
        if found is not None:
            return text(found)
        step = next((n for field in _WAYS if (n := node.child_by_field_name(field)) is not None), None)
        if (
            step is None
            and node.named_child_count
            and (node.type in _THROUGH or node.type.endswith("_declarator"))
        ):
            step = node.named_children[0]
        if step is None:
            return None
        node = step
    return None


_IMPORTS = frozenset({
    "import_statement", "import_from_statement", "future_import_statement", "import_declaration", "import_spec",
    "namespace_use_declaration", "use_declaration", "using_directive", "preproc_include", "import",
})  # fmt: skip
_THROUGH = frozenset({
    "expression_statement", "export_statement", "lexical_declaration", "variable_declaration", "const_declaration",
    "property_declaration", "type_declaration", "var_declaration", "local_declaration_statement",
    "field_declaration", "template_declaration", "const_spec", "var_spec",
})  # fmt: skip
_OWN_NAME = frozenset({
    "identifier", "qualified_identifier", "field_identifier", "type_identifier", "property_identifier",
    "shorthand_property_identifier", "string", "integer", "variable_name",
})  # fmt: skip
"""Nodes that are what they are called."""


def _inner(language: Language, node: Node) -> Node | None:
    """Return the body in a unit that spans most lines; None when none spans more than one."""
    best = None
    most = 0
    stack = [node]
    for _ in range(200):
        if not stack:
            break
        for child in stack.pop().named_children:
            extent = _last_line(child) - child.start_point[0]
            if child.type in language.bodies and child.type not in _SHELLS and extent > most:
                best, most = child, extent
            elif extent and child.type not in language.bodies:
                stack.append(child)
    return best


def _last_line(node: Node) -> int:
    row, column = node.end_point
    # A node that takes its newline with it ends on the line before.
    return row - 1 if column == 0 and row > node.start_point[0] else row

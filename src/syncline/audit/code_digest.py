"""A digest of the code that a finding is about: a waiver counts for as long as it stays the same."""

import hashlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import LARGEST, FourTrees
from syncline.git import Entry
from syncline.merge.text.syntax import language_of, parse

if TYPE_CHECKING:
    from tree_sitter import Node

_AROUND = 3
"""Lines above and below, where no definition holds the line."""
_DEFINITION = re.compile(
    r"(?:\w+_)?(?:function|method|constructor|class|struct|impl|trait|interface|enum|record|decorated)"
    r"(?:_(?:definition|declaration|item|specifier))?"
)
"""The names that the grammars give to what people call a definition; a call or a type has another ending."""


def code_digest(trees: FourTrees, finding: Finding) -> str:
    """Return 16 hex digits that change when, and only when, the code that a finding is about does.

    That code is, in the merged file: the innermost definition around the finding's line; a few lines around it,
    where none is; without a line, the definitions of the finding's symbol. Where the merge has nothing of all
    this, it is what the finding says was lost. White space at the end of lines does not count, nor where the code
    stands.

    What stops has digests of its own: whoever let a finding pass that somebody should see has not let pass that
    the same code is broken.

    Raises:
        GitError: missing objects.
    """
    words = hashlib.sha256(finding.path)
    if finding.severity is Severity.STOP:
        words.update(b"\0stop")
    for part in _code(trees, finding):
        words.update(b"\0" + part)
    return words.hexdigest()[:16]


def _code(trees: FourTrees, finding: Finding) -> Iterator[bytes]:
    entry = trees.repository.entry(trees.merged_tree, finding.path) if finding.path else None
    content = _text(trees, entry)
    if content is None:
        # A whole file, a link, a submodule; or a fault of no file, which has nothing but its words.
        yield from (() if entry is None else (entry.mode.encode(), entry.oid.encode()))
        yield from _lost(finding) if finding.path else (finding.message.encode("utf-8", "surrogatepass"),)
        return
    lines = content.split(b"\n")
    found = list(_definitions(finding, content))
    if found:
        yield from map(_plain, found)
    elif finding.line is not None:
        row = min(finding.line, len(lines)) - 1
        yield _plain(b"\n".join(lines[max(0, row - _AROUND) : row + _AROUND + 1]))
    else:
        yield from _lost(finding)


def _text(trees: FourTrees, entry: Entry | None) -> bytes | None:
    """Return the content of a file that has lines; None for anything else."""
    if entry is None or not entry.mode.is_file:
        return None
    content = trees.text(entry)
    return None if len(content) > LARGEST or b"\0" in content[:8192] else content


def _lost(finding: Finding) -> Iterator[bytes]:
    yield from (_plain(line.encode("utf-8", "surrogatepass")) for line in finding.text)


def _plain(text: bytes) -> bytes:
    return b"\n".join(line.rstrip() for line in text.split(b"\n"))


def _definitions(finding: Finding, content: bytes) -> Iterator[bytes]:
    """Yield the texts of the definitions a finding is about; none where the file has no grammar or no such one."""
    language = language_of(finding.path)
    tree = parse(language, content) if language is not None else None
    if tree is None:
        return
    if finding.line is not None:
        node = _around(tree.root_node, finding.line - 1, content)
        if node is not None:
            yield content[node.start_byte : node.end_byte]
    elif finding.symbol:
        name = finding.symbol.encode("utf-8", "surrogatepass")
        for node in _all_definitions(tree.root_node):
            named = node.child_by_field_name("name")
            if named is not None and content[named.start_byte : named.end_byte] == name:
                outer = node.parent if node.parent is not None and _is_definition(node.parent) else node
                whole = outer if outer.type == "decorated_definition" else node
                yield content[whole.start_byte : whole.end_byte]


def _around(root: "Node", row: int, content: bytes) -> "Node | None":
    """Return the innermost definition that holds a line."""
    lines = content.split(b"\n")
    line = lines[row] if 0 <= row < len(lines) else b""
    column = len(line) - len(line.lstrip())
    node = root.descendant_for_point_range((row, column), (row, column))
    while node is not None and not (_is_definition(node) and node.start_point[0] <= row):
        node = node.parent
    if node is not None and node.parent is not None and node.parent.type == "decorated_definition":
        return node.parent
    return node


def _is_definition(node: "Node") -> bool:
    return node.is_named and node.parent is not None and _DEFINITION.fullmatch(node.type) is not None


def _all_definitions(root: "Node") -> Iterator["Node"]:
    stack = [root]
    while stack:
        node = stack.pop()
        if _is_definition(node):
            yield node
        stack += reversed(node.named_children)

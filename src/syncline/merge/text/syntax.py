"""Reads text by its language's tree-sitter grammar. Bounded: what is too big or too odd has no tree."""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from syncline.merge.text.languages import INTERPRETERS, NAMES, SUFFIXES, Language

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser, Query, Tree

MAX_SIZE = 1_000_000
"""Bytes of a file that is still parsed: about a second."""
MAX_SECONDS = 3.0
"""CPU time for one tree. Only text that is in another language than its suffix says needs as much."""
MAX_OPEN = 500
"""How many more brackets of a kind may open than close, or close than open; such trees are slow to search."""
MAX_UNITS = 20_000
"""Units of a file that are told; data that has more is no text that people merge."""
MAX_LINE = 20_000
"""Bytes of a line beyond which a file is minified or data, and its structure means nothing to people."""

_DEEP = re.compile(rb"^(?:[ \t?-]{200}|(?:[^\n:,{\[]*: ){100})", re.MULTILINE)
"""Text that may nest so deep that the grammar of YAML ends the process: 300 levels do, 250 do not."""
_SQUEEZE = re.compile(rb"\s+")
_RECEIVER = re.compile(rb"(\w+)(?:\[[^\]]*\])?\s*\)$")


def language_of(path: bytes, content: bytes = b"") -> Language | None:
    """Return the language of a file, by the end of its name, its name, or the interpreter that it calls."""
    name = path.rsplit(b"/", 1)[-1].lower()
    dot = name.rfind(b".")
    if dot >= 0:
        return SUFFIXES.get(name[dot:])
    called = _CALLED.match(content)
    return NAMES.get(name) or (INTERPRETERS.get(called[1]) if called else None)


_CALLED = re.compile(rb"#!\s*\S*/(?:env\s+(?:-\S+\s+)*)?([a-z]+)[\d.]*\b")


def parsable(content: bytes) -> bool:
    """Return whether a text is small and plain enough to be parsed."""
    if len(content) > MAX_SIZE or b"\0" in content:
        return False
    if any(abs(content.count(pair[:1]) - content.count(pair[1:])) > MAX_OPEN for pair in (b"()", b"[]", b"{}")):
        return False
    return len(content) <= MAX_LINE or max(map(len, content.split(b"\n"))) <= MAX_LINE


def parse(language: Language, content: bytes, *, near: Tree | None = None) -> Tree | None:
    """Return the tree of a text; None when it is not to be parsed.

    Its nodes have no `text`: cut it from `content`.

    Args:
        language: what it is written in.
        content: the text.
        near: a tree of a text that differs where `Tree.edit` was told, which makes it fast.
    """
    if not parsable(content) or (language.name == "YAML" and _DEEP.search(content)):
        return None
    last = time.process_time() + MAX_SECONDS
    asked = 0

    def read(offset: int, _point: object) -> bytes:
        return content[offset : offset + _CHUNK]

    def late(_offset: int, _has_error: bool) -> bool:  # noqa: FBT001 - tree-sitter's signature
        nonlocal asked
        asked += 1
        # The clock is a system call, and took a fifth of the time when it was read each time.
        return not asked % _LOOKS and time.process_time() > last

    parser = _parser(language)
    try:
        if near is None:
            return parser.parse(read, progress_callback=late)
        return parser.parse(read, near, progress_callback=late)
    except ValueError:
        return None  # stopped


_CHUNK = 16_384
_LOOKS = 64
"""How often tree-sitter asks whether to stop until the clock is read: some milliseconds."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Something with a name that may stand only once in its scope."""

    word: str
    """What a person calls it: "method", "key" ..."""
    name: bytes
    scope: int
    """Which node it stands in (unique in one tree)."""
    key: bytes
    """Equal for two units that may not stand beside each other."""
    line: int
    """1-based."""
    start: int
    """Where it begins, in bytes; decorators included."""
    end: int


def units(
    language: Language, tree: Tree, content: bytes, *, within: tuple[int, int] | None = None
) -> Iterator[Unit]:
    """Yield the units of a tree that may stand only once in their scope.

    Args:
        language: what the tree is of.
        tree: the tree.
        content: its text.
        within: byte positions; then only units of scopes that this range touches, and only such units as have the
            type of one inside it. A unit that merely contains the range counts too.
    """
    found = _units_at(language, tree, within)
    if within is None:
        yield from (_unit(language, word, node, _scope(language, node).id, content) for word, node in found)
        return
    wanted: dict[tuple[int, str], tuple[str, Node, set[bytes]]] = {}
    for word, node in found:
        scope = _scope(language, node)
        names = wanted.setdefault((scope.id, node.type), (word, scope, set()))[2]
        names.add(_text(_name(node), content))
    for (_, kind), (word, scope, names) in wanted.items():
        for sibling in _of_scope(language, scope, kind):
            # Most of a scope is not called like anything in the range.
            if any(content.find(name, sibling.start_byte, sibling.end_byte) >= 0 for name in names):
                yield _unit(language, word, sibling, scope.id, content)


def units_of(path: bytes, content: bytes) -> Iterator[Unit]:
    """Yield all units of a file that may stand only once in their scope; none when it has no grammar."""
    language = language_of(path)
    tree = parse(language, content) if language else None
    if language is not None and tree is not None:
        yield from units(language, tree, content)


def doubled(found: Iterable[Unit]) -> list[Unit]:
    """Return each unit that stands again in its scope."""
    seen: set[tuple[int, str, bytes]] = set()
    again = []
    for unit in found:
        place = (unit.scope, unit.word, unit.key)
        if place in seen and (unit.name not in _NAMELESS or unit.word == "import"):
            again.append(unit)
        seen.add(place)
    return again


_NAMELESS = frozenset({b"_", b"init", b"", b"<<"})
"""Go's blank name and its init functions, YAML's merge key: they may stand as often as one likes."""


def broken(tree: Tree) -> tuple[int, int]:
    """Return how many places of a tree do not follow the grammar, and how many bytes they cover."""
    count = size = 0
    stack = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            count += 1
            size += node.end_byte - node.start_byte
        if node.has_error:
            stack += [child for child in node.children if child.has_error or child.is_missing]
    return count, size


def first_broken(tree: Tree) -> int:
    """Return the line (1-based) of the first place that does not follow the grammar; 1 where all does."""
    node = tree.root_node
    while not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    return node.start_point[0] + 1


def _units_at(language: Language, tree: Tree, within: tuple[int, int] | None) -> Iterator[tuple[str, Node]]:
    from tree_sitter import QueryCursor  # noqa: PLC0415 - heavy

    query = _query(language)
    if query is None:
        return
    cursor = QueryCursor(query)
    if within is not None:
        cursor.set_byte_range(within[0], max(within[1], within[0] + 1))
    words = _words(language)
    found = cursor.matches(tree.root_node)
    if len(found) <= MAX_UNITS:
        for pattern, captures in found:
            yield from ((words[pattern], node) for node in captures.get("u", []))


def _unit(language: Language, word: str, node: Node, scope: int, content: bytes) -> Unit:
    name = _name(node)
    key = _key(language, word, node, name, content)
    whole = node
    if language.name == "Python" and word in {"function", "class"}:
        parent = node.parent
        whole = parent if parent is not None and parent.type == "decorated_definition" else node
    line = node.start_point[0] + 1
    return Unit(word, _text(name, content), scope, key, line, whole.start_byte, whole.end_byte)


def _text(node: Node, content: bytes) -> bytes:
    return content[node.start_byte : node.end_byte]


def _key(language: Language, word: str, node: Node, name: Node, content: bytes) -> bytes:
    key = content[name.start_byte : name.end_byte]
    body = node.child_by_field_name("body") or next((n for n in node.children if n.type == "function_body"), None)
    if word in {"function", "method", "signature"}:
        if language.overloads or word == "signature":
            key = (
                _signature(node, name, content)
                or content[name.start_byte : body.start_byte if body else node.end_byte]
            )
        receiver = node.child_by_field_name("receiver")
        if receiver is not None:
            kind = _RECEIVER.search(content, receiver.start_byte, receiver.end_byte)
            key = (kind[1] if kind else b"") + b"." + key
        key += b"".join(b" " + child.type.encode() for child in node.children if child.type in _ACCESS)
    elif word == "import":
        key = _text(node, content)
    # A parent and a sibling are searched from the root: only where the language needs them.
    parent = node.parent if language.name == "Python" and word in {"import", "function", "class"} else None
    if parent is not None and word == "import":
        module = parent.child_by_field_name("module_name")
        key = (_text(module, content) if module is not None else b"") + b" " + key
    elif parent is not None and parent.type == "decorated_definition":
        # A property and its setter, overloads: told apart by what is above the name and its parameters.
        key = content[parent.start_byte : body.start_byte if body else node.end_byte]
    before = node.prev_named_sibling if language.name == "Rust" else None
    if before is not None and before.type == "attribute_item":
        key += _text(before, content)
    return node.type.encode() + b" " + _SQUEEZE.sub(b"", key).strip(b"\"'`;,")


def _signature(node: Node, name: Node, content: bytes) -> bytes | None:
    """Return a name with the types of its parameters, by which overloads differ; None where they are not told."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        return None
    told = [child for child in parameters.named_children if "comment" not in child.type]
    types = [child.child_by_field_name("type") for child in told]
    # C++ writes a part of the type at the name.
    if any(kind is None for kind in types) or any(child.child_by_field_name("declarator") for child in told):
        return None
    return b",".join([_text(name, content), *(_text(kind, content) for kind in types if kind is not None)])


_ACCESS = frozenset({"get", "set", "static"})
_NAMES = ("name", "key", "left", "path", "field", "pattern")
_WAYS = ("declarator", "definition", "declaration")


def _name(node: Node) -> Node:
    """Return the node that holds a unit's name."""
    for _ in range(50):
        for field in _NAMES:
            found = node.child_by_field_name(field)
            if found is not None:
                return found
        inner = next((n for n in (node.child_by_field_name(field) for field in _WAYS) if n is not None), None)
        if inner is None and node.type.endswith("_declarator") and node.named_child_count:
            inner = node.named_children[0]
        if inner is None:
            break
        node = inner
    if node.named_child_count and node.type not in _WHOLE:
        return node.named_children[0]
    return node


_WHOLE = frozenset({"string", "interpreted_string_literal", "qualified_identifier"})


def _scope(language: Language, node: Node) -> Node:
    parent = node.parent
    while parent is not None and parent.type in language.wrappers and parent.parent is not None:
        parent = parent.parent
    return parent if parent is not None else node


def _of_scope(language: Language, scope: Node, kind: str) -> Iterator[Node]:
    stack = [scope]
    while stack:
        holder = stack.pop()
        if holder.named_child_count > MAX_UNITS:
            return
        for child in holder.named_children:
            if child.type == kind:
                yield child
            elif child.type in language.wrappers:
                stack.append(child)


@cache
def _grammar(module: str, function: str) -> Grammar:
    import tree_sitter  # noqa: PLC0415 - heavy

    pointer: object = getattr(importlib.import_module(module), function)()
    return tree_sitter.Language(pointer)


def _parser(language: Language) -> Parser:
    import tree_sitter  # noqa: PLC0415 - heavy

    return tree_sitter.Parser(_grammar(language.module, language.function))


def _query(language: Language) -> Query | None:
    patterns = "\n".join(pattern for group in language.once.values() for pattern in group)
    return _compiled(language.module, language.function, patterns) if patterns else None


def _words(language: Language) -> list[str]:
    return [word for word, group in language.once.items() for _ in group]


@cache
def _compiled(module: str, function: str, patterns: str) -> Query:
    import tree_sitter  # noqa: PLC0415 - heavy

    return tree_sitter.Query(_grammar(module, function), patterns)

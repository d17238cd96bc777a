"""The values of a JSON, TOML or YAML file and the keys that lead to each. Pure; what cannot be read has none."""

import json
import tomllib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from syncline.merge.text import syntax

if TYPE_CHECKING:
    from tree_sitter import Node

KeyPath = tuple[str, ...]
"""Keys from the outermost on; `ITEM` for an element of a list, whichever it is."""
Leaf = tuple[KeyPath, str]
"""Where a value stands, and the value."""
ITEM = "[]"
_DEEPEST = 100
"""Keys that lead to one value; what nests deeper is no file that people merge."""


def leaves(path: bytes, content: bytes) -> frozenset[Leaf] | None:
    """Return the values of a file; None where it is in none of these formats, cannot be read or is too big."""
    language = syntax.language_of(path)
    read = _READERS.get(language.name) if language is not None else None
    if read is None or not syntax.parsable(content):
        return None
    try:
        found = frozenset(read(content))
    except (ValueError, RecursionError):
        return None
    return found if all(len(at) <= _DEEPEST for at, _ in found) else None


def _json(content: bytes) -> Iterator[Leaf]:
    return _flat(json.loads(content, parse_int=str, parse_float=str), ())


def _toml(content: bytes) -> Iterator[Leaf]:
    return _flat(tomllib.loads(content.decode(), parse_float=str), ())


def _flat(value: object, at: KeyPath) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, (*at, str(key)))
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(inner, (*at, ITEM))
    else:
        yield at, str(value)


def _yaml(content: bytes) -> Iterator[Leaf]:
    language = syntax.language_of(b"a.yaml")
    tree = syntax.parse(language, content) if language is not None else None
    if tree is None or tree.root_node.has_error:
        raise ValueError

    def text(node: "Node") -> str:
        return " ".join(content[node.start_byte : node.end_byte].decode("utf-8", "replace").split())

    stack: list[tuple[Node, KeyPath]] = [(tree.root_node, ())]
    while stack:
        node, at = stack.pop()
        if node.type in {"block_mapping_pair", "flow_pair"}:
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            place = (*at, text(key).strip("'\"") if key is not None else "")
            if value is not None:
                stack.append((value, place))
            else:
                yield place, ""  # null: a mapping of which nothing is left becomes it, too
        elif node.type in {"block_sequence_item", "flow_sequence"}:
            stack += [(child, (*at, ITEM)) for child in node.named_children]
        elif node.type in _SCALARS:
            value = text(node)
            # A side may quote what the other one changes.
            yield at, value[1:-1] if node.type in _QUOTED else value
        elif node.type not in {"comment", "anchor", "tag"}:
            stack += [(child, at) for child in node.named_children]


_QUOTED = frozenset({"double_quote_scalar", "single_quote_scalar"})
_SCALARS = _QUOTED | {"plain_scalar", "block_scalar", "alias"}
_READERS: dict[str, Callable[[bytes], Iterator[Leaf]]] = {"JSON": _json, "TOML": _toml, "YAML": _yaml}

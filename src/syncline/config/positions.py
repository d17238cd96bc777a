"""Which line of a TOML document a key stands on. tomllib reads the values but does not tell where they were.

The document must be one that tomllib accepts; what this parser does not understand of it is left out, and its
nearest known table answers instead.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from syncline.config.keypath import Key, KeyPath

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Positions:
    """The 1-based line of each key, table header and list item."""

    lines: Mapping[KeyPath, int]

    def line(self, path: KeyPath) -> int:
        """The line of `path`, or of the nearest thing around it that has one; the document itself is 1."""
        for end in range(len(path), 0, -1):
            if (found := self.lines.get(path[:end])) is not None:
                return found
        return 1


def positions(document: bytes) -> Positions:
    """Find every key of a valid TOML document.

    An array of tables has the line of its first header, its items those of their own headers. A table that is
    only implied by deeper headers or dotted keys has the line of the first of them.
    """
    import tree_sitter  # noqa: PLC0415 - not needed by --help
    import tree_sitter_toml  # noqa: PLC0415

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))
    walk = _Walk()
    for node in parser.parse(document).root_node.named_children:
        if node.type == "pair":
            walk.pair((), node)
        elif node.type in {"table", "table_array_element"}:
            walk.table(node)
    return Positions(walk.lines)


@dataclass(slots=True)
class _Walk:
    lines: dict[KeyPath, int] = field(default_factory=dict)
    counts: dict[KeyPath, int] = field(default_factory=dict)
    """How many items each array of tables has so far."""

    def table(self, node: "Node") -> None:
        header = next((child for child in node.named_children if child.type in _KEYS), None)
        if header is None:
            return
        line = _line(node)
        path: KeyPath = ()
        keys = list(_keys(header))
        for place, key in enumerate(keys):
            path = (*path, key)
            last = place == len(keys) - 1
            if last and node.type == "table_array_element":
                self.counts[path] = self.counts.get(path, 0) + 1
            elif last:
                self.lines[path] = line  # its own header says more than one that only implied it
            self.lines.setdefault(path, line)
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
                self.lines.setdefault(path, line)
        for child in node.named_children:
            if child.type == "pair":
                self.pair(path, child)

    def pair(self, table: KeyPath, node: "Node") -> None:
        # A list of things to do instead of recursion: values may be nested as deep as tomllib allows.
        todo: list[tuple[KeyPath, Node]] = [(table, node)]
        while todo:
            path, here = todo.pop()
            if here.type == "pair":
                key, value = here.named_children[0], here.named_children[-1]
                for part in _keys(key):
                    path = (*path, part)
                    self.lines.setdefault(path, _line(here))
                todo.extend(_inside(path, value))
            else:
                self.lines[path] = _line(here)
                todo.extend(_inside(path, here))


def _inside(path: KeyPath, value: "Node") -> Iterator[tuple[KeyPath, "Node"]]:
    """What stands inside a value, last thing first so that a stack gives it in order."""
    children = [child for child in value.named_children if child.type != "comment"]
    if value.type == "inline_table":
        yield from ((path, child) for child in reversed(children) if child.type == "pair")
    elif value.type == "array":
        yield from reversed([((*path, place), child) for place, child in enumerate(children)])


_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})


def _keys(node: "Node") -> Iterator[Key]:
    """The parts of a key. A dotted key holds its beginning as another dotted key."""
    parts: list[Node] = []
    while node.type == "dotted_key":
        inner = [child for child in node.named_children if child.type in _KEYS]
        parts.extend(reversed(inner[1:]))
        node = inner[0]
    parts.append(node)
    for part in reversed(parts):
        text = (part.text or b"").decode("utf-8", "replace")
        yield text if part.type == "bare_key" else next(iter(tomllib.loads(f"{text} = 0")))


def _line(node: "Node") -> int:
    return node.start_point.row + 1

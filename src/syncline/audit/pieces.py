"""Cuts Python into statements, so that only those that a merge made need be looked at. Pure.

A merged file is mostly what the sides have. Where each statement compiles by itself, the file does, and one that
stands in a side that compiles needs no second look (one that seems to hold an open bracket: when it stands between
the same two). That is told by the text alone, which is many times faster than any parser; where it is told wrongly
(a text over several lines looks like statements), a piece does not compile by itself, and the whole file has to be
looked at.
"""

import __future__

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

_CLASS = re.compile(rb"^class[ \t]+(\w+).*:[ \t]*(?:#.*)?\n(?:[ \t]*(?:#.*)?\n)*([ \t]+)(?=[^\s#])", re.MULTILINE)
"""A class and the indentation of its body."""
_DEFINITION = re.compile(rb"^[ \t]*(?:async|def|class)\b", re.MULTILINE)
_CODING = re.compile(rb"coding[:=]")
_GLOBAL = re.compile(rb"^global\b", re.MULTILINE)
_FUTURE = b"\nfrom __future__"


@dataclass(frozen=True, slots=True)
class Piece:
    """One or more statements."""

    text: bytes
    """Whole lines."""
    line: int
    """The first one's line, 1-based."""
    inside: bool = False
    """Whether it stands in a class, indented."""

    @property
    def alone(self) -> bytes:
        """The text as it would be a file: one line longer where it has to be said that it is in a class."""
        return b"class _:\n" + self.text if self.inside else self.text


@dataclass(frozen=True, slots=True)
class New:
    """The statements of a Python file that none of the sides has; with open brackets, not between the same two.

    Everything up to the last `from __future__` is one statement, since its place matters.
    """

    statements: tuple[Piece, ...]
    """Those of the file."""
    pieces: tuple[Piece, ...]
    """The same, but of a class only what is new in it, member by member."""
    again: bool
    """Whether a statement of the file stands there more often than in any side."""


def new_in(content: bytes, *sides: bytes) -> New:
    """Return what is new in a Python file."""
    cut = [_cut(side, b"") for side in sides]
    merged = _cut(content, b"")
    statements = tuple(_new(merged, cut, 1))
    found: list[Piece] = []
    classes: list[dict[bytes, bytes]] | None = None
    for piece in statements:
        head = class_head(piece.text)
        if head is None:
            found.append(piece)
            continue
        if classes is None:
            classes = [_classes(side) for side in cut]
        found += _members(piece, head, [side.get(head[1], b"") for side in classes])
    return New(statements, tuple(found), _again(merged, cut))


def _again(merged: Sequence[bytes], sides: Sequence[Sequence[bytes]]) -> bool:
    said = Counter(map(_said, merged))
    twice = [text for text, count in said.items() if count > 1 and text]
    if not twice:
        return False
    there = [Counter(map(_said, side)) for side in sides]
    return any(all(said[text] > side[text] for side in there) for text in twice)


def _said(part: bytes) -> bytes:
    """Return a statement without the comments behind it."""
    return part.split(b"\n#", 1)[0].strip()


def stand_alone(content: bytes) -> bool:
    """Return whether a file means the same when its statements are read one by one."""
    if b"\f" in content or _GLOBAL.search(content):
        return False
    if b"\r" in content and b"\r" in content.replace(b"\r\n", b""):
        return False
    return not any(_CODING.search(line) for line in content[:300].split(b"\n", 2)[:2])


def future_flags(content: bytes) -> int:
    """Return the compiler flags under which the statements of a file are to be read."""
    return __future__.annotations.compiler_flag if _FUTURE + b" import annotations" in content else 0


def _members(piece: Piece, head: re.Match[bytes], sides: Sequence[bytes]) -> Iterator[Piece]:
    """Yield the new members of a class, its head with the first one; all of it where it cannot be cut."""
    indentation = head[2]
    cut = _cut(piece.text, indentation, head.end())
    if any(not part.startswith((indentation, b"#", b"\n", b"\r\n")) for part in cut[1:]):
        yield piece  # something else follows the class
        return
    known = []
    for side in sides:
        same = class_head(side)
        known.append(_cut(side, indentation, same.end()) if same is not None else [])
    first = piece.line
    for one in _new(cut, known, first):
        yield Piece(one.text, one.line, inside=one.line > first)


def class_head(part: bytes) -> re.Match[bytes] | None:
    """Return of a class its first lines: group 1 is its name, group 2 the indentation of its members."""
    return _CLASS.search(part) if part.startswith((b"class", b"@")) else None


def _classes(parts: Sequence[bytes]) -> dict[bytes, bytes]:
    return {head[1]: part for part in parts if (head := class_head(part)) is not None}


def _new(cut: Sequence[bytes], sides: Sequence[Sequence[bytes]], line: int) -> Iterator[Piece]:
    """Yield the parts that no side has, or none between the same two; `line` is the first one's."""
    pairs = {pair for side in sides for pair in pairwise((b"", *side, b""))}
    known = {part for side in sides for part in side}
    framed = (b"", *cut, b"")
    for before, part, after in zip(framed, cut, framed[2:], strict=False):
        settled = part in known and (((before, part) in pairs and (part, after) in pairs) or _closed(part))
        if not settled:
            yield Piece(part, line)
        line += part.count(b"\n")


def _closed(part: bytes) -> bool:
    """Return whether nothing seems to stay open in a part: then it does not matter what stands beside it."""
    brackets = all(part.count(pair[:1]) == part.count(pair[1:]) for pair in (b"()", b"[]", b"{}"))
    return brackets and not any(part.count(quote) % 2 for quote in (b'"""', b"'''"))


@cache
def _start(indentation: bytes) -> re.Pattern[bytes]:
    """Return what finds the line break above a statement: not what closes brackets or goes on, no comment."""
    return re.compile(rb"\n(?=%b(?:[^\s#)\]}ef]|e(?!lse\b|lif\b|xcept\b)|f(?!inally\b)))" % re.escape(indentation))


def _cut(content: bytes, indentation: bytes, first: int = 0) -> list[bytes]:
    """Return the statements of a text at an indentation; what stands before `first` is in the first one."""
    first = max(first, content.rfind(_FUTURE) + 1) if not indentation else first
    parts: list[bytes] = []
    start = counted = 0
    inside = False
    decorator = indentation + b"@"
    for match in _start(indentation).finditer(content, first):
        end = match.end()
        inside ^= (content.count(b'"""', counted, end) + content.count(b"'''", counted, end)) % 2 == 1
        counted = end
        if inside or content[max(end - 3, 0) : end - 1].rstrip(b"\r").endswith(b"\\"):
            continue  # a text over several lines, a line that goes on
        if content.startswith(decorator, start) and _DEFINITION.search(content, start, end) is None:
            continue  # what is decorated goes with its decorators
        parts.append(content[start:end])
        start = end
    if start < len(content):
        parts.append(content[start:])
    return parts

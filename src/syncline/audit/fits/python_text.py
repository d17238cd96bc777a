"""Definitions in the text of Python, found by indentation: hundreds of files, most of them for nothing. Pure.

Names are sought by `find`, and a pattern is tried only around them: one made for each name would have to be
compiled, and be tried at every line.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from syncline.audit.occurrences import places

_DEFINED = (re.compile(rb"def[ \t]+(\w+)"), re.compile(rb"class[ \t]+(\w+)"))
"""Beginning with plain letters they are found much faster than at the start of a line; comments do no harm."""
_BEFORE = {
    "def": re.compile(rb"([ \t]*)(?:async[ \t]+)?def[ \t]+"),
    "class": re.compile(rb"([ \t]*)class[ \t]+"),
}
_HEAD_OR_IMPORT = re.compile(rb"\s*(?:(?:async\s+)?(?:def|class)\s+|(?:from\s+\S+\s+)?import\b.*)")
_ATTRIBUTE = re.compile(rb"(?:.*\W)?(?:self|cls)\.")
_BOUND = re.compile(rb"\s*(?::|=(?!=))")
_SET = re.compile(rb"\s*(?::[^=\n]*)?=(?!=)")
_ALONE = re.compile(rb",?[^\S\n]*(?:\n|\Z)")
_BRACKETS = re.compile(rb"[()\[\]{}]|#[^\n]*")
_FIELD = re.compile(rb"^([ \t]+)(\w+)[ \t]*:", re.MULTILINE)
_QUOTES = frozenset(b"\"'")
_LONGEST = 20_000
"""Bytes of a signature."""


def defined(text: bytes) -> frozenset[bytes]:
    """Return the names of the functions and classes of a module, at whatever depth."""
    return frozenset(name for pattern in _DEFINED for name in pattern.findall(text))


def defines(text: bytes, name: bytes) -> bool:
    """Whether a class or module seems to define a name: also where it only may."""
    return any(_is_bound(text, at, at + len(name)) for at in places(text, name))


def _is_bound(text: bytes, start: int, end: int) -> bool:
    before = text[text.rfind(b"\n", 0, start) + 1 : start]
    if not before.strip():
        return _BOUND.match(text, end) is not None or _ALONE.match(text, end) is not None
    if before[-1] in _QUOTES:
        return end < len(text) and text[end] in _QUOTES
    if before.endswith(b"."):
        return _ATTRIBUTE.fullmatch(before) is not None and _SET.match(text, end) is not None
    return _HEAD_OR_IMPORT.fullmatch(before) is not None


def _heads(text: bytes, word: Literal["def", "class"], name: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Yield where the definitions of a name begin, their indentation, and where the name ends."""
    for at in places(text, name):
        start = text.rfind(b"\n", 0, at) + 1
        before = _BEFORE[word].fullmatch(text, start, at)
        if before is not None:
            yield start, before[1], at + len(name)


def classes(text: bytes, name: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield what stands in brackets behind each class of that name, and its whole text."""
    for start, indentation, end in _heads(text, "class", name):
        head = _bracketed(text, end)
        last = _end(indentation).search(text, end + len(head))
        yield head, text[start : last.start() if last else len(text)]


@cache
def _end(indentation: bytes) -> re.Pattern[bytes]:
    """Return what finds the first line that stands as far left as a head, closing brackets and comments apart."""
    return re.compile(rb"\n(?!%b[ \t])(?=[ \t]*[^\s#)\]}])" % indentation)


def _bracketed(text: bytes, start: int) -> bytes:
    """Return what stands in brackets from `start` on, with them; empty when something else follows."""
    if text[start : start + 1] != b"(":
        return b""
    depth = 0
    for found in _BRACKETS.finditer(text, start, start + _LONGEST):
        depth += found[0] in b"([{"
        depth -= found[0] in b")]}"
        if depth == 0 and not found[0].startswith(b"#"):
            return text[start : found.end()]
    return b""


def signature(text: bytes, name: bytes) -> list[str] | None:
    """Return the parameters of the first function of that name: kind, name, and whether it may be left out."""
    for _, _, end in _heads(text, "def", name):
        head = _bracketed(text, end).decode("utf-8", "replace")
        try:
            function = ast.parse(f"def f{head}: ...").body[0]
        except (SyntaxError, ValueError, RecursionError):
            return [" ".join(head.split())]
        if isinstance(function, ast.FunctionDef):
            return _told(function.args)
    return None


def _told(arguments: ast.arguments) -> list[str]:
    plain = [*arguments.posonlyargs, *arguments.args]
    first_optional = len(plain) - len(arguments.defaults)
    told = [f"{one.arg}{'?' if at >= first_optional else ''}" for at, one in enumerate(plain)]
    told += [
        f"*, {one.arg}{'?' if default is not None else ''}"
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return [*told, *(f"*{one.arg}" for one in (arguments.vararg, arguments.kwarg) if one is not None)]


def fields(body: bytes) -> list[str] | None:
    """Return the fields of a class that may be a dataclass."""
    found = _FIELD.findall(body)
    if not found:
        return None
    indent = min(len(space) for space, _ in found)
    return [
        name.decode("utf-8", "replace")
        for space, name in found
        if len(space) == indent and name not in {b"else", b"try", b"finally"}
    ]

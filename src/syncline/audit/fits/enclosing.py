"""Where a line of Python stands, told by indentation alone. Pure."""

import re
from collections.abc import Sequence

_HEAD = re.compile(r"\s*(?:async\s+)?(?:def|class)\s+(\w+)")
_CLASS = re.compile(r"\s*class\s+(\w+)")
_TRY = re.compile(r"\s*try\s*:")
_FAR = 5000
"""Lines that are looked at upwards."""


def enclosing(lines: Sequence[str], number: int) -> str:
    """Return the functions and classes around a line, joined with dots; empty at the top of a module."""
    return ".".join(reversed([found[1] for line in _heads(lines, number) if (found := _HEAD.match(line))]))


def class_of(lines: Sequence[str], number: int) -> str:
    """Return the innermost class around a line; empty outside of classes."""
    return next((found[1] for line in _heads(lines, number) if (found := _CLASS.match(line))), "")


def is_tried(lines: Sequence[str], number: int) -> bool:
    """Whether a line stands in a `try` block."""
    return any(_TRY.match(line) for line in _heads(lines, number))


def _heads(lines: Sequence[str], number: int) -> list[str]:
    """Return the lines above that stand further and further to the left: the heads of the blocks around."""
    if not 0 < number <= len(lines):
        return []
    indent = _indent(lines[number - 1])
    heads = []
    for line in reversed(lines[max(0, number - 1 - _FAR) : number - 1]):
        if indent == 0:
            break
        # A closing bracket of a signature stands as far left as its head.
        if line.strip() and _indent(line) < indent and not line.lstrip().startswith((")", "]", "}", "#")):
            indent = _indent(line)
            heads.append(line)
    return heads


def _indent(line: str) -> int:
    plain = line.expandtabs(8)
    return len(plain) - len(plain.lstrip())

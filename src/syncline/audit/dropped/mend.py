"""Puts lost lines back where they stood, when the lines around them are still there."""

import re

from syncline.audit.dropped.losses import Loss
from syncline.audit.dropped.lost_lines import Block
from syncline.audit.dropped.roles import opener
from syncline.audit.finding import Edit
from syncline.merge.hunks import split_lines

_NEAR = 40
"""Lines around a lost import in which a neighbour is sought."""
_FROM = re.compile(rb"from\s+(\S+)\s+import\b")
_WHOLE = re.compile(rb"(?:from\s+\S+\s+)?import\s+[^()\\]+$")
"""An import at the margin that is on one line."""
_FAR = 6
"""Blank lines that may have been left where a block stood."""


def put_back(loss: Loss, block: Block) -> tuple[Edit, ...]:
    """Return the edit that puts a block between its old neighbours; none where these are not side by side."""
    above = _neighbour(loss, block.start - 1, -1)
    below = _neighbour(loss, block.end, 1)
    start = -1 if above is None else loss.merged.once.get(loss.had.bare[above])
    end = len(loss.merged.filled) if below is None else loss.merged.once.get(loss.had.bare[below])
    if start is None or end is None or end != start + 1:
        return ()
    filled = loss.merged.filled
    first = filled[start] + 1 if above is not None else 0
    last = filled[end] if below is not None else len(split_lines(loss.merged.content))
    if last - first > _FAR:
        return ()
    old = split_lines(loss.had.content)
    if any(not line.endswith(b"\n") for line in old[(above or 0) : block.end]):
        return ()  # the end of a file without a line break
    head = above + 1 if above is not None else 0
    tail = below if below is not None else len(old)
    return (Edit(loss.path, first, last, tuple(old[head:tail])),)


def put_import_back(loss: Loss, at: int, name: bytes) -> tuple[Edit, ...]:
    """Return the edit that imports a name again, in Python: beside an import that stood near and is still there.

    Args:
        loss: the file.
        at: the line of the side's version on which the name is imported, 0-based.
        name: the name.
    """
    line = _import_of(loss, at, name) if loss.path.endswith((b".py", b".pyi")) else None
    place = None if line is None else _import_place(loss, at)
    if line is None or place is None:
        return ()
    lines = split_lines(loss.merged.content)
    if place and not lines[place - 1].endswith(b"\n"):
        return ()
    ending = b"\r\n" if lines and lines[0].endswith(b"\r\n") else b"\n"
    return (Edit(loss.path, place, place, (line + ending,)),)


def _import_of(loss: Loss, at: int, name: bytes) -> bytes | None:
    """Return a statement at the margin that imports one name as the side does; None where it is not plain."""
    here, head = loss.had.code_lines[at], loss.had.code_lines[opener(loss.had, at)]
    found = _FROM.match(here) or _FROM.match(head)
    word = re.escape(name)
    renamed = re.search(rb"([\w.]+)\s+as\s+" + word + rb"\b", here)
    what = renamed[0] if renamed else name
    if found is not None:
        return b"from " + found[1] + b" import " + what
    if re.match(rb"import\s+(?:[\w.]+\s+as\s+)?" + word + rb"\s*$", here):
        return b"import " + what
    return None


def _import_place(loss: Loss, at: int) -> int | None:
    """Return before which line of the merge (0-based) an import goes that stood in line `at` of the side."""
    lines = loss.had.lines
    near = sorted(range(max(0, at - _NEAR), min(len(lines), at + _NEAR)), key=lambda one: abs(one - at))
    for one in near:
        place = loss.merged.once.get(loss.had.bare[one])
        if place is None or not _WHOLE.match(lines[one]):
            continue
        there = loss.merged.filled[place]
        if loss.merged.lines[there] == lines[one]:
            return there + 1 if one < at else there
    return None


def _neighbour(loss: Loss, at: int, step: int) -> int | None:
    while 0 <= at < len(loss.had.bare):
        if loss.had.bare[at]:
            return at
        at += step
    return None

"""Texts of conflicts as they are shown: bounded, harmless, with what differs marked.

Whatever stands in a file, a page stays small: so many lines, so many characters of each.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from syncline.markup.plain_text import block
from syncline.merge.hunks import Lines
from syncline.merge.text.diff import Edit, edits, matches

MAX_LINES = 300
MAX_WIDTH = 500
"""Characters of a line."""
MAX_COMPARED = 4000
"""Lines that are compared; a longer text is compared as far as that."""
CONTEXT = 3
"""Lines in common that are shown around a difference."""

_WORDS = re.compile(r"\w+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """A line: its kind (a CSS class) and its text in pieces, each with whether it is what differs."""

    kind: str
    pieces: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines to show, and what is said of those that are not."""

    rows: tuple[Row, ...]
    cut: str = ""


def text_of(line: bytes) -> str:
    r"""Return one line of a file as it may be shown; bytes that are no UTF-8 read `\xff`."""
    text = line.removesuffix(b"\n")[: 4 * MAX_WIDTH].decode("utf-8", "backslashreplace")
    shown = block(text)
    return shown if len(shown) <= MAX_WIDTH else shown[:MAX_WIDTH] + "…"


def plain(lines: Iterable[bytes], kind: str = "") -> Excerpt:
    """Return lines as they are."""
    return _bounded([Row(kind, ((text_of(line), False),)) for line in _head(lines)], _more(lines))


def against(base: Lines, side: Lines) -> Excerpt:
    """Return a side's lines; those that base does not have are marked `new`."""
    shown = side[:MAX_COMPARED]
    known = {match.b + step for match in matches(base[:MAX_COMPARED], shown) for step in range(match.size)}
    rows = [
        Row("" if i in known else "new", ((text_of(line), False),)) for i, line in enumerate(shown[:MAX_LINES])
    ]
    return _bounded(_ended(rows, side), _more(side))


def base_of(base: Lines, ours: Lines, theirs: Lines) -> Excerpt:
    """Return base's lines, marked with who does not have them any more: `no-ours`, `no-theirs`, `no-both`."""
    shown = base[:MAX_COMPARED]
    kept = [
        {match.a + step for match in matches(shown, side[:MAX_COMPARED]) for step in range(match.size)}
        for side in (ours, theirs)
    ]
    kinds = {(True, True): "", (False, True): "no-ours", (True, False): "no-theirs", (False, False): "no-both"}
    rows = [
        Row(kinds[i in kept[0], i in kept[1]], ((text_of(line), False),))
        for i, line in enumerate(shown[:MAX_LINES])
    ]
    return _bounded(_ended(rows, base), _more(base))


def difference(old: Lines, new: Lines) -> Excerpt:
    """Return what turns `old` into `new`, with a few lines in common around it."""
    left, right = old[:MAX_COMPARED], new[:MAX_COMPARED]
    changed = edits(left, right)
    rows: list[Row] = []
    at = 0
    for number, edit in enumerate(changed):
        rows += _common(left[at : edit.a], first=number == 0, last=False)
        rows += _changed(left, right, edit)
        at = edit.a_end
        if len(rows) > MAX_LINES:
            return _bounded(rows[:MAX_LINES], "more differences are not shown")
    rows += _common(left[at:], first=not changed, last=True)
    return _bounded(rows, _more(old, MAX_COMPARED) or _more(new, MAX_COMPARED))


def _common(lines: Lines, *, first: bool, last: bool) -> list[Row]:
    head = 0 if first and not last else CONTEXT
    tail = 0 if last else CONTEXT
    if len(lines) <= head + tail + 1:
        return [Row("", ((text_of(line), False),)) for line in lines]
    shown_head = [Row("", ((text_of(line), False),)) for line in lines[:head]]
    shown_tail = [Row("", ((text_of(line), False),)) for line in lines[len(lines) - tail :]] if tail else []
    words = f"{len(lines) - head - tail:,} lines in common"
    return [*shown_head, Row("skip", ((words, False),)), *shown_tail]


def _changed(left: Lines, right: Lines, edit: Edit) -> list[Row]:
    gone = [_final(left, i) for i in range(edit.a, min(edit.a_end, edit.a + MAX_LINES + 1))]
    come = [_final(right, i) for i in range(edit.b, min(edit.b_end, edit.b + MAX_LINES + 1))]
    del_rows = [Row("del", ((text, False),)) for text in gone]
    add_rows = [Row("add", ((text, False),)) for text in come]
    # Words are compared where a line stands against a line, which is how most changes are made.
    if len(gone) == len(come):
        for i, (one, other) in enumerate(zip(gone, come, strict=True)):
            before, after = _words_apart(one, other)
            del_rows[i], add_rows[i] = Row("del", before), Row("add", after)
    return del_rows + add_rows


def _final(lines: Lines, index: int) -> str:
    text = text_of(lines[index])
    return text if lines[index].endswith(b"\n") else text + " ⟨no newline at the end⟩"


def _words_apart(one: str, other: str) -> tuple[tuple[tuple[str, bool], ...], tuple[tuple[str, bool], ...]]:
    left, right = _WORDS.findall(one), _WORDS.findall(other)
    changed = edits(left, right)
    same = len(left) - sum(edit.a_end - edit.a for edit in changed)
    if same * 3 < max(len(left), len(right)):
        return ((one, False),), ((other, False),)
    return (
        _marked(left, [(edit.a, edit.a_end) for edit in changed]),
        _marked(right, [(edit.b, edit.b_end) for edit in changed]),
    )


def _marked(words: Sequence[str], spans: Iterable[tuple[int, int]]) -> tuple[tuple[str, bool], ...]:
    pieces = []
    at = 0
    for start, end in spans:
        pieces += [("".join(words[at:start]), False), ("".join(words[start:end]), True)]
        at = end
    pieces.append(("".join(words[at:]), False))
    return tuple(piece for piece in pieces if piece[0])


def _head(lines: Iterable[bytes]) -> list[bytes]:
    return list(lines)[:MAX_LINES]


def _more(lines: Iterable[bytes], limit: int = MAX_LINES) -> str:
    more = len(list(lines)) - limit
    return f"{more:,} more lines are not shown" if more > 0 else ""


def _ended(rows: list[Row], lines: Lines) -> list[Row]:
    if lines and len(rows) == len(lines) and not lines[-1].endswith(b"\n"):
        return [*rows, Row("skip", (("no newline at the end", False),))]
    return rows


def _bounded(rows: Sequence[Row], cut: str) -> Excerpt:
    return Excerpt(tuple(rows), cut)

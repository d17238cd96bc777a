"""Numbers that a merged text gives two names: both sides took the next one of a list. Pure.

`B = 2` and `C = 2` behind `A = 1`, `1 << 2` twice, `#define C 0x04` and `#define D 0x04`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from syncline.merge.case import HunkCase, Span
from syncline.merge.hunks import Lines

_LISTS = frozenset(b"py pyi rs c h cc cpp cxx hpp java kt cs swift ts js go php rb scala zig".split())
# Without spaces around it, `=` gives an argument in many languages.
_NUMBERED = re.compile(
    rb"(?:#\s?define (?P<define>\w+) \(?|(?:[\w.]+ ){0,5}?(?P<name>\w+)(?: ?: ?[\w.]+)? = )"
    rb"(?P<shift>1[uUlL]* ?<< ?)?(?P<hex>0[xX])?(?P<number>[0-9a-fA-F]+)[uUlL]*\)? ?[,;]?(?: ?(?://|/\*|#).*)?$"
)
_ABOVE = 5
"""Lines above a hunk among which the number before the first one is sought."""
_LONG = 300
"""Bytes of a line beyond which it is data."""


class _Numbered(NamedTuple):
    form: bytes
    value: int


def doubled_numbers(hunk: HunkCase, lines: Lines) -> Iterator[str]:
    """Yield a sentence for each number that a merged text alone has twice, and that was the next on both sides."""
    if hunk.file.path.rpartition(b".")[2].lower() not in _LISTS:
        return
    file, at = hunk.file, hunk.at
    versions = (
        [*_above(file.our_lines, at.ours), *lines],
        [*_above(file.base_lines, at.base), *hunk.base],
        [*_above(file.our_lines, at.ours), *hunk.ours],
        [*_above(file.their_lines, at.theirs), *hunk.theirs],
    )
    here, base, ours, theirs = (list(_numbered(version)) for version in versions)
    counts = [Counter(found) for found in (base, ours, theirs)]
    next_ones = _continued(ours) & _continued(theirs)
    for number, count in Counter(here).items():
        if number in next_ones and count > 1 and count > max(there[number] for there in counts):
            shown = f"{number.value:#x}" if number.form == b"0x" else f"{number.form.decode()}{number.value}"
            yield f"gives {shown} two names, as neither side does"


def _above(lines: list[bytes], at: Span) -> list[bytes]:
    return lines[max(0, at.start - _ABOVE) : at.start]


def _numbered(lines: Iterable[bytes]) -> Iterator[_Numbered]:
    for line in lines:
        match = _NUMBERED.match(b" ".join(line.split())) if len(line) <= _LONG else None
        if match is None:
            continue
        if match["hex"] or match["number"].isdigit():
            form = b"1 << " if match["shift"] else b"0x" if match["hex"] else b""
            yield _Numbered(form, int(match["number"], 16 if match["hex"] else 10))


def _continued(numbers: list[_Numbered]) -> set[_Numbered]:
    """Return the numbers that follow the one before them: by one, or as the next bit."""
    return {
        new
        for old, new in pairwise(numbers)
        if old.form == new.form and new.value in {old.value + 1, old.value * 2}
    }

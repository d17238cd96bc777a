"""Conflict markers in a text: is a conflict open, or settled by half? Pure."""

import re
from collections import Counter
from collections.abc import Sequence

MARKERS = re.compile(rb"^(?:<{7}|>{7})(?: .*)?\r?$", re.MULTILINE)
"""A line that opens or closes a conflict."""
_KINDS = tuple(re.compile(rb"\n%b(?: [^\n]*)?\r?(?=\n|\Z)" % (mark * 7)) for mark in (b"<", b">"))
"""One that opens, one that closes. Beginning with plain text, as they do, they are sought many times as fast."""
_ANY_MARKER = re.compile(rb"^(?:<{7}|>{7}|\|{7}|={7})(?: .*)?\r?$", re.MULTILINE)


def has_markers(content: bytes) -> bool:
    """Whether `content` has both an opening and a closing conflict marker on lines of their own."""
    text = b"\n" + content
    return all(kind.search(text) for kind in _KINDS)


def more_markers(content: bytes, sides: Sequence[bytes]) -> bool:
    """Whether a marker is left that no side had, one of a half removed conflict included.

    A text may hold markers of its own (documentation of merging, a heading underlined by seven `=`): of no kind
    may there be more than the side has that has most.
    """
    here = _kinds(content)
    return any(count > max((_kinds(side)[kind] for side in sides), default=0) for kind, count in here.items())


def may_be_open(content: bytes) -> bool:
    """Whether `left_open` may have something to say: `in` is many times faster than a pattern."""
    return b"<<<<<<<" in content or b">>>>>>>" in content


def left_open(content: bytes, sides: Sequence[bytes]) -> str:
    """Return what is left of a conflict that no side has, in words; empty where nothing is."""
    if has_markers(content) and not any(map(has_markers, sides)):
        return "conflict markers are left in the file"
    if MARKERS.search(content) and more_markers(content, sides):
        return "a conflict was settled by half: a marker is left that no side has"
    return ""


def _kinds(content: bytes) -> Counter[bytes]:
    return Counter(match[0][:1] for match in _ANY_MARKER.finditer(content))

"""The words of a text: what facts about hunks are counted in. Pure."""

import re
from collections.abc import Iterable

_WORD = re.compile(rb"[0-9]+|[A-Za-z_\x80-\xff]+|[^\sA-Za-z0-9_\x80-\xff]")
_DIGITS = re.compile(rb"[0-9]+")
_HASHES = re.compile(rb"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b")


def words(lines: Iterable[bytes]) -> list[bytes]:
    """Return words, numbers and single signs, in order; white space is dropped."""
    return _WORD.findall(b"".join(lines))


def without_numbers(lines: Iterable[bytes]) -> bytes:
    """Return the text without white space, each number and each hash replaced by one sign."""
    return b"".join(_DIGITS.sub(b"#", _HASHES.sub(b"#", b"".join(lines))).split())

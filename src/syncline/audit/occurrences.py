"""Where whole words stand in a text. By `find`: many times faster than a pattern that nobody uses twice."""

import re
from collections.abc import Iterator

_IN_WORD = frozenset(byte for byte in range(256) if re.match(rb"[\w$\x80-\xff]", bytes((byte,))))


def is_word(content: bytes, start: int, end: int) -> bool:
    """Whether what stands from `start` to `end` is a whole word."""
    return (not start or content[start - 1] not in _IN_WORD) and (
        end >= len(content) or content[end] not in _IN_WORD
    )


def places(content: bytes, word: bytes) -> Iterator[int]:
    """Yield where a word stands."""
    at = content.find(word)
    while at >= 0:
        end = at + len(word)
        if is_word(content, at, end):
            yield at
        at = content.find(word, end)


def occurrences(content: bytes, word: bytes) -> int:
    """Return how often a word stands in a text."""
    return sum(1 for _ in places(content, word))


def stands_in(content: bytes, word: bytes) -> bool:
    """Whether a word stands in a text."""
    return next(places(content, word), None) is not None

"""Where whole words stand in a text. By `find`: many times faster than a pattern that nobody uses twice."""

import re
from collections.abc import Iterator

_IN_WORD = frozenset(byte for byte in range(256) if re.match(rb"[\w$\x80-\xff]", bytes((byte,))))
PLAIN = frozenset(byte for byte in range(256) if re.match(rb"\w", bytes((byte,))))
"""Letters, digits and `_`: what is in a word where `$name` holds the word `name`."""


def is_word(content: bytes, start: int, end: int, in_word: frozenset[int] = _IN_WORD) -> bool:
    """Whether what stands from `start` to `end` is a whole word."""
    return (not start or content[start - 1] not in in_word) and (
        end >= len(content) or content[end] not in in_word
    )


def places(content: bytes, word: bytes, in_word: frozenset[int] = _IN_WORD) -> Iterator[int]:
    """Yield where a word stands; `in_word` are the bytes that belong to words."""
    at = content.find(word)
    while at >= 0:
        end = at + len(word)
        if is_word(content, at, end, in_word):
            yield at
        at = content.find(word, end)


def occurrences(content: bytes, word: bytes, in_word: frozenset[int] = _IN_WORD) -> int:
    """Return how often a word stands in a text."""
    return 0 if word not in content else sum(1 for _ in places(content, word, in_word))


def stands_in(content: bytes, word: bytes) -> bool:
    """Whether a word stands in a text."""
    # Mostly it does not: that is told without a generator.
    return word in content and next(places(content, word), None) is not None

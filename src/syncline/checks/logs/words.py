"""Which of many words a text holds, found in one pass over it. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

_Tree: TypeAlias = "dict[str, _Tree]"
_END = ""
_LEAST = 4
"""Letters of a word that are looked for: fewer are found too often."""


class Words:
    """Looks for words that each belong to some owners, which are numbers.

    At each letter of a text, a regular expression of many words tries all the letters that any of them begins
    with. So what is looked for are the ends of the words, cut so that they begin with few different letters; the
    whole words are asked for only where one was found.
    """

    def __init__(self, owners: Mapping[str, frozenset[int]]) -> None:
        """Take the words, none of them empty, with their owners."""
        ends = _ends(owners)
        tree: _Tree = {}
        for end in set(ends.values()):
            place = tree
            for letter in end:
                place = place.setdefault(letter, {})
            place[_END] = {}
        pattern = _pattern(tree) if owners else "(?!)"
        # Looking ahead, so that words that overlap are all found; an end tells of those it begins with.
        self._here = re.compile(f"(?=({pattern}))")
        self.search = re.compile(pattern).search
        self._words = {
            end: tuple((word, owners[word]) for word in owners if end.startswith(ends[word]))
            for end in set(ends.values())
        }

    def owners(self, text: str) -> Iterator[int]:
        """Yield the owners of the words that a text holds, some of them more than once."""
        for end in set(self._here.findall(text)):
            for word, owners in self._words[end]:
                if word in text:
                    yield from owners


def _ends(words: Iterable[str]) -> dict[str, str]:
    """Return for each word an end of it, so that they begin with few letters: greedily, the commonest first."""
    left, ends = sorted(set(words)), {}
    while left:
        may: dict[str, list[str]] = {}
        for word in left:
            for letter in set(word[: 1 + max(0, len(word) - _LEAST)]):
                may.setdefault(letter, []).append(word)
        best = max(may, key=lambda letter: (len(may[letter]), letter))
        for word in may[best]:
            ends[word] = word[word.index(best) :]
        left = [word for word in left if word not in ends]
    return ends


def _pattern(tree: _Tree) -> str:
    """Return a regular expression for the words of a tree, the longest first: a letter decides where to go on."""
    ways = [re.escape(letter) + _pattern(rest) for letter, rest in tree.items() if letter != _END]
    if not ways:
        return ""
    text = ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
    return f"(?:{text})?" if _END in tree else text

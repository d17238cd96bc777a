"""Which of many words a text holds, found in one pass over it. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

_Tree: TypeAlias = "dict[str, _Tree]"
_END = ""


class Words:
    """Looks for words that each belong to some owners, which are numbers."""

    def __init__(self, owners: Mapping[str, frozenset[int]]) -> None:
        """Take the words, none of them empty, with their owners."""
        tree: _Tree = {}
        for word in owners:
            place = tree
            for letter in word:
                place = place.setdefault(letter, {})
            place[_END] = {}
        pattern = _pattern(tree) if owners else "(?!)"
        # Looking ahead, so that words that overlap are all found; a word tells of those it begins with.
        self._here = re.compile(f"(?=({pattern}))")
        self.search = re.compile(pattern).search
        self._owners = {
            word: frozenset().union(*(theirs for begin, theirs in owners.items() if word.startswith(begin)))
            for word in owners
        }

    def owners(self, text: str) -> Iterator[int]:
        """Yield the owners of the words that a text holds, some of them more than once."""
        for word in set(self._here.findall(text)):
            yield from self._owners[word]


def _pattern(tree: _Tree) -> str:
    """Return a regular expression for the words of a tree, the longest first: a letter decides where to go on."""
    ways = [re.escape(letter) + _pattern(rest) for letter, rest in tree.items() if letter != _END]
    if not ways:
        return ""
    text = ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
    return f"(?:{text})?" if _END in tree else text

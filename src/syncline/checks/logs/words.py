"""Which of many words a text holds, found in one pass over it. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

_Tree: TypeAlias = "dict[str, _Tree]"
_END = ""
_FIRST = "^"
_LEAST = 4
"""Letters of a word that are looked for: fewer are found too often."""

_COMMON = frozenset("etaoinsr0123456789")


class Words:
    """Looks for words that each belong to some owners, which are numbers.

    At each letter of a text, a regular expression of many words tries all the letters that any of them begins
    with. So what is looked for are the ends of the words, cut so that they begin with few different letters; the
    whole words are asked for only where one was found.

    A word that begins with `^` counts only at a text's beginning, or after the `]` of a mark before it.
    """

    def __init__(self, owners: Mapping[str, frozenset[int]]) -> None:
        """Take the words, none of them empty, with their owners."""
        ends = _ends({word.removeprefix(_FIRST) for word in owners})
        tree: _Tree = {}
        for end in set(ends.values()):
            place = tree
            for letter in end:
                place = place.setdefault(letter, {})
            place[_END] = {}
        pattern = _pattern(tree) if owners else "(?!)"
        self.search = re.compile(pattern).search
        # An end tells of those it begins with.
        by_end: dict[str, list[tuple[str, bool, frozenset[int]]]] = {}
        for word, these in owners.items():
            bare = word.removeprefix(_FIRST)
            by_end.setdefault(ends[bare], []).append((bare, bare != word, these))
        self._words = {
            end: [one for size in range(1, len(end) + 1) for one in by_end.get(end[:size], ())] for end in by_end
        }

    def owners(self, text: str) -> Iterator[int]:
        """Yield the owners of the words that a text holds, some of them more than once."""
        seen = set()
        found = self.search(text)
        while found is not None:
            end = found[0]
            if end not in seen:
                seen.add(end)
                for word, first, owners in self._words[end]:
                    if word in text and (not first or text.startswith(word) or f"]{word}" in text):
                        yield from owners
            # From the next letter on, since words may overlap.
            found = self.search(text, found.start() + 1)


def _ends(words: Iterable[str]) -> dict[str, str]:
    """Return for each word an end of it, so that they begin with few letters, and rare ones.

    Greedily: first the letter that most words hold for how often it is met in vain.
    """
    left, ends = sorted(set(words)), {}
    while left:
        may: dict[str, list[str]] = {}
        for word in left:
            for letter in set(word[: 1 + max(0, len(word) - _LEAST)]):
                may.setdefault(letter, []).append(word)
        best = max(may, key=lambda letter: (len(may[letter]) / _often(letter), letter))
        for word in may[best]:
            ends[word] = word[word.index(best) :]
        left = [word for word in left if word not in ends]
    return ends


def _often(letter: str) -> int:
    """Return roughly how often a letter stands in logs, against the others."""
    if letter == " ":
        return 4
    return 2 if letter in _COMMON else 1


def _pattern(tree: _Tree) -> str:
    """Return a regular expression for the words of a tree, the longest first: a letter decides where to go on."""
    ways = [re.escape(letter) + _pattern(rest) for letter, rest in tree.items() if letter != _END]
    if not ways:
        return ""
    text = ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
    return f"(?:{text})?" if _END in tree else text

"""In which order open conflicts are best settled: those whose answers settle most of the rest come first. Pure.

An answer speaks for the open hunks of other files that are like it: with the same text on both sides, numbers
aside, or of the same form in the same directory (`merge.model.Likeness`). How sure the others are then is for the
ladder to judge, once the answer is there.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from syncline.merge.model import Decision, Likeness, Status


@dataclass(frozen=True, slots=True)
class Asked:
    """An open path and the open hunks in other files for which its answer speaks, those of earlier paths aside."""

    path: bytes
    same: int
    """Hunks with the same text, numbers aside."""
    alike: int
    """Further hunks of the same form in the same directory."""

    @property
    def speaks_for(self) -> int:
        """All of them."""
        return self.same + self.alike


def ask_first(opened: Sequence[Decision]) -> tuple[Asked, ...]:
    """Return the open paths, the most telling first; those that tell nothing follow in the order given.

    Each next one is chosen for what it adds to those before it (greedy cover, at least 63 % of the best choice).
    """
    cover = _Cover([_likenesses(decision) for decision in opened])
    found = [Asked(opened[index].path, same, alike) for index, same, alike in cover.order()]
    first = {asked.path for asked in found}
    return (*found, *(Asked(decision.path, 0, 0) for decision in opened if decision.path not in first))


def _likenesses(decision: Decision) -> list[Likeness]:
    return [
        hunk.likeness for hunk in decision.hunks if hunk.likeness is not None and hunk.status is Status.UNRESOLVED
    ]


class _Cover:
    """The hunks for which no answer speaks yet, counted by text, by form, and by both."""

    def __init__(self, files: Sequence[list[Likeness]]) -> None:
        self._files = files
        self._texts: dict[str, Counter[str]] = defaultdict(Counter)
        """By text, for each form: how many hunks."""
        self._forms: dict[str, Counter[str]] = defaultdict(Counter)
        self._own = [Counter(hunks) for hunks in files]
        """Of each file its hunks for which nothing speaks yet."""
        self._where: dict[Likeness, set[int]] = defaultdict(set)
        for index, hunks in enumerate(files):
            for one in hunks:
                self._texts[one.text][one.form] += 1
                self._forms[one.form][one.text] += 1
                self._where[one].add(index)

    def order(self) -> list[tuple[int, int, int]]:
        """Return (file, same, alike), each chosen after those before it; files that tell nothing are left out."""
        heap = [
            (-sum(gain), -gain[0], index) for index in range(len(self._files)) if sum(gain := self._gain(index))
        ]
        heapq.heapify(heap)
        found = []
        while heap:
            before, _, index = heapq.heappop(heap)
            same, alike = self._gain(index)
            if not same + alike:
                continue
            # Gains only shrink: whoever still has his is the best.
            if -before == same + alike:
                found.append((index, same, alike))
                self._answer(index)
            else:
                heapq.heappush(heap, (-same - alike, -same, index))
        return found

    def _gain(self, index: int) -> tuple[int, int]:
        texts = {one.text for one in self._files[index]}
        forms = {one.form for one in self._files[index]}
        same = sum(self._texts[text].total() for text in texts) - self._own[index].total()
        both = sum(self._texts[text][form] for text in texts for form in self._texts[text].keys() & forms)
        alike = sum(self._forms[form].total() for form in forms) - both
        return same, alike

    def _answer(self, index: int) -> None:
        """Take away the hunks of a file and those it speaks for."""
        told: set[Likeness] = set(self._own[index])
        for one in self._files[index]:
            told |= {Likeness(one.text, form) for form in self._texts[one.text]}
            told |= {Likeness(text, one.form) for text in self._forms[one.form]}
        for one in told:
            self._texts[one.text].pop(one.form, None)
            self._forms[one.form].pop(one.text, None)
            for file in self._where.pop(one, ()):
                self._own[file].pop(one, None)

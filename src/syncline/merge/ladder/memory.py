"""What a lane did lately: decayed counts of its own past answers, by kind of hunk and by who proposed them.

The newest merge weighs most; a merge has a limited say, however many hunks of one kind it had, so that one mass
edit does not make a policy. Values are plain numbers: the memory is a small JSON file.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from syncline.given_json import entry
from syncline.merge.ladder.facts import Candidate, Facts

KINDS = ("ours", "theirs", "merged")
LEVELS = ("all", "suffix", "top", "directory", "path", "shape", "digits", "same", "exact")
"""The kinds of key a hunk is remembered by."""
PARENT = {
    "suffix": "all", "top": "suffix", "directory": "top", "path": "directory",
    "shape": "all", "digits": "shape", "same": "digits", "exact": "same",
}  # fmt: skip
SAY = 4.0
"""How much all hunks of one merge that share a key weigh together, at most."""
TURN_HUNKS = 30
"""A merge of fewer hunks tells no turn of policy."""
DECIDED = 0.9
TURNED = 0.5
KNOWN = 1.0
"""Of a group of which less is remembered it cannot be said that it turned."""
FORGOTTEN = 0.05
"""Counts that decayed below this are dropped."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one hunk: the candidate that was right, or None when people wrote something else."""

    facts: Facts
    right: Candidate | None

    @property
    def kind(self) -> str:
        """`ours`, `theirs`, or `merged` for whatever is neither."""
        return self.right.kind if self.right is not None else "merged"


class Memory:
    """Decayed counts. `learn` is given all answers of one merge at once, oldest merge first."""

    def __init__(self) -> None:
        self.merges = 0
        self.counts: dict[str, dict[str, list[float]]] = {level: {} for level in LEVELS}
        """By kind of key and value: how often ours, theirs, something else was right."""
        self.voices: dict[str, list[float]] = {}
        """By proposer (and mark): how often it spoke, how often it was right."""

    def learn(self, answers: Iterable[Answer], fade: float) -> None:
        """Take in what people did with the hunks of one merge.

        Args:
            answers: all of them.
            fade: what is left of the past's weight, 0 to 1.
        """
        self.merges += 1
        tables = [*self.counts.values(), self.voices]
        for table in tables:
            for key in list(table):
                row = [value * fade for value in table[key]]
                if sum(row) < FORGOTTEN:
                    del table[key]
                else:
                    table[key] = row
        fresh: dict[str, dict[str, list[float]]] = {level: {} for level in LEVELS}
        said: dict[str, list[float]] = {}
        for answer in answers:
            count(fresh, said, answer)
        for level, table in fresh.items():
            _add(self.counts[level], table)
        _add(self.voices, said)

    def turned(self, answers: Iterable[Answer]) -> frozenset[str]:
        """Return the groups of files that a merge settled all one way, and quite otherwise than remembered.

        Not a matter of degree: nearly all of many hunks (`DECIDED`, `TURN_HUNKS`), and more than half of what is
        remembered of the group says something else.
        """
        shares: dict[str, list[float]] = {}
        for answer in answers:
            row = shares.setdefault(answer.facts.group.value, [0.0] * len(KINDS))
            row[KINDS.index(answer.kind)] += 1
        return frozenset(
            group
            for group, row in shares.items()
            if sum(row) >= TURN_HUNKS
            and max(row) >= DECIDED * sum(row)
            and sum(known := self.counts["all"].get(group, row)) >= KNOWN
            and apart(row, known) > TURNED
        )

    def forget(self, answers: Iterable[Answer]) -> None:
        """Drop what is remembered of hunks like these: it was another policy."""
        for answer in answers:
            for level, value in answer.facts.keys.items():
                self.counts[level].pop(value, None)

    def as_json(self) -> dict[str, Any]:
        """Return the memory as JSON values."""
        return {
            "merges": self.merges,
            "counts": {level: _rounded(table) for level, table in self.counts.items()},
            "voices": _rounded(self.voices),
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Self:
        """Read what `as_json` wrote.

        Raises:
            ValueError: when it is nothing of the kind.
        """
        try:
            memory = cls()
            memory.merges = int(entry(document, "merges", "its memory"))
            counts = entry(document, "counts", "its memory")
            memory.counts = {level: _table(entry(counts, level, "its counts"), 3) for level in LEVELS}
            memory.voices = _table(entry(document, "voices", "its memory"), 2)
        except (TypeError, AttributeError, OverflowError) as error:
            raise ValueError("no memory of a lane: something in it is of another kind") from error
        return memory


class Answered:
    """What people answered earlier in the merge that is being settled; never what a model guessed."""

    def __init__(self) -> None:
        self.counts: dict[str, dict[str, list[float]]] = {level: {} for level in LEVELS}
        self.voices: dict[str, list[float]] = {}

    def learn(self, answers: Iterable[Answer]) -> None:
        """Take in what people did with some hunks."""
        for answer in answers:
            count(self.counts, self.voices, answer)


def count(counts: dict[str, dict[str, list[float]]], voices: dict[str, list[float]], answer: Answer) -> None:
    """Add one answer to plain counts."""
    index = KINDS.index(answer.kind)
    for level, value in answer.facts.keys.items():
        counts[level].setdefault(value, [0.0, 0.0, 0.0])[index] += 1
    for candidate in answer.facts.candidates:
        for voice in candidate.voices:
            row = voices.setdefault(voice, [0.0, 0.0])
            row[0] += 1
            row[1] += candidate is answer.right


def apart(one: Sequence[float], other: Sequence[float]) -> float:
    """Return how far two counts of ours, theirs and the rest are apart: their shares' total variation, 0 to 1."""
    total, others = sum(one), sum(other)
    return sum(abs(a / total - b / others) for a, b in zip(one, other, strict=True)) / 2


def _add(table: dict[str, list[float]], fresh: dict[str, list[float]]) -> None:
    for key, row in fresh.items():
        total = row[0] if len(row) == 2 else sum(row)
        weight = min(1.0, SAY / total)
        old = table.setdefault(key, [0.0] * len(row))
        for index, value in enumerate(row):
            old[index] += weight * value


def _rounded(table: dict[str, list[float]]) -> dict[str, list[float]]:
    return {key: [round(value, 3) for value in row] for key, row in sorted(table.items())}


def _table(document: Any, width: int) -> dict[str, list[float]]:
    table = {str(key): [float(value) for value in row] for key, row in document.items()}
    if any(len(row) != width or not all(math.isfinite(x) and x >= 0 for x in row) for row in table.values()):
        raise ValueError("no memory of a lane: counts that are none")
    return table

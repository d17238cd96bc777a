"""How sure is sure enough: a lane's own record decides from which confidence on an answer is accepted.

A model that is right on average is over-confident on a third of the lanes (worst 60 % where 90 % was said). So for
each group of answers the gate opens only down to the loosest level of confidence at which this lane's own earlier
merges, together with a few imagined answers as good as elsewhere, reach the precision that was asked for: at that
level within a point, with the levels around it in full.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any, Self

LEVELS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.84, 0.88, 0.91, 0.94, 0.96, 0.98)
"""Levels of confidence, the loosest first."""
STRENGTH = 6.0
"""How many imagined answers the record of other repositories counts for."""
STRENGTH_BESIDE_ATTEMPTS = 3.0
"""The same where attempts met the conflict, of which other repositories know nothing."""
MOST = 0.995
"""No record shows more than this."""
NEAR = 0.5
"""How much what the next level shows counts beside what a level shows itself, the one after that half as much, and
so on. One level's record is mostly chance, and what opens a gate would be the luckiest of many. Measured on 14
repositories: beside each level by itself with one point more asked for, 0.2 to 2.7 points more are answered at
0.90, and as many of them are right."""
MARGIN = 0.01
"""How much better than its own record a level may look for its neighbours, and how much worse than elsewhere it is
taken to be where the lane has none."""
_WEIGHTS = [[NEAR ** abs(at - other) for other in range(len(LEVELS))] for at in range(len(LEVELS))]
BELOW = 0.25
"""An answer that is itself less sure than what was asked for, by more than this, is not accepted, however good
those are that are surer: it would be a guess that they carry. Measured on 8 repositories: of such answers 65 % are
right where 90 % was asked for."""
ATTEMPTED = ", attempted before"
"""What the name of a group ends with where an attempt at the same sync speaks for the answers."""
BORNE_OUT = ", attempted and borne out"
"""The same where a resolver or another attempt gives the very same answer (`witnesses`). What an attempt says
alone is worth less: kept together, the record would open for both or for neither."""
OTHERWISE = ", attempted otherwise"
"""The same where an attempt answered something else: in code of the reference lane's four newest syncs 34 of 90
such answers are right, where no attempt met the conflict 81 of 153."""
OF_ATTEMPTS = (ATTEMPTED, BORNE_OUT, OTHERWISE)
"""What the names of groups end with whose answers attempts speak for or against."""
SAY = 6.0
"""How much one merge counts at a level, at most. Source: within a merge answers are right together, with an
intraclass correlation of 0.17 (median of 16 repositories): any number of them says as much as six."""


def file_group_of(group: str) -> str:
    """Return which files a group of answers is about, attempts aside."""
    return group.partition(",")[0]


def in_words(group: str) -> str:
    """Return what a group's answers are about: `code files`, `code files, with an earlier attempt for them,`."""
    files = f"{file_group_of(group)} files"
    if group.endswith(BORNE_OUT):
        return f"{files}, with an earlier attempt for them that somebody bears out,"
    if group.endswith(OTHERWISE):
        return f"{files}, with an earlier attempt against them,"
    return f"{files}, with an earlier attempt for them," if group.endswith(ATTEMPTED) else files


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer the ladder would have given in the past, and whether people gave the same."""

    group: str
    confidence: float
    right: bool


class Gate:
    """The record of one lane."""

    def __init__(self) -> None:
        self.merges = 0
        self.record: dict[str, list[list[float]]] = {}
        """By group, for each level: how many answers were at least so sure, and how many of them were right."""
        self.doubted: set[str] = set()
        """Groups not seen since the lane's policy turned: closed until they are."""

    def threshold(
        self, group: str, precision: float, elsewhere: Mapping[str, Mapping[str, float]]
    ) -> float | None:
        """Return the confidence from which on answers are accepted; None while there is no record at all.

        Args:
            group: the group of files.
            precision: how often accepted answers are to be right, 0 to 1.
            elsewhere: how often answers at each level were right in other repositories (`Weights.levels`).
        """
        if not self.merges or group in self.doubted:
            return None
        loosest, wanted = round(precision - BELOW, 9), min(precision, MOST)
        shares = zip(LEVELS, self._shares(group, elsewhere), strict=True)
        return next((level for level, share in shares if level >= loosest and share >= wanted), None)

    def _shares(self, group: str, elsewhere: Mapping[str, Mapping[str, float]]) -> Iterable[float]:
        """Return how often answers at least so sure may be taken to be right, for each level."""
        prior = elsewhere.get(file_group_of(group), {})
        expected = [prior.get(str(level), 0.5) for level in LEVELS]
        rows = self.record.get(group)
        if group != file_group_of(group):
            # What attempts are worth differs too much from lane to lane: where it is silent, nobody speaks.
            rows = rows or [[0.0, 0.0]] * len(LEVELS)
            return [
                share if round(row[0]) else 0.0
                for row, share in zip(
                    rows, _beside_neighbours(rows, expected, STRENGTH_BESIDE_ATTEMPTS), strict=True
                )
            ]
        if rows is None:
            return [share - MARGIN for share in expected]
        return _beside_neighbours(rows, expected, STRENGTH)

    def worth(self, group: str, confidence: float) -> tuple[int, float | None]:
        """Return the record of answers at least so sure: about how many there were, and which share was right.

        The share is None where so little is left of them that it is none in round numbers.
        """
        rows = self.record.get(group)
        level = max((index for index, level in enumerate(LEVELS) if level <= confidence), default=None)
        if rows is None or level is None or not round(rows[level][0]):
            return 0, None
        count, right = rows[level]
        return round(count), right / count

    def learn(self, outcomes: Iterable[Outcome], fade: float) -> None:
        """Take in what became of the answers of one merge, oldest merge first.

        Args:
            outcomes: all of them.
            fade: what is left of the past's weight, 0 to 1.
        """
        self.merges += 1
        for rows in self.record.values():
            for row in rows:
                row[:] = [value * fade for value in row]
        fresh: dict[str, list[list[float]]] = {}
        for outcome in outcomes:
            rows = fresh.setdefault(outcome.group, [[0.0, 0.0] for _ in LEVELS])
            for row, level in zip(rows, LEVELS, strict=True):
                if outcome.confidence >= level:
                    row[0] += 1
                    row[1] += outcome.right
        for group, rows in fresh.items():
            known = self.record.setdefault(group, [[0.0, 0.0] for _ in LEVELS])
            for old, (count, right) in zip(known, rows, strict=True):
                weight = min(1.0, SAY / count) if count else 0.0
                old[0] += weight * count
                old[1] += weight * right

    def doubt(self, groups: Iterable[str]) -> None:
        """Close groups of which it is not known what the lane does now: not seen since its policy turned."""
        self.doubted |= set(groups)

    def trust(self, groups: Iterable[str]) -> None:
        """Open groups again, of which a merge since has told what the lane does now."""
        self.doubted -= set(groups)

    def as_json(self) -> dict[str, Any]:
        """Return the record as JSON values."""
        rounded = {
            group: [[round(value, 4) for value in row] for row in rows] for group, rows in self.record.items()
        }
        return {
            "merges": self.merges,
            "levels": list(LEVELS),
            "record": rounded,
            "doubted": sorted(self.doubted),
        }

    @classmethod
    def from_json(cls, document: Any) -> Self:
        """Read what `as_json` wrote.

        Raises:
            ValueError: when it is nothing of the kind.
        """
        gate = cls()
        try:
            if tuple(document["levels"]) != LEVELS:
                raise ValueError("a record at other levels of confidence")
            gate.merges = int(document["merges"])
            gate.doubted = set(map(str, document["doubted"]))
            for group, rows in document["record"].items():
                table = [[float(count), float(right)] for count, right in rows]
                if len(table) != len(LEVELS) or any(not 0 <= right <= count < math.inf for count, right in table):
                    raise ValueError("counts that are none")
                gate.record[str(group)] = table
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"no record of a gate: {error!r}") from error
        return gate


def _beside_neighbours(
    rows: Sequence[Sequence[float]], expected: Sequence[float], strength: float
) -> Iterator[float]:
    """Yield how often answers at least so sure may be taken to be right, for each level.

    Args:
        rows: the lane's record: how many answers there were, and how many of them were right.
        expected: how often they were in other repositories.
        strength: how many answers that counts for.
    """
    more = [right - count * share for (count, right), share in zip(rows, expected, strict=True)]
    counts = [count + strength for count, _ in rows]
    for share, own, count, weights in zip(expected, more, counts, _WEIGHTS, strict=True):
        together = sum(map(mul, weights, more)) / sum(map(mul, weights, counts))
        yield share + min(together, own / count + MARGIN)

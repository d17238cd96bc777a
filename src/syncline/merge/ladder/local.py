"""The lane's own correction of the shipped weights: a few numbers, drawn back towards none.

The shipped model gives log-odds; this adds what the lane's own past merges say about a handful of features. It is
Bayesian logistic regression by Laplace's approximation, merge by merge: what earlier merges said is kept as a mean
and a precision matrix that fades, so that a policy that turned is followed and one merge costs the same however
long the past. Measured over 32 repositories, the ridge towards the shipped weights is what makes local learning
safe.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

FEATURES = (
    "bias", "group_code", "group_data", "group_generated", "silent", "no_text", "lane_all", "lane_path_p",
    "lane_shape_p", "lane_exact_p", "lane_voice_best", "lead", "no_base", "no_ours", "no_theirs", "unchanged_ours",
    "unchanged_theirs", "touching", "add_add", "says_attempted", "says_attempted-before", "against_attempted",
    "says_attempted:by-2", "says_attempted:by-3+", "says_attempted:against", "seconded",
    "seconded_merged",
)  # fmt: skip
"""What the lane may weigh otherwise than the shipped weights do. New ones come last: a record is in this order."""
RIDGE = 8.0
"""How strongly the correction is drawn back towards none, in answers."""
SAY = 25.0
"""How much the candidates of one merge weigh together, at most."""
_STEPS = 4
_LARGEST_STEP = 2.0


@dataclass(frozen=True, slots=True)
class Sample:
    """A candidate of a past merge: its features, the shipped model's log-odds, whether it was right."""

    values: tuple[float, ...]
    score: float
    right: bool


def values_of(features: Mapping[str, float]) -> tuple[float, ...]:
    """Return what the correction sees of a candidate."""
    return (1.0, *(features.get(name, 0.0) for name in FEATURES[1:]))


class Local:
    """The correction of one kind of candidate."""

    def __init__(self) -> None:
        size = len(FEATURES)
        self.mean = [0.0] * size
        self.known = [[0.0] * size for _ in range(size)]
        """The precision that past merges gave, the ridge aside."""

    def correction(self, values: Sequence[float]) -> float:
        """Return what is added to the shipped model's log-odds."""
        return sum(mean * value for mean, value in zip(self.mean, values, strict=True))

    def learn(self, samples: Iterable[Sample], fade: float) -> None:
        """Take in the candidates of one merge.

        Args:
            samples: the candidates.
            fade: what is left of the past's weight, 0 to 1.
        """
        data = list(samples)
        for row in self.known:
            row[:] = [value * fade for value in row]
        if not data:
            return
        weight = min(1.0, SAY / len(data))
        before = list(self.mean)
        curvature = self.known
        for _ in range(_STEPS):
            gradient = [RIDGE * value for value in self.mean]
            for i, row in enumerate(self.known):
                gradient[i] += sum(
                    value * (mean - old) for value, mean, old in zip(row, self.mean, before, strict=True)
                )
            curvature = [list(row) for row in self.known]
            for sample in data:
                present = [(i, value) for i, value in enumerate(sample.values) if value]
                chance = logistic(sample.score + sum(self.mean[i] * value for i, value in present))
                slope, bend = weight * (chance - sample.right), weight * chance * (1 - chance)
                for i, value in present:
                    gradient[i] += slope * value
                    row = curvature[i]
                    for j, other in present:
                        row[j] += bend * value * other
            step = _step(curvature, gradient)
            largest = max(map(abs, step), default=0.0)
            scale = min(1.0, _LARGEST_STEP / largest) if largest else 0.0
            self.mean = [mean - scale * value for mean, value in zip(self.mean, step, strict=True)]
            if largest < 1e-3:
                break
        self.known = curvature

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "mean": {name: round(value, 5) for name, value in zip(FEATURES, self.mean, strict=True)},
            "known": [[round(value, 4) for value in row] for row in self.known],
        }

    @classmethod
    def from_json(cls, document: Any) -> Self:
        """Read what `as_json` wrote.

        Raises:
            ValueError: when it is nothing of the kind.
        """
        local = cls()
        try:
            known = [[float(value) for value in row] for row in document["known"]]
            size, more = len(known), len(FEATURES) - len(known)
            # A record of a version that knew fewer of them: nothing is known of the rest.
            local.mean = [float(document["mean"][name]) for name in FEATURES[:size]] + [0.0] * more
        except (KeyError, TypeError) as error:
            raise ValueError(f"no correction of a lane: {error!r}") from error
        if more < 0 or len(document["mean"]) != size or any(len(row) != size for row in known):
            raise ValueError("no correction of a lane: a matrix of another size")
        local.known = [row + [0.0] * more for row in known] + [[0.0] * len(FEATURES) for _ in range(more)]
        if not all(map(math.isfinite, [*local.mean, *(value for row in local.known for value in row)])):
            raise ValueError("no correction of a lane: numbers that are none")
        return local


def logistic(score: float) -> float:
    """Return the probability that log-odds stand for."""
    return 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))


def _step(curvature: Sequence[Sequence[float]], gradient: Sequence[float]) -> list[float]:
    """Return Newton's step with the ridge; what nothing is known of stays where it is, and is left out."""
    seen = [i for i, slope in enumerate(gradient) if slope or curvature[i][i]]
    ridged = [[curvature[i][j] + (RIDGE if i == j else 0.0) for j in seen] for i in seen]
    step = [0.0] * len(gradient)
    for i, value in zip(seen, _solved(ridged, [gradient[i] for i in seen]), strict=True):
        step[i] = value
    return step


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Solve a symmetric positive definite system by Gaussian elimination with pivoting."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda at: abs(rows[at][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column]
        for at in range(column + 1, size):
            factor = rows[at][column] / head[column]
            if factor:
                rows[at] = [value - factor * other for value, other in zip(rows[at], head, strict=True)]
    solution = [0.0] * size
    for column in range(size - 1, -1, -1):
        rest = sum(rows[column][j] * solution[j] for j in range(column + 1, size))
        solution[column] = (rows[column][size] - rest) / rows[column][column]
    return solution

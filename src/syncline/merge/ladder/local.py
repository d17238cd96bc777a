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
from operator import mul
from typing import Any, Self

FEATURES = (
    "bias", "group_code", "group_data", "group_generated", "silent", "no_text", "lane_all", "lane_path_p",
    "lane_shape_p", "lane_exact_p", "lane_voice_best", "lead", "no_base", "no_ours", "no_theirs", "unchanged_ours",
    "unchanged_theirs", "touching", "add_add", "says_attempted", "says_attempted-before", "against_attempted",
    "says_attempted:by-2", "says_attempted:by-3+", "says_attempted:contested", "seconded",
    "seconded_merged",
)  # fmt: skip
"""What the lane may weigh otherwise than the shipped weights do. New ones come last: a record is in this order."""
_RENAMED = {"says_attempted:against": "says_attempted:contested"}
"""What records of earlier versions call otherwise."""
RIDGE = 8.0
"""How strongly the correction is drawn back towards none, in answers."""
SAY = 25.0
"""How much the candidates of one merge weigh together, at most."""
_STEPS = 30
_FAR = 1e4
"""No log-odds are farther than this from even, so that a loss stays a number."""
_CLOSE = 1e-4
"""A step that brings no more than this, in log-odds of all answers together, is the last one."""


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
        merge = _Merge(data, min(1.0, SAY / len(data)), tuple(self.mean), self.known)
        loss = merge.loss(self.mean)
        for _ in range(_STEPS):
            gradient, curvature = merge.slopes(self.mean)
            step = _step(curvature, gradient)
            # A whole step goes beyond the other side where the model was very sure, and wrong.
            while (shorter := merge.loss(nearer := _less(self.mean, step))) > loss:
                step = [value / 2 for value in step]
            done = loss - shorter < _CLOSE
            self.mean, loss = nearer, shorter
            if done:
                break
        self.known = merge.slopes(self.mean)[1]

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
            mean = {_RENAMED.get(name, name): float(value) for name, value in document["mean"].items()}
            local.mean = [mean[name] for name in FEATURES[:size]] + [0.0] * more
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no correction of a lane: {error!r}") from error
        if more < 0 or len(mean) != size or any(len(row) != size for row in known):
            raise ValueError("no correction of a lane: a matrix of another size")
        local.known = [row + [0.0] * more for row in known] + [[0.0] * len(FEATURES) for _ in range(more)]
        if not all(map(math.isfinite, [*local.mean, *(value for row in local.known for value in row)])):
            raise ValueError("no correction of a lane: numbers that are none")
        return local


@dataclass(frozen=True, slots=True)
class _Merge:
    """What one merge says, beside what was known before: a function with one least value."""

    samples: Sequence[Sample]
    weight: float
    before: Sequence[float]
    known: Sequence[Sequence[float]]

    def loss(self, mean: Sequence[float]) -> float:
        """Return how badly a correction fits."""
        moved = [(i, new - old) for i, (new, old) in enumerate(zip(mean, self.before, strict=True)) if new != old]
        fit = sum(
            math.log1p(math.exp(-abs(score))) + max(0.0, -score if sample.right else score)
            for sample in self.samples
            for score in [_clamped(sample.score + sum(map(mul, mean, sample.values)), _FAR)]
        )
        kept = sum(a * self.known[i][j] * b for i, a in moved for j, b in moved)
        return self.weight * fit + (RIDGE * sum(value * value for value in mean) + kept) / 2

    def slopes(self, mean: Sequence[float]) -> tuple[list[float], list[list[float]]]:
        """Return the gradient, and the curvature without the ridge."""
        gradient = [RIDGE * value for value in mean]
        for i, row in enumerate(self.known):
            gradient[i] += sum(value * (new - old) for value, new, old in zip(row, mean, self.before, strict=True))
        curvature = [list(row) for row in self.known]
        for sample in self.samples:
            present = [(i, value) for i, value in enumerate(sample.values) if value]
            chance = logistic(sample.score + sum(mean[i] * value for i, value in present))
            slope, bend = self.weight * (chance - sample.right), self.weight * chance * (1 - chance)
            for i, value in present:
                gradient[i] += slope * value
                row = curvature[i]
                for j, other in present:
                    row[j] += bend * value * other
        return gradient, curvature


def _less(mean: Sequence[float], step: Sequence[float]) -> list[float]:
    return [value - less for value, less in zip(mean, step, strict=True)]


def _clamped(score: float, most: float) -> float:
    return min(max(score, -most), most)


def logistic(score: float) -> float:
    """Return the probability that log-odds stand for."""
    return 1 / (1 + math.exp(-_clamped(score, 30.0)))


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

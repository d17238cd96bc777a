"""The ladder: resolvers propose, it disposes. Each candidate gets a confidence, the gate says what is enough."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from syncline.merge.file_group import FileGroup
from syncline.merge.ladder.facts import Candidate, Facts
from syncline.merge.ladder.features import features
from syncline.merge.ladder.gate import Gate
from syncline.merge.ladder.memory import Answered, Memory
from syncline.merge.ladder.weights import Linear, Weights


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with how likely it is right, 0 to 1."""

    candidate: Candidate
    confidence: float


@dataclass(frozen=True, slots=True)
class Judged:
    """One hunk: its candidates, the likeliest first, and whether the first is sure enough."""

    facts: Facts
    ranking: tuple[Ranked, ...]
    threshold: float | None
    """The confidence from which on the lane accepts answers in such files; None while it accepts none."""

    @property
    def best(self) -> Ranked:
        """The likeliest candidate."""
        return self.ranking[0]

    @property
    def accepted(self) -> Ranked | None:
        """The likeliest candidate where it is sure enough."""
        return self.best if self.threshold is not None and self.best.confidence >= self.threshold else None


@dataclass(frozen=True, slots=True)
class Ladder:
    """What judges hunks: what other repositories taught, what this lane did, how sure the lane wants to be."""

    weights: Weights
    memory: Memory
    gate: Gate
    precision: float

    def judge(self, facts: Facts, answered: Answered | None = None) -> Judged:
        """Return a hunk's candidates ranked.

        Args:
            facts: the hunk.
            answered: what people answered in this merge so far; None when nobody did.
        """
        ranking = [
            Ranked(candidate, self.confidence(facts, candidate, answered)) for candidate in facts.candidates
        ]
        ranking.sort(key=lambda ranked: -ranked.confidence)
        return Judged(facts, tuple(ranking), self.threshold(facts, self.precision))

    def threshold(self, facts: Facts, precision: float) -> float | None:
        """Return the confidence that is enough for answers to be right so often; None where none is."""
        if facts.group is FileGroup.LOCK:
            return None
        return self.gate.threshold(facts.group.value, precision, self.weights.levels)

    def confidence(self, facts: Facts, candidate: Candidate, answered: Answered | None = None) -> float:
        """Return how likely a candidate is right."""
        model = self._model(candidate.kind, answered)
        return logistic(model.score(features(facts, candidate, self.memory, answered, self.weights.priors)))

    def reasons(
        self, facts: Facts, candidate: Candidate, answered: Answered | None = None
    ) -> list[tuple[str, float]]:
        """Return what spoke for (positive) and against a candidate, in log-odds, the weightiest first."""
        model = self._model(candidate.kind, answered)
        values: Mapping[str, float] = features(facts, candidate, self.memory, answered, self.weights.priors)
        said = [(name, model.weights[name] * value) for name, value in values.items() if name in model.weights]
        return sorted(((name, value) for name, value in said if value), key=lambda pair: -abs(pair[1]))

    def _model(self, kind: str, answered: Answered | None) -> Linear:
        return self.weights.kinds[kind if answered is None else f"{kind}+answers"]


def logistic(score: float) -> float:
    """Return the probability that log-odds stand for."""
    return 1 / (1 + math.exp(-score)) if score > -500 else 0.0

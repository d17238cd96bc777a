"""The ladder: resolvers propose, it disposes. Each candidate gets a confidence, the gate says what is enough."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from syncline.merge.file_group import FileGroup
from syncline.merge.ladder.facts import Candidate, Facts
from syncline.merge.ladder.features import features
from syncline.merge.ladder.gate import ATTEMPTED, BORNE_OUT, OTHERWISE, Gate
from syncline.merge.ladder.local import Local, logistic, values_of
from syncline.merge.ladder.memory import Answered, Memory
from syncline.merge.ladder.weights import Linear, Weights
from syncline.merge.ladder.witnesses import is_borne_out
from syncline.merge.recorded import Sameness
from syncline.merge.resolvers import attempted, repeated

REPEATED = 0.98
"""How sure an answer is at least that people gave to the very same conflict elsewhere in this merge: 310 of 311
such hunks were answered alike (32 repositories). The models, for which they are rare, make less of it."""
_REPEATED = frozenset(f"{repeated.NAME}:{same.value}" for same in (Sameness.CONTEXT, Sameness.HUNK))


MOST_FOR_MERGED = 0.5
"""How many log-odds a lane's own correction adds at most to a text that is neither side's. That a lane merges a
lot says little of whether *this* text is right: in a lane whose people always kept both sides, statements that
nobody wrote rose from 0.4 to 0.99. On 15 repositories it costs 0.1 points of what is answered at 0.90."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with how likely it is right, 0 to 1."""

    candidate: Candidate
    confidence: float
    score: float
    """The shipped weights' log-odds, before the lane's own correction."""
    values: tuple[float, ...]
    """What the correction saw (`local.FEATURES`)."""


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
    def kept_as(self) -> str:
        """Under what the gate keeps its record: the group of files, and what attempts say of the answer."""
        group = self.facts.group.value
        answer = self.best.candidate
        if attempted.NAME in answer.voices:
            return f"{group}{BORNE_OUT if is_borne_out(answer, self.facts.candidates) else ATTEMPTED}"
        tried = any(attempted.NAME in candidate.voices for candidate in self.facts.candidates)
        return f"{group}{OTHERWISE}" if tried else group

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
    local: Mapping[str, Local]
    """The lane's correction for each kind of candidate."""
    precision: float
    _opens: dict[tuple[str, float], float | None] = field(default_factory=dict, compare=False, repr=False)
    """From which confidence on: the gate is as it was when the ladder was made, for as long as one merge takes."""

    def judge(self, facts: Facts, answered: Answered | None = None) -> Judged:
        """Return a hunk's candidates ranked.

        Args:
            facts: the hunk.
            answered: what people answered in this merge so far; None when nobody did.
        """
        ranking = [self._ranked(facts, candidate, answered) for candidate in facts.candidates]
        ranking.sort(key=lambda ranked: -ranked.confidence)
        judged = Judged(facts, tuple(ranking), None)
        return replace(judged, threshold=self.threshold(judged, self.precision))

    def threshold(self, judged: Judged, precision: float) -> float | None:
        """Return the confidence that is enough for answers to be right so often; None where none is."""
        if judged.facts.group is FileGroup.LOCK:
            return None
        asked = judged.kept_as, precision
        if asked not in self._opens:
            self._opens[asked] = self.gate.threshold(*asked, self.weights.levels)
        return self._opens[asked]

    def _ranked(self, facts: Facts, candidate: Candidate, answered: Answered | None) -> Ranked:
        known = features(facts, candidate, self.memory, answered, self.weights.priors)
        score = self._model(candidate.kind, answered).score(known)
        values = values_of(known)
        sure = logistic(score + self._correction(candidate, values))
        if _REPEATED & set(candidate.voices):
            sure = max(sure, REPEATED)
        return Ranked(candidate, sure, score, values)

    def reasons(
        self, facts: Facts, candidate: Candidate, answered: Answered | None = None
    ) -> list[tuple[str, float]]:
        """Return what spoke for (positive) and against a candidate, in log-odds, the weightiest first."""
        model = self._model(candidate.kind, answered)
        values: Mapping[str, float] = features(facts, candidate, self.memory, answered, self.weights.priors)
        said = [(name, model.weights[name] * value) for name, value in values.items() if name in model.weights]
        said.append(("this lane", self._correction(candidate, values_of(values))))
        return sorted(((name, value) for name, value in said if value), key=lambda pair: -abs(pair[1]))

    def _correction(self, candidate: Candidate, values: Sequence[float]) -> float:
        """Return what the lane's own past adds to a candidate's log-odds."""
        correction = self.local[candidate.kind].correction(values)
        return min(correction, MOST_FOR_MERGED) if candidate.kind == "merged" else correction

    def _model(self, kind: str, answered: Answered | None) -> Linear:
        return self.weights.kinds[kind if answered is None else f"{kind}+answers"]

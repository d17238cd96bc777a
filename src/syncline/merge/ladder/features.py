"""The numbers the model weighs for one candidate: the hunk's own, what the lane did lately, who speaks for it."""

import math
from collections.abc import Mapping

from syncline.merge.ladder.facts import Candidate, Facts
from syncline.merge.ladder.memory import KINDS, LEVELS, PARENT, Answered, Memory
from syncline.merge.ladder.witnesses import is_seconded

UNKNOWN = {"ours": 0.32, "theirs": 0.28, "merged": 0.40}
"""How often each kind is right where nothing is known (26,642 hunks of 32 repositories)."""
WEIGHT = 1.5
"""How many answers the more general key counts for, beside those of a more special one."""


def features(
    facts: Facts, candidate: Candidate, memory: Memory, answered: Answered | None, priors: Mapping[str, float]
) -> dict[str, float]:
    """Return the features of one candidate; what is absent is 0.

    Args:
        facts: the hunk.
        candidate: one of its candidates.
        memory: what the lane did in earlier merges.
        answered: what people answered earlier in this merge; None when nobody did.
        priors: for each voice, how often it was right in other repositories.
    """
    found = dict(facts.numbers)
    found[f"group_{facts.group.value}"] = 1.0
    for name, value in candidate.numbers.items():
        found[f"text_{name}"] = value
    kind = KINDS.index(candidate.kind)
    _past(found, "lane", facts, kind, memory.counts)
    voices = candidate.voices
    for voice in voices:
        found[f"says_{voice}"] = 1.0
    if is_seconded(candidate, facts.candidates):
        found["seconded"] = 1.0
        found["seconded_merged"] = float(candidate.kind == "merged")
    found["silent"] = float(not voices)
    found["speakers"] = math.log1p(len(candidate.proposals))
    best = _voices(found, "lane", voices, memory.voices, priors)
    rivals = [c for c in facts.candidates if c is not candidate and c.proposals]
    found["rivals"] = math.log1p(len(rivals))
    found["rival_best"] = max((_best(c.voices, memory.voices, priors) for c in rivals), default=-3.0)
    found["lead"] = best - found["rival_best"]
    for rival in rivals:
        found[f"against_{rival.kind}"] = 1.0
        for proposal in rival.proposals:
            found[f"against_{proposal.resolver}"] = 1.0
    if answered is not None:
        _past(found, "now", facts, kind, answered.counts)
        _voices(found, "now", voices, answered.voices, priors)
    return found


def _past(
    found: dict[str, float], name: str, facts: Facts, kind: int, counts: Mapping[str, Mapping[str, list[float]]]
) -> None:
    shares = {"": list(UNKNOWN.values())}
    for level in LEVELS:
        value = facts.keys.get(level)
        before = shares[PARENT.get(level, "")] if PARENT.get(level, "") in shares else shares["all"]
        row = counts[level].get(value) if value is not None else None
        total = sum(row) if row else 0.0
        here = [
            ((row[index] if row else 0.0) + WEIGHT * before[index]) / (total + WEIGHT)
            for index in range(len(KINDS))
        ]
        shares[level] = here
        # Only what this key adds to the more general one; nothing where it was never met.
        found[f"{name}_{level}"] = _logit(here[kind]) - (_logit(before[kind]) if level != "all" else 0.0)
    for level in ("path", "shape", "digits", "exact"):
        found[f"{name}_{level}_p"] = _logit(shares[level][kind])


def _voices(
    found: dict[str, float],
    name: str,
    voices: tuple[str, ...],
    record: Mapping[str, list[float]],
    priors: Mapping[str, float],
) -> float:
    best, apart, heard = -3.0, 0.0, 0.0
    for voice in voices:
        prior = _logit(priors.get(voice, 0.5))
        spoke, right = record.get(voice, (0.0, 0.0))
        here = _logit((right + 4 * priors.get(voice, 0.5)) / (spoke + 4))
        best = max(best, here)
        apart += here - prior
        heard = max(heard, spoke)
    found[f"{name}_voice_best"] = best if voices else 0.0
    found[f"{name}_voice_apart"] = apart / math.sqrt(len(voices)) if voices else 0.0
    found[f"{name}_voice_n"] = math.log1p(heard)
    return best


def _best(voices: tuple[str, ...], record: Mapping[str, list[float]], priors: Mapping[str, float]) -> float:
    best = -3.0
    for voice in voices:
        spoke, right = record.get(voice, (0.0, 0.0))
        best = max(best, _logit((right + 4 * priors.get(voice, 0.5)) / (spoke + 4)))
    return best


def _logit(share: float) -> float:
    share = min(max(share, 0.01), 0.99)
    return math.log(share / (1 - share))

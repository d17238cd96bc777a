"""The lane's record in words: why a side is likely where no resolver speaks for it."""

from syncline.merge.ladder.facts import Candidate, Facts
from syncline.merge.ladder.memory import KINDS, Answered, Memory

_ABOUT = {
    "exact": "this very conflict",
    "digits": "conflicts of this text, numbers aside",
    "path": "conflicts in this file",
    "directory": "conflicts in this directory",
    "top": "conflicts in such files of this part of the tree",
    "shape": "conflicts of this form",
    "suffix": "conflicts in files of this type",
    "all": "conflicts in such files",
}
"""The kinds of key, the most telling first."""
_TOLD = {
    "ours": "target's side was taken",
    "theirs": "source's side was taken",
    "merged": "neither side was taken",
}
MOST_SENTENCES = 3


def record_in_words(facts: Facts, candidate: Candidate, memory: Memory) -> list[str]:
    """Return sentences of what this lane did that speaks for a candidate, the most telling first.

    Counts are decayed, so that they are rounded ones. None where the lane did otherwise more often: then other
    things made it likely (`feature_words`).
    """
    found = []
    for level, about in _ABOUT.items():
        row = memory.counts[level].get(facts.keys.get(level, ""))
        if row is None or sum(row) < 0.5:
            continue
        taken = row[KINDS.index(candidate.kind)]
        if taken < max(row):
            continue
        share = taken / sum(row)
        found.append(f"{_TOLD[candidate.kind]} in {share:.0%} of about {max(1, round(sum(row)))} past {about}")
    return found[:MOST_SENTENCES]


def answers_in_words(facts: Facts, candidate: Candidate, answered: Answered) -> list[str]:
    """Return sentences of what people did with the like in the files of this merge that are settled already."""
    found = []
    for level, about in _ABOUT.items():
        row = answered.counts[level].get(facts.keys.get(level, ""))
        if row is None or not sum(row):
            continue
        taken = row[KINDS.index(candidate.kind)]
        like = "conflicts that are the very same" if level == "exact" else about
        found.append(
            f"{_TOLD[candidate.kind]} in {taken:.0f} of {sum(row):.0f} {like} that people settled in this merge"
        )
    return found[:MOST_SENTENCES]

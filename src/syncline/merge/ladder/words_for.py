"""The lane's record in words: why a side is likely where no resolver speaks for it."""

from syncline.counted import counted
from syncline.merge.ladder.facts import Candidate, Facts
from syncline.merge.ladder.memory import KINDS, Answered, Memory

_ABOUT = {
    "exact": "just like this one",
    "digits": "of this text, numbers aside",
    "path": "in this file",
    "directory": "in this directory",
    "top": "in such files of this part of the tree",
    "shape": "of this form",
    "suffix": "in files of this type",
    "all": "in such files",
}
"""The kinds of key, the most telling first, and which conflicts have the same one."""
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
        past = counted(max(1, round(sum(row))), "past conflict")
        found.append(f"{_TOLD[candidate.kind]} in {taken / sum(row):.0%} of about {past} {about}")
    return found[:MOST_SENTENCES]


def answers_in_words(facts: Facts, candidate: Candidate, answered: Answered) -> list[str]:
    """Return sentences of what people did with the like in the files of this merge that are settled already."""
    found = []
    for level, about in _ABOUT.items():
        row = answered.counts[level].get(facts.keys.get(level, ""))
        if row is None or not sum(row):
            continue
        taken = row[KINDS.index(candidate.kind)]
        settled = counted(round(sum(row)), "conflict")
        found.append(
            f"{_TOLD[candidate.kind]} in {taken:.0f} of {settled} {about} that people settled in this merge"
        )
    return found[:MOST_SENTENCES]

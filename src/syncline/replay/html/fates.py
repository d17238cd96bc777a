"""What became of each hunk of a replay, and why it was left open where it was. Pure."""

from enum import StrEnum

from syncline.merge.hunks import Lines
from syncline.merge.ladder.facts import Candidate
from syncline.replay.run import PlayedFile


class Fate(StrEnum):
    """Answered as people did or not; else the first thing that stood in the way of the right answer."""

    AGREED = "agreed"
    DISAGREED = "disagreed"
    UNKNOWN = "unknown"
    """What people answered cannot be told from what they committed."""
    NOT_OFFERED = "not offered"
    """No candidate is what people wrote."""
    NOT_FIRST = "not first"
    """A candidate is, but another one seemed likelier."""
    CLOSED = "gate closed"
    """It was first, but the lane's record supports no answer in such files."""
    UNSURE = "unsure"
    """It was first, but below the gate."""
    REFUSED = "refused"
    """It was first and sure enough, but failed a check (grammar, doubled or lost definitions)."""


def fate_of(file: PlayedFile, index: int) -> Fate:
    """Return what became of one hunk when it was settled from the past alone."""
    answer, right = file.alone.answers[index], file.right[index]
    if answer is not None:
        return Fate.AGREED if right is not None and right.text == answer.candidate.text else Fate.DISAGREED
    if right is None:
        known = file.gathered.past.case is None or file.gathered.past.answers[index] is not None
        return Fate.NOT_OFFERED if known else Fate.UNKNOWN
    judged = file.alone.judged[index]
    if judged.best.candidate.text != right.text:
        return Fate.NOT_FIRST
    if file.alone.faults[index]:
        return Fate.REFUSED
    return Fate.CLOSED if judged.threshold is None else Fate.UNSURE


def first_is_right(file: PlayedFile, index: int) -> bool:
    """Whether the likeliest candidate is what people wrote, accepted or not."""
    right = file.right[index]
    return right is not None and file.alone.judged[index].best.candidate.text == right.text


def people_wrote(file: PlayedFile, index: int) -> str:
    """Return which answer people gave, in two or three words."""
    right = file.right[index]
    if right is not None:
        return candidate_words(right)
    if file.gathered.past.case is None:
        return "neither side as it was"
    return "a text of their own" if people_lines(file, index) is not None else "cannot be told"


def people_lines(file: PlayedFile, index: int) -> Lines | None:
    """Return what people wrote in a hunk's place; None when it cannot be told or has no text."""
    past = file.gathered.past
    return None if past.case is None else past.answers[index]


def candidate_words(candidate: Candidate) -> str:
    """Return which answer a candidate is, in two words."""
    return {"ours": "target's side", "theirs": "source's side"}.get(candidate.kind, "a combination")

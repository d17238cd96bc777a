"""What became of a path: where the head has it from. Pure."""

from enum import StrEnum

from syncline.git import Entry


class Outcome(StrEnum):
    """Where the head has a path from, seen from target."""

    KEPT = "kept"
    """As target has it."""
    TAKEN = "taken"
    """As source has it."""
    COMBINED = "combined"
    """As neither has it."""
    RESTORED = "restored"
    """One side had deleted it, the head holds it."""
    DELETED = "deleted"
    """One side has it, the head does not."""
    ABSENT = "absent"
    """Neither side has it any more, nor has the head."""
    MARKERS = "markers"
    """The head holds git's own result, conflict markers included."""


def outcome_of(
    *,
    base: Entry | None,
    ours: Entry | None,
    theirs: Entry | None,
    git: Entry | None,
    head: Entry | None,
    marked: bool,
) -> Outcome:
    """Judge one path by what stands there in the four trees and the head.

    Args:
        base: in the merge base.
        ours: in target.
        theirs: in source.
        git: in git's own result.
        head: in the proposal's head.
        marked: whether git's result has conflict markers.
    """
    if head is None:
        return Outcome.ABSENT if ours is None and theirs is None else Outcome.DELETED
    if marked and head == git:
        return Outcome.MARKERS
    if base is not None and (ours is None) != (theirs is None):
        return Outcome.RESTORED
    if head == ours:
        return Outcome.KEPT
    return Outcome.TAKEN if head == theirs else Outcome.COMBINED

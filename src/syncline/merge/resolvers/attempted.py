"""Attempts at this sync that did not land settled this conflict."""

from collections.abc import Iterator

from syncline.merge.attempted import Attempted, Tried
from syncline.merge.case import FileCase
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal

NAME = "attempted"
BEFORE = "attempted-before"
"""Who speaks for an answer that a newer attempt gave up."""
SEVERAL = ("by-2", "by-3+")
"""The marks of an answer that several attempts gave."""
CONTESTED = "contested"
"""The mark of an answer against which attempts speak that tell more."""
_MOST = 3
"""Answers to one conflict that are told."""


def propose(case: FileCase, attempted: Attempted) -> Iterator[Proposal]:
    """Yield the answers that each hunk had in earlier attempts, the newest first.

    Args:
        case: the file.
        attempted: what the attempts made of their conflicts.

    Marks of the newest answer: that it is `contested` by attempts that tell more than those that gave it, else how
    many gave it (`by-2`, `by-3+`), or that it stands `alone`; and what is the same (`exact-context`, `same-hunk`,
    `same-sides-only`).
    """
    for hunk in case.hunks:
        for place, tried in enumerate(attempted.lookup(hunk)[:_MOST]):
            marks = () if place else (_standing(tried), tried.found.same.value)
            name = BEFORE if place else NAME
            found = tried.found
            yield Proposal(hunk.index, found.lines, name, (_evidence(tried),), marks, found.to_the_byte)


def _standing(tried: Tried) -> str:
    """Return the mark for how an answer stands among the attempts."""
    if tried.contested:
        return CONTESTED
    return SEVERAL[tried.times > 2] if tried.times > 1 else "alone"


def _evidence(tried: Tried) -> Evidence:
    """Return it in words."""
    total = tried.times + tried.others
    who = "an earlier attempt" if total == 1 else f"{tried.times} of {total} earlier attempts"
    return Evidence(f"{who} at this sync settled the same conflict so", tried.commit)

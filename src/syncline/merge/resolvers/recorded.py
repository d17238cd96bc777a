"""This conflict was settled before on this lane; by whom does not matter."""

from collections.abc import Iterator

from syncline.merge.case import FileCase
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.recorded import Found, Recorded

NAME = "recorded"


def propose(case: FileCase, recorded: Recorded) -> Iterator[Proposal]:
    """Yield the answer that each hunk had before on this lane.

    Args:
        case: the file.
        recorded: what the lane's earlier merges made of their conflicts.

    Marks: what is the same (`exact-context`, `same-hunk`, `same-sides-only`), how often it was answered so
    (`seen-1`, `seen-2`, `seen-3+`), and `new-text` where the answer is neither side.
    """
    for hunk in case.hunks:
        found = recorded.lookup(hunk)
        if found is not None:
            evidence = Evidence(
                f"the same conflict was settled so {_times(found)} on this lane", found.answer.commit
            )
            yield Proposal(hunk.index, found.lines, NAME, (evidence,), marks(found), found.to_the_byte)


def marks(found: Found) -> tuple[str, ...]:
    """Return the marks of a recorded answer."""
    seen = found.answer.seen
    text = ("new-text",) if found.answer.side is None else ()
    return (found.same.value, f"seen-{seen}" if seen < 3 else "seen-3+", *text)


def _times(found: Found) -> str:
    """Return how often it was answered so, in words."""
    seen = found.answer.seen
    return "before" if seen == 1 else f"{seen} times before"

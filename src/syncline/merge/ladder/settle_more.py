"""Settling what is still open of a merge from what people answered meanwhile; replay tells what that is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from syncline.git import Entry, TreeId
from syncline.merge.ladder.merge_answers import MergeAnswers
from syncline.merge.ladder.settler import Settlement, Settler
from syncline.merge.model import Conflict, Decision, Status
from syncline.merge.side_version import file_at


@dataclass(frozen=True, slots=True)
class Answered:
    """A conflict that people settled."""

    decision: Decision
    """What had been decided before: the hunks that were open are those they answered."""
    committed: Entry | None
    """What they left at its path."""


@dataclass(frozen=True, slots=True)
class More:
    """An open conflict that is sure enough now."""

    decision: Decision
    settlement: Settlement


def settle_more(
    settler: Settler, git_tree: TreeId, answered: Sequence[Answered], left: Sequence[Decision]
) -> tuple[More, ...]:
    """Return the open conflicts that the lane's record lets be settled wholly, now that people settled others.

    Args:
        settler: of this merge, with the record that the merge was made with.
        git_tree: git's own result.
        answered: what people settled, in the order of their commits.
        left: what is still open. Only what the ladder had looked at in the merge is judged again.
    """
    done = [(one, conflict) for one in answered if (conflict := _judged(one.decision)) is not None]
    still = [(one, conflict) for one in left if (conflict := _judged(one)) is not None]
    if not settler.record.gate_with_answers.merges or not done or not still:
        return ()
    settler.prepare([conflict for _, conflict in (*done, *still)])
    repository = settler.repository
    answers, told = MergeAnswers(), False
    for one, conflict in done:
        merged = file_at(repository, git_tree, conflict.path)
        _, judge = settler.judge(conflict, merged, answers if told else None)
        which = frozenset(hunk.index for hunk in one.decision.hunks if hunk.status is Status.UNRESOLVED)
        told |= answers.learn(repository, conflict, judge, one.committed, which)
    if not told:
        return ()
    found = []
    for decision, conflict in still:
        settlement = settler.settle(conflict, file_at(repository, git_tree, conflict.path), answers)
        if settlement.whole:
            found.append(More(decision, settlement))
    return tuple(found)


def _judged(decision: Decision) -> Conflict | None:
    """Return the conflict of a decision that the ladder had looked at."""
    return decision.conflict if decision.hunks else None

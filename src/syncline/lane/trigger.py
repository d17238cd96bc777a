"""The comment that starts CI on a head: whether it is there, and whether anything has answered it."""

from dataclasses import dataclass
from datetime import datetime

from syncline.checks.gate import GateState, Verdict
from syncline.config.models import GitHubTable
from syncline.forge.protocol import Proposal
from syncline.git import CommitId
from syncline.lane.context import LaneContext


@dataclass(frozen=True, slots=True)
class Asked:
    """Whether CI was asked for, whether that is to be done once more, and what people should know of it."""

    posted: bool
    again: bool = False
    words: str = ""


def marker_of(head: CommitId, *, again: bool = False) -> str:
    """The marker of the comment for a head: each is written once, whoever writes it."""
    return f"trigger-again:{head}" if again else f"trigger:{head}"


def asked_for_ci(
    context: LaneContext, proposal: Proposal, head: CommitId, verdict: Verdict, now: datetime
) -> Asked:
    """Look at the proposal's comments; nothing is asked for where the lane has no trigger.

    Nothing has answered when the gate waits for a check that has not reported while none is at work: a check that
    comes by itself with every push (a linter, say) is no answer, and one that runs may be it.
    """
    if context.lane.ci_trigger is None:
        return Asked(posted=True)
    written = {comment.marker: comment for comment in context.forge.comments(proposal.number)}
    first, second = (written.get(marker_of(head, again=again)) for again in (False, True))
    if first is None:
        # The forge may tell of yesterday; what this process wrote it need not be told.
        return Asked(posted=marker_of(head) in context.written)
    limit = (context.lane.github or GitHubTable()).trigger_again_after
    waits = verdict.state is GateState.WAITING and verdict.unanswered
    if not context.elsewhere or not waits or not limit:
        return Asked(posted=True)
    passed = (now - (second or first).created).total_seconds() >= limit
    if second is not None:
        words = f"CI was asked for twice, last at {second.created:%H:%M} UTC, and nothing has answered"
        return Asked(posted=True, words=words if passed else "")
    due = passed and marker_of(head, again=True) not in context.written
    words = f"CI was asked for at {first.created:%H:%M} UTC, and nothing has answered yet"
    return Asked(posted=True, again=due, words=words)

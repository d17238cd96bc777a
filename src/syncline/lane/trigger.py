"""The comment that starts CI on a head: whether it is there, and whether anything has answered it."""

from dataclasses import dataclass
from datetime import datetime

from syncline.checks.gate import GateState, Verdict
from syncline.config.models import GitHubTable
from syncline.forge.protocol import Proposal
from syncline.git import CommitId
from syncline.git.commit import read_commit
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


def ready_marker(head: CommitId) -> str:
    """The marker of the comment that tells that a head is ready."""
    return f"ready:{head}"


def asked_for_ci(
    context: LaneContext, proposal: Proposal, head: CommitId, verdict: Verdict, now: datetime
) -> Asked:
    """Look at the proposal's comments; nothing is asked for where the lane has no trigger.

    Nothing has answered when the gate waits for a check that has not reported while none is at work: a check that
    comes by itself with every push (a linter, say) is no answer, and one that runs may be it.
    """
    limit = (context.lane.github or GitHubTable()).trigger_again_after
    waits = verdict.state is GateState.WAITING and verdict.unanswered
    if context.lane.ci_trigger is None:
        silent = context.elsewhere and waits and bool(limit)
        return Asked(posted=True, words=_silence(context, proposal, head, now, limit) if silent else "")
    written = {comment.marker: comment for comment in context.forge.comments(proposal.number)}
    first, second = (written.get(marker_of(head, again=again)) for again in (False, True))
    if first is None:
        # The forge may tell of yesterday; what this process wrote it need not be told.
        return Asked(posted=marker_of(head) in context.written)
    if not context.elsewhere or not waits or not limit:
        return Asked(posted=True)
    passed = (now - (second or first).created).total_seconds() >= limit
    if second is not None:
        words = f"CI was asked for twice, last at {second.created:%H:%M} UTC, and nothing has answered"
        words += " (no workflow hears a comment that GITHUB_TOKEN of a workflow made)"
        return Asked(posted=True, words=words if passed else "")
    due = passed and marker_of(head, again=True) not in context.written
    words = f"CI was asked for at {first.created:%H:%M} UTC, and nothing has answered yet"
    return Asked(posted=True, again=due, words=words)


def _silence(context: LaneContext, proposal: Proposal, head: CommitId, now: datetime, limit: float) -> str:
    """Return what a person should know where CI was to start by itself, and has not."""
    since = max(proposal.created, read_commit(context.repository, head).when)
    if (now - since).total_seconds() < limit:
        return ""
    return (
        f"nothing has begun at {head.short} since {since:%H:%M} UTC: a push with GITHUB_TOKEN of a workflow starts"
        " no other workflow; push with an App's token or a deploy key, or set `ci_trigger`"
    )

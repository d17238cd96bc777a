"""The tasks of a proposal: what is open, and what fails by the sync's doing, for whoever is to see to it."""

from dataclasses import dataclass
from datetime import datetime

from syncline.errors import SynclineError
from syncline.forge.protocol import Proposal
from syncline.git import CommitId
from syncline.git.paths import json_path
from syncline.lane.asked import failures, of_conflict
from syncline.lane.context import LaneContext
from syncline.lane.ends import read_ends
from syncline.lane.task_of import task_of
from syncline.lane.triaged import read_triage
from syncline.repair.agents.task import AgentTask


@dataclass(frozen=True, slots=True)
class OpenTask:
    """One thing to be done at a proposal's head."""

    path: bytes
    """Of the conflict or finding; empty for a failure of checks."""
    about: str
    """The path of the conflict, or what fails in words."""
    kind: str
    """The kind of conflict, `failure` or `finding`."""
    task: AgentTask | str
    """Or in words why there is none."""


def open_tasks(context: LaneContext, proposal: Proposal, now: datetime) -> tuple[OpenTask, ...]:
    """Return what is to be done at a proposal's head: its open conflicts; where there are none, its failures.

    Raises:
        SynclineError: the head is not here, or no sync's merge is below it; the lane's playbook is not there.
    """
    repository = context.repository
    ends = read_ends(repository, context.lane)
    head = context.branches.tip(proposal.branch) or CommitId(proposal.head_sha)
    shape = context.shape(head, proposal.run, ends) if repository.has(head) else None
    if shape is None:
        raise SynclineError(
            f"the sync of proposal {proposal.number} is not at its head {head.short}",
            hint="open a new one with: syncline sync " + proposal.lane,
        )
    state = context.state(shape, ends)
    if state.unresolved:
        return tuple(
            OpenTask(
                one.path,
                json_path(one.path),
                one.kind,
                task_of(context, state, of_conflict(context, one), head, proposal),
            )
            for one in state.unresolved
        )
    triage = read_triage(context, head, now.timestamp())
    words = {fault.signature: fault.words for fault in triage.told.faults} if triage.told is not None else {}
    return tuple(
        OpenTask(
            one.finding.path if one.finding else b"",
            f"{json_path(one.finding.path)}: {one.finding.message}" if one.finding else words[one.signature],
            "finding" if one.finding else "failure",
            task_of(context, state, one, head, proposal),
        )
        for one in failures(context, state, triage)
    )

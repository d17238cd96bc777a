"""The tasks of a proposal's open conflicts, for whoever is to settle them."""

from syncline.errors import SynclineError
from syncline.forge.protocol import Proposal
from syncline.git import CommitId
from syncline.lane.context import LaneContext
from syncline.lane.ends import read_ends
from syncline.lane.settled import settled_on_branch
from syncline.lane.shape import target_below
from syncline.merge.model import Decision
from syncline.repair.agents.conflict_task import conflict_task
from syncline.repair.agents.task import AgentTask


def open_tasks(context: LaneContext, proposal: Proposal) -> tuple[tuple[Decision, AgentTask | str], ...]:
    """Return each conflict that is still open at a proposal's head with its task, or with why it has none.

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
    result = context.remade(shape).result
    target = target_below(repository, shape, ends.target)
    _, unresolved = settled_on_branch(repository, shape, result, target)
    return tuple(
        (decision, conflict_task(repository, result, decision, context.lane.agents)) for decision in unresolved
    )

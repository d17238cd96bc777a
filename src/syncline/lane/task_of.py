"""The task of a question: everything an agent, or a person, needs to answer it."""

from syncline.forge.protocol import Proposal
from syncline.git import CommitId
from syncline.lane.asked import Question
from syncline.lane.context import LaneContext
from syncline.lane.state import State
from syncline.repair.agents.conflict_task import conflict_task
from syncline.repair.agents.failure_task import failure_task, finding_task
from syncline.repair.agents.task import AgentTask


def task_of(
    context: LaneContext, state: State, question: Question, head: CommitId, proposal: Proposal
) -> AgentTask | str:
    """Return the task; or, in words, why there is none.

    Args:
        context: the lane.
        state: the run at the proposal's head.
        question: one of its questions.
        head: the commit the answer is put upon.
        proposal: the run's.

    Raises:
        SynclineError: the lane's playbook is not there, or what the forge has of the failure cannot be had.
    """
    repository, lane = context.repository, context.lane
    ours, theirs = state.shape.target, state.shape.source
    if question.decision is not None:
        return conflict_task(repository, state.result, question.decision, lane.agents)
    if question.finding is not None:
        return finding_task(repository, lane, question.finding, ours=ours, theirs=theirs, head=head)
    from syncline.lane.triage.triage import triage_proposal  # noqa: PLC0415 - only where something is red

    report = triage_proposal(context, proposal)
    fault = next((one for one in report.by_the_sync if one.cluster.signature == question.signature), None)
    if fault is None:
        return "the fault does not stand any more"
    return failure_task(
        repository, lane, fault.cluster, ours=ours, theirs=theirs, head=head, verdict=fault.verdict,
        excerpt="\n".join(fault.cluster.first.excerpt),
    )  # fmt: skip

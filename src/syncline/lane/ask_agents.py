"""Asks agents, and puts the answers that stand up to everything on the branch: one commit, pushed with a lease."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from syncline.errors import FenceError, SynclineError
from syncline.forge.protocol import Proposal
from syncline.git import CommitId
from syncline.git.commit import read_commit, write_commit
from syncline.git.paths import json_path
from syncline.lane.actions import AskAgents
from syncline.lane.asked import Question, note, questions
from syncline.lane.context import LaneContext
from syncline.lane.shape import target_below
from syncline.lane.state import State
from syncline.lane.triaged import read_triage
from syncline.propose.commit_message import answered_message
from syncline.propose.settle import trailer_pattern
from syncline.repair.agents.agent import Agent, Limits
from syncline.repair.agents.ask import agents_of, ask
from syncline.repair.agents.conflict_task import conflict_task
from syncline.repair.agents.failure_task import failure_task
from syncline.repair.agents.guard import Guard
from syncline.repair.agents.task import AgentTask
from syncline.repair.agents.verdict import Accepted

Tell = Callable[[str], None]


@dataclass
class _Answers:
    """What became of the questions so far."""

    tip: CommitId
    """The head with the answers that were accepted; nothing points to it."""
    lines: list[str] = field(default_factory=list)
    settled: list[bytes] = field(default_factory=list)
    agents: dict[str, None] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def ask_agents(
    context: LaneContext, state: State, target: CommitId, action: AskAgents, *, now: datetime, tell: Tell
) -> str:
    """Ask about each question of the action, and return what came of it in a sentence.

    Args:
        context: the lane.
        state: the run at the head the action was decided for.
        target: target's tip.
        action: the questions.
        now: the date of the commit.
        tell: is told who is asked and what came of it.

    Raises:
        FenceError: the branch moved meanwhile; nothing was changed.
        SynclineError: the lane's agents cannot be had, or git or the forge refuses.
    """
    proposal = context.forge.proposal(action.number)
    asked = [
        one
        for one in questions(context, state, read_triage(context, state.shape.head, now.timestamp()))
        if one.key in action.keys
    ]
    answers = _Answers(state.shape.head)
    agents = agents_of(context.lane.agents)
    for question in asked:
        _ask(context, state, target, question, answers, proposal, agents, now, tell)
    note(context, answers.refused)
    if answers.tip == state.shape.head:
        return f"no agent's answer was taken: {'; '.join(answers.refused.values()) or 'there was nothing to ask'}"
    commit = _commit(context, state, answers, now)
    if context.branches.tip(proposal.branch) != state.shape.head:
        raise FenceError(f"branch {proposal.branch} moved from {state.shape.head.short}")
    if not proposal.draft:
        context.forge.mark_draft(proposal.number)
    context.branches.advance(proposal.branch, commit, old=state.shape.head)
    left = f", {len(answers.refused)} were refused" if answers.refused else ""
    return f"agents answered {len(answers.lines)} questions in {commit.short}{left}"


def _ask(
    context: LaneContext, state: State, target: CommitId, question: Question, answers: _Answers,
    proposal: Proposal, agents: Sequence[Agent], now: datetime, tell: Tell,
) -> None:  # fmt: skip
    lane, shape = context.lane, state.shape
    try:
        task = _task(context, state, question, answers.tip, proposal)
        if isinstance(task, str):
            answers.refused[question.key] = task
            return
        below = target_below(context.repository, shape, target)
        guard = Guard(context.repository, lane, shape.merge, state.result, answers.tip, below, tell)
        got = ask(agents, task, guard, Limits.of(lane.agents), agree=lane.agents.agree, tell=tell)
    except FenceError:
        raise
    except SynclineError as error:
        # One question that cannot be asked costs no other its answer.
        answers.refused[question.key] = error.message
        return
    names = ", ".join(file.name for file in task.files[:3])
    if not isinstance(got, Accepted):
        answers.refused[question.key] = f"{names}: {'; '.join(got.why)}"
        return
    by = " and ".join(got.agents)
    reason = " ".join(got.reason.split())[:300] or "no reason given"
    answers.lines.append(f"{', '.join(map(json_path, got.edits))}, by {by}: {reason}")
    answers.agents |= dict.fromkeys(got.agents)
    if question.decision is not None:
        answers.settled.append(question.decision.path)
    # Of no ref yet: what the next answer is judged upon.
    answers.tip = write_commit(
        context.repository, tree=got.tree, parents=(answers.tip,), message="answered\n", author=context.person,
        committer=context.person, when=now,
    )  # fmt: skip


def _task(
    context: LaneContext, state: State, question: Question, tip: CommitId, proposal: Proposal
) -> AgentTask | str:
    if question.decision is not None:
        return conflict_task(context.repository, state.result, question.decision, context.lane.agents)
    from syncline.lane.triage.triage import triage_proposal  # noqa: PLC0415 - only where something is red

    report = triage_proposal(context, proposal)
    fault = next((one for one in report.by_the_sync if one.cluster.signature == question.signature), None)
    if fault is None:
        return "the fault does not stand any more"
    return failure_task(
        context.repository, context.lane, fault.cluster, ours=state.shape.target, theirs=state.shape.source,
        head=tip, verdict=fault.verdict, excerpt="\n".join(fault.cluster.first.excerpt),
    )  # fmt: skip


def _commit(context: LaneContext, state: State, answers: _Answers, now: datetime) -> CommitId:
    message = answered_message(
        lines=answers.lines, settled=[trailer_pattern(path) for path in answers.settled],
        agents=tuple(answers.agents), signed_off_by=context.signed_off_by,
    )  # fmt: skip
    return write_commit(
        context.repository, tree=read_commit(context.repository, answers.tip).tree, parents=(state.shape.head,),
        message=message, author=context.person, committer=context.person, when=now, signature=context.signature,
    )  # fmt: skip

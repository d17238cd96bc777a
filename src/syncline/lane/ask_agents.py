"""Asks agents, and puts the answers that stand up to everything on the branch with a lease.

They go into the run's one repair commit; where people have committed above it, into a commit of their own on top.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from syncline.errors import FenceError, SynclineError
from syncline.forge.protocol import Proposal
from syncline.git import CommitId, TreeId
from syncline.git.commit import read_commit, write_commit
from syncline.git.paths import json_path
from syncline.lane import answers_kept
from syncline.lane.actions import AskAgents
from syncline.lane.asked import Question, note, questions, refusals
from syncline.lane.context import LaneContext
from syncline.lane.repair import refuse_broken_promises
from syncline.lane.repair_commit import held, roll, write_repair
from syncline.lane.shape import target_below
from syncline.lane.state import State
from syncline.lane.task_of import task_of
from syncline.lane.triaged import read_triage
from syncline.propose.commit_message import answered_message
from syncline.propose.settle import trailer_pattern
from syncline.repair.agents.agent import Agent, Limits
from syncline.repair.agents.ask import agents_of, ask
from syncline.repair.agents.guard import Guard
from syncline.repair.agents.task import AgentTask
from syncline.repair.agents.verdict import Accepted, Held, Refused

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A question whose answer only the tree around it speaks against."""

    question: Question
    task: AgentTask
    held: Held


@dataclass
class _Answers:
    """What became of the questions so far."""

    tip: CommitId
    """The head with the answers that were accepted; nothing points to it."""
    lines: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """Of the questions that were answered."""
    settled: list[bytes] = field(default_factory=list)
    mended: int = 0
    """Failures that were answered."""
    agents: dict[str, None] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    waiting: list[_Waiting] = field(default_factory=list)


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
    there = questions(context, state, read_triage(context, state.shape.head, now.timestamp()))
    asked = [one for one in there if one.key in action.keys]
    answers = _Answers(state.shape.head)
    round_ = _Round(context, state, target, proposal, answers, now, tell)
    agents = agents_of(context.lane.agents)
    over = ""
    for question in asked:
        over = over or context.spent.over(context.lane.agents)
        if over:
            break
        round_.ask(question, agents)
    round_.take_up([one for one in there if one.key in refusals(context, there)])
    round_.judge_again()
    note(context, answers.refused)
    if answers.tip == state.shape.head:
        why = "; ".join([*answers.refused.values(), *([over] if over else [])])
        return f"no agent's answer was taken: {why or 'there was nothing to ask'}"
    if context.branches.tip(proposal.branch) != state.shape.head:
        raise FenceError(f"branch {proposal.branch} moved from {state.shape.head.short}")
    if user := context.branches.checked_out(proposal.branch):
        raise FenceError(f"branch {proposal.branch} was checked out at {user} meanwhile")
    if not proposal.draft:
        context.forge.mark_draft(proposal.number)
    commit = _put(context, state, proposal.branch, answers, now, tell)
    context.answered.update(answers.keys)
    left = f", {len(answers.refused)} refused" if answers.refused else ""
    number = f"{len(answers.lines)} question{'s' if len(answers.lines) != 1 else ''}"
    return f"agents answered {number} in {commit.short}{left}{f'; {over}' if over else ''}"


@dataclass
class _Round:
    """Asks one question after the other; each answer is judged upon those before."""

    context: LaneContext
    state: State
    target: CommitId
    proposal: Proposal
    answers: _Answers
    now: datetime
    tell: Tell

    def ask(self, question: Question, agents: Sequence[Agent]) -> None:
        """Ask about one question, and take the answer over or note why not."""
        context, answers = self.context, self.answers
        try:
            task = task_of(context, self.state, question, answers.tip, self.proposal)
            if isinstance(task, str):
                answers.refused[question.key] = task
                return
            got = self._kept(task) or ask(
                agents, task, self._guard(), Limits.of(context.lane.agents), agree=context.lane.agents.agree,
                tell=self.tell,
            )  # fmt: skip
        except FenceError:
            raise
        except SynclineError as error:
            # One question that cannot be asked costs no other its answer.
            answers.refused[question.key] = error.message
            return
        context.spent.add(got.cost)
        self._judged(question, task, got)

    def take_up(self, questions: Sequence[Question]) -> None:
        """Judge answers of earlier rounds again that did not fit the tree of then, where others came since."""
        if not self.answers.lines and not self.answers.waiting:
            return
        for question in questions:
            if question.decision is None or question.key in self.answers.refused:
                continue
            task = task_of(self.context, self.state, question, self.answers.tip, self.proposal)
            got = self._kept(task) if not isinstance(task, str) else None
            if got is not None and not isinstance(task, str):
                self._judged(question, task, got)

    def _judged(self, question: Question, task: AgentTask, got: Accepted | Refused) -> None:
        answers = self.answers
        if isinstance(got, Accepted):
            answers_kept.keep(self.context, task, got)
            self._take(got.tree, [(question, got)])
            return
        answers.refused[question.key] = f"{_names(task)}: {'; '.join(got.why)}"
        if got.held is not None:
            answers_kept.keep(self.context, task, got.held)
            answers.waiting.append(_Waiting(question, task, got.held))

    def judge_again(self) -> None:
        """Judge answers again that did not fit the tree they were given for: one by one, then all together."""
        progress = bool(self.answers.lines)
        while progress and self.answers.waiting:
            progress = False
            for one in tuple(self.answers.waiting):
                progress |= self._judge([one])
        if len(self.answers.waiting) > 1:
            self._judge(list(self.answers.waiting))

    def _judge(self, waiting: Sequence[_Waiting]) -> bool:
        names = ", ".join(_names(one.task) for one in waiting)
        self.tell(f"judging the answer about {names} again")
        try:
            judged = self._guard().fits([(one.task, one.held) for one in waiting])
        except SynclineError as error:
            judged = error.message
        if not isinstance(judged, TreeId):
            self.tell(f"it does not fit: {judged}")
            return False
        for one in waiting:
            self.answers.waiting.remove(one)
            del self.answers.refused[one.question.key]
        self._take(judged, [(one.question, one.held) for one in waiting])
        return True

    def _kept(self, task: AgentTask) -> Accepted | Refused | None:
        """Return how what these agents answered to the same task before stands; None where it can be of no use."""
        found = answers_kept.kept(self.context, task)
        if found is None:
            return None
        answer, agents = found
        judged = self._guard().judge(task, answer, Limits.of(self.context.lane.agents))
        if isinstance(judged, Refused):
            if judged.held is None:
                return None
            judged = replace(judged, held=replace(judged.held, agents=agents))
        else:
            judged = replace(judged, agents=agents)
        self.tell(f"{' and '.join(agents)} answered about {_names(task)} before")
        return judged

    def _guard(self) -> Guard:
        context, shape = self.context, self.state.shape
        below = target_below(context.repository, shape, self.target)
        unresolved = {decision.path for decision in self.state.unresolved} - set(self.answers.settled)
        return Guard(
            context.repository, context.lane, shape.merge, self.state.result, self.answers.tip, below, self.tell,
            frozenset(unresolved),
        )  # fmt: skip

    def _take(self, tree: TreeId, taken: Sequence[tuple[Question, Accepted | Held]]) -> None:
        answers, context = self.answers, self.context
        for question, got in taken:
            by = " and ".join(got.agents)
            reason = " ".join(got.reason.split())[:300] or "no reason given"
            answers.lines.append(f"{', '.join(map(json_path, got.edits))}, by {by}: {reason}")
            answers.agents |= dict.fromkeys(got.agents)
            answers.keys.append(question.key)
            if question.decision is not None:
                answers.settled.append(question.decision.path)
            else:
                answers.mended += 1
        # Of no ref yet: what the next answer is judged upon.
        answers.tip = write_commit(
            context.repository, tree=tree, parents=(answers.tip,), message="answered\n", author=context.person,
            committer=context.person, when=self.now,
        )  # fmt: skip


def _names(task: AgentTask) -> str:
    return ", ".join(file.name for file in task.files[:3])


def _put(
    context: LaneContext, state: State, branch: str, answers: _Answers, now: datetime, tell: Tell
) -> CommitId:
    """Put the answers on the branch: syncline's own commit is rolled on, people's stay below.

    So does its own where the remote takes no commit back.
    """
    shape = state.shape
    tree = read_commit(context.repository, answers.tip).tree
    settled = [trailer_pattern(path) for path in answers.settled]
    if shape.own:
        holds = held(context.repository, shape)
        holds = holds.with_answers(answers.lines, tuple(answers.agents), settled, mended=bool(answers.mended))
        commit = write_repair(context, shape.run, shape.merge.oid, tree, holds, now)
        refuse_broken_promises(context, shape.merge.oid, commit)
        why = roll(context, shape, branch, commit)
        if not why:
            return commit
        tell(f"the repair commit cannot be replaced, the answers go above it: {why}")
    message = answered_message(
        lines=answers.lines,
        settled=settled,
        agents=tuple(answers.agents),
        mended=bool(answers.mended),
        tree=tree,
        parent=shape.head,
        signed_off_by=context.signed_off_by,
    )
    commit = write_commit(
        context.repository, tree=tree, parents=(shape.head,), message=message, author=context.person,
        committer=context.person, when=now, signature=context.signature,
    )  # fmt: skip
    context.branches.advance(branch, commit, old=shape.head)
    return commit

"""Asking agents about one task: in order, within limits, and two that agree where the lane wants that."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from syncline.config.models import AgentSettings, AskedAgent
from syncline.errors import SynclineError
from syncline.repair.agents import room
from syncline.repair.agents.agent import Agent, AgentError, Limits
from syncline.repair.agents.agree import difference
from syncline.repair.agents.answer import Answer, Cost
from syncline.repair.agents.command import CommandAgent
from syncline.repair.agents.guard import Guard
from syncline.repair.agents.task import AgentTask
from syncline.repair.agents.verdict import Accepted, Held, Refused
from syncline.secrets.hide import hidden

_TWO = 2


def agents_of(settings: AgentSettings) -> tuple[Agent, ...]:
    """Return the agents of a lane, in the order in which they are asked; none where agents are off.

    Raises:
        SynclineError: a model is named, and what asks models is not installed.
    """
    return tuple(_agent(asked) for asked in settings.ask)


def _agent(asked: AskedAgent) -> Agent:
    if asked.model is not None:
        from syncline.repair.agents.model import ModelAgent  # noqa: PLC0415 - an extra, which few install

        return ModelAgent.of(asked.name, asked.model)
    assert asked.command is not None  # noqa: S101 - the configuration has one of the two
    return CommandAgent(asked.name, asked.command, asked.answer, asked.pass_env, asked.network)


def ask(
    agents: Sequence[Agent],
    task: AgentTask,
    guard: Guard,
    limits: Limits,
    *,
    agree: bool = False,
    tell: Callable[[str], None] = lambda _text: None,
) -> Accepted | Refused:
    """Ask agents, one after the other, until an answer is accepted; nothing is changed either way.

    Args:
        agents: whom to ask, in this order; each is given a room of its own.
        task: what.
        guard: who judges the answers.
        limits: how far each may go.
        agree: whether two of them must come to the same text; if the first two answers that stand differ, there is
            none.
        tell: is told who is asked, and what came of it.

    Raises:
        GitError: missing objects.
    """
    if not agents:
        return Refused(("no agent is configured",))
    round_ = _Round(task, guard, limits, tell)
    first: Accepted | None = None
    for agent in agents:
        accepted = round_.ask(agent)
        if accepted is None:
            continue
        if not agree:
            return replace(accepted, cost=round_.cost, refused=tuple(round_.refused))
        if first is None:
            first = accepted
            continue
        names = first.agents + accepted.agents
        if apart := difference(first.edits, accepted.edits):
            return Refused((*round_.refused, f"{' and '.join(names)} do not agree: {apart}"), round_.cost)
        return replace(first, agents=names, cost=round_.cost, refused=tuple(round_.refused))
    if first is not None:
        round_.refused.append(f"{first.agents[0]} found an answer, and nobody was there to agree with it")
    return Refused(tuple(round_.refused), round_.cost, _held(round_.held, agree=agree))


def _held(held: Sequence[Held], *, agree: bool) -> Held | None:
    """Return the answer to be judged again; where two must agree, the one that the first two came to."""
    if not agree:
        return held[0] if held else None
    if len(held) < _TWO or difference(held[0].edits, held[1].edits):
        return None
    return replace(held[0], agents=held[0].agents + held[1].agents)


@dataclass
class _Round:
    task: AgentTask
    guard: Guard
    limits: Limits
    tell: Callable[[str], None]
    cost: Cost = field(default_factory=Cost)
    refused: list[str] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)

    def ask(self, agent: Agent) -> Accepted | None:
        """Return an agent's answer, if it is accepted; else it is noted why not."""
        self.tell(f"asking {agent.name} about {', '.join(file.name for file in self.task.files[:3])}")
        begun = time.monotonic()
        try:
            with room.opened(self.task) as place:
                answer = agent.solve(self.task, place, self.limits)
        except AgentError as error:
            self.cost += Cost(time.monotonic() - begun)
            return self._refuse(agent, error)
        # What it says of its own time counts for nothing.
        answer = replace(answer, cost=replace(answer.cost, seconds=time.monotonic() - begun))
        self.cost += answer.cost
        if over := _over(answer, self.limits):
            return self._refuse(agent, over)
        judged = self.guard.judge(self.task, answer, self.limits)
        if isinstance(judged, Refused):
            if judged.held is not None:
                self.held.append(replace(judged.held, agents=(agent.name,)))
            return self._refuse(agent, *judged.why)
        self.tell(f"{agent.name}'s answer is accepted")
        return replace(judged, agents=(agent.name,))

    def _refuse(self, agent: Agent, *why: str | SynclineError) -> None:
        words = "; ".join(
            f"{one.message} ({one.hint})" if isinstance(one, SynclineError) and one.hint else str(one)
            for one in why
        )
        self.refused.append(hidden(f"{agent.name}: {words}"))
        self.tell(f"refused: {self.refused[-1]}")


def _over(answer: Answer, limits: Limits) -> str:
    """Return which limit an answer broke, by what the agent itself says it took."""
    cost = answer.cost
    for took, most, what in (
        (cost.turns, limits.turns, "turns"),
        (cost.tokens, limits.tokens, "tokens"),
        (cost.money, limits.money, "of money"),
    ):
        if took is not None and most is not None and took > most:
            return f"it took {took:,} {what}; {most:,} are allowed"
    return ""

"""Who is asked by `syncline replay --agent`: a command, or an agent of the lane, seen to be there."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from syncline.errors import ConfigError
from syncline.repair.agents.agent import Agent, Limits
from syncline.repair.agents.ask import agents_of
from syncline.repair.agents.command import CommandAgent

if TYPE_CHECKING:
    from syncline.config.models import Lane


def agent_named(asked: str, lane: "Lane | None") -> tuple[Agent, Limits]:
    """Return the agent and how far it may go.

    Args:
        asked: what `--agent` was given: the name of one of the lane's agents, or else a command.
        lane: whose; may be None.

    Raises:
        SynclineError: it is no command, or its program cannot be started.
    """
    known = {} if lane is None else {one.name: one for one in agents_of(lane.agents)}
    agent = known.get(asked) or _command(asked)
    if isinstance(agent, CommandAgent):
        agent.require()
    return agent, Limits() if lane is None else Limits.of(lane.agents)


def _command(asked: str) -> CommandAgent:
    try:
        words = shlex.split(asked)
    except ValueError as error:
        raise ConfigError(f"--agent {asked!r} is no command: {error}", hint="close its quotes") from error
    if not words:
        raise ConfigError("--agent is empty", hint="name a command, or with --lane one of its agents")
    program, *rest = words
    # It runs in a room of its own: what was typed here is meant from here.
    where = str(Path(program).absolute()) if "/" in program else program
    return CommandAgent(program, (where, *rest))

"""Who is asked, and how far they may go. The Protocol that every agent keeps."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from syncline.config.models import AgentSettings
from syncline.errors import SynclineError
from syncline.repair.agents.answer import Answer
from syncline.repair.agents.task import AgentTask


class AgentError(SynclineError):
    """An agent gave no usable answer: it could not be run, broke a limit, or said what cannot be read."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one answer may go."""

    seconds: float = 900.0
    turns: int = 40
    tokens: int = 500_000
    money: float | None = None
    """In whatever the agent counts; None: not bounded here."""
    files: int = 20
    bytes: int = 1_000_000
    """Of all files of an answer together."""
    output: int = 4_000_000
    """Bytes that a command may print."""

    @classmethod
    def of(cls, settings: AgentSettings) -> "Limits":
        """Return what a lane allows."""
        allowed = settings.bytes
        return cls(
            settings.seconds, settings.turns, settings.tokens, settings.money, settings.files, allowed,
            # An answer is text in JSON, where one byte may take six characters.
            output=6 * allowed + 1_000_000,
        )  # fmt: skip


class Agent(Protocol):
    """Anybody who answers tasks."""

    @property
    def name(self) -> str:
        """What it is called in messages, commits and records."""
        ...

    def solve(self, task: AgentTask, room: Path, limits: Limits) -> Answer:
        """Answer a task.

        Args:
            task: the task.
            room: a directory that holds the task's files and nothing else; it is thrown away afterwards.
            limits: how far it may go.

        Raises:
            AgentError: there is no answer.
        """
        ...

"""Answers that were given before, from files: the same every time, for tests and for looking at a run again."""

import json
from dataclasses import dataclass
from pathlib import Path

from syncline.repair.agents.agent import Agent, AgentError, Limits
from syncline.repair.agents.answer import Answer, NoAnswerError, answer_as_json, read_answer
from syncline.repair.agents.task import AgentTask
from syncline.whole_file import written_beside


@dataclass(frozen=True, slots=True)
class RecordedAgent:
    """Answers from a directory with a file TASK-ID.json for each task, as a command would print it."""

    directory: Path
    name: str = "recorded"

    def solve(self, task: AgentTask, room: Path, limits: Limits) -> Answer:  # noqa: ARG002 - the Protocol's
        """Return the answer that is recorded for the task (see `Agent`)."""
        file = self.directory / f"{task.id}.json"
        try:
            return read_answer(file.read_bytes())
        except FileNotFoundError:
            raise AgentError(f"no answer to task {task.id} is recorded in {self.directory}") from None
        except OSError as error:
            raise AgentError(f"the recorded answer {file} cannot be read: {error.strerror}") from error
        except NoAnswerError as error:
            raise AgentError(f"{file}: {error.message}", hint=error.hint) from error


@dataclass(frozen=True, slots=True)
class Recorder:
    """Asks an agent, and keeps what it answers for a `RecordedAgent`."""

    agent: Agent
    directory: Path

    @property
    def name(self) -> str:
        """The name of the agent that is asked."""
        return self.agent.name

    def solve(self, task: AgentTask, room: Path, limits: Limits) -> Answer:
        """Ask the agent, and write its answer down (see `Agent`)."""
        answer = self.agent.solve(task, room, limits)
        self.directory.mkdir(parents=True, exist_ok=True)
        file = self.directory / f"{task.id}.json"
        document = json.dumps(answer_as_json(answer), indent=1) + "\n"
        with written_beside(file, document.encode(), mode=0o644) as beside:
            beside.replace(file)
        return answer

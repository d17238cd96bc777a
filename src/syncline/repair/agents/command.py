"""An agent that is a command: the task on its standard input, the answer on its standard output or in its files.

It is started without a shell; nothing of the repository, of logs or comments is ever part of its arguments. Its
environment holds none of syncline's, but the variables that people named for it; its home is a new directory.
Both documents are told in docs/agents.md.
"""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from syncline.checks.model import Conclusion
from syncline.git.scratch import Scratch
from syncline.programs.apart import apart, confined
from syncline.programs.find_program import find_program
from syncline.programs.logfile import BoundedLog, one_line
from syncline.programs.process import Ended
from syncline.programs.sealed import run_sealed
from syncline.repair.agents.agent import AgentError, Limits
from syncline.repair.agents.answer import Answer, Cost, Edit, NoAnswerError, read_answer
from syncline.repair.agents.document import as_json
from syncline.repair.agents.edits import contents
from syncline.repair.agents.room import read_back
from syncline.repair.agents.task import AgentTask
from syncline.secrets.hide import HIDDEN, hidden

TASK = "SYNCLINE_TASK"
"""The variable with the path of the task's document, for programs that want a file."""
_LOG = 4_000_000
"""Bytes kept of what it says beside its answer."""
_SECRET = 8
"""Characters from which a variable's value is looked for in an answer: a shorter one is in any text."""


@dataclass(frozen=True, slots=True)
class CommandAgent:
    """A command that answers tasks."""

    name: str
    command: tuple[str, ...]
    answer: Literal["json", "files"] = "json"
    """Whether the answer is the JSON it prints, or what it leaves in the files."""
    pass_env: tuple[str, ...] = ()
    """Names of variables that it gets of syncline's environment."""
    network: bool = False

    def require(self) -> None:
        """See that its program is there, before it is asked again and again.

        Raises:
            AgentError: it cannot be started.
        """
        program = self.command[0]
        if find_program(program) is None:
            where = "is no program at that place" if "/" in program else "is no program on PATH"
            raise AgentError(
                f"agent {self.name!r} cannot be started: `{program}` {where}",
                hint="install it where syncline runs, or give its whole path",
            )

    def solve(self, task: AgentTask, room: Path, limits: Limits) -> Answer:
        """Run the command on a task (see `Agent`)."""
        before = apart(network=self.network)
        if before is None:
            raise AgentError(
                "it is to run without network, and this kernel lets nobody shut that off (unshare failed)",
                hint='allow user namespaces, or write network = true in its "ask" table and see to it otherwise',
            )
        passed = self._passed()
        scratch = Scratch.make()
        try:
            return self._solve(task, room, limits, scratch.path, before, passed)
        finally:
            scratch.remove()

    def _solve(
        self, task: AgentTask, room: Path, limits: Limits, aside: Path, before: tuple[str, ...],
        passed: dict[str, str],
    ) -> Answer:  # fmt: skip
        given, printed = aside / "task.json", aside / "printed"
        given.write_text(json.dumps(as_json(task, limits), ensure_ascii=True) + "\n")
        places = {"HOME": aside / "home", "TMPDIR": aside / "tmp"}
        for place in places.values():
            place.mkdir()
        words = (*before, *confined(room, *places.values()), *self.command)
        variables = passed | {name: str(place) for name, place in places.items()} | {TASK: str(given)}
        begun = time.monotonic()
        with BoundedLog(aside / "log", limit=_LOG, head=_LOG // 4) as log:
            ended = run_sealed(
                words, room, limits.seconds, log, variables=variables, given=given,
                output=printed if self.answer == "json" else None,
                stop=lambda: _size(printed) > limits.output,
            )  # fmt: skip
        seconds = time.monotonic() - begun
        self._must_have_ended_well(ended, printed, limits, passed)
        if self.answer == "json":
            answer = self._read(printed)
        else:
            answer = Answer((), _told(ended, passed) or "it gave no reason", in_room=True)
        left = read_back(room, task, limits)
        answer = _with_room(task, answer, left)
        _keeps_secrets(answer, passed)
        cost = answer.cost
        return replace(answer, cost=Cost(seconds, cost.turns, cost.tokens, cost.money))

    def _passed(self) -> dict[str, str]:
        missing = [name for name in self.pass_env if name not in os.environ]
        if missing:
            raise AgentError(
                f"it is to get the variable {missing[0]}, which is not set", hint="set it where syncline runs"
            )
        return {name: os.environ[name] for name in self.pass_env}

    @staticmethod
    def _read(printed: Path) -> Answer:
        try:
            return read_answer(printed.read_bytes())
        except FileNotFoundError:
            raise AgentError("it printed nothing; one JSON document was wanted") from None
        except NoAnswerError as error:
            raise AgentError(error.message, hint=error.hint) from error

    @staticmethod
    def _must_have_ended_well(ended: Ended, printed: Path, limits: Limits, passed: Mapping[str, str]) -> None:
        if _size(printed) > limits.output:
            raise AgentError(f"it printed more than {limits.output:,} bytes")
        if ended.conclusion is Conclusion.SUCCESS:
            return
        raise AgentError(f"it gave no answer: {_told(ended, passed)}")


def _told(ended: Ended, passed: Mapping[str, str]) -> str:
    """Return how it ended, in words that hold no secret."""
    words = ended.summary
    for value in passed.values():
        if len(value) >= _SECRET:
            words = words.replace(value, HIDDEN)
    return one_line(hidden(words))


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _with_room(task: AgentTask, answer: Answer, left: Mapping[bytes, bytes | None]) -> Answer:
    """Return the answer with the edits that were made in the room.

    Raises:
        AgentError: something else was answered than was edited.
    """
    before = {file.path: file.merged for file in task.files}
    changed = {path: content for path, content in left.items() if content != before[path]}
    if answer.in_room:
        names = {file.path: file.name for file in task.files}
        edits = tuple(
            Edit(names[path], content) if content is not None else Edit(names[path], delete=True)
            for path, content in changed.items()
        )
        return replace(answer, edits=edits, in_room=False)
    if changed:
        try:
            said = contents(task, answer)
        except NoAnswerError as error:
            raise AgentError(error.message) from error
        other = [path for path, content in changed.items() if path not in said or said[path] != content]
        if other:
            name = next(file.name for file in task.files if file.path == other[0])
            raise AgentError(f"it edited {name} in its room, and answered something else")
    return answer


def _keeps_secrets(answer: Answer, passed: Mapping[str, str]) -> None:
    texts = [answer.reason.encode("utf-8", "surrogatepass")]
    for edit in answer.edits:
        texts += [
            edit.content or b"",
            *(text for _, text in edit.hunks),
            edit.path.encode("utf-8", "surrogatepass"),
        ]
    for name, value in passed.items():
        secret = value.encode("utf-8", "surrogateescape")
        if len(secret) >= _SECRET and any(secret in text for text in texts):
            raise AgentError(f"its answer holds the value of the variable {name}, which it was given")

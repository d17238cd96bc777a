"""Answers that are right by themselves, kept in the git directory: asking costs, and they are wanted again.

They are judged anew wherever they are used, so nothing depends on them but what is paid.
"""

import hashlib
import json
from pathlib import Path

from syncline.lane.context import LaneContext
from syncline.repair.agents.answer import Answer, Edit, NoAnswerError, answer_as_json, read_answer
from syncline.repair.agents.task import AgentTask
from syncline.repair.agents.verdict import Accepted, Held
from syncline.whole_file import written_beside

_KEPT = 500
"""Answers kept, the newest ones."""


def keep(context: LaneContext, task: AgentTask, accepted: Accepted | Held) -> None:
    """Keep an answer; on a disk that refuses, it is asked for again some day."""
    edits = tuple(
        Edit(file.name, content=accepted.edits[file.path], delete=accepted.edits[file.path] is None)
        for file in task.files
        if file.path in accepted.edits
    )
    document = {"agents": list(accepted.agents), "answer": answer_as_json(Answer(edits, accepted.reason))}
    place = _place(context, task)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(place, json.dumps(document).encode(), mode=0o600) as beside:
            beside.replace(place)
        kept = sorted(place.parent.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        for old in kept[_KEPT:]:
            old.unlink(missing_ok=True)
    except OSError:
        return


def kept(context: LaneContext, task: AgentTask) -> tuple[Answer, tuple[str, ...]] | None:
    """Return the answer that these agents gave to this task before, and whose it is; None where there is none."""
    try:
        document = json.loads(_place(context, task).read_bytes())
        answer = read_answer(json.dumps(document["answer"]).encode())
        return answer, tuple(str(name) for name in document["agents"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError, NoAnswerError):
        return None  # nobody answered yet, or what was kept is no use


def _place(context: LaneContext, task: AgentTask) -> Path:
    # Agents that were configured anew are asked anew.
    told = f"{context.lane.agents.model_dump_json()}\0{task.id}"
    name = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return context.repository.state_dir / "cache" / "agents" / "answers" / f"{name}.json"

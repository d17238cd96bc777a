"""What an answer makes of the files of its task. Pure: nothing is written."""

from syncline.repair.agents.answer import Answer, Edit, NoAnswerError
from syncline.repair.agents.task import AgentTask, TaskFile


def contents(task: AgentTask, answer: Answer) -> dict[bytes, bytes | None]:
    """Return the whole content of each file that the answer edits; None where it deletes one.

    Raises:
        NoAnswerError: it touches what is not of the task, deletes what must stay, or leaves a hunk unanswered.
    """
    known = task.by_name
    found: dict[bytes, bytes | None] = {}
    for edit in answer.edits:
        file = known.get(edit.path)
        if file is None:
            raise NoAnswerError(f"it edits {_shown(edit.path)}, which is not of its task ({_paths(task)})")
        found[file.path] = _content(file, edit)
    return found


def _content(file: TaskFile, edit: Edit) -> bytes | None:
    if edit.delete:
        if not file.may_delete:
            raise NoAnswerError(f"it deletes {file.name}, which no side deleted")
        return None
    if edit.content is not None:
        return edit.content
    answers = dict(edit.hunks)
    opened = {hunk.index for hunk in file.hunks if hunk.settled is None}
    if not opened:
        raise NoAnswerError(f"it answers hunks of {file.name}, which has no open ones")
    if answers.keys() != opened:
        missing, wrong = sorted(opened - answers.keys()), sorted(answers.keys() - opened)
        words = [f"leaves hunk {missing[0]} open"] if missing else []
        words += [f"answers hunk {wrong[0]}, which is none of its open ones"] if wrong else []
        raise NoAnswerError(f"in {file.name} it {' and '.join(words)}")
    return file.with_hunks({index: _ended(file, index, text) for index, text in answers.items()})


def _ended(file: TaskFile, index: int, text: bytes) -> bytes:
    """Return a hunk's text with the line end that the sides' have: what follows must not run on into it."""
    hunk = next(hunk for hunk in file.hunks if hunk.index == index)
    if not text or text.endswith(b"\n"):
        return text
    sides = [side for side in (hunk.ours, hunk.theirs) if side]
    last = file.parts[-1] == index
    if last and any(not side.endswith(b"\n") for side in sides):
        return text
    return text + (b"\r\n" if any(side.endswith(b"\r\n") for side in sides) else b"\n")


def _shown(path: str) -> str:
    return (
        path[:200].encode("ascii", "backslashreplace").decode("ascii").replace("\n", "\\n").replace("\x1b", "\\e")
    )


def _paths(task: AgentTask) -> str:
    names = [file.name for file in task.files]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")

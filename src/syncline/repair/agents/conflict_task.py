"""The task of one open conflict: everything that is known of it, gathered."""

import hashlib
from collections.abc import Iterator

from syncline.config.models import AgentSettings
from syncline.git import Entry, Repository
from syncline.git.history import merge_bases
from syncline.merge.case import FileCase
from syncline.merge.hunks import Hunk
from syncline.merge.model import Conflict, ConflictKind, Decision, HunkDecision, MergeResult, Side, Status
from syncline.merge.read_cases import read_case
from syncline.merge.text.syntax import units_of
from syncline.repair.agents.commits import commits_behind
from syncline.repair.agents.guidance import lessons_for, playbook
from syncline.repair.agents.task import AgentTask, TaskFile, TaskHunk, TaskKind

_KINDS = frozenset((ConflictKind.CONTENT, ConflictKind.ADD_ADD, ConflictKind.MODIFY_DELETE))
"""What is a matter of the text of one file."""
LARGEST = 1_000_000
"""Bytes of a version; what is larger was written by no person."""


def conflict_task(
    repository: Repository, result: MergeResult, decision: Decision, settings: AgentSettings
) -> AgentTask | str:
    """Return the task of an open conflict; or, in words, why no agent can be asked about it.

    Args:
        repository: where the commits are.
        result: the merge, made in memory.
        decision: one of its unresolved ones.
        settings: the lane's lessons, playbook and commands.

    Raises:
        GitError: missing objects.
        SynclineError: the lane's playbook is not there.
    """
    conflict = decision.conflict
    if conflict is None:
        return "git merged it; which side is wanted is a rule's to say"
    if conflict.kind not in _KINDS or set(conflict.also) - _KINDS or len(conflict.group) > 1 or conflict.aside:
        return f"a conflict of kind {conflict.kind.value} is about where files are, not about a text"
    merged = repository.entry(result.git_tree, conflict.path)
    case = read_case(repository, conflict, merged, result.ours, result.theirs)
    file = _text_file(case, decision.hunks) if case is not None else whole_file(repository, conflict, merged)
    if isinstance(file, str):
        return file
    return AgentTask(
        id=task_id(file),
        kind=TaskKind.CONFLICT,
        files=(file,),
        symbols=tuple(dict.fromkeys(_symbols(file, case))),
        commits=commits_behind(
            repository, ours=result.ours, theirs=result.theirs, paths=(file.path,),
            bases=merge_bases(repository, result.ours, result.theirs),
        ),
        lessons=lessons_for(settings, (file.path,)),
        playbook=playbook(repository, settings, result.ours),
        conflict=conflict,
        must_pass=settings.must_pass,
    )  # fmt: skip


def open_conflicts(
    repository: Repository, result: MergeResult, settings: AgentSettings
) -> Iterator[tuple[Decision, AgentTask | str]]:
    """Yield each open decision of a merge with its task, or with why it has none."""
    for decision in result.unresolved:
        yield decision, conflict_task(repository, result, decision, settings)


def task_of_text(case: FileCase, hunks: tuple[HunkDecision, ...] = ()) -> TaskFile:
    """Return a conflicted text as a task has it, with what was decided of its hunks."""
    decided = {hunk.index: hunk for hunk in hunks}
    parts: list[bytes | int] = []
    room: list[bytes] = []
    near, line, index = [], 1, 0
    told = []
    for part in case.cut.parts:
        if not isinstance(part, Hunk):
            parts.append(b"".join(part))
            room.append(b"".join(part))
        else:
            hunk = _hunk(case, index, part, decided.get(index))
            told.append(hunk)
            parts.append(index)
            if hunk.settled is None:
                near.append(line)
            room.append(_marked(part) if hunk.settled is None else hunk.settled)
            index += 1
        line += room[-1].count(b"\n")
    base = case.base if case.has_base else None
    return TaskFile(
        case.path, base, case.ours, case.theirs, b"".join(room), tuple(near), tuple(told), tuple(parts)
    )


def _text_file(case: FileCase, hunks: tuple[HunkDecision, ...]) -> TaskFile | str:
    if any(len(text) > LARGEST for text in (case.base, case.ours, case.theirs)):
        return f"a version has more than {LARGEST:,} bytes"
    return task_of_text(case, hunks)


def whole_file(repository: Repository, conflict: Conflict, merged: Entry | None) -> TaskFile | str:
    """Return a file that one side deleted and the other changed."""
    stages = conflict.stages
    versions = (stages.base, stages.ours, stages.theirs)
    if conflict.kind is not ConflictKind.MODIFY_DELETE or merged is None:
        return f"a conflict of kind {conflict.kind.value} without texts is for people"
    if any(entry is not None and not entry.mode.is_file for entry in versions):
        return "a version is a link or a submodule"
    base, ours, theirs = (None if entry is None else repository.blob(entry.oid) for entry in versions)
    texts = [text for text in (base, ours, theirs) if text is not None]
    if any(len(text) > LARGEST or b"\0" in text[:8192] for text in texts):
        return "a version is binary or larger than any person writes"
    kept = ours if ours is not None else theirs
    return TaskFile(conflict.path, base, ours, theirs, kept, may_delete=True)


def _hunk(case: FileCase, index: int, part: Hunk, decided: HunkDecision | None) -> TaskHunk:
    offers = decided.offers if decided is not None else ()
    settled = None
    if decided is not None and decided.status is Status.RESOLVED and offers:
        best = offers[0]
        lines = part.ours if best.side is Side.OURS else part.theirs if best.side is Side.THEIRS else best.lines
        settled = None if lines is None else b"".join(lines)
    return TaskHunk(
        index=index,
        line=part.line,
        base=b"".join(case.hunks[index].base),
        ours=b"".join(part.ours),
        theirs=b"".join(part.theirs),
        settled=settled,
        candidates=offers,
        evidence=decided.evidence if decided is not None else (),
    )


def _marked(hunk: Hunk) -> bytes:
    """Return an open hunk with markers, as git writes them."""
    end = hunk.ending
    ours, theirs = (
        b"".join(side) + (end if side and not side[-1].endswith(b"\n") else b"")
        for side in (hunk.ours, hunk.theirs)
    )
    return b"<<<<<<< ours" + end + ours + b"=======" + end + theirs + b">>>>>>> theirs" + end


def _symbols(file: TaskFile, case: FileCase | None) -> Iterator[str]:
    """Yield the names that stand around the open hunks, in either side."""
    if case is None:
        return
    for hunk in file.hunks:
        if hunk.settled is not None:
            continue
        at = case.hunks[hunk.index].at
        for content, span in ((case.ours, at.ours), (case.theirs, at.theirs)):
            for unit in units_of(case.path, content):
                last = content.count(b"\n", 0, unit.end) + 1
                if unit.line <= max(span.end, span.start + 1) and last > span.start:
                    yield unit.name.decode("utf-8", "replace").split("\n")[0][:100]


def task_id(file: TaskFile) -> str:
    """Return what names the question: the path, and what the sides say in what is open."""
    told = hashlib.sha256(b"conflict\0" + file.path)
    texts = [text for hunk in file.hunks if hunk.settled is None for text in (hunk.base, hunk.ours, hunk.theirs)]
    for text in texts or [file.base, file.ours, file.theirs]:
        told.update(b"\0-" if text is None else b"\0+%d\0" % len(text) + text)
    return told.hexdigest()[:16]

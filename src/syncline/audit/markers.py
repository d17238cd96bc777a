"""Conflict markers that no side had."""

from collections.abc import Iterator

from syncline.audit.finding import Finding, Severity
from syncline.audit.merged_files import MergedFile
from syncline.audit.open_conflicts import MARKERS, has_markers
from syncline.audit.task import Task
from syncline.git import Repository


def left_markers(repository: Repository, files: list[MergedFile]) -> Iterator[Finding]:
    """Yield a finding for each merged file with markers, unless a side has them too (a test of a merge tool)."""
    for file in files:
        content = repository.blob(file.head.oid)
        if has_markers(content) and not any(has_markers(repository.blob(side.oid)) for side in file.sides):
            yield _left(file.path, content, "conflict markers are left in the file")


def leftover_markers(task: Task) -> Iterator[Finding]:
    """Yield a finding for each file with markers that no side has, those of a half removed conflict included."""
    for path, words in task.unsettled.items():
        yield _left(path, task.trees.text(task.trees.by_path[path].merged), words)


def _left(path: bytes, content: bytes, message: str) -> Finding:
    match = MARKERS.search(content)
    line = content.count(b"\n", 0, match.start()) + 1 if match else None
    return Finding(
        "conflict-markers", Severity.STOP, path, message, line=line,
        suggestion="settle the conflict on the proposal's branch and push",
    )  # fmt: skip

"""Conflict markers that no side had."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from syncline.audit.finding import Finding, Severity
from syncline.audit.merged_files import MergedFile
from syncline.audit.task import Task
from syncline.git import Repository

_MARKERS = re.compile(rb"^(?:<{7}|>{7})(?: .*)?\r?$", re.MULTILINE)
_ANY_MARKER = re.compile(rb"^(?:<{7}|>{7}|\|{7}|={7})(?: .*)?\r?$", re.MULTILINE)


def has_markers(content: bytes) -> bool:
    """Whether `content` has both an opening and a closing conflict marker on lines of their own."""
    kinds = {match[0][:1] for match in _MARKERS.finditer(content)}
    return kinds == {b"<", b">"}


def more_markers(content: bytes, sides: Sequence[bytes]) -> bool:
    """Whether a marker is left that no side had, one of a half removed conflict included.

    A text may hold markers of its own (documentation of merging, a heading underlined by seven `=`): of no kind
    may there be more than the side has that has most.
    """
    here = _kinds(content)
    return any(count > max((_kinds(side)[kind] for side in sides), default=0) for kind, count in here.items())


def _kinds(content: bytes) -> Counter[bytes]:
    return Counter(match[0][:1] for match in _ANY_MARKER.finditer(content))


def left_markers(repository: Repository, files: list[MergedFile]) -> Iterator[Finding]:
    """Yield a finding for each merged file with markers, unless a side has them too (a test of a merge tool)."""
    for file in files:
        content = repository.blob(file.head.oid)
        if has_markers(content) and not any(has_markers(repository.blob(side.oid)) for side in file.sides):
            yield _left(file.path, content, "conflict markers are left in the file")


def leftover_markers(task: Task) -> Iterator[Finding]:
    """Yield a finding for each file with markers that no side has, those of a half removed conflict included."""
    trees = task.trees
    for file in task.mixed:
        content = trees.text(file.merged)
        if b"<<<<<<<" not in content and b">>>>>>>" not in content:
            continue
        sides = [trees.text(file.ours), trees.text(file.theirs)]
        if has_markers(content) and not any(map(has_markers, sides)):
            yield _left(file.path, content, "conflict markers are left in the file")
        elif _MARKERS.search(content) and more_markers(content, sides):
            yield _left(file.path, content, "a conflict was settled by half: a marker is left that no side has")


def _left(path: bytes, content: bytes, message: str) -> Finding:
    match = _MARKERS.search(content)
    line = content.count(b"\n", 0, match.start()) + 1 if match else None
    return Finding(
        "conflict-markers", Severity.STOP, path, message, line=line,
        suggestion="settle the conflict on the proposal's branch and push",
    )  # fmt: skip

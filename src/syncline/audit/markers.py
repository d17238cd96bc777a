"""Conflict markers that no side had."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from syncline.audit.finding import Finding, Severity
from syncline.audit.merged_files import MergedFile
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
        if not has_markers(content):
            continue
        if any(has_markers(repository.blob(side.oid)) for side in file.sides):
            continue
        match = _MARKERS.search(content)
        line = content.count(b"\n", 0, match.start()) + 1 if match else None
        yield Finding(
            "conflict-markers", Severity.STOP, file.path, "conflict markers are left in the file", line=line,
            suggestion="settle the conflict on the proposal's branch and push",
        )  # fmt: skip

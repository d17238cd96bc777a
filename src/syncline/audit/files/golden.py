"""Golden values must be numbers (MISSION R6): NaN or infinity there means that a run had failed."""

import re
from collections.abc import Iterator

from syncline.audit.files.by_hand import mixed_by_hand, new_lines
from syncline.audit.finding import Finding, Severity
from syncline.audit.task import Task

_GOLDEN = re.compile(rb"golden|baseline|expected|reference", re.IGNORECASE)
_DATA = re.compile(rb"\.(jsonl?|ya?ml|csv|tsv)$", re.IGNORECASE)
_NO_NUMBER = re.compile(rb"""(?:^|[\s:,\[\t;"'])[-+]?(NaN|nan|\.nan|\.NaN|Infinity|\.?inf)(?=$|[\s,\]}\t;"'])""")


def is_golden(path: bytes) -> bool:
    """Whether a file holds golden values, by its name."""
    return _DATA.search(path) is not None and _GOLDEN.search(path) is not None


def new_nan(task: Task) -> Iterator[Finding]:
    """Yield a finding for each file of golden values with a value that is no number, where no side has it."""
    trees = task.trees
    for made in mixed_by_hand(task):
        path = made.file.path
        contents = trees.contents(made.file) if is_golden(path) else None
        if contents is None:
            continue
        lines = [line for line in new_lines(contents) if _NO_NUMBER.search(line.text)]
        if not lines:
            continue
        yield Finding(
            "golden-not-a-number", Severity.STOP, path,
            f"{len(lines)} golden value(s) that neither side has are NaN or infinite",
            line=lines[0].number, text=tuple(line.text.decode("utf-8", "replace").strip() for line in lines[:5]),
            suggestion="refresh the golden values from a run that succeeded",
        )  # fmt: skip

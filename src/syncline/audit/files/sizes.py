"""Files that only the merge made too large."""

from collections.abc import Iterator

from syncline.audit.finding import Finding, Severity
from syncline.audit.task import Task


def too_large(task: Task) -> Iterator[Finding]:
    """Yield a finding for each file above the lane's limit that is larger than both sides have it."""
    limit = task.settings.largest_file
    for file in task.mixed:
        assert file.merged is not None  # noqa: S101 - what is mixed is in the merge
        size = len(task.trees.text(file.merged))
        if size <= limit:
            continue
        sides = [len(task.trees.text(entry)) for entry in (file.ours, file.theirs)]
        if size > max(sides):
            yield Finding(
                "too-large", Severity.FIX, file.path,
                f"it has {size:,} bytes in the merge, {max(sides):,} at most on a side, {limit:,} are allowed",
                text=(f"over {limit} bytes",), suggestion="keep what a tool wrote out of the repository",
            )  # fmt: skip

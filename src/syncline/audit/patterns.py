"""Faults beyond types: what each side did is right, and wrong together. Only patterns that are certain."""

from collections.abc import Iterator

from syncline.audit.finding import Finding
from syncline.audit.four_trees import SIDES, other
from syncline.audit.pattern_calls import wrong_calls
from syncline.audit.pattern_lines import side_lines
from syncline.audit.pattern_names import stale_names
from syncline.audit.task import Task


def wrong_together(task: Task) -> Iterator[Finding]:
    """Yield a finding for each known pattern of changes that do not go together."""
    sides = side_lines(task)
    yield from stale_names(task.trees, sides)
    for side in SIDES:
        yield from wrong_calls(task.trees, sides[side], sides[other(side)])

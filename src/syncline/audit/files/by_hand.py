"""Which files people changed beyond git's own merge, and which of their lines no side has.

Git's merge never invents a line: what it put together itself needs no look at its lines.
"""

from dataclasses import dataclass

from syncline.audit.four_trees import Contents, Versions
from syncline.audit.task import Task
from syncline.git import Entry


@dataclass(frozen=True, slots=True)
class HandMade:
    """A file that the merge and git's own merge of the sides both have, and not with the same content."""

    file: Versions
    automatic: Entry | None
    """What git made of it, markers included; None where git has nothing there, or never merged at all."""
    conflicted: bool


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line of the merge that no side has; `number` is 1-based."""

    number: int
    text: bytes


def by_hand(task: Task) -> tuple[HandMade, ...]:
    """Return the regular files of the merge that are not as git merged them, sorted by path.

    Without a common ancestor git merges nothing: then it is every file whose content is neither side's.
    """
    trees = task.trees
    automatic = trees.automatic
    if automatic is None:
        return tuple(HandMade(file, None, conflicted=True) for file in task.mixed)
    found = []
    for change in trees.beyond_git:
        file = trees.by_path.get(change.path)
        if file is None or file.merged is None or not file.merged.mode.is_file or task.ignores(file.path):
            continue
        if file.path in task.unsettled:
            continue
        if change.old is not None and (change.old.oid == file.merged.oid or not change.old.mode.is_file):
            continue
        conflicted = any(path in automatic.stages for path in (file.path, file.our_path, file.their_path))
        found.append(HandMade(file, change.old, conflicted))
    return tuple(found)


def mixed_by_hand(task: Task) -> tuple[HandMade, ...]:
    """Return those of `by_hand` whose content is neither side's."""
    found = tuple(made for made in by_hand(task) if made.file.is_mixed)
    task.trees.read_ahead(
        entry
        for made in found
        for entry in (made.file.base, made.file.ours, made.file.theirs, made.file.merged, made.automatic)
    )
    return found


def new_lines(contents: Contents) -> tuple[NewLine, ...]:
    """Return the lines of a merged file that neither side has."""
    sides = set(contents.ours.split(b"\n"))
    sides.update(contents.theirs.split(b"\n"))
    return tuple(
        NewLine(number, line) for number, line in enumerate(contents.merged.split(b"\n"), 1) if line not in sides
    )

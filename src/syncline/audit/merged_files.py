"""The files whose content is neither side's: only these can hold what nobody wrote."""

from dataclasses import dataclass

from syncline.git import CommitId, Entry, Repository, TreeId
from syncline.git.diff import changes


@dataclass(frozen=True, slots=True)
class MergedFile:
    """A regular file of the head that equals neither side's version at its path."""

    path: bytes
    head: Entry
    sides: tuple[Entry, ...]
    """The versions of the sides that have a regular file there."""


def merged_files(
    repository: Repository, ours: CommitId, theirs: CommitId, head: TreeId | CommitId
) -> list[MergedFile]:
    """Return the files of `head` that differ from both `ours` and `theirs`."""
    from_theirs = {change.path: change for change in changes(repository, theirs, head)}
    found = []
    for change in changes(repository, ours, head):
        other = from_theirs.get(change.path)
        if other is None or change.new is None or not change.new.mode.is_file:
            continue
        sides = tuple(side for side in (change.old, other.old) if side is not None and side.mode.is_file)
        found.append(MergedFile(change.path, change.new, sides))
    return found

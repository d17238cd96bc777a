"""Which side renamed a file to a path where the other side has one of its own.

Git's message for these is the same as for two files that were added (merge-ort.c reports only what the
contents did); the renames themselves tell them apart.
"""

from collections.abc import Sequence
from dataclasses import replace

from syncline.git import CommitId, Repository
from syncline.git.diff import changes, renamed
from syncline.git.history import merge_bases
from syncline.merge.conflicts import ORDER
from syncline.merge.model import Conflict, ConflictKind


def name_collisions(
    repository: Repository, ours: CommitId, theirs: CommitId, conflicts: Sequence[Conflict]
) -> tuple[Conflict, ...]:
    """Return the conflicts, those between two new files told apart by who renamed."""
    paths = {conflict.path for conflict in conflicts if _is_collision(conflict)}
    if not paths:
        return tuple(conflicts)
    by_ours, by_theirs = (_renamed_to(repository, ours, theirs, side, paths) for side in (ours, theirs))
    return tuple(
        _named(conflict, (conflict.path in by_ours) + (conflict.path in by_theirs))
        if conflict.path in paths
        else conflict
        for conflict in conflicts
    )


def _is_collision(conflict: Conflict) -> bool:
    stages = conflict.stages
    return stages.base is None and stages.ours is not None and stages.theirs is not None


def _renamed_to(
    repository: Repository, ours: CommitId, theirs: CommitId, side: CommitId, paths: set[bytes]
) -> set[bytes]:
    """Return those of `paths` to which `side` renamed a file since the merge base (any of several)."""
    found: set[bytes] = set()
    for base in merge_bases(repository, ours, theirs):
        gone = [change.path for change in changes(repository, base, side) if change.new is None]
        if gone:
            found |= renamed(repository, base, side, among=[*gone, *paths]).keys() & paths
    return found


def _named(conflict: Conflict, renames: int) -> Conflict:
    kind = {1: ConflictKind.RENAME_ADD, 2: ConflictKind.RENAME_RENAME}.get(renames)
    if kind is None:
        return conflict
    kinds = {conflict.kind, *conflict.also, kind}
    if kind is ConflictKind.RENAME_RENAME:
        kinds.discard(ConflictKind.RENAME_ADD)  # git's words for a collision with a rename of either kind
    first, *others = sorted(kinds, key=ORDER.index)
    return replace(conflict, kind=first, also=tuple(others))

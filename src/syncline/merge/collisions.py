"""Which side renamed a file to a path where the other side has one of its own.

Git's message for these is the same as for two files that were added (merge-ort.c reports only what the
contents did); the renames themselves tell them apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from syncline.git import CommitId, Repository
from syncline.git.diff import changes, renamed
from syncline.merge.conflicts import ORDER
from syncline.merge.model import Conflict, ConflictKind


@dataclass(frozen=True, slots=True)
class Departures:
    """The paths that each side has no more, by the merge base that had them: what it may have renamed."""

    ours: Mapping[tuple[CommitId, CommitId], tuple[bytes, ...]]
    theirs: Mapping[tuple[CommitId, CommitId], tuple[bytes, ...]]

    @classmethod
    def of(
        cls, repository: Repository, bases: Sequence[CommitId], ours: CommitId, theirs: CommitId
    ) -> "Departures":
        """Look at both sides; nothing of git's merge is needed for it."""

        def gone(side: CommitId) -> dict[tuple[CommitId, CommitId], tuple[bytes, ...]]:
            return {
                (base, side): tuple(
                    change.path for change in changes(repository, base, side) if change.new is None
                )
                for base in bases
            }

        return cls(gone(ours), gone(theirs))


def name_collisions(
    repository: Repository, departures: Departures, conflicts: Sequence[Conflict]
) -> tuple[Conflict, ...]:
    """Return the conflicts, those between two new files told apart by who renamed."""
    paths = {conflict.path for conflict in conflicts if _is_collision(conflict)}
    if not paths:
        return tuple(conflicts)
    by_ours = _renamed_to(repository, departures.ours, paths)
    by_theirs = _renamed_to(repository, departures.theirs, paths)
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
    repository: Repository,
    departures: Mapping[tuple[CommitId, CommitId], tuple[bytes, ...]],
    paths: set[bytes],
) -> set[bytes]:
    """Return those of `paths` to which a side renamed a file since the merge base (any of several)."""
    found: set[bytes] = set()
    for (base, side), gone in departures.items():
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

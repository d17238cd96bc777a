"""Which side renamed a file to a path where the other side has one of its own.

Git's message for these is the same as for two files that were added (merge-ort.c reports only what the
contents did); the renames themselves tell them apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from syncline.git import CommitId, Repository
from syncline.git.diff import renamed, statuses
from syncline.merge.conflicts import ORDER
from syncline.merge.model import Conflict, ConflictKind


@dataclass(frozen=True, slots=True)
class Departures:
    """How the sides left the merge base."""

    ours: Mapping[tuple[CommitId, CommitId], tuple[bytes, ...]]
    """The paths that ours has no more, by (merge base that had them, ours): what it may have renamed."""
    theirs: Mapping[tuple[CommitId, CommitId], tuple[bytes, ...]]
    """The same of theirs."""
    changed_by_both: frozenset[bytes]
    """The paths that both sides changed, added or removed: where conflicts are to be expected."""
    changed: frozenset[bytes]
    """The paths that a side changed, added or removed; the sides differ in no other."""

    @classmethod
    def of(
        cls, repository: Repository, bases: Sequence[CommitId], ours: CommitId, theirs: CommitId
    ) -> "Departures":
        """Look at both sides; nothing of git's merge is needed for it."""

        def leave(side: CommitId) -> tuple[dict[tuple[CommitId, CommitId], tuple[bytes, ...]], set[bytes]]:
            gone, changed = {}, set()
            for base in bases:
                found = dict(statuses(repository, base, side))
                gone[base, side] = tuple(path for path, status in found.items() if status == "D")
                changed |= found.keys()
            return gone, changed

        (gone_from_ours, our_changes), (gone_from_theirs, their_changes) = leave(ours), leave(theirs)
        both, either = frozenset(our_changes & their_changes), frozenset(our_changes | their_changes)
        return cls(gone_from_ours, gone_from_theirs, both, either)


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

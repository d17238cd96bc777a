"""Which merge a revision means: the merge commit itself, or a sync's below what was added above it."""

from typing import TYPE_CHECKING

from syncline.errors import SynclineError
from syncline.git import CommitId, Repository
from syncline.git.commit import Commit, read_commit
from syncline.git.history import is_ancestor
from syncline.git.refs import branch_ref, find_commit
from syncline.lane.shape import Shape, read_shape, target_below

if TYPE_CHECKING:
    from syncline.config.models import Lane


def merge_below(
    repository: Repository, lane: "Lane | None", head: CommitId, revision: str, *, hint: str
) -> tuple[Commit, CommitId | None]:
    """Return the merge to judge, and the newest commit of target that the head holds where that can be told.

    Args:
        repository: where the commits are.
        lane: the policy, which knows what target is; may be None.
        head: what the revision names.
        revision: as it was given.
        hint: what to do where there is no merge.

    Raises:
        SynclineError: the head is no merge, and no sync's merge is below it.
    """
    commit = read_commit(repository, head)
    tip = _tip_of_target(repository, lane) if lane is not None else None
    shape = read_shape(repository, head)
    if shape is not None and not _is_later(repository, commit, shape, tip):
        target = target_below(repository, shape, tip) if tip is not None else None
        # Once it has landed, target holds the head itself: then only what it was made from can be compared.
        return shape.merge, target if target != head else None
    if len(commit.parents) < 2:
        found = "has 1 parent, and no sync's merge commit is below it" if commit.parents else "is a root commit"
        raise SynclineError(f"a merge commit was expected at {revision!r}; {head.short} {found}", hint=hint)
    return commit, None


def _tip_of_target(repository: Repository, lane: "Lane") -> CommitId | None:
    """Return target's tip as it is known here: nothing is fetched to look at a merge."""
    fetched = find_commit(repository, f"refs/syncline/lanes/{lane.name}/target") if lane.target_at else None
    return fetched or find_commit(repository, branch_ref(lane.target))


def _is_later(repository: Repository, commit: Commit, shape: Shape, tip: CommitId | None) -> bool:
    """Whether a merge was made after the sync below it had landed, and not on the sync's own branch."""
    if commit.oid == shape.merge.oid or len(commit.parents) < 2:
        return False
    branch = find_commit(repository, branch_ref(shape.branch)) if shape.branch else None
    if branch is not None and is_ancestor(repository, commit.oid, branch):
        return False
    return tip is None or is_ancestor(repository, shape.merge.oid, tip)

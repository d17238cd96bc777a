"""Which parent of a merge commit is target's side."""

from syncline.git import CommitId, Repository
from syncline.git.commit import Commit


def merge_sides(repository: Repository, merge: Commit, source: CommitId | None) -> tuple[CommitId, CommitId]:
    """Return the target side's and the source side's parent of a merge commit of two.

    The first parent is target's, as `git merge` has it. The other way round it is where the first one lies on
    source's own line and the second does not: target was merged into source's state, and moved there.

    Args:
        repository: where the commits are.
        merge: a commit with two parents.
        source: the tip of the lane's source; None where no lane is known.
    """
    first, second = merge.parents
    if source is not None:
        line = repository.sealed("rev-list", "--first-parent", source).stdout.split()
        if first.encode() in line and second.encode() not in line:
            return second, first
    return first, second

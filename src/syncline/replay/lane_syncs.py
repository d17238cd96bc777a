"""A lane's own past syncs: where its target took in commits of its source, by a merge or a proposal's merge."""

from syncline.git import CommitId, Repository
from syncline.git.history import is_ancestor, merge_bases
from syncline.replay.past import PastMerge


def past_syncs(repository: Repository, source: CommitId, target: CommitId, count: int) -> tuple[PastMerge, ...]:
    """Return the newest `count` syncs of source into target, oldest first.

    Looked for among the merges of target's first-parent line. Ours is the first parent; theirs the newest commit of
    source that the merge brought in, wherever it stands in what was merged (a proposal's branch may hold repairs on
    top): what landed counts, repairs included. A sync that was landed by squashing has no such commit, and is none.

    Raises:
        GitError: missing objects.
    """
    lines = repository.sealed(
        "log", "--first-parent", "--min-parents=2", "--max-parents=2", "--format=%H %P %cI", target
    ).stdout.decode()  # fmt: skip
    found: list[PastMerge] = []
    for line in lines.splitlines():
        merge, ours, other, date = line.split()
        theirs = _newest_of(repository, source, CommitId(other))
        if theirs is not None and not is_ancestor(repository, theirs, CommitId(ours)):
            found.append(PastMerge(CommitId(merge), CommitId(ours), theirs, date))
            if len(found) == count:
                break
    return tuple(reversed(found))


def _newest_of(repository: Repository, source: CommitId, merged: CommitId) -> CommitId | None:
    """Return the newest commit of source that `merged` has; None where it is not one commit."""
    bases = merge_bases(repository, source, merged)
    return bases[0] if len(bases) == 1 else None

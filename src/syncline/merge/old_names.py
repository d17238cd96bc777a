"""Under which other names the sides have a conflicted file that git merged over a rename."""

from collections import defaultdict
from collections.abc import Iterable

from syncline.git import CommitId, Entry, Oid, Repository
from syncline.git.commit import read_commit
from syncline.git.extract import files_of
from syncline.merge.model import Conflict
from syncline.merge.side_version import file_at


def old_names(
    repository: Repository, ours: CommitId, theirs: CommitId, conflicts: Iterable[Conflict]
) -> dict[bytes, tuple[bytes, ...]]:
    """Return, for each conflicted path that a side has under another name, that name.

    A rename that git followed leaves no trace in the conflict: all three stages bear the new name. The side that
    did not rename has the very text it staged elsewhere, where the other side has nothing any more.

    Args:
        repository: where the commits are.
        ours: target.
        theirs: source.
        conflicts: the conflicts of merging them.

    Raises:
        GitError: missing objects.
    """
    trees = [read_commit(repository, side).tree for side in (ours, theirs)]
    moved: list[dict[Oid, set[bytes]]] = [defaultdict(set), defaultdict(set)]
    for conflict in conflicts:
        staged: tuple[Entry | None, Entry | None] = (conflict.stages.ours, conflict.stages.theirs)
        for tree, entry, wanted in zip(trees, staged, moved, strict=True):
            if entry is not None and file_at(repository, tree, conflict.path) is None:
                wanted[entry.oid].add(conflict.path)
    found: dict[bytes, set[bytes]] = defaultdict(set)
    for tree, other, wanted in zip(trees, reversed(trees), moved, strict=True):
        # Few merges follow any rename: the whole tree is read for these alone.
        for name, entry in files_of(repository, tree) if wanted else ():
            for path in wanted.get(entry.oid, ()):
                if file_at(repository, other, name) is None:
                    found[path].add(name)
    return {path: tuple(sorted(names)) for path, names in found.items()}

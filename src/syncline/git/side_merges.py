"""Merges of one line of history into another, on a branch beside both."""

from collections.abc import Iterator
from dataclasses import dataclass

from syncline.git.oid import CommitId
from syncline.git.repository import Repository


@dataclass(frozen=True, slots=True)
class SideMerge:
    """A merge with its parents: which of them is part of source, and which is not."""

    merge: CommitId
    ours: CommitId
    theirs: CommitId


def side_merges(repository: Repository, tip: CommitId, ours: CommitId, theirs: CommitId) -> Iterator[SideMerge]:
    """Yield the merges of source that a branch has and neither target nor source has, the newest first.

    Args:
        repository: where the commits are.
        tip: the branch.
        ours: target.
        theirs: source.

    Raises:
        GitError: missing objects.
    """
    words = ("log", "-z", "--min-parents=2", "--max-parents=2", "--format=%H %P", tip, f"^{ours}", f"^{theirs}")
    rows = [line.split() for line in repository.sealed(*words, "--").stdout.split(b"\0") if line]
    if not rows:
        return
    # What is on source's side is what source contains.
    not_source = frozenset(repository.sealed("rev-list", tip, f"^{theirs}", "--").stdout.split())
    for merge, one, other in rows:
        if (one in not_source) != (other in not_source):
            own, its = (one, other) if one in not_source else (other, one)
            yield SideMerge(*map(CommitId.from_bytes, (merge, own, its)))

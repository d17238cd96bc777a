"""Which commits are taken back by later ones, as `git revert` writes it into their messages."""

import re
from collections.abc import Sequence

from syncline.git.commit import Commit

_REVERTS = re.compile(r"This reverts commit ([0-9a-f]{7,64})")
"""`git revert --reference` writes the id in short."""


def reverts(commit: Commit, other: str) -> bool:
    """Whether `commit` says that it reverts the commit `other`."""
    return any(other.startswith(start) for start in _REVERTS.findall(commit.message))


def reverted(commits: Sequence[Commit]) -> set[str]:
    """Return the ids of the commits that `commits`, oldest first, revert.

    A revert that was reverted itself does not count.
    """
    undone: set[str] = set()
    for commit in reversed(commits):
        if commit.oid not in undone:
            undone |= {other.oid for other in commits if reverts(commit, other.oid)}
    return undone

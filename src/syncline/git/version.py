"""Which git this is and what it can do."""

import re
from dataclasses import dataclass

from syncline.errors import GitError

MINIMUM = (2, 38, 0)
"""`git merge-tree --write-tree` came with 2.38: https://git-scm.com/docs/git-merge-tree"""


@dataclass(frozen=True, slots=True, order=True)
class GitVersion:
    """A git version as numbers; vendor suffixes (`.windows.1`, `-rc0`) are dropped."""

    major: int
    minor: int
    patch: int = 0

    @classmethod
    def parse(cls, text: str) -> "GitVersion":
        """Read what `git version` prints.

        Raises:
            GitError: when there is no version in it.
        """
        found = re.search(r"git version (\d+)\.(\d+)(?:\.(\d+))?", text)
        if not found:
            raise GitError(f"`git version` was expected to print a version, it printed {text[:80]!r}")
        return cls(int(found[1]), int(found[2]), int(found[3] or 0))

    def require_minimum(self) -> None:
        """Refuse a git that cannot merge in memory.

        Raises:
            GitError: when git is older than 2.38.
        """
        if (self.major, self.minor, self.patch) < MINIMUM:
            wanted = ".".join(map(str, MINIMUM[:2]))
            raise GitError(
                f"git {wanted} or newer is needed to merge in memory, found git {self}",
                hint="install a newer git, or put one first on PATH",
            )

    @property
    def merge_tree_takes_base(self) -> bool:
        """`merge-tree --write-tree --merge-base=` came with 2.40."""
        return (self.major, self.minor) >= (2, 40)

    @property
    def merge_tree_takes_strategy_option(self) -> bool:
        """`merge-tree -X` came with 2.45."""
        return (self.major, self.minor) >= (2, 45)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

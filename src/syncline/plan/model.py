"""What one sync would import. Frozen values."""

from dataclasses import dataclass

from syncline.git import CommitId


@dataclass(frozen=True, slots=True)
class Slice:
    """The contiguous oldest part of `target..source` that one sync imports.

    Its ends are commits of source's first-parent line, so every proposal that landed on source is imported
    whole or not at all.
    """

    tip: CommitId
    """The newest commit imported."""
    commits: tuple[CommitId, ...]
    """The commits of source's first-parent line in it, oldest first."""
    imported: int
    """All commits it brings, those merged in from the side included."""
    boundary: CommitId | None
    """The first commit of the line that is excluded; None when the slice reaches source's tip."""
    left: int
    """How many commits of the line come after the slice."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the two branches stand and what the next sync imports."""

    source: CommitId
    target: CommitId
    ahead: int
    """Commits that only target has."""
    behind: int
    """Commits that only source has."""
    bases: tuple[CommitId, ...]
    """The merge bases; more than one where the branches crossed."""
    slice: Slice | None
    """None when source has nothing new."""

    @property
    def nothing_to_do(self) -> bool:
        """Whether target already contains source."""
        return self.slice is None

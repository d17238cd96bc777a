"""What is asked of the two sides of a merge, and can be looked up while git merges them."""

from collections.abc import Callable
from dataclasses import dataclass

from syncline.git import CommitId, Repository, TreeId
from syncline.git.ahead import Ahead
from syncline.git.commit import read_commit
from syncline.git.history import merge_bases
from syncline.git.merge_tree import MergeTree, RunningMerge
from syncline.merge.collisions import Departures


@dataclass(frozen=True, slots=True)
class Sides:
    """How the sides differ from where they started."""

    departures: Departures
    bases: tuple[TreeId, ...]
    """The trees of the merge bases."""

    @classmethod
    def of(
        cls, repository: Repository, ours: CommitId, theirs: CommitId, bases: tuple[CommitId, ...] = ()
    ) -> "Sides":
        """Look at both sides, and have the trees at hand that will be asked for in a moment.

        `bases` are their merge bases, where somebody knows them.
        """
        bases = bases or merge_bases(repository, ours, theirs)
        departures = Departures.of(repository, bases, ours, theirs)
        for side in (ours, theirs):
            tree = read_commit(repository, side).tree
            for path in departures.changed_by_both:
                repository.entry(tree, path)
        return cls(departures, tuple(read_commit(repository, base).tree for base in bases))


class StartedMerge:
    """A merge that git works on, and the look at its sides beside it.

    It takes most of a command's time, so whoever has something else to do (importing the policy's models) starts
    it first; until `sides` has returned, nobody else may read objects of the repository.
    """

    def __init__(
        self,
        repository: Repository,
        running: RunningMerge,
        know_bases: Callable[[], tuple[CommitId, ...]] = tuple,
    ) -> None:
        self.ours, self.theirs = running.ours, running.theirs
        self._running = running
        self._sides = Ahead(repository, lambda: Sides.of(repository, running.ours, running.theirs, know_bases()))

    def sides(self) -> Sides:
        """Return what was looked up."""
        return self._sides.result()

    def finish(self) -> MergeTree:
        """Return git's answer; see `RunningMerge.finish`."""
        return self._running.finish()

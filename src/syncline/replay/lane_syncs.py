"""A lane's own past syncs: where its target took in commits of its source, by a merge or a proposal's merge."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from syncline import trailer_names
from syncline.git import CommitId, Repository
from syncline.git.history import is_ancestor, merge_bases
from syncline.replay.past import PastMerge

_FORMAT = f"%H%x00%P%x00%cI%x00%(trailers:key={trailer_names.RUN},valueonly,separator=%x2C)"


def past_syncs(
    repository: Repository,
    source: CommitId,
    target: CommitId,
    count: int,
    landed: Mapping[str, CommitId] | None = None,
) -> tuple[PastMerge, ...]:
    """Return the newest `count` syncs of source into target, oldest first.

    Looked for among the merges of target's own line. Ours is target's parent, whichever stands first; theirs the
    newest commit of source's first-parent line that the merge brought in, wherever it stands in what was merged (a
    proposal's branch may hold repairs on top): what landed counts, repairs included. A sync that was landed by
    squashing has no such commit, and is none.

    A run of syncline that landed by a fast-forward is answered by what people committed above its merge. Where the
    head that landed is not known, nobody can tell where that ends, and the run is left out.

    Args:
        repository: where the commits are.
        source: source's tip.
        target: target's tip.
        count: how many at most.
        landed: for each run of syncline that has landed, the head of its branch.

    Raises:
        GitError: missing objects.
    """
    walk = _Walk(repository, source, target, landed or {})
    found: list[PastMerge] = []
    for past in walk.syncs():
        found.append(past)
        if len(found) == count:
            break
    return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class _Merge:
    oid: CommitId
    parents: tuple[CommitId, CommitId]
    date: str
    run: str


@dataclass
class _Walk:
    repository: Repository
    source: CommitId
    target: CommitId
    landed: Mapping[str, CommitId]
    line: dict[CommitId, int] = field(init=False)
    """Source's first-parent line, the newest first: commit to place."""

    def __post_init__(self) -> None:
        printed = self.repository.sealed("rev-list", "--first-parent", self.source).stdout.split()
        self.line = {CommitId.printed(oid.decode()): place for place, oid in enumerate(printed)}
        self.order = list(self.line)

    def syncs(self) -> Iterator[PastMerge]:
        """Yield the syncs, the newest first."""
        tip: CommitId | None = self.target
        while tip is not None:
            start, tip = tip, None
            for merge in self._merges(start):
                if merge.oid in self.line:
                    return  # from here on the branches are one
                ours, other = merge.parents
                if ours in self.line and other not in self.line:
                    # Target was merged into source's state and moved there: its own line goes on at the other.
                    ours, other = other, ours
                    tip = ours
                past = self._sync(merge, ours, other)
                if past is not None:
                    yield past
                if tip is not None:
                    break

    def _merges(self, tip: CommitId) -> Iterator[_Merge]:
        words = ("log", "-z", "--first-parent", "--min-parents=2", "--max-parents=2", f"--format={_FORMAT}")
        fields = self.repository.sealed(*words, tip).stdout.decode("utf-8", "replace").split("\0")
        for oid, parents, date, run in zip(*(fields[place::4] for place in range(4)), strict=False):
            ours, other = map(CommitId, parents.split())
            yield _Merge(CommitId(oid), (ours, other), date, run.strip())

    def _sync(self, merge: _Merge, ours: CommitId, other: CommitId) -> PastMerge | None:
        theirs = self._newest_in(other)
        if theirs is None or is_ancestor(self.repository, theirs, ours):
            return None
        answer: CommitId | None = merge.oid
        if merge.run:
            answer = self._head_of(merge)
        return PastMerge(answer, ours, theirs, merge.date) if answer is not None else None

    def _newest_in(self, merged: CommitId) -> CommitId | None:
        """Return the newest commit of source's first-parent line that `merged` contains."""
        if merged in self.line:
            return merged
        bases = merge_bases(self.repository, self.source, merged)
        if len(bases) == 1 and bases[0] in self.line:
            return bases[0]
        # The branches crossed: source has commits of target, too. What contains one commit of the line contains
        # all older ones.
        low, high = 0, len(self.order)
        while bases and low < high:
            middle = (low + high) // 2
            if is_ancestor(self.repository, self.order[middle], merged):
                high = middle
            else:
                low = middle + 1
        return self.order[low] if bases and low < len(self.order) else None

    def _head_of(self, merge: _Merge) -> CommitId | None:
        """Return the head with which a run landed; None where it is not known."""
        head = self.landed.get(merge.run)
        if head is None or not self.repository.has(head):
            return None
        lies_between = is_ancestor(self.repository, merge.oid, head) and is_ancestor(
            self.repository, head, self.target
        )
        return head if lies_between else None

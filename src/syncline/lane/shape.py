"""The commits of a run's branch: which of them syncline wrote, and which people put there.

A branch is pushed to by people, so nothing on it is taken at its word. The merge commit of a run is known by its
trailers **and** by what they say being true: its parents are those it names, and the run's name is the one that
follows from lane, parents and policy. Where this machine wrote the commits, `refs/syncline/runs/LANE/RUN` tells
exactly which they are. The repair commit is known as well, wherever it was written, by the digest that it holds of
itself: it stands right above the merge, and nobody has changed it since. Any other commit above the merge counts
as people's, which errs on the safe side.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from syncline import trailer_names
from syncline.git import CommitId, Repository
from syncline.git.commit import Commit, read_commit
from syncline.git.history import is_ancestor, merge_bases
from syncline.git.refs import find_commit
from syncline.lane.run_name import inputs_name, inputs_of, run_ref
from syncline.propose.commit_message import as_written

_LOOK_BACK = 500
"""How many merges above the run's are looked through for it; far more than people make on a proposal."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The commits of a run's branch."""

    lane: str
    run: str
    branch: str
    policy: str
    head: CommitId
    merge: Commit
    repair: CommitId | None
    people: tuple[CommitId, ...]
    """Commits that people made on the branch, oldest first; what they merged from elsewhere is not theirs."""

    @property
    def own(self) -> bool:
        """Whether syncline wrote all that is on the branch: what stands there may be written anew."""
        return not self.people and self.head in {self.merge.oid, self.repair}

    @property
    def target(self) -> CommitId:
        """Target's commit that was merged into."""
        return self.merge.parents[0]

    @property
    def source(self) -> CommitId:
        """The tip of the slice that was imported."""
        return self.merge.parents[1]


def read_shape(
    repository: Repository,
    head: CommitId,
    *,
    run: str | None = None,
    elsewhere: Sequence[CommitId] = (),
    any_machine: bool = False,
) -> Shape | None:
    """Return the run whose merge commit is on the first-parent line of `head`; None when there is none.

    Args:
        repository: where.
        head: the tip of the branch.
        run: accept only this run.
        elsewhere: tips (target's, source's) whose commits are nobody's work on this branch.
        any_machine: whether it may be another commit than the one that was written here for the run.
    """
    # Only merges can be it, so however many commits people add cost nothing here.
    done = repository.sealed(
        "rev-list", "--first-parent", "--min-parents=2", "--max-parents=2", f"--max-count={_LOOK_BACK}", head
    )
    for oid in done.stdout.split():
        commit = read_commit(repository, CommitId.from_bytes(oid))
        found = genuine_run(commit)
        if found is None or (run is not None and found != run):
            continue
        lane = commit.trailer(trailer_names.LANE) or ""
        written = find_commit(repository, run_ref(lane, found)) if not any_machine else None
        if written is not None and commit.oid not in (written, *_parent(repository, written)):
            continue  # the same parents and words, but not what was written here
        return _shape(repository, commit, lane, found, head, written, elsewhere)
    return None


def target_below(repository: Repository, shape: Shape, tip: CommitId) -> CommitId:
    """Return the newest commit of target that the run's head holds; `tip` is target's tip.

    Somebody may have merged target into the branch: what it holds of target is what landing starts from. Where
    that is not one commit, it is the one that was merged into.
    """
    met = merge_bases(repository, tip, shape.head)
    return met[0] if len(met) == 1 and is_ancestor(repository, shape.target, met[0]) else shape.target


def _parent(repository: Repository, written: CommitId) -> tuple[CommitId, ...]:
    """Return the merge commit below a repair commit; nothing for a merge commit."""
    parents = read_commit(repository, written).parents
    return parents if len(parents) == 1 else ()


def genuine_run(commit: Commit) -> str | None:
    """Return the run a merge commit says it was made by, if all it says of itself is true; else None."""
    if len(commit.parents) != 2:
        return None
    run, lane, policy, branch = (
        commit.trailer(name)
        for name in (trailer_names.RUN, trailer_names.LANE, trailer_names.POLICY, trailer_names.BRANCH)
    )
    if run is None or lane is None or policy is None or branch is None:
        return None
    target, source = commit.parents
    if (commit.trailer(trailer_names.TARGET), commit.trailer(trailer_names.SOURCE)) != (target, source):
        return None
    named = inputs_name(lane, target=target, source=source, policy=policy)
    return run if named == inputs_of(run) else None


def genuine_repair(commit: Commit, run: str) -> bool:
    """Whether a commit is the repair commit of a run, as syncline wrote it on whatever machine."""
    return commit.trailers(trailer_names.REPAIR) == (run,) and as_written(commit)


def _shape(
    repository: Repository,
    merge: Commit,
    lane: str,
    run: str,
    head: CommitId,
    written: CommitId | None,
    elsewhere: Sequence[CommitId],
) -> Shape:
    # A branch that holds the run itself (somebody merged it there) does not say whose the commits above it are.
    apart = [tip for tip in elsewhere if not is_ancestor(repository, merge.oid, tip)]
    not_here = (f"^{oid}" for oid in (merge.oid, *apart))
    # Only what was built upon the merge was made on this branch; a branch cut from target and merged in was not.
    path = f"--ancestry-path={merge.oid}"
    done = repository.sealed("rev-list", "--reverse", "--topo-order", "--parents", path, head, *not_here)
    rows = [[CommitId.from_bytes(oid) for oid in line.split()] for line in done.stdout.splitlines()]
    added = [oid for oid, *_ in rows]
    repair = written if written is not None and written != merge.oid and written in added else None
    if repair is None:
        above = (read_commit(repository, oid) for oid, *parents in rows if parents == [merge.oid])
        repair = next((commit.oid for commit in above if genuine_repair(commit, run)), None)
    return Shape(
        lane=lane,
        run=run,
        branch=merge.trailer(trailer_names.BRANCH) or "",
        policy=merge.trailer(trailer_names.POLICY) or "",
        head=head,
        merge=merge,
        repair=repair,
        people=tuple(oid for oid in added if oid != repair),
    )

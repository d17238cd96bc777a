"""A run, read back from its branch: the merge commit, the repair commit, people's commits, what is still open."""

from dataclasses import dataclass

from syncline.audit.finding import Finding
from syncline.audit.markers import has_markers
from syncline.config.models import Lane
from syncline.git import CommitId, Repository, TreeId
from syncline.git.commit import Commit, read_commit, read_commits
from syncline.merge.model import Decision, MergeResult
from syncline.merge.resolvers.patterns import matches
from syncline.propose import commit_message
from syncline.propose.model import Settled

_LOOK_BACK = 500
"""How many commits above the merge are looked through for it; far more than people add to a proposal."""


def run_ref(lane: Lane, run: str) -> str:
    """Return the ref that keeps a run's commits before and beside its branch."""
    return f"refs/syncline/runs/{lane.name}/{run}"


@dataclass(frozen=True, slots=True)
class Shape:
    """The commits of a run's branch."""

    run: str
    branch: str
    policy: str
    head: CommitId
    merge: Commit
    repair: CommitId | None
    people: tuple[CommitId, ...]
    """Commits that syncline did not write, between the merge and the head, oldest first."""

    @property
    def target(self) -> CommitId:
        """Target's commit that was merged into."""
        return self.merge.parents[0]

    @property
    def source(self) -> CommitId:
        """The tip of the slice that was imported."""
        return self.merge.parents[1]


def read_shape(repository: Repository, head: CommitId, run: str | None = None) -> Shape | None:
    """Return the run whose merge commit is on the first-parent line of `head`; None when there is none.

    Args:
        repository: where.
        head: the tip of the branch.
        run: accept only this run.
    """
    done = repository.sealed("rev-list", "--first-parent", f"--max-count={_LOOK_BACK}", head)
    above: list[Commit] = []
    for oid in done.stdout.split():
        commit = read_commit(repository, CommitId.from_bytes(oid))
        found = commit_message.run_of(commit)
        if found is not None and (run is None or found == run):
            return _shape(repository, commit, found, head, above)
        above.append(commit)
    return None


def _shape(repository: Repository, merge: Commit, run: str, head: CommitId, line: list[Commit]) -> Shape:
    repairs = [commit.oid for commit in line if commit_message.repaired_run_of(commit) == run]
    done = repository.sealed("rev-list", "--reverse", head, f"^{merge.oid}")
    added = [CommitId.from_bytes(oid) for oid in done.stdout.split()]
    return Shape(
        run=run,
        branch=merge.trailer(commit_message.BRANCH) or "",
        policy=merge.trailer(commit_message.POLICY) or "",
        head=head,
        merge=merge,
        repair=repairs[0] if repairs else None,
        people=tuple(oid for oid in added if oid not in repairs),
    )


@dataclass(frozen=True, slots=True)
class State:
    """A run as it stands at its head."""

    shape: Shape
    result: MergeResult
    """The merge made again from its parents."""
    settled: tuple[Settled, ...]
    unresolved: tuple[Decision, ...]
    findings: tuple[Finding, ...]

    @property
    def reproducible(self) -> bool:
        """Whether the merge commit's tree is what this syncline makes of its parents under today's policy."""
        return self.result.tree == self.shape.merge.tree


def settled_by_people(
    repository: Repository, shape: Shape, result: MergeResult
) -> tuple[tuple[Settled, ...], tuple[Decision, ...]]:
    """Tell the conflicts that people settled from those still open.

    A conflict is settled when a commit above the merge changed one of its paths and left no conflict markers
    there, or when a `Syncline-Settled` trailer accepts it as it stands in the tree.
    """
    commits = read_commits(repository, shape.people)
    accepted = [(pattern, commit.oid) for commit in commits for pattern in commit.trailers(commit_message.SETTLED)]
    head_tree = read_commit(repository, shape.head).tree
    settled: list[Settled] = []
    open_still: list[Decision] = []
    for decision in result.unresolved:
        tied = decision.conflict.group if decision.conflict else (decision.path,)
        how = _how_settled(repository, shape, head_tree, decision.path, tied, accepted)
        if how is None:
            open_still.append(decision)
        else:
            settled.append(how)
    return tuple(settled), tuple(open_still)


def _how_settled(
    repository: Repository,
    shape: Shape,
    head_tree: TreeId,
    path: bytes,
    tied: tuple[bytes, ...],
    accepted: list[tuple[str, CommitId]],
) -> Settled | None:
    for pattern, commit in accepted:
        if any(matches([pattern], one) for one in tied):
            return Settled(path, commit, f"accepted as it stands by a {commit_message.SETTLED} trailer")
    if not shape.people:
        return None
    changed = False
    for one in tied:
        before = repository.entry(shape.merge.tree, one)
        now = repository.entry(head_tree, one)
        changed = changed or before != now
        if now is not None and now.mode.is_file and has_markers(repository.blob(now.oid)):
            return None
    return Settled(path, _last_to_touch(repository, shape, tied), "changed on the branch") if changed else None


def _last_to_touch(repository: Repository, shape: Shape, paths: tuple[bytes, ...]) -> CommitId | None:
    done = repository.sealed("rev-list", "--max-count=1", shape.head, f"^{shape.merge.oid}", "--", *paths)
    return CommitId.from_bytes(done.stdout) if done.stdout.strip() else None

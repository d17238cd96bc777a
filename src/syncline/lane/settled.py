"""Which open conflicts people, and agents for them, have settled on the branch.

A conflict is settled when a commit that was made on the branch changed the content of one of its paths and left no
conflict marker that no side had, or accepts it as it stands by a `Syncline-Settled` trailer. What came in by
merging target or anything else settles nothing: nobody looked at it here. A commit that another one reverts does
not count. What agents answered, and what a command made anew, is accepted by the trailers of the repair commit
that holds it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from syncline import trailer_names
from syncline.audit.open_conflicts import more_markers
from syncline.git import CommitId, Entry, Repository, TreeId
from syncline.git.commit import Commit, read_commit, read_commits
from syncline.git.history import Touch, touches_in
from syncline.git.reverts import reverted
from syncline.lane.shape import Shape
from syncline.merge.model import ConflictKind, Decision, MergeResult
from syncline.merge.resolvers.patterns import is_pattern, matches
from syncline.propose.model import Settled


def settled_on_branch(
    repository: Repository, shape: Shape, result: MergeResult, target: CommitId
) -> tuple[tuple[Settled, ...], tuple[Decision, ...]]:
    """Tell the conflicts that are settled from those still open.

    Args:
        repository: where the commits are.
        shape: the branch.
        result: the merge, made again.
        target: the newest commit of target that the branch contains.
    """
    repair = read_commit(repository, shape.repair) if shape.repair is not None else None
    if not shape.people and repair is None:
        return (), result.unresolved
    accepted = _accepted(read_commits(repository, shape.people))
    tied = {path for decision in result.unresolved for path in _tied(decision)}
    trees = _Trees(
        head=read_commit(repository, shape.head).tree,
        merge=shape.merge.tree,
        target=read_commit(repository, target).tree,
        target_before=read_commit(repository, shape.target).tree,
    )
    touched = touches_in(repository, list(reversed(shape.people)), tied)
    settled: list[Settled] = []
    open_still: list[Decision] = []
    for decision in result.unresolved:
        how = _by_trailer(decision, accepted) or _by_change(repository, trees, decision, touched)
        if how is None and repair is not None:
            how = _by_repair(repository, trees, decision, repair)
        if how is None:
            open_still.append(decision)
        else:
            settled.append(how)
    return tuple(settled), tuple(open_still)


def _tied(decision: Decision) -> tuple[bytes, ...]:
    return decision.conflict.group if decision.conflict else (decision.path,)


def _accepted(commits: Sequence[Commit]) -> list[tuple[str, Commit]]:
    undone = reverted(commits)
    return [
        (pattern, commit)
        for commit in commits
        if commit.oid not in undone
        for pattern in commit.trailers(trailer_names.SETTLED)
        if is_pattern(pattern)  # anything else accepts nothing
    ]


def _by_trailer(decision: Decision, accepted: list[tuple[str, Commit]]) -> Settled | None:
    for pattern, commit in accepted:
        if any(matches([pattern], path) for path in _tied(decision)):
            words = f"accepted as it stands by a {trailer_names.SETTLED} trailer"
            agents = commit.trailers(trailer_names.AGENT)
            return Settled(decision.path, commit.oid, _answer(agents) if agents else words, agents)
    return None


def _answer(agents: Sequence[str]) -> str:
    return f"answered by {' and '.join(agents)}"


def _by_repair(repository: Repository, trees: "_Trees", decision: Decision, repair: Commit) -> Settled | None:
    """Return how the repair commit settles a conflict; what it says is its own (see `shape`)."""
    agents = repair.trailers(trailer_names.AGENT)
    for name, how, by in (
        (trailer_names.REPAIR_SETTLED, "made anew by the lane's command", ()),
        (trailer_names.SETTLED, _answer(agents), agents),
    ):
        patterns = [one for one in repair.trailers(name) if is_pattern(one)]
        if not any(matches(patterns, path) for path in _tied(decision)):
            continue
        if any(_markers_left(repository, trees, decision, path) for path in _tied(decision)):
            return None  # somebody has opened it again
        return Settled(decision.path, repair.oid, how, by)
    return None


@dataclass(frozen=True, slots=True)
class _Trees:
    """The trees a change is judged by."""

    head: TreeId
    merge: TreeId
    target: TreeId
    """Of the newest commit of target that the branch contains."""
    target_before: TreeId
    """Of the commit that was merged into."""


def _by_change(
    repository: Repository, trees: _Trees, decision: Decision, touched: dict[bytes, Touch]
) -> Settled | None:
    tied = _tied(decision)
    touch = next((touched[path] for path in tied if path in touched), None)
    if touch is None:
        return None
    if not any(_changed(repository, trees, decision, path) for path in tied):
        return None
    if any(_markers_left(repository, trees, decision, path) for path in tied):
        return None
    return Settled(decision.path, touch.commit, "changed on the branch")


def _changed(repository: Repository, trees: _Trees, decision: Decision, path: bytes) -> bool:
    before, now = repository.entry(trees.merge, path), repository.entry(trees.head, path)
    conflict = decision.conflict
    if conflict is not None and ConflictKind.MODE in {conflict.kind, *conflict.also}:
        return before != now
    if _content(before) == _content(now):
        return False
    # Target's newer text, taken as a whole while merging target, is no answer to the old conflict.
    newer = repository.entry(trees.target, path)
    return now != newer or newer == repository.entry(trees.target_before, path)


def _markers_left(repository: Repository, trees: _Trees, decision: Decision, path: bytes) -> bool:
    now = repository.entry(trees.head, path)
    if now is None or not now.mode.is_file or decision.conflict is None:
        return False
    stages = decision.conflict.stages
    sides = [side.oid for side in (stages.ours, stages.theirs) if side is not None and side.mode.is_file]
    return more_markers(repository.blob(now.oid), list(repository.blobs(sides)))


def _content(entry: Entry | None) -> str | None:
    """Return what a change of mode alone does not change; a file and a link of the same text do differ."""
    if entry is None:
        return None
    return entry.oid if entry.mode.is_file else f"{entry.mode} {entry.oid}"

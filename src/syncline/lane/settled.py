"""Which open conflicts people, and agents for them, have settled on the branch.

A conflict is settled when a commit that was made on the branch changed the content of one of its paths and left no
conflict marker that no side had, or accepts it as it stands by a `Syncline-Settled` trailer. What came in by
merging target or anything else settles nothing: nobody looked at it here. A commit that another one reverts does
not count. An agent's answer, and what a command made anew, is accepted by the trailers of the commit that syncline
wrote for it, while nobody has amended that commit, reverted it or put back what it changed.
"""

import re
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
from syncline.propose.commit_message import as_written
from syncline.propose.model import Settled
from syncline.propose.settle import trailer_pattern


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
    commits = _commits(repository, shape)
    if not commits:
        return (), result.unresolved
    accepted, answers = _accepted(commits), _answers(commits)
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
        how = (
            _by_trailer(decision, accepted)
            or _by_answer(repository, trees, decision, answers, exactly=True)
            or _by_change(repository, trees, decision, touched)
            or _by_answer(repository, trees, decision, answers, exactly=False)
        )
        if how is None:
            open_still.append(decision)
        else:
            settled.append(how)
    return tuple(settled), tuple(open_still)


def _tied(decision: Decision) -> tuple[bytes, ...]:
    return decision.conflict.group if decision.conflict else (decision.path,)


def answered_before(repository: Repository, shape: Shape, decisions: Sequence[Decision]) -> frozenset[bytes]:
    """Return the paths of those conflicts that agents answered on this branch, whatever became of the answers."""
    answers = [one for one in _commits(repository, shape) if one.trailers(trailer_names.AGENT)]
    return frozenset(
        one.path for one in decisions if any(_names(commit, trailer_names.SETTLED, one) for commit in answers)
    )


def _commits(repository: Repository, shape: Shape) -> list[Commit]:
    """Return what stands above the merge, oldest first."""
    repair = (shape.repair,) if shape.repair is not None else ()
    return read_commits(repository, (*repair, *shape.people))


def _accepted(commits: Sequence[Commit]) -> list[tuple[str, Commit]]:
    """Return what people accept by a trailer."""
    undone = reverted(commits)
    return [
        (pattern, commit)
        for commit in commits
        # What agents answered is no word of people, though they may have amended the commit.
        if commit.oid not in undone and not commit.trailers(trailer_names.AGENT)
        for pattern in commit.trailers(trailer_names.SETTLED)
        if is_pattern(pattern)  # anything else accepts nothing
    ]


def _by_trailer(decision: Decision, accepted: list[tuple[str, Commit]]) -> Settled | None:
    for pattern, commit in accepted:
        if any(matches([pattern], path) for path in _tied(decision)):
            words = f"accepted as it stands by a {trailer_names.SETTLED} trailer"
            return Settled(decision.path, commit.oid, words)
    return None


def _answers(commits: Sequence[Commit]) -> list[Commit]:
    """Return the commits that hold answers of agents or commands, as they were written; the newest first."""
    undone = reverted(commits)
    return [commit for commit in reversed(commits) if commit.oid not in undone and as_written(commit)]


def _names(commit: Commit, trailer: str, decision: Decision) -> bool:
    patterns = [one for one in commit.trailers(trailer) if is_pattern(one)]
    # An agent was asked about all that is tied together; a command made single files.
    names = all if trailer == trailer_names.REPAIR_SETTLED else any
    return names(matches(patterns, path) for path in _tied(decision))


def _vague(path: bytes) -> bool:
    """Whether the pattern that names a path in a trailer names others, too: not all bytes fit into one."""
    return "?" in re.sub(r"\\.", "", trailer_pattern(path))


def _by_answer(
    repository: Repository, trees: "_Trees", decision: Decision, answers: Sequence[Commit], *, exactly: bool
) -> Settled | None:
    """Return the answer of agents, or of a command, that settles a conflict.

    `exactly`: the head holds it as it was given; else that was changed since, and not put back to what it was.
    """
    for commit in answers:
        agents = commit.trailers(trailer_names.AGENT)
        by_command = _names(commit, trailer_names.REPAIR_SETTLED, decision)
        if by_command:
            how, agents = "made anew by the lane's command", ()
        elif agents and _names(commit, trailer_names.SETTLED, decision):
            how = f"answered by {' and '.join(agents)}"
        else:
            continue
        if _stands(repository, trees, decision, commit, exactly=exactly):
            return Settled(decision.path, commit.oid, how, agents, by_command)
    return None


def _stands(repository: Repository, trees: "_Trees", decision: Decision, answer: Commit, *, exactly: bool) -> bool:
    tied, given = _tied(decision), answer.tree
    below = read_commit(repository, answer.parents[0]).tree
    changed = any(repository.entry(below, path) != repository.entry(given, path) for path in tied)
    if not changed and _vague(decision.path):
        return False  # it may be the answer to another path
    if exactly:
        stands = all(repository.entry(trees.head, path) == repository.entry(given, path) for path in tied)
    else:
        stands = not changed or any(_changed(repository, trees, decision, path) for path in tied)
    return stands and not any(_markers_left(repository, trees, decision, path) for path in tied)


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

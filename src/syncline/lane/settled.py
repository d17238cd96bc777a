"""Which open conflicts people have settled on the branch.

A conflict is settled when a commit that was made on the branch changed the content of one of its paths and left no
conflict marker there, or accepts it as it stands by a `Syncline-Settled` trailer. What came in by merging target
or anything else settles nothing: nobody looked at it here. A commit that another one reverts does not count.
"""

from collections.abc import Sequence

from syncline import trailer_names
from syncline.audit.markers import has_any_marker
from syncline.git import CommitId, Entry, Repository, TreeId
from syncline.git.commit import Commit, read_commit, read_commits
from syncline.git.history import Touch, last_touches
from syncline.git.reverts import reverted
from syncline.lane.shape import Shape
from syncline.merge.model import ConflictKind, Decision, MergeResult
from syncline.merge.resolvers.patterns import is_pattern, matches
from syncline.propose.model import Settled


def settled_by_people(
    repository: Repository, shape: Shape, result: MergeResult, elsewhere: Sequence[CommitId]
) -> tuple[tuple[Settled, ...], tuple[Decision, ...]]:
    """Tell the conflicts that people settled from those still open.

    Args:
        repository: where the commits are.
        shape: the branch.
        result: the merge, made again.
        elsewhere: tips whose commits are nobody's work on this branch.
    """
    if not shape.people:
        return (), result.unresolved
    accepted = _accepted(read_commits(repository, shape.people))
    tied = {path for decision in result.unresolved for path in _tied(decision)}
    touched = last_touches(repository, [shape.repair or shape.merge.oid, *elsewhere], shape.head, tied)
    head_tree = read_commit(repository, shape.head).tree
    settled: list[Settled] = []
    open_still: list[Decision] = []
    for decision in result.unresolved:
        how = _by_trailer(decision, accepted) or _by_change(repository, shape, head_tree, decision, touched)
        if how is None:
            open_still.append(decision)
        else:
            settled.append(how)
    return tuple(settled), tuple(open_still)


def _tied(decision: Decision) -> tuple[bytes, ...]:
    return decision.conflict.group if decision.conflict else (decision.path,)


def _accepted(commits: Sequence[Commit]) -> list[tuple[str, CommitId]]:
    undone = reverted(commits)
    return [
        (pattern, commit.oid)
        for commit in commits
        if commit.oid not in undone
        for pattern in commit.trailers(trailer_names.SETTLED)
        if is_pattern(pattern)  # anything else accepts nothing
    ]


def _by_trailer(decision: Decision, accepted: list[tuple[str, CommitId]]) -> Settled | None:
    for pattern, commit in accepted:
        if any(matches([pattern], path) for path in _tied(decision)):
            words = f"accepted as it stands by a {trailer_names.SETTLED} trailer"
            return Settled(decision.path, commit, words)
    return None


def _by_change(
    repository: Repository, shape: Shape, head_tree: TreeId, decision: Decision, touched: dict[bytes, Touch]
) -> Settled | None:
    tied = _tied(decision)
    touch = next((touched[path] for path in tied if path in touched), None)
    if touch is None:
        return None
    changed = False
    about_mode = decision.conflict is not None and ConflictKind.MODE in {
        decision.conflict.kind,
        *decision.conflict.also,
    }
    for path in tied:
        before, now = repository.entry(shape.merge.tree, path), repository.entry(head_tree, path)
        changed = changed or (before != now if about_mode else _content(before) != _content(now))
        if now is not None and now.mode.is_file and has_any_marker(repository.blob(now.oid)):
            return None
    return Settled(decision.path, touch.commit, "changed on the branch") if changed else None


def _content(entry: Entry | None) -> str | None:
    """Return what a change of mode alone does not change; a file and a link of the same text do differ."""
    if entry is None:
        return None
    return entry.oid if entry.mode.is_file else f"{entry.mode} {entry.oid}"

"""A run's merge made again from its commits, with the record of the lane that it names."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from syncline import trailer_names
from syncline.errors import SynclineError
from syncline.git import BlobId, CommitId, Repository
from syncline.git.diff import statuses
from syncline.lane.shape import Shape
from syncline.merge.model import Decision, Evidence, MergeResult, Side


@dataclass(frozen=True, slots=True)
class Remade:
    """The merge of a run, made again."""

    result: MergeResult
    unexplained: bool
    """Whether the run's tree holds what neither git, nor policy, nor an open conflict accounts for."""


def remake(
    repository: Repository,
    shape: Shape,
    merge: Callable[[CommitId, CommitId, BlobId | None], MergeResult],
    merge_by_rules: Callable[[CommitId, CommitId], MergeResult],
) -> Remade:
    """Make the merge of a run again.

    Where its record is not here (it was made on another machine), or this version of syncline settles otherwise,
    whatever evidence settled then counts as open: nobody can tell any more why it should be right.

    Args:
        repository: where the commits are.
        shape: the run.
        merge: makes a merge with a record; None stands for an empty one.
        merge_by_rules: makes it by the rules alone.
    """
    named = shape.merge.trailer(trailer_names.LEARNED)
    if named is None:
        result = merge(shape.target, shape.source, None)
        return Remade(result, result.tree != shape.merge.tree)
    try:
        result = merge(shape.target, shape.source, BlobId(named))
    except (ValueError, SynclineError):
        result = None  # no such record here, or none at all: trailers may say anything
    if result is not None and result.tree == shape.merge.tree:
        return Remade(result, unexplained=False)
    by_rules = merge_by_rules(shape.target, shape.source)
    differing = {path for path, _ in statuses(repository, by_rules.tree, shape.merge.tree)}
    explained = {path for decision in by_rules.unresolved for path in _tied(decision)}
    decisions = tuple(_told(decision, differing) for decision in by_rules.decisions)
    return Remade(replace(by_rules, decisions=decisions), not differing <= explained)


def _tied(decision: Decision) -> tuple[bytes, ...]:
    conflict = decision.conflict
    return (decision.path, *conflict.group, *conflict.aside) if conflict else (decision.path,)


def _told(decision: Decision, differing: set[bytes]) -> Decision:
    """Return an open decision with words for what is in the tree."""
    if decision.resolver or not differing.intersection(_tied(decision)):
        return decision
    words = "it was settled by evidence when the merge was made, by a record that cannot be asked here any more"
    return replace(decision, side=Side.BOTH, evidence=(Evidence(words),))

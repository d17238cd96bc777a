"""What can be mended by itself at a run's head, and what of the lane's budget is left for it."""

from collections.abc import Sequence
from itertools import pairwise

from syncline.audit.audit import audit, once_each
from syncline.audit.four_trees import FourTrees
from syncline.audit.task import Task
from syncline.audit.waivers import apply
from syncline.config.models import Lane, Waiver
from syncline.git import CommitId, Repository, TreeId
from syncline.lane.audited import IN_VERIFY, audit_once, waiving
from syncline.lane.shape import Shape
from syncline.repair.prove import Look, Looked, Mended, mend_tree

_NO_PROGRESS = 2
"""Rounds in a row that leave as much to do as before, after which no other is tried."""


def mended_run(
    repository: Repository,
    lane: Lane,
    *,
    ours: CommitId,
    theirs: CommitId,
    tree: TreeId,
    waiting: frozenset[bytes],
    waivers: Sequence[Waiver] = (),
) -> Mended:
    """Return a run's tree with all that is mechanical mended, each mend proven.

    Args:
        repository: where the run is.
        lane: its lane.
        ours: the newest commit of target that it holds.
        theirs: the tip of the slice.
        tree: the tree at its head.
        waiting: paths that wait for people; of those nothing is said and nothing mended.
        waivers: those that count beside the policy's.

    Raises:
        SynclineError: the audits cannot be done.
    """
    look = looker(repository, lane, ours=ours, theirs=theirs, waiting=waiting, waivers=waivers)
    return mend_tree(repository, tree, look, seconds=lane.repair.seconds)


def looker(
    repository: Repository,
    lane: Lane,
    *,
    ours: CommitId,
    theirs: CommitId,
    waiting: frozenset[bytes] = frozenset(),
    waivers: Sequence[Waiver] = (),
) -> Look:
    """Return what audits a tree as that of a run's head, the hard invariants included."""

    def look(tree: TreeId) -> Looked:
        task = Task(FourTrees(repository, ours, theirs, tree), lane, waiting)
        audited = audit_once(task)
        hard = audit(task, only=IN_VERIFY)
        found = once_each((*hard.findings, *audited.findings))
        standing = apply(waiving(task, lane, waivers), found).standing
        return Looked(task, standing, (*hard.not_run, *audited.not_run))

    return look


def why_over(lane: Lane, left: Sequence[int], shape: Shape, *, checked_out: str) -> str:
    """Return why no (further) repair is made on a branch; empty when one may be."""
    if not shape.own:
        return f"people have committed on {shape.branch}, and it is theirs now"
    if checked_out:
        return f"{shape.branch} is checked out at {checked_out}"
    if len(left) >= lane.repair.rounds:
        return f"{len(left)} of {lane.repair.rounds} rounds of repairs are used up"
    last = left[-_NO_PROGRESS - 1 :]
    if len(last) > _NO_PROGRESS and all(after >= before for before, after in pairwise(last)):
        return f"{_NO_PROGRESS} rounds of repairs left as much to do as before"
    return ""

"""The audit of a run at its head: done once for each head, kept in the git directory."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from syncline.audit.audit import Audited, audit, audits, together
from syncline.audit.explain.told import Told
from syncline.audit.finding import Finding
from syncline.audit.four_trees import FourTrees
from syncline.audit.names import check_skip
from syncline.audit.stored import read_stored, store, stored_at
from syncline.audit.task import Task
from syncline.audit.verify import IN_VERIFY
from syncline.audit.waivers import apply
from syncline.config.models import Lane, Waiver
from syncline.git import CommitId, Repository
from syncline.merge.model import Decision

BY_PROGRAMS = frozenset(("fits",))
"""Audits by programs that may not be there."""


def audit_run(
    repository: Repository,
    lane: Lane,
    *,
    ours: CommitId,
    theirs: CommitId,
    merge: CommitId,
    head: CommitId,
    unresolved: Collection[Decision],
    broken: Collection[Finding],
    waivers: Sequence[Waiver] = (),
) -> Told:
    """Return what the audits find at a run's head, the hard invariants (`broken`) aside.

    What is still open holds one side's version for the time being: of those paths nothing is said yet. `waivers`
    count beside those of the policy.

    Raises:
        ConfigError: the policy skips what there is not.
    """
    task = Task(FourTrees(repository, ours, theirs, head), lane, waiting_paths(unresolved))
    audited = audit_once(task)
    told = {(finding.path, finding.symbol) for finding in broken if finding.symbol}
    standing = [finding for finding in audited.findings if (finding.path, finding.symbol) not in told]
    return Told(
        ours=ours,
        theirs=theirs,
        bases=task.trees.bases,
        merged=head,
        merge=merge,
        lane=lane.name,
        applied=apply(waiving(task, lane, waivers), standing),
        not_run=audited.not_run,
        seconds=audited.seconds,
    )


def waiving(task: Task, lane: Lane, waivers: Sequence[Waiver]) -> Task:
    """Return the task under a policy that has more waivers."""
    return replace(task, lane=lane.model_copy(update={"waivers": (*lane.waivers, *waivers)})) if waivers else task


def audit_once(task: Task) -> Audited:
    """Return what the audits find, the hard invariants aside; of a tree that was audited before, what they found.

    Raises:
        ConfigError: the policy skips what there is not.
    """
    if task.lane is not None:
        check_skip(task.lane)
    # Apart, so that a checker that is not installed costs no other's result.
    own = audits().keys() - IN_VERIFY - BY_PROGRAMS
    return together([_once(task, own), _once(task, BY_PROGRAMS)])


def _once(task: Task, names: Collection[str]) -> Audited:
    """Return what some audits say of a merge, kept from the last time where there was one."""
    file = stored_at(task.trees.repository.state_dir / "cache" / "audits", task, names)
    audited = read_stored(file)
    if audited is None:
        audited = audit(task, only=names)
        store(file, audited)
    return audited


def waiting_paths(unresolved: Collection[Decision]) -> frozenset[bytes]:
    """Return the paths that hold one side's version for the time being."""
    return frozenset(path for decision in unresolved for path in (decision.path, *_group(decision)))


def _group(decision: Decision) -> tuple[bytes, ...]:
    return decision.conflict.group if decision.conflict is not None else ()

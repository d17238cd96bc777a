"""From a proposal to the causes of its red checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from syncline.checks.model import Check
from syncline.checks.present import present
from syncline.checks.triage import transient
from syncline.checks.triage.cause import Cluster, Triaged, Witness
from syncline.checks.triage.cluster import cluster
from syncline.checks.triage.report import Report, rows
from syncline.checks.triage.retry import passed_on_retry
from syncline.checks.triage.suspect import Suspect
from syncline.checks.triage.verdict import Facts, judge
from syncline.config.models import Lane
from syncline.errors import ForgeError
from syncline.forge.protocol import Landed, Proposal
from syncline.git import CommitId
from syncline.lane.context import LaneContext
from syncline.lane.ends import Ends, read_ends
from syncline.lane.shape import Shape, read_shape, target_below
from syncline.lane.triage.dispatched import run_dispatched
from syncline.lane.triage.on_parents import Running, run_on_parents
from syncline.lane.triage.presence import Trees
from syncline.lane.triage.recorded import Parent, of_landed, of_parents
from syncline.lane.triage.red import Logs, RedCheck, attempts, red_checks
from syncline.lane.triage.suspects import of_commits, of_state
from syncline.lane.verdict import spec_digests, verdict_of


@dataclass(frozen=True, slots=True)
class Merge:
    """The merge that a proposal brings, and its parents."""

    shape: Shape
    target: Parent
    source: Parent

    @property
    def parents(self) -> tuple[Parent, Parent]:
        """Target first."""
        return self.target, self.source


def triage_proposal(context: LaneContext, proposal: Proposal, *, running: Running | None = None) -> Report:
    """Return why the checks of a proposal's head are red.

    Args:
        context: the lane it belongs to.
        proposal: as the forge has it.
        running: how red checks are run on the parents; None: they are not, and what is recorded counts.

    Raises:
        ForgeError: it is none of the lane's, or its commits cannot be had.
    """
    lane, forge = context.lane, context.forge
    head = CommitId(proposal.head_sha)
    ends = read_ends(context.repository, lane)
    merge = _merge(context, proposal, head, ends)
    rollup = forge.rollup(head)
    digests = spec_digests(lane)
    checks = present(rollup, digests).checks
    counted = {check.name for check in verdict_of(lane, rollup, head).counted}
    with context.repository.temporary_directory("triage") as folder:
        logs = Logs(forge, Path(folder), lane.triage.artifacts)
        red = red_checks(logs, checks, counted)
        names = {one.name for one in red}
        witnesses: list[Witness] = []
        if red:
            witnesses += of_parents(forge, logs, merge.parents, names, digests)
            witnesses += of_landed(
                forge, logs, lane.target, names, digests, holds=lambda one: _holds(context, merge.target.sha, one)
            )
            witnesses += run_on_parents(context, red, merge.parents, witnesses, running, logs.notes)
            witnesses += run_dispatched(context, red, merge.parents, witnesses, running, logs)
    faults = _faults(context, merge, ends, red, checks, witnesses) if red else ()
    return Report(
        sha=head,
        faults=faults,
        rows=rows(((one.name, one.conclusion.value, _signatures(one, faults)) for one in red), witnesses),
        on_retry=passed_on_retry(head, [check for check in checks if check.name in counted]),
        notes=tuple(dict.fromkeys(logs.notes)),
    )


def _merge(context: LaneContext, proposal: Proposal, head: CommitId, ends: Ends) -> Merge:
    lane = context.lane
    if not context.branches.has_head(proposal.number, head):
        context.branches.tip(proposal.branch)
    shape = None
    if context.repository.has(head):
        tips = (ends.target, ends.source)
        shape = read_shape(context.repository, head, elsewhere=tips, any_machine=True)
    if shape is None or shape.lane != lane.name:
        what = "is not on this machine" if not context.repository.has(head) else "has no merge of the lane below"
        raise ForgeError(
            f"proposal {proposal.number} is no sync of lane {lane.name!r}: its head {head.short} {what}",
            hint="name its lane with --lane; `syncline proposals` lists the proposals of all lanes",
        )
    target = target_below(context.repository, shape, ends.target) or shape.target
    return Merge(
        shape, Parent("target", target), Parent("source", shape.source, here=lane.source_at == lane.target_at)
    )


def _holds(context: LaneContext, target: CommitId, landed: Landed) -> bool:
    """Whether target's commit contains what landed, and is not that head itself, which was asked already."""
    commit = CommitId(landed.commit)
    return landed.head_sha != target and context.repository.has(commit) and context.contains(target, commit)


def _faults(
    context: LaneContext,
    merge: Merge,
    ends: Ends,
    red: Sequence[RedCheck],
    checks: Sequence[Check],
    witnesses: Sequence[Witness],
) -> tuple[Triaged, ...]:
    clusters = cluster((one.name, failure) for one in red for failure in one.failures)
    suspects = _suspects(context, merge, ends, clusters)
    trees = Trees(context.repository)
    signatures = transient.merged(own_signatures(context.lane))
    others = attempts(checks, red)
    head, target, source = merge.shape.head, merge.target.sha, merge.source.sha
    return tuple(
        Triaged(
            one,
            judge(
                one,
                Facts(
                    witnesses=tuple(witnesses),
                    attempts=others,
                    suspects=suspects,
                    presence=trees.presence(one, head, target, source),
                    signatures=signatures,
                ),
            ),
        )
        for one in clusters
    )


def own_signatures(lane: Lane) -> tuple[transient.Signature, ...]:
    """Return the transient signatures that a lane's configuration adds."""
    where = f"lane {lane.name}: triage.transient"
    return tuple(
        transient.signature(match=one.match, cause=one.cause, says=one.says, origin="syncline.toml", where=where)
        for one in lane.triage.transient
    )


def _suspects(context: LaneContext, merge: Merge, ends: Ends, clusters: Sequence[Cluster]) -> tuple[Suspect, ...]:
    target, source = merge.target.sha, merge.source.sha
    commits = of_commits(context.repository, clusters, target, source)
    return (*of_state(context.state(merge.shape, ends)), *commits)


def _signatures(red: RedCheck, faults: Sequence[Triaged]) -> frozenset[str]:
    """What a check fails by: what only follows from an error does not count."""
    found = [fault.cluster.in_check(red.name).signatures for fault in faults if red.name in fault.cluster.checks]
    return frozenset().union(*found)

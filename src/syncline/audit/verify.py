"""The hard invariants of a sync (MISSION N13): each one broken is a `stop`."""

from syncline.audit.compiles import uncompilable
from syncline.audit.finding import Finding
from syncline.audit.markers import left_markers
from syncline.audit.merged_files import merged_files
from syncline.audit.policy import changed_protected, split_coupled_sets
from syncline.audit.topology import undone_import, undone_target, wrong_topology
from syncline.config.models import Lane
from syncline.git import CommitId, Repository
from syncline.git.commit import Commit

IN_VERIFY = frozenset(("compiles", "markers", "policy"))
"""Audits whose findings the hard invariants hold already."""


def verify(
    repository: Repository,
    lane: Lane | None,
    merge: Commit,
    head: CommitId | None = None,
    target: CommitId | None = None,
) -> tuple[Finding, ...]:
    """Return what is broken, sorted; empty when all invariants hold.

    Args:
        repository: where the commits are.
        lane: the policy; None leaves out what only a policy can promise.
        merge: the merge commit.
        head: what is to be judged, the merge commit with what was added above it; None judges the merge alone.
        target: the newest commit of target that the head contains, when that is not the one merged into:
            somebody may have brought the branch up to date, and landing it must not undo what target did since.
    """
    found = list(wrong_topology(repository, lane, merge))
    if len(merge.parents) == 2:
        ours, theirs = target or merge.parents[0], merge.parents[1]
        judged = head or merge.oid
        if judged != merge.oid:
            found += undone_import(repository, merge, judged, ours)
            found += undone_target(repository, merge, judged, ours)
        if lane is not None:
            found += changed_protected(repository, lane, ours, judged)
            found += split_coupled_sets(repository, lane, ours=ours, theirs=theirs, head=judged)
        files = merged_files(repository, ours, theirs, judged)
        found += left_markers(repository, files)
        found += uncompilable(repository, files)
    return tuple(sorted(found, key=lambda finding: (finding.kind, finding.path, finding.line or 0)))

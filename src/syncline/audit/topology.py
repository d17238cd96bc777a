"""How the commits of a sync must hang together."""

from collections.abc import Iterator

from syncline.audit.finding import Finding, Severity
from syncline.config.models import Lane
from syncline.git import Repository
from syncline.git.commit import Commit
from syncline.git.history import is_ancestor


def wrong_topology(repository: Repository, lane: Lane | None, merge: Commit) -> Iterator[Finding]:
    """Yield what is wrong with a sync's merge commit: parents, trailers, signature."""
    if len(merge.parents) != 2:
        yield _stop(
            "parents", f"a sync's merge commit has two parents, {merge.oid.short} has {len(merge.parents)}"
        )
        return
    ours, theirs = merge.parents
    named = merge.trailer("Syncline-Target"), merge.trailer("Syncline-Source")
    if any(named) and named != (ours, theirs):
        yield _stop("parents", f"the trailers of {merge.oid.short} name other parents than it has")
    if is_ancestor(repository, theirs, ours):
        yield _stop("parents", f"target {ours.short} already contained {theirs.short}: nothing was imported")
    if lane is not None and lane.signing is not None and not merge.signed:
        yield _stop("unsigned", f"the lane asks for signed commits, {merge.oid.short} has no signature")


def _stop(kind: str, message: str) -> Finding:
    return Finding(kind, Severity.STOP, b"", message)

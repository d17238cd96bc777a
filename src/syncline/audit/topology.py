"""How the commits of a sync must hang together."""

from collections.abc import Iterator

from syncline import trailer_names
from syncline.audit.finding import Finding, Severity
from syncline.config.models import Lane
from syncline.git import CommitId, Repository
from syncline.git.commit import Commit, read_commit, read_commits
from syncline.git.diff import changes
from syncline.git.history import is_ancestor
from syncline.git.reverts import reverted, reverts


def wrong_topology(repository: Repository, lane: Lane | None, merge: Commit) -> Iterator[Finding]:
    """Yield what is wrong with a sync's merge commit: parents, trailers, signature."""
    if len(merge.parents) != 2:
        yield _stop(
            "parents", f"a sync's merge commit has two parents, {merge.oid.short} has {len(merge.parents)}"
        )
        return
    ours, theirs = merge.parents
    named = merge.trailer(trailer_names.TARGET), merge.trailer(trailer_names.SOURCE)
    if any(named) and named != (ours, theirs):
        yield _stop("parents", f"the trailers of {merge.oid.short} name other parents than it has")
    if is_ancestor(repository, theirs, ours):
        yield _stop("parents", f"target {ours.short} already contained {theirs.short}: nothing was imported")
    if lane is not None and lane.signing is not None and not merge.signed:
        yield _stop("unsigned", f"the lane asks for signed commits, {merge.oid.short} has no signature")


def undone_import(repository: Repository, merge: Commit, head: CommitId, target: CommitId) -> Iterator[Finding]:
    """Yield a finding when what was imported is gone again at the head.

    Landing it would mark source's commits as merged and swallow their content: no later sync would bring it.
    """
    imported = {change.path: change.old for change in changes(repository, merge.parents[0], merge.oid)}
    differs = {change.path for change in changes(repository, target, head)}
    if imported and not imported.keys() & differs:
        tree = read_commit(repository, target).tree
        # Where target has got the content by another way (a squash), nothing is lost.
        if any(repository.entry(tree, path) == before for path, before in imported.items()):
            yield _stop("import-undone", "the head holds nothing of what was imported: those files are target's")
            return
    done = repository.sealed("rev-list", "--reverse", "--topo-order", head, f"^{merge.oid}", f"^{target}")
    above = read_commits(repository, map(CommitId.from_bytes, done.stdout.split()))
    undone = reverted(above)
    for commit in above:
        if commit.oid not in undone and reverts(commit, merge.oid):
            yield _stop("import-undone", f"{commit.oid.short} reverts the merge: what was imported is gone again")


def undone_target(repository: Repository, merge: Commit, head: CommitId, target: CommitId) -> Iterator[Finding]:
    """Yield a finding for each file in which target's newer change was dropped while merging target.

    Only files that the sync itself had left as target had them: nothing but the dropping explains those.
    """
    since = {change.path: change for change in changes(repository, merge.parents[0], target)}
    if not since:
        return
    differs = {change.path: change.new for change in changes(repository, target, head)}
    for path, change in since.items():
        if path in differs and differs[path] == change.old == repository.entry(merge.tree, path):
            yield Finding(
                "target-undone", Severity.STOP, path,
                f"target changed it by {target.short}, which the branch contains, but the head has it as before",
                suggestion=f"git checkout {target.short} -- PATH on the proposal's branch",
            )  # fmt: skip


def _stop(kind: str, message: str) -> Finding:
    return Finding(kind, Severity.STOP, b"", message)

"""What the lane's policy promises of every merge: protected paths, coupled sets."""

from collections.abc import Iterator

from syncline.audit.finding import EvidenceCommit, Finding, Severity
from syncline.config.models import Lane
from syncline.git import CommitId, Entry, Repository
from syncline.git.diff import changes
from syncline.merge.resolvers.path_rule import first_rule
from syncline.merge.resolvers.patterns import matches, path_text


def changed_protected(repository: Repository, lane: Lane, ours: CommitId, head: CommitId) -> Iterator[Finding]:
    """Yield a finding for each protected path that differs from target."""
    if not any(rule.take == "protect" for rule in lane.paths):
        return
    for change in changes(repository, ours, head):
        rule = first_rule(lane.paths, [change.path])
        if rule is not None and rule.take == "protect":
            yield Finding(
                "protected-path", Severity.STOP, change.path,
                f"differs from target, but the rule at syncline.toml:{rule.line} protects it",
                evidence=(EvidenceCommit(ours, "target's version"),),
                suggestion=f"git checkout {ours.short} -- {path_text(change.path)}",
            )  # fmt: skip


def split_coupled_sets(
    repository: Repository, lane: Lane, *, ours: CommitId, theirs: CommitId, head: CommitId
) -> Iterator[Finding]:
    """Yield a finding for each coupled set that holds some files of target and some of source.

    A file that equals neither (a lock file that was regenerated) speaks for neither side.
    """
    if not lane.coupled:
        return
    differing = [change for change in changes(repository, ours, theirs)]  # noqa: C416 - walked more than once
    at_head = {change.path: change.new for change in changes(repository, ours, head)}
    for coupled in lane.coupled:
        from_ours, from_theirs = [], []
        for change in differing:
            if matches(coupled.paths, change.path):
                now: Entry | None = at_head.get(change.path, change.old)
                if now == change.old:
                    from_ours.append(change.path)
                elif now == change.new:
                    from_theirs.append(change.path)
        if from_ours and from_theirs:
            yield Finding(
                "coupled-set-split", Severity.STOP, from_theirs[0],
                f"coupled set {coupled.name!r} (syncline.toml:{coupled.line}) is split: "
                f"{path_text(from_ours[0])} is target's, {path_text(from_theirs[0])} is source's",
                suggestion="take all files of the set from one side",
            )  # fmt: skip

"""What the lane's policy promises of every merge: protected paths, coupled sets."""

from collections.abc import Iterator

from syncline.audit.finding import EvidenceCommit, Finding, Severity
from syncline.audit.task import Task
from syncline.config.models import Lane
from syncline.git import CommitId, Repository, TreeId
from syncline.git.diff import changes
from syncline.git.paths import json_path
from syncline.merge.resolvers.path_rule import first_rule, rule_text
from syncline.merge.resolvers.patterns import matches


def broken_promises(task: Task) -> Iterator[Finding]:
    """Yield a finding for each protected path that changed and each coupled set that is split."""
    if task.lane is not None:
        trees = task.trees
        yield from changed_protected(trees.repository, task.lane, trees.ours, trees.merged)
        yield from split_coupled_sets(
            trees.repository, task.lane, ours=trees.ours, theirs=trees.theirs, head=trees.merged
        )


def changed_protected(
    repository: Repository, lane: Lane, ours: CommitId, head: CommitId | TreeId
) -> Iterator[Finding]:
    """Yield a finding for each protected path that differs from target."""
    if not any(rule.take == "protect" for rule in lane.paths):
        return
    for change in changes(repository, ours, head):
        rule = first_rule(lane.paths, [change.path])
        if rule is not None and rule.take == "protect":
            yield Finding(
                "protected-path", Severity.STOP, change.path,
                f"differs from target, but {rule_text(rule)} protects it",
                evidence=(EvidenceCommit(ours, "target's version"),),
                suggestion=f"git checkout {ours.short} -- {json_path(change.path)}",
            )  # fmt: skip


def split_coupled_sets(
    repository: Repository, lane: Lane, *, ours: CommitId, theirs: CommitId, head: CommitId | TreeId
) -> Iterator[Finding]:
    """Yield a finding for each coupled set of which some files moved away from target and others stayed.

    Only files count in which the sides, or target and the head, differ. Where to a file moved does not matter: a
    lock file from source's newest commit, or one written by hand, beside target's manifest is as wrong.
    """
    if not lane.coupled:
        return
    moved = {change.path for change in changes(repository, ours, head)}
    concerned = sorted(moved | {change.path for change in changes(repository, ours, theirs)})
    for coupled in lane.coupled:
        members = [path for path in concerned if matches(coupled.paths, path)]
        went = [path for path in members if path in moved]
        stayed = [path for path in members if path not in moved]
        if went and stayed:
            yield Finding(
                "coupled-set-split", Severity.STOP, went[0],
                f"coupled set {coupled.name!r} ({coupled.file}:{coupled.line}) is split: "
                f"{json_path(stayed[0])} is still target's, {json_path(went[0])} is not",
                suggestion="take all files of the set from one side",
            )  # fmt: skip

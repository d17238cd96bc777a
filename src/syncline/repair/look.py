"""Looking at a tree in the place of a merge's: all audits, the waivers of the lane applied."""

from syncline.audit.audit import audit
from syncline.audit.four_trees import FourTrees
from syncline.audit.task import Task
from syncline.audit.waivers import apply
from syncline.config.models import Lane
from syncline.git import CommitId, Repository, TreeId
from syncline.repair.prove import Look, Looked


def looker(repository: Repository, lane: Lane | None, *, ours: CommitId, theirs: CommitId) -> Look:
    """Return what audits a tree that was made of two commits."""

    def look(tree: TreeId) -> Looked:
        task = Task(FourTrees(repository, ours, theirs, tree), lane)
        found = audit(task)
        return Looked(task, apply(task, found.findings).standing, found.not_run)

    return look

"""What `syncline verify` does."""

from collections import Counter
from typing import TYPE_CHECKING

from syncline.audit.verify import verify
from syncline.cli.options import Common
from syncline.cli.session import optional_lane
from syncline.cli.text import path_line, print_json, say
from syncline.errors import SynclineError
from syncline.git import CommitId, Repository
from syncline.git.commit import Commit, read_commit
from syncline.git.refs import branch_ref, find_commit, resolve_commit
from syncline.lane.shape import read_shape, target_below

if TYPE_CHECKING:
    from syncline.config.models import Lane


def run(options: Common, revision: str, lane_name: str | None) -> int:
    """Print the findings and return the exit code: 1 when an invariant is broken."""
    with Repository.open(options.directory) as repository:
        lane = optional_lane(options, repository, lane_name)
        head = resolve_commit(repository, revision)
        merge, target = _merge_below(repository, lane, head, revision)
        findings = verify(repository, lane, merge, head, target)
        if options.as_json:
            counts = Counter(finding.severity.value for finding in findings)
            print_json({
                "merge": merge.oid, "head": head, "lane": lane.name if lane else None,
                "findings": [finding.as_json() for finding in findings], "counts": dict(counts),
            })  # fmt: skip
        else:
            for finding in findings:
                where = path_line(finding.path) + (f":{finding.line}" if finding.line else "")
                say(f"{finding.severity.value}  {finding.kind}  {where}  {finding.message}".replace("    ", "  "))
            say(f"{merge.oid.short}: {len(findings) or 'no'} broken invariant{'' if len(findings) == 1 else 's'}")
    return 1 if findings else 0


def _merge_below(
    repository: Repository, lane: "Lane | None", head: CommitId, revision: str
) -> tuple[Commit, CommitId | None]:
    """Return the merge to judge, and the newest commit of target that the head holds where that can be told."""
    shape = read_shape(repository, head)
    if shape is not None:
        tip = find_commit(repository, branch_ref(lane.target)) if lane is not None else None
        target = target_below(repository, shape, tip) if tip is not None else None
        # Once it has landed, target holds the head itself: then only what it was made from can be compared.
        return shape.merge, target if target != head else None
    commit = read_commit(repository, head)
    if len(commit.parents) < 2:
        raise SynclineError(
            f"a merge commit was expected at {revision!r}, {head.short} has {len(commit.parents)} parent(s) "
            "and no sync's merge commit below it",
            hint="name the merge commit itself",
        )
    return commit, None

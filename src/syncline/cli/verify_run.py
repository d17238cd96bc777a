"""What `syncline verify` does."""

from collections import Counter

from syncline.audit.verify import verify
from syncline.cli.merge_below import merge_below
from syncline.cli.options import Common
from syncline.cli.session import optional_lane
from syncline.cli.text import path_line, print_json, say
from syncline.git import Repository
from syncline.git.refs import resolve_commit


def run(options: Common, revision: str, lane_name: str | None) -> int:
    """Print the findings and return the exit code: 1 when an invariant is broken."""
    with Repository.open(options.directory) as repository:
        lane = optional_lane(options, repository, lane_name)
        head = resolve_commit(repository, revision)
        merge, target = merge_below(repository, lane, head, revision, hint="name the merge commit itself")
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

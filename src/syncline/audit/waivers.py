"""Waivers: findings that somebody looked at and let pass, for as long as their code stays the same."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from syncline.audit.code_digest import code_digest
from syncline.audit.finding import Finding, Severity
from syncline.audit.task import Task
from syncline.config.models import Waiver

NEVER: dict[str, str] = {
    "conflict-markers": "settle the conflict",
    "does-not-compile": "mend the file",
    "import-undone": "landing it would lose what was imported for good",
    "not-reproducible": "make the sync anew",
    "parents": "make the merge anew",
    "protected-path": "change the rule that protects the path",
    "coupled-set-split": "change the coupled set",
    "target-undone": "landing it would undo what target did",
    "unsigned": "sign the commit, or take the lane's signing away",
}
"""Kinds of findings that nobody may waive, and what to do: the hard invariants, which hold beside any waiver."""


@dataclass(frozen=True, slots=True)
class Waived:
    """A finding and the waiver that names it."""

    finding: Finding
    waiver: Waiver


@dataclass(frozen=True, slots=True)
class Applied:
    """Findings after the lane's waivers."""

    standing: tuple[Finding, ...]
    """What still counts, in the order given; one whose waiver has expired says so in its message."""
    waived: tuple[Waived, ...]
    expired: tuple[Waived, ...]
    """Those of `standing` that are waived no more, since their code changed."""


def apply(task: Task, findings: Iterable[Finding]) -> Applied:
    """Take out the findings that the lane waives.

    Args:
        task: the audit they are from.
        findings: what the audits found, joined and with their final text.

    Raises:
        GitError: missing objects.
    """
    by_finding: dict[str, list[Waiver]] = defaultdict(list)
    for waiver in task.lane.waivers if task.lane is not None else ():
        by_finding[waiver.finding].append(waiver)
    standing: list[Finding] = []
    waived: list[Waived] = []
    expired: list[Waived] = []
    for finding in findings:
        waivers = by_finding.get(finding.id, [])
        if not waivers or finding.kind in NEVER:
            standing.append(finding)
            continue
        # What was waived when it was graver may pass as well; what has become graver may not.
        graver = {finding, replace(finding, severity=Severity.STOP)}
        codes = {code_digest(task.trees, one) for one in graver}
        holds = next((waiver for waiver in waivers if waiver.code in codes), None)
        if holds is not None:
            waived.append(Waived(finding, holds))
        else:
            back = replace(finding, message=f"{finding.message} ({_no_longer(waivers[-1])})")
            standing.append(back)
            expired.append(Waived(back, waivers[-1]))
    return Applied(tuple(standing), tuple(waived), tuple(expired))


def _no_longer(waiver: Waiver) -> str:
    of = f" of {waiver.on.isoformat()}" if waiver.on is not None else ""
    return f"a waiver{of} no longer holds: the code changed, or it is graver now"

"""A run as it stands at its head."""

from dataclasses import dataclass

from syncline.audit.finding import Finding, Severity
from syncline.audit.task import NotRun
from syncline.lane.shape import Shape
from syncline.merge.model import Decision, MergeResult
from syncline.propose.model import Settled


@dataclass(frozen=True, slots=True)
class State:
    """What is settled, open and broken at a run's head."""

    shape: Shape
    result: MergeResult
    """The merge made again from its parents."""
    settled: tuple[Settled, ...]
    unresolved: tuple[Decision, ...]
    findings: tuple[Finding, ...]
    """What the hard invariants and the audits found, the hard ones first."""
    not_audited: tuple[NotRun, ...] = ()
    """What could not be audited, and why."""

    @property
    def stops(self) -> tuple[Finding, ...]:
        """The findings that keep the proposal a draft."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.STOP)

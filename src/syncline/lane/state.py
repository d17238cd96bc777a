"""A run as it stands at its head."""

from dataclasses import dataclass

from syncline.audit.explain.told import Told
from syncline.audit.finding import Finding, Severity
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
    broken: tuple[Finding, ...]
    """The hard invariants that do not hold."""
    audit: Told
    """What the audits found, the lane's waivers applied."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that was found, the hard invariants first."""
        return (*self.broken, *self.audit.findings)

    @property
    def stops(self) -> tuple[Finding, ...]:
        """The findings that keep the proposal a draft."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.STOP)

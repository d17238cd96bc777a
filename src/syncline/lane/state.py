"""A run as it stands at its head."""

from dataclasses import dataclass

from syncline.audit.explain.told import Told
from syncline.audit.finding import Finding, Severity
from syncline.lane.shape import Shape
from syncline.merge.model import Decision, MergeResult, settled_by_rule
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
    def counts(self) -> str:
        """By what the settled conflicts were settled: `5 by rule, 10 by people`."""
        by_rule, by_agents = settled_by_rule(self.result), sum(bool(one.agents) for one in self.settled)
        by_commands = sum(one.by_command for one in self.settled)
        by_people = len(self.settled) - by_agents - by_commands
        by_evidence = len(self.result.conflicts) - by_rule - len(self.settled) - len(self.unresolved)
        shown = [f"{by_evidence} by evidence"] if by_evidence else []
        shown += [f"{by_agents} by agents"] if by_agents else []
        shown += [f"{by_commands} by commands"] if by_commands else []
        return ", ".join([f"{by_rule} by rule", *shown, f"{by_people} by people"])

    @property
    def stops(self) -> tuple[Finding, ...]:
        """The findings that keep the proposal a draft."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.STOP)

"""A run as it stands at its head."""

from dataclasses import dataclass

from syncline.audit.finding import Finding
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

"""Why a failure is there: a verdict with its evidence and how sure it is. Frozen values, no I/O."""

from dataclasses import dataclass
from enum import StrEnum

from syncline.checks.logs.failure import LogFailure


class Cause(StrEnum):
    """Whose doing a failure is."""

    SYNC = "sync"
    """It holds in the merge and in neither parent."""
    TARGET = "target"
    """It fails the same way on target."""
    SOURCE = "source"
    """It fails the same way on source."""
    BOTH = "both"
    """It fails the same way on both parents."""
    EXPOSED = "exposed"
    """It fails the same way on a parent whose own CI never ran it, so that nobody knew."""
    FLAKY = "flaky"
    """It passed on the same commit, or is known to come and go."""
    INFRASTRUCTURE = "infrastructure"
    DEPENDENCY = "dependency"
    """Something from outside the repository is not there, or not as it was."""
    UNKNOWN = "unknown"


class Saw(StrEnum):
    """What became of a check on a parent. Only what ran to its end is a witness."""

    PASSED = "passed"
    FAILED = "failed"
    UNFINISHED = "unfinished"
    """It was cut off: cancelled, timed out, killed by its machine."""
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Witness:
    """What one parent says of one check."""

    parent: str
    """`target` or `source`."""
    sha: str
    saw: Saw
    signatures: frozenset[str] = frozenset()
    """Of the failures in its log."""
    by: str = ""
    """Who ran it: `ci` (the parent's own), `proposal 123`, `syncline` ..."""
    check: str = ""
    """The check it speaks of."""
    exact: bool = True
    """Whether it ran on the parent's very commit; False: on one that landed there (a merged proposal's head)."""
    words: str = ""
    """What else is to be said of it: that its log is gone, that it was narrowed to the failing tests ..."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One fact that a verdict rests on."""

    words: str
    sha: str = ""
    """The commit it speaks of; empty where it speaks of none."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The cause of one failure."""

    cause: Cause
    confidence: float
    """From 0 to 1."""
    evidence: tuple[Evidence, ...]
    witnesses: tuple[Witness, ...] = ()


@dataclass(frozen=True, slots=True)
class InCheck:
    """How one check fails by a fault."""

    check: str
    signatures: frozenset[str]
    """Of the failures in its log that belong to the fault: of the causal ones, where there is any."""
    tests: tuple[str, ...] = ()
    """The tests that fail by it, sorted."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """One fault, however many checks it fails."""

    signature: str
    first: LogFailure
    """The failure that tells most."""
    checks: tuple[str, ...]
    """The checks that fail by it, sorted."""
    tests: tuple[str, ...] = ()
    """The tests that fail by it, sorted."""
    count: int = 1
    """How many failures were put together."""
    members: tuple[InCheck, ...] = ()
    """Check by check, sorted by name."""

    def in_check(self, check: str) -> InCheck:
        """Return how a check fails by it."""
        for member in self.members:
            if member.check == check:
                return member
        return InCheck(check, frozenset({self.signature}), self.tests)


@dataclass(frozen=True, slots=True)
class Triaged:
    """One fault with its cause."""

    cluster: Cluster
    verdict: Verdict

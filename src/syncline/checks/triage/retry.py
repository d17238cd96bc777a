"""Which failed checks are run again on the same commit, and when. Pure: a plan, nothing is run.

Only what is likely to pass by itself is tried: faults whose cause is infrastructure, a dependency's host or
flakiness. A check by which any other fault fails too is left alone: it would be red again for that one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from syncline.checks.model import Check, CheckState, Conclusion
from syncline.checks.triage.cause import Cause, Triaged
from syncline.checks.triage.saw import is_red

PASSING = frozenset({Cause.FLAKY, Cause.INFRASTRUCTURE, Cause.DEPENDENCY})
"""Causes that may be gone the next time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How often and how soon. Waiting doubles with each try."""

    most: int = 2
    """So many more attempts at each check, for one commit."""
    first_wait: float = 60.0
    """Seconds between a check's end and its first new attempt."""
    longest_wait: float = 3600.0
    sure: float = 0.5
    """A cause less sure than this (0 to 1) is no reason to try again."""


@dataclass(frozen=True, slots=True)
class Again:
    """One check that is run again."""

    check: str
    attempt: int
    """Which attempt it will be, from 2."""
    wait: float
    """Seconds from now; 0: at once."""
    why: str


@dataclass(frozen=True, slots=True)
class GivenUp:
    """One red check that is not run again, and why."""

    check: str
    why: str


@dataclass(frozen=True, slots=True)
class RetryPlan:
    """What is run again on one commit. Each tuple is sorted by check."""

    sha: str
    again: tuple[Again, ...] = ()
    given_up: tuple[GivenUp, ...] = ()

    def due(self) -> tuple[str, ...]:
        """Return the checks whose time has come."""
        return tuple(one.check for one in self.again if one.wait <= 0)


@dataclass(frozen=True, slots=True)
class OnRetry:
    """A check that passed only when it was run again: flaky, and told as such."""

    check: str
    failed: int
    """How many attempts failed before it passed."""


def retry_plan(
    sha: str,
    checks: Iterable[Check],
    faults: Iterable[Triaged],
    *,
    ended: Mapping[str, float],
    now: float,
    limits: Limits | None = None,
) -> RetryPlan:
    """Return which red checks of a commit are run again.

    Args:
        sha: the commit.
        checks: all results of the commit, old attempts included.
        faults: why they are red.
        ended: check -> when its newest attempt ended, seconds since the epoch; one that is missing has just ended.
        now: the moment, seconds since the epoch.
        limits: how often and how soon.
    """
    bounds = limits or Limits()
    by_name = _by_name(sha, checks)
    causes: dict[str, list[Triaged]] = defaultdict(list)
    for fault in faults:
        for check in fault.cluster.checks:
            causes[check].append(fault)
    again: list[Again] = []
    given_up: list[GivenUp] = []
    for name, results in sorted(by_name.items()):
        newest = max(results, key=lambda one: one.order)
        # Several results may be equally new (jobs of one name): one at work is waited for, one red is red.
        last = [one for one in results if one.order == newest.order]
        if any(one.state is not CheckState.COMPLETED for one in last) or not any(map(is_red, last)):
            continue
        done = len({one.order for one in results if _ran(one)})
        if reason := _no_reason(causes.get(name, []), bounds):
            given_up.append(GivenUp(name, reason))
        elif done > bounds.most:
            given_up.append(GivenUp(name, f"failed {done} times on this commit"))
        else:
            pause = min(bounds.first_wait * 2 ** max(0, done - 1), bounds.longest_wait)
            wait = max(0.0, ended.get(name, now) + pause - now)
            again.append(Again(name, done + 1, wait, _why(causes[name])))
    return RetryPlan(sha, tuple(again), tuple(given_up))


def passed_on_retry(sha: str, checks: Iterable[Check]) -> tuple[OnRetry, ...]:
    """Return the checks that are green now and failed before on the same commit, sorted by name."""
    found: list[OnRetry] = []
    for name, results in sorted(_by_name(sha, checks).items()):
        newest = max(one.order for one in results)
        last = [one for one in results if one.order == newest]
        before = [one for one in results if one.order < newest]
        # Cut off is not failed: what was cancelled and run anew is no flake.
        failed = sum(one.conclusion in {Conclusion.FAILURE, Conclusion.TIMED_OUT} for one in before)
        if failed and all(one.conclusion is Conclusion.SUCCESS for one in last):
            found.append(OnRetry(name, failed))
    return tuple(found)


def _by_name(sha: str, checks: Iterable[Check]) -> dict[str, list[Check]]:
    found: dict[str, list[Check]] = defaultdict(list)
    for check in checks:
        if check.sha == sha and check.reported:
            found[check.name].append(check)
    return found


def _ran(check: Check) -> bool:
    return check.state is CheckState.COMPLETED and check.conclusion not in {Conclusion.SKIPPED, Conclusion.NEUTRAL}


def _no_reason(faults: Collection[Triaged], limits: Limits) -> str:
    """Why a check is not tried again; empty where it may be."""
    if not faults:
        return "nobody can tell why it failed"
    other = sorted({one.verdict.cause.value for one in faults if one.verdict.cause not in PASSING})
    if other:
        return f"it fails by a fault that stays: {', '.join(other)}"
    unsure = min(one.verdict.confidence for one in faults)
    return f"the cause is not sure enough ({unsure:.2f})" if unsure < limits.sure else ""


def _why(faults: Iterable[Triaged]) -> str:
    return ", ".join(sorted({one.verdict.cause.value for one in faults}))

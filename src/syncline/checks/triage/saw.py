"""What became of a check: whether a result is a witness at all. Pure."""

from collections.abc import Iterable

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.model import Check, CheckState, Conclusion
from syncline.checks.triage.cause import Saw
from syncline.secrets.hide import hidden

_RAN = {Conclusion.SUCCESS: Saw.PASSED, Conclusion.FAILURE: Saw.FAILED}
_NOT_RUN = frozenset({Conclusion.NEUTRAL, Conclusion.SKIPPED})
_CUT_OFF = frozenset({"timeout", "killed", "cancelled", "terminated"})
"""Kinds of failures that say that something was ended from outside."""


def saw_of(check: Check, failures: Iterable[LogFailure] = ()) -> Saw:
    """Return what a result says; `failures` are those its log tells.

    Only success and failure are an end of its own. A failure whose log tells of nothing but of being cut off is
    none.
    """
    if check.state is not CheckState.COMPLETED:
        return Saw.UNFINISHED if check.state is CheckState.RUNNING else Saw.NOT_RUN
    if check.conclusion in _NOT_RUN:
        return Saw.NOT_RUN
    found = _RAN.get(check.conclusion or Conclusion.STALE, Saw.UNFINISHED)
    if found is Saw.FAILED and cut_off(failures):
        return Saw.UNFINISHED
    return found


def cut_off(failures: Iterable[LogFailure]) -> bool:
    """Whether failures tell of no error, and of something that was ended from outside."""
    those = tuple(failures)
    if any(one.weight is Weight.CAUSE for one in those):
        return False
    return any(one.kind.casefold() in _CUT_OFF for one in those)


def is_red(check: Check) -> bool:
    """Whether a result has ended, and stands in a gate's way unless it is exempt."""
    good = {Conclusion.SUCCESS, Conclusion.NEUTRAL, Conclusion.SKIPPED}
    return check.state is CheckState.COMPLETED and check.conclusion not in good


def untold(check: Check) -> LogFailure:
    """Return the failure of a red check whose log tells none (or that has no log): at least that it ended so."""
    assert check.conclusion is not None  # noqa: S101 - it is red
    words = hidden(check.summary) or f"ended as {check.conclusion.value.replace('_', ' ')}"
    kind = {Conclusion.TIMED_OUT: "timeout", Conclusion.CANCELLED: "cancelled"}.get(check.conclusion, "exit")
    return LogFailure(tool="check", kind=kind, message=" ".join(words.split())[:400], weight=Weight.END, at=0)

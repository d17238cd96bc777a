"""Which of the failures of a log is told: the first that is the cause of others. Pure."""

from collections.abc import Sequence

from syncline.checks.logs.failure import LogFailure, Weight

_ORDER = {Weight.CAUSE: 0, Weight.SYMPTOM: 1, Weight.END: 2}


def first_cause(failures: Sequence[LogFailure]) -> LogFailure | None:
    """Return the failure that tells most of why the log is red; None when there is none.

    Causes come before symptoms, and symptoms before mere ends; of each the first one in the log.
    """
    return min(failures, key=lambda failure: (_ORDER[failure.weight], failure.at), default=None)

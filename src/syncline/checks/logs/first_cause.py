"""Which of the failures of a log is told: the first that is the cause of others. Pure."""

from collections.abc import Sequence

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.wording import normalised

_ORDER = {Weight.CAUSE: 0, Weight.SYMPTOM: 1, Weight.END: 2}
_WRAPPED = frozenset({"python"})
"""Tools whose words stand in the output of others, which tell more of them."""


def without_doubles(failures: Sequence[LogFailure]) -> list[LogFailure]:
    """Return failures without tracebacks that a test runner's failure tells already, with its test."""
    told = {_words(one) for one in failures if one.tool not in _WRAPPED}
    return [one for one in failures if one.tool not in _WRAPPED or _words(one) not in told]


def first_cause(failures: Sequence[LogFailure]) -> LogFailure | None:
    """Return the failure that tells most of why a log is red; None when there is none.

    `failures` are in the log's order, those of several logs one log after the other.

    Causes come before symptoms, and symptoms before mere ends; of each the first one. But:

    - where a launcher says which process failed first, that process is asked first;
    - a module that pytest cannot import is why tests are missing or fail, wherever it stands among them.
    """
    ranks = {one.rank for one in failures if one.tool == "torchrun" and one.rank is not None}
    first = min(
        failures,
        key=lambda one: (_ORDER[one.weight], bool(ranks) and one.rank not in ranks),
        default=None,
    )
    if first is not None and first.tool == "pytest" and first.test:
        imports = [
            one for one in failures if one.tool == "pytest" and not one.test and one.chain and one.log == first.log
        ]
        return min(imports, key=lambda one: _ORDER[one.weight], default=first)
    return first


def _words(failure: LogFailure) -> tuple[str, str]:
    return failure.kind, normalised(failure.message)

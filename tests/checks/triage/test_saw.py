"""Which results are witnesses: only what ran to its own end."""

import pytest

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.model import Check, CheckState, Conclusion
from syncline.checks.triage.cause import Saw
from syncline.checks.triage.saw import is_red, saw_of, untold

SHA = "a" * 40
ENDS = {
    Conclusion.SUCCESS: (Saw.PASSED, False),
    Conclusion.FAILURE: (Saw.FAILED, True),
    Conclusion.NEUTRAL: (Saw.NOT_RUN, False),
    Conclusion.SKIPPED: (Saw.NOT_RUN, False),
    Conclusion.CANCELLED: (Saw.UNFINISHED, True),
    Conclusion.TIMED_OUT: (Saw.UNFINISHED, True),
    Conclusion.ACTION_REQUIRED: (Saw.UNFINISHED, True),
    Conclusion.STALE: (Saw.UNFINISHED, True),
    Conclusion.STARTUP_FAILURE: (Saw.UNFINISHED, True),
}


def ended(conclusion: Conclusion, summary: str = "") -> Check:
    return Check("unit", SHA, CheckState.COMPLETED, conclusion, summary=summary)


def failure(kind: str, weight: Weight) -> LogFailure:
    return LogFailure("tool", kind, "it was", weight, 1)


@pytest.mark.parametrize("conclusion", Conclusion)
def test_every_way_to_end(conclusion: Conclusion) -> None:
    assert (saw_of(ended(conclusion)), is_red(ended(conclusion))) == ENDS[conclusion]


def test_what_has_not_ended_is_no_witness() -> None:
    assert saw_of(Check("unit", SHA, CheckState.RUNNING)) is Saw.UNFINISHED
    assert saw_of(Check("unit", SHA, CheckState.QUEUED)) is Saw.NOT_RUN


@pytest.mark.parametrize(
    ("failures", "saw"),
    [
        ([failure("killed", Weight.END)], Saw.UNFINISHED),
        ([failure("timeout", Weight.SYMPTOM), failure("exit", Weight.END)], Saw.UNFINISHED),
        ([failure("killed", Weight.END), failure("NameError", Weight.CAUSE)], Saw.FAILED),
        ([failure("timeout", Weight.CAUSE)], Saw.FAILED),
        ([failure("exit", Weight.END)], Saw.FAILED),
    ],
)
def test_a_failure_that_only_tells_of_being_cut_off_is_no_end(failures: list[LogFailure], saw: Saw) -> None:
    assert saw_of(ended(Conclusion.FAILURE), failures) is saw
    assert saw_of(ended(Conclusion.SUCCESS), failures) is Saw.PASSED


def test_a_check_without_a_word_is_told_all_the_same() -> None:
    for conclusion in (one for one in Conclusion if is_red(ended(one))):
        told = untold(ended(conclusion))
        assert told.weight is Weight.END
        assert conclusion.value.split("_")[0] in told.message
    assert untold(ended(Conclusion.FAILURE, "exit code 1:\nlast words")).message == "exit code 1: last words"


def test_secrets_in_its_last_words_are_hidden() -> None:
    token = "ghp_" + "a1B2" * 9
    assert token not in untold(ended(Conclusion.FAILURE, f"exit code 1: pushed with {token}")).message

"""Which checks are run again: only what may pass by itself, so often and no more, later each time."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.model import Check, CheckState, Conclusion
from syncline.checks.triage.cause import Cause, Triaged, Verdict
from syncline.checks.triage.cluster import cluster
from syncline.checks.triage.retry import PASSING, Again, GivenUp, Limits, OnRetry, passed_on_retry, retry_plan

SHA = "a" * 40


def results(name: str, *conclusions: Conclusion | None, sha: str = SHA) -> list[Check]:
    return [
        Check(name, sha, CheckState.COMPLETED if one else CheckState.QUEUED, one, order=order)
        for order, one in enumerate(conclusions, 1)
    ]


def fault(cause: Cause, *checks: str, confidence: float = 0.9) -> Triaged:
    failure = LogFailure("tool", "error", f"by {cause}", Weight.CAUSE, 1)
    (one,) = cluster([(check, failure) for check in checks])
    return Triaged(one, Verdict(cause, confidence, ()))


FAILED, PASSED = Conclusion.FAILURE, Conclusion.SUCCESS


@pytest.mark.parametrize("cause", Cause)
def test_only_what_may_pass_by_itself_is_run_again(cause: Cause) -> None:
    plan = retry_plan(SHA, results("unit", FAILED), [fault(cause, "unit")], ended={}, now=100.0)
    if cause in {Cause.FLAKY, Cause.INFRASTRUCTURE, Cause.DEPENDENCY}:
        assert plan.again == (Again("unit", 2, 60.0, cause.value),)
    else:
        assert plan.given_up == (GivenUp("unit", f"it fails by a fault that stays: {cause.value}"),)


def test_a_check_with_a_fault_that_stays_is_left_alone() -> None:
    faults = [fault(Cause.INFRASTRUCTURE, "unit", "gpu"), fault(Cause.SYNC, "unit")]
    plan = retry_plan(SHA, [*results("unit", FAILED), *results("gpu", FAILED)], faults, ended={}, now=0.0)
    assert [one.check for one in plan.again] == ["gpu"]
    assert plan.given_up == (GivenUp("unit", "it fails by a fault that stays: sync"),)


def test_it_waits_longer_each_time_and_then_gives_up() -> None:
    limits = Limits(most=3, first_wait=10.0, longest_wait=35.0)
    plans = [
        retry_plan(
            SHA, results("unit", *[FAILED] * number), [fault(Cause.FLAKY, "unit")],
            ended={"unit": 50.0}, now=52.0, limits=limits,
        )
        for number in range(1, 5)
    ]  # fmt: skip
    assert [(one.attempt, one.wait) for plan in plans for one in plan.again] == [(2, 8.0), (3, 18.0), (4, 33.0)]
    assert plans[-1].given_up == (GivenUp("unit", "failed 4 times on this commit"),)


def test_its_time_comes() -> None:
    for now, due in ((59.0, ()), (60.0, ("unit",)), (1e6, ("unit",))):
        plan = retry_plan(
            SHA, results("unit", FAILED), [fault(Cause.FLAKY, "unit")], ended={"unit": 0.0}, now=now
        )  # fmt: skip
        assert plan.due() == due


@pytest.mark.parametrize(
    "checks",
    [
        results("unit", FAILED, PASSED),
        results("unit", FAILED, None),
        results("unit", Conclusion.SKIPPED),
        results("unit", FAILED, sha="b" * 40),
        [Check("unit", SHA, CheckState.COMPLETED, FAILED, 1), Check("unit", SHA, CheckState.RUNNING, None, 1)],
    ],
    ids=["passed", "queued", "skipped", "another commit's", "a leg is at work"],
)
def test_what_is_not_red_now_is_left_alone(checks: Sequence[Check]) -> None:
    plan = retry_plan(SHA, checks, [fault(Cause.FLAKY, "unit")], ended={}, now=0.0)
    assert (plan.again, plan.given_up) == ((), ())


def test_what_nobody_understands_or_is_unsure_of_is_left_alone() -> None:
    checks = [*results("unit", FAILED), *results("gpu", FAILED)]
    plan = retry_plan(SHA, checks, [fault(Cause.FLAKY, "unit", confidence=0.4)], ended={}, now=0.0)
    assert plan.given_up == (
        GivenUp("gpu", "nobody can tell why it failed"),
        GivenUp("unit", "the cause is not sure enough (0.40)"),
    )


def test_what_passed_only_on_retry_is_told() -> None:
    checks = [
        *results("flaky", FAILED, Conclusion.TIMED_OUT, PASSED),
        *results("good", PASSED),
        *results("cancelled first", Conclusion.CANCELLED, PASSED),
        *results("still red", PASSED, FAILED),
        *results("other", FAILED, PASSED, sha="b" * 40),
    ]
    assert passed_on_retry(SHA, checks) == (OnRetry("flaky", 2),)


CONCLUSIONS = st.sampled_from(
    [FAILED, PASSED, Conclusion.CANCELLED, Conclusion.SKIPPED, Conclusion.TIMED_OUT, None]
)


@given(
    st.dictionaries(st.sampled_from(["a", "b", "c"]), st.lists(CONCLUSIONS, min_size=1, max_size=5)),
    st.lists(st.tuples(st.sampled_from(Cause), st.sampled_from(["a", "b", "c"])), max_size=4),
    st.integers(0, 3),
)
def test_a_plan_is_bounded_and_names_each_red_check_once(
    history: dict[str, list[Conclusion | None]], causes: list[tuple[Cause, str]], most: int
) -> None:
    checks = [one for name, ends in history.items() for one in results(name, *ends)]
    faults = [fault(cause, check) for cause, check in causes]
    plan = retry_plan(SHA, checks, faults, ended={}, now=0.0, limits=Limits(most=most))
    good = {PASSED, Conclusion.SKIPPED, None}
    red = sorted(name for name, ends in history.items() if ends[-1] not in good)
    named = [one.check for one in (*plan.again, *plan.given_up)]
    assert sorted(named) == red
    for one in plan.again:
        assert one.attempt <= most + 1
        assert {cause for cause, check in causes if check == one.check} <= PASSING

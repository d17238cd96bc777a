"""Results of another spec under the same name: never trusted, always waited for."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.checks.gate import GateState, evaluate
from syncline.checks.model import Check, CheckState, Conclusion, Rollup
from syncline.checks.present import awaited, present

SHA = "a" * 40
DONE, QUEUED, RUNNING = CheckState.COMPLETED, CheckState.QUEUED, CheckState.RUNNING
SUCCESS, FAILURE = Conclusion.SUCCESS, Conclusion.FAILURE


@dataclass(frozen=True)
class Rule:
    sentinel: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ()
    may_skip: tuple[str, ...] = ()
    allow_no_checks: bool = True


def check(name: str, order: int, spec: str, state: CheckState = DONE, conclusion: Conclusion = SUCCESS) -> Check:
    return Check(name, SHA, state, conclusion if state is DONE else None, order=order, spec=spec)


CASES = {
    "of the present spec": ([check("a", 1, "new")], [1], GateState.GREEN),
    "of another spec": ([check("a", 1, "old")], [], GateState.WAITING),
    "of nobody knows what": ([check("a", 1, "")], [], GateState.WAITING),
    "a failure of another spec": ([check("a", 1, "old", DONE, FAILURE)], [], GateState.WAITING),
    "queued for another spec": ([check("a", 1, "old", QUEUED)], [1], GateState.WAITING),
    "running another spec": ([check("a", 1, "old", RUNNING)], [1], GateState.WAITING),
    "the newest is of the present spec": ([check("a", 1, "old"), check("a", 2, "new")], [2], GateState.GREEN),
    "and it is red": ([check("a", 1, "old"), check("a", 2, "new", DONE, FAILURE)], [2], GateState.RED),
    "there, away and back again": ([check("a", 1, "new"), check("a", 2, "old")], [], GateState.WAITING),
    "queued again": ([check("a", 1, "old"), check("a", 2, "new", QUEUED)], [2], GateState.WAITING),
    "another system's": ([check("ci", 1, "")], [1], GateState.GREEN),
    "one of each": ([check("a", 1, "old"), check("ci", 2, "")], [2], GateState.WAITING),
}


@pytest.mark.parametrize(("checks", "kept", "state"), CASES.values(), ids=CASES)
def test_what_stays_and_what_the_gate_says(checks: list[Check], kept: list[int], state: GateState) -> None:
    rollup, digests = Rollup(SHA, tuple(checks)), {"a": "new"}
    assert [one.order for one in present(rollup, digests).checks] == kept
    assert evaluate(Rule(), awaited(rollup, digests), SHA).state is state


any_check = st.builds(
    check,
    st.sampled_from(["a", "b", "ci"]),
    st.integers(0, 4),
    st.sampled_from(["", "old", "new"]),
    st.sampled_from(CheckState),
    st.sampled_from(Conclusion),
)


@given(st.lists(any_check, max_size=6))
def test_a_gate_is_never_green_on_a_result_of_another_spec(checks: list[Check]) -> None:
    digests = {"a": "new", "b": "new"}
    verdict = evaluate(Rule(), awaited(Rollup(SHA, tuple(checks)), digests), SHA)
    for one in verdict.counted:
        assert one.state is not DONE or one.name == "ci" or one.spec == "new"
    newest = {name: max((c.order for c in checks if c.name == name), default=None) for name in digests}
    outdated = any(
        c.state is DONE and c.name in digests and c.order == newest[c.name] and c.spec != "new" for c in checks
    )
    if outdated:
        assert not verdict.green


@given(st.lists(any_check, max_size=6))
def test_without_checks_of_its_own_a_lane_s_rollup_stays_as_it_is(checks: list[Check]) -> None:
    rollup = Rollup(SHA, tuple(checks))
    assert present(rollup, {}) == awaited(rollup, {}) == rollup

"""Every state of up to three checks in every role, and of four in reduced sets, against an oracle.

The oracle is written from the table in docs/gate.md in another way than the gate: each check and each absence
contributes a colour, and roles are known from the making of the case instead of by patterns.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

import pytest

from syncline.checks.gate import GateState, evaluate
from syncline.checks.model import Check, CheckState, Conclusion, Rollup

HEAD = "a" * 40

ROLES = ("plain", "required", "exempt", "sentinel", "may_skip")
STATES: tuple[str, ...] = ("queued", "running", *(conclusion.value for conclusion in Conclusion))
FEWER_STATES = ("running", "success", "failure", "skipped")

Option = tuple[str, str]
"""Role and state of one check."""


@dataclass(frozen=True)
class Rule:
    sentinel: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ("exempt",)
    may_skip: tuple[str, ...] = ("may_skip", "sentinel")
    allow_no_checks: bool = False


RULES = tuple(
    Rule(sentinel=sentinel, required=required, allow_no_checks=allow)
    for sentinel, required, allow in product(((), ("sentinel",)), ((), ("required|may_skip",)), (False, True))
)


def name_of(role: str, index: int) -> str:
    """Distinct names; a sentinel's differ only in case, since its name has to be the whole."""
    if role == "sentinel":
        return "".join(letter.upper() if place == index else letter for place, letter in enumerate(role))
    return f"{role}-{index}"


def check_of(option: Option, index: int) -> Check:
    role, state = option
    name = name_of(role, index)
    if state in {"queued", "running"}:
        return Check(name, HEAD, CheckState(state))
    return Check(name, HEAD, CheckState.COMPLETED, Conclusion(state))


BAD = frozenset({"failure", "cancelled", "timed_out", "action_required", "stale", "startup_failure"})


def oracle(rule: Rule, options: Iterable[Option]) -> GateState:
    colours: list[str] = []
    seen: set[str] = set()
    for role, state in options:
        if role == "exempt":
            continue
        asked = {
            "required": bool(rule.required),
            "may_skip": bool(rule.required),
            "sentinel": bool(rule.sentinel),
        }
        strict = role in {"required", "sentinel"} and asked[role]
        seen |= {role}
        if state in {"queued", "running"}:
            colours.append("yellow")
        elif state in BAD or (strict and state in {"neutral", "skipped"}):
            colours.append("red")
        else:
            colours.append("green")
    if rule.sentinel and "sentinel" not in seen:
        colours.append("yellow")
    if rule.required and not seen & {"required", "may_skip"}:
        colours.append("yellow")
    if not seen and not rule.allow_no_checks:
        colours.append("yellow")
    for colour, state in (("red", GateState.RED), ("yellow", GateState.WAITING)):
        if colour in colours:
            return state
    return GateState.GREEN


def mismatches(cases: Iterable[tuple[Option, ...]], rules: Iterable[Rule]) -> Iterator[tuple[object, ...]]:
    checks = {(option, index): check_of(option, index) for option in product(ROLES, STATES) for index in range(4)}
    rules = tuple(rules)
    for case in cases:
        rollup = Rollup(HEAD, tuple(checks[option, index] for index, option in enumerate(case)))
        for rule in rules:
            verdict = evaluate(rule, rollup, HEAD)
            wanted = oracle(rule, case)
            if verdict.state is not wanted or verdict.green is not (not verdict.reasons):
                yield rule, case, wanted, verdict.state, verdict.reasons


@pytest.mark.parametrize("number", [0, 1, 2])
def test_all_roles_and_states_of_up_to_two_checks_under_all_rules(number: int) -> None:
    cases = list(combinations_with_replacement(product(ROLES, STATES), number))
    assert next(mismatches(cases, RULES), None) is None


def test_all_roles_and_states_of_three_checks() -> None:
    cases = combinations_with_replacement(product(ROLES, STATES), 3)
    full = Rule(sentinel=("sentinel",), required=("required|may_skip",))
    assert next(mismatches(cases, (full, Rule(), Rule(required=full.required))), None) is None


def test_all_roles_of_four_checks_in_the_states_that_differ() -> None:
    cases = combinations_with_replacement(product(ROLES, FEWER_STATES), 4)
    assert next(mismatches(cases, RULES[::3]), None) is None


@pytest.mark.parametrize(
    "roles",
    [("sentinel", "required", "may_skip", "plain"), ("exempt", "plain", "required", "sentinel")],
)
def test_all_states_of_four_checks(roles: tuple[str, ...]) -> None:
    cases = (tuple(zip(roles, states, strict=True)) for states in product(STATES, repeat=4))
    full = Rule(sentinel=("sentinel",), required=("required|may_skip",))
    assert next(mismatches(cases, (full,)), None) is None


def test_all_three_answers_occur() -> None:
    cases = list(product(product(ROLES, STATES), repeat=2))
    full = Rule(sentinel=("sentinel",), required=("required|may_skip",))
    assert {oracle(full, case) for case in cases} == set(GateState)

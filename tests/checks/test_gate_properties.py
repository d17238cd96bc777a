"""What must hold for every rule and rollup."""

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from syncline.checks.gate import GateState, NotCounted, Verdict, evaluate
from syncline.checks.model import Check, CheckState, Conclusion, Rollup

HEAD = "a" * 40
OTHER = "b" * 40
NAMES = ("CI", "ci", "unit 1", "unit 2", "Unit gpu", "lint", "codecov/patch", "codecov/unit", "")
PATTERNS = ("unit", "unit 1$", ".*gpu", "codecov", "lint|ci", "absent", "")


@dataclass(frozen=True)
class Rule:
    sentinel: tuple[str, ...]
    required: tuple[str, ...]
    exempt: tuple[str, ...]
    may_skip: tuple[str, ...]
    allow_no_checks: bool


def some(values: tuple[str, ...]) -> st.SearchStrategy[Any]:
    return st.lists(st.sampled_from(values), max_size=2).map(tuple)


RULES = st.builds(
    Rule,
    sentinel=some((*NAMES, "nowhere")),
    required=some(PATTERNS),
    exempt=some(PATTERNS),
    may_skip=some(PATTERNS),
    allow_no_checks=st.booleans(),
)
# Success is likely, or no example would ever be green.
ENDS = st.one_of(
    st.just((CheckState.COMPLETED, Conclusion.SUCCESS)),
    st.just((CheckState.COMPLETED, Conclusion.SKIPPED)),
    st.sampled_from(list(Conclusion)).map(lambda conclusion: (CheckState.COMPLETED, conclusion)),
    st.sampled_from([(CheckState.QUEUED, None), (CheckState.RUNNING, None)]),
)


PASSING = st.sampled_from(
    [(CheckState.COMPLETED, Conclusion.SUCCESS)] * 3 + [(CheckState.COMPLETED, Conclusion.SKIPPED)]
)


def checks(sha: st.SearchStrategy[str], ends: st.SearchStrategy[Any] = ENDS) -> st.SearchStrategy[Check]:
    return st.builds(
        lambda name, sha, end, order: Check(name, sha, end[0], end[1], order),
        st.sampled_from(NAMES),
        sha,
        ends,
        st.integers(0, 3),
    )


ROLLUPS = st.lists(checks(st.sampled_from([HEAD, HEAD, HEAD, OTHER, ""])), max_size=7)


def judge(rule: Rule, results: list[Check], sha: str = HEAD) -> Verdict:
    return evaluate(rule, Rollup(sha, tuple(results)), sha)


def core(verdict: Verdict) -> tuple[object, ...]:
    return verdict.state, verdict.reasons, verdict.counted


@given(RULES, ROLLUPS, checks(st.sampled_from([OTHER, "", HEAD.upper()])))
def test_a_result_for_another_commit_changes_nothing(rule: Rule, results: list[Check], more: Check) -> None:
    before, after = judge(rule, results), judge(rule, [*results, more])
    assert core(before) == core(after)
    assert (more, NotCounted.OTHER_COMMIT) in {(one.check, one.why) for one in after.ignored}


@given(RULES, ROLLUPS, st.randoms(use_true_random=False))
def test_order_of_results_changes_nothing(rule: Rule, results: list[Check], random: Any) -> None:
    shuffled = list(results)
    random.shuffle(shuffled)
    assert judge(rule, shuffled) == judge(rule, results)


@given(RULES, ROLLUPS, st.data())
def test_an_older_result_of_a_name_changes_nothing(rule: Rule, results: list[Check], data: st.DataObject) -> None:
    of_head = [check for check in results if check.sha == HEAD]
    assume(of_head)
    newer = data.draw(st.sampled_from(of_head))
    state, conclusion = data.draw(ENDS)
    older = Check(newer.name, HEAD, state, conclusion, newer.order - 1)
    assert core(judge(rule, [*results, older])) == core(judge(rule, results))


@given(RULES, ROLLUPS, st.data())
def test_only_the_newest_result_of_a_name_counts(rule: Rule, results: list[Check], data: st.DataObject) -> None:
    state, conclusion = data.draw(ENDS)
    newest = Check(data.draw(st.sampled_from(NAMES)), HEAD, state, conclusion, 9)
    alone = [check for check in results if check.name != newest.name]
    assert core(judge(rule, [*results, newest])) == core(judge(rule, [*alone, newest]))


@settings(max_examples=400)
@given(RULES, st.lists(checks(st.just(HEAD), PASSING), min_size=3, max_size=9))
def test_green_means_that_all_that_is_demanded_is_there_and_succeeded(rule: Rule, results: list[Check]) -> None:
    verdict = judge(rule, results)
    assume(verdict.green)
    newest = {check.name: check for check in sorted(results, key=lambda check: check.order) if check.sha == HEAD}
    ends = {name.lower(): [] for name in newest}
    for name, check in newest.items():
        ends[name.lower()].append(check.conclusion)
    for name in rule.sentinel:
        assert set(ends[name.lower()]) == {Conclusion.SUCCESS}
    if "unit" in rule.required:
        units = {check.conclusion for name, check in newest.items() if name.lower().startswith("unit")}
        assert units
        skips = {Conclusion.SKIPPED, Conclusion.NEUTRAL} if rule.may_skip else set()
        assert units <= {Conclusion.SUCCESS} | skips
    assert newest or rule.allow_no_checks
    assert not verdict.reasons


@given(RULES, ROLLUPS, ENDS)
def test_making_a_counted_check_worse_never_makes_green(rule: Rule, results: list[Check], end: Any) -> None:
    before = judge(rule, results)
    assume(not before.green and before.counted)
    for victim in before.counted:
        if victim.conclusion not in {Conclusion.SUCCESS, Conclusion.SKIPPED, Conclusion.NEUTRAL}:
            continue
        for state, conclusion in (end, (CheckState.QUEUED, None), (CheckState.COMPLETED, Conclusion.FAILURE)):
            worse = replace(victim, state=state, conclusion=conclusion)
            if conclusion is Conclusion.SUCCESS:
                continue
            if victim.conclusion is not Conclusion.SUCCESS and conclusion in {
                Conclusion.SKIPPED,
                Conclusion.NEUTRAL,
            }:
                continue
            after = judge(rule, [worse if check == victim else check for check in results])
            assert after.state is not GateState.GREEN


@given(RULES, ROLLUPS, st.sampled_from(["", "abc", "main", "0" * 40, "A" * 40, "a" * 41, "a" * 40 + "\n"]))
def test_an_invalid_head_is_never_green(rule: Rule, results: list[Check], head: str) -> None:
    moved = [replace(check, sha=head) for check in results]
    assert judge(rule, moved, head).state is GateState.RED


@given(RULES, ROLLUPS)
def test_the_rollup_of_another_commit_is_never_green(rule: Rule, results: list[Check]) -> None:
    verdict = evaluate(rule, Rollup(OTHER, tuple(results)), HEAD)
    assert verdict.state is GateState.WAITING
    assert not verdict.counted


@given(RULES, ROLLUPS)
def test_every_result_is_either_counted_or_ignored(rule: Rule, results: list[Check]) -> None:
    verdict = judge(rule, results)
    ignored = {one.check for one in verdict.ignored}
    assert set(verdict.counted) | ignored == set(results)
    assert not set(verdict.counted) & ignored

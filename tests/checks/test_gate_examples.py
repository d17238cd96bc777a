"""Single rules of the gate, by the numbers of docs/gate.md, and the examples printed there."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from syncline.checks import gate
from syncline.checks.gate import GateState, NotCounted, evaluate
from syncline.checks.model import Check, CheckState, Conclusion, Rollup, is_commit_id
from syncline.errors import ConfigError

HEAD = "0123456789abcdef0123456789abcdef01234567"
DOCS = Path(__file__).parents[2] / "docs" / "gate.md"


@dataclass(frozen=True)
class Rule:
    sentinel: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ()
    may_skip: tuple[str, ...] = ()
    allow_no_checks: bool = False


def check(name: str, end: str = "success", order: int = 0, sha: str = HEAD) -> Check:
    if end in {"queued", "running"}:
        return Check(name, sha, CheckState(end), order=order)
    return Check(name, sha, CheckState.COMPLETED, Conclusion(end), order)


def explain(rule: Rule, *checks: Check) -> tuple[str, ...]:
    return evaluate(rule, Rollup(HEAD, checks), HEAD).explain()


ABSENT_LINT = "waits: lint: no check matches this required pattern yet"


@pytest.mark.parametrize(
    ("rule", "checks", "wanted"),
    [
        # 3: other commits
        (Rule(), [check("a", sha="b" * 40)], ["waits: no check counts for this commit"]),
        # 4: duplicates
        (
            Rule(),
            [check("a", "failure", 1), check("a", "success", 2)],
            ["green: 1 check counted, nothing in the way"],
        ),
        (
            Rule(),
            [check("a", "success", 1), check("a", "queued", 2)],
            ["waits: a: has not finished (queued)"],
        ),
        (Rule(), [check("a", "success", 2), check("a", "failure", 2)], ["red: a: did not succeed (failure)"]),
        (Rule(), [check("a", "failure", 1), check("A", "success", 2)], ["red: a: did not succeed (failure)"]),
        # 5: exempt; anchored at the start, any case; sentinel and required win
        (
            Rule(exempt=("cov",)),
            [check("COVerage", "failure"), check("b")],
            ["green: 1 check counted, nothing in the way"],
        ),
        (Rule(exempt=("cov",)), [check("my cov", "failure")], ["red: my cov: did not succeed (failure)"]),
        (Rule(exempt=("cov",)), [check("cov", "failure")], ["waits: no check counts for this commit"]),
        (
            Rule(exempt=("l",), required=("lint",)),
            [check("lint", "failure")],
            ["red: lint: did not succeed (failure)"],
        ),
        (
            Rule(exempt=("c",), sentinel=("CI",)),
            [check("ci", "queued")],
            ["waits: ci: has not finished (queued)"],
        ),
        # 6: sentinel; the whole name, any case; never skipped
        (Rule(sentinel=("CI",)), [check("CI 2")], ["waits: CI: sentinel has not reported"]),
        (
            Rule(sentinel=("CI",), may_skip=("ci",)),
            [check("CI", "skipped")],
            ["red: CI: must succeed but did not really run; skipped by mistake? (skipped)"],
        ),
        # 7, 8: required
        (Rule(required=("lint",)), [check("a lint")], [ABSENT_LINT]),
        (Rule(required=("lint",)), [check("LINT (3.11)")], ["green: 1 check counted, nothing in the way"]),
        (
            Rule(required=("lint",)),
            [check("lint 1"), check("lint 2", "neutral")],
            ["red: lint 2: must succeed but did not really run; skipped by mistake? (neutral)"],
        ),
        (
            Rule(required=("lint",), may_skip=("lint 2",)),
            [check("lint 1"), check("lint 2", "neutral")],
            ["green: 2 checks counted, nothing in the way"],
        ),
        # 11: not required
        (
            Rule(),
            [check("a", "skipped"), check("b", "neutral")],
            ["green: 2 checks counted, nothing in the way"],
        ),
        # 12: no checks
        (Rule(allow_no_checks=True), [], ["green: 0 checks counted, nothing in the way"]),
        (Rule(allow_no_checks=True, required=("lint",)), [], [ABSENT_LINT]),
        # 13: red, and still what is waited for
        (
            Rule(required=("lint",)),
            [check("a", "failure"), check("b", "running")],
            ["red: a: did not succeed (failure)", "waits: b: has not finished (running)", ABSENT_LINT],
        ),
    ],
)
def test_rules(rule: Rule, checks: list[Check], wanted: list[str]) -> None:
    assert list(explain(rule, *checks)) == wanted


def test_ignored_results_say_why() -> None:
    rule = Rule(exempt=("cov",))
    checks = (check("a", order=1), check("a", order=2), check("cov"), check("x", sha="b" * 40))
    verdict = evaluate(rule, Rollup(HEAD, checks), HEAD)
    assert [(one.check.name, one.check.order, one.why) for one in verdict.ignored] == [
        ("a", 1, NotCounted.OLDER),
        ("cov", 0, NotCounted.EXEMPT),
        ("x", 0, NotCounted.OTHER_COMMIT),
    ]
    assert verdict.sha == HEAD


def test_a_moved_head_is_waited_for_even_if_no_check_is_needed() -> None:
    verdict = evaluate(Rule(allow_no_checks=True), Rollup("b" * 40), HEAD)
    assert verdict.state is GateState.WAITING
    assert verdict.explain() == (
        f"waits: the results are those of another commit (wanted {HEAD}, found {'b' * 40})",
    )


def test_a_pattern_that_is_no_regular_expression_is_a_clear_error() -> None:
    with pytest.raises(ConfigError, match=r"'c\+\+\+'.*multiple repeat"):
        evaluate(Rule(required=("c+++",)), Rollup(HEAD), HEAD)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (HEAD, True),
        ("f" * 64, True),
        ("", False),
        ("0" * 40, False),
        ("f" * 50, False),
        (HEAD.upper(), False),
        (HEAD + "\n", False),
        ("main", False),
    ],
)
def test_commit_ids(text: str, wanted: bool) -> None:  # noqa: FBT001  a column of the table
    assert is_commit_id(text) is wanted


DOCS_RULE = Rule(
    sentinel=("CI passed",),
    required=("unit tests", "gpu"),
    exempt=("codecov/", "nightly"),
    may_skip=("gpu",),
)
UNIT = "unit tests (3.11)"
DOCS_ROWS = [
    [],
    [check("CI passed"), check(UNIT), check("gpu", "skipped")],
    [check("CI passed"), check(UNIT), check("gpu", "skipped"), check("codecov/patch", "failure")],
    [check("CI passed"), check(UNIT, "skipped"), check("gpu")],
    [check("CI passed", "running"), check(UNIT, "failure"), check("gpu")],
    [check("CI passed"), check(UNIT, "failure", 1), check(UNIT, "success", 2), check("gpu")],
    [check("CI passed"), check(UNIT), check("gpu"), check("lint", "queued")],
]


def test_the_examples_in_the_docs_are_true() -> None:
    table = DOCS.read_text().split("## Examples")[1].split("\n## ")[0]
    rows = [re.split(r"\s*\|\s*", line)[2:4] for line in table.splitlines() if line.startswith("| ")]
    found = [
        [verdict.state.value, "; ".join(verdict.explain())]
        for checks in DOCS_ROWS
        for verdict in [evaluate(DOCS_RULE, Rollup(HEAD, tuple(checks)), HEAD)]
    ]
    assert rows[1:] == found


def test_every_rule_of_the_docs_is_cited_in_the_code() -> None:
    documented = {int(number) for number in re.findall(r"^\| (\d+) \|", DOCS.read_text(), re.MULTILINE)}
    cited = set(re.findall(r"# rules? (\d+)(?: and (\d+))?|; rules? (\d+)", Path(gate.__file__).read_text()))
    assert documented == {int(number) for numbers in cited for number in numbers if number}

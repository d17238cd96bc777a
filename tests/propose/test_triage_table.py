"""Triage in a proposal's body: bounded, and nothing that a log says becomes markup."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.triage.cause import Cause, Evidence, Saw, Triaged, Verdict, Witness
from syncline.checks.triage.cluster import cluster
from syncline.checks.triage.report import Report, rows
from syncline.checks.triage.retry import OnRetry
from syncline.propose.triage_table import MOST_FAULTS, MOST_ROWS, triage_section

SHA = "a" * 40
FAULT = LogFailure(
    "pytest", "ImportError", "cannot import name 'rope'", Weight.CAUSE, 3, path="pkg/a.py", line=4,
    chain=("tests/conftest.py", "pkg/a.py"),
)  # fmt: skip


def fault(failure: LogFailure = FAULT, cause: Cause = Cause.TARGET, *checks: str) -> Triaged:
    (one,) = cluster([(check, failure) for check in checks or ("unit",)])
    return Triaged(one, Verdict(cause, 0.95, (Evidence("unit fails the same way on target (ci)", SHA),)))


def report(*faults: Triaged) -> Report:
    witnesses = [
        Witness("target", SHA, Saw.FAILED, frozenset({FAULT.signature}), "ci", "unit"),
        Witness("source", SHA, Saw.PASSED, by="syncline", check="unit"),
    ]
    red = [(check, "failure", frozenset({FAULT.signature})) for one in faults for check in one.cluster.checks]
    return Report(SHA, faults, rows(red, witnesses))


def test_faults_and_both_parents() -> None:
    said = triage_section(report(fault()))
    assert "**inherited from target** (0.95)" in said
    assert "`ImportError: cannot import name 'rope'` at `pkg/a.py:4`" in said
    assert "| `unit` | failure | fails the same way (ci) | passed (syncline) |" in said
    assert "through `tests/conftest.py` → `pkg/a.py`" in said
    assert "unit fails the same way on target (ci) (`aaaaaaaaaa`)" in said


def test_nothing_is_said_where_nothing_is_red() -> None:
    assert triage_section(Report(SHA, (), ())) == ""


def test_a_check_that_passed_only_on_retry_is_told() -> None:
    said = triage_section(Report(SHA, (), (), on_retry=(OnRetry("unit", 2),)))
    assert "`unit` passed only after 2 failed attempts on this commit: flaky" in said


def test_it_is_bounded() -> None:
    faults = [fault(replace(FAULT, path=f"p{n}.py", message="x" * 5000), Cause.SYNC, f"c{n}") for n in range(200)]
    said = triage_section(report(*faults))
    assert f"and {200 - MOST_FAULTS} more faults" in said
    assert f"and {200 - MOST_ROWS} more checks" in said
    assert len(said) < 40_000


@given(st.text(alphabet="|`<>@#[]()!*_\n\r\\&-/:1a\u202e\x1b", max_size=40))
def test_what_a_log_says_stays_text(words: str) -> None:
    failure = replace(FAULT, message=words, path=words, kind="K", chain=(words,))
    (one,) = cluster([(words or "x", failure)])
    triaged = Triaged(one, Verdict(Cause.SYNC, 0.9, (Evidence(words),)))
    said = triage_section(report(triaged))
    lines = said.splitlines()
    # The tables keep their columns whatever stands in them, and no line of a log begins one of its own.
    for line in lines:
        assert line == "" or line.startswith(("| ", "### ", "- ", "<details>", "<summary>", "</details>")), line
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert said.count("<details>") == said.count("</details>") == 1

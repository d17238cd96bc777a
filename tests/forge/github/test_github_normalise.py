import random
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.checks.gate import GateState, evaluate
from syncline.checks.model import Check, CheckState, Conclusion, Rollup
from syncline.config.models import GateRule
from syncline.forge.github.normalise import missing, ordered, result_of
from syncline.forge.github.required import Required

SHA = "a" * 40
ACTIONS = {"databaseId": 15368, "slug": "github-actions", "name": "GitHub Actions"}
OTHER = {"databaseId": 7, "slug": "other-ci", "name": "Other CI"}
_ids = count(1000)


def job(
    name: str,
    conclusion: str | None = "SUCCESS",
    *,
    run: int = 1,
    workflow: str = "CI",
    file: int = 0,
    event: str = "push",
    **more: Any,
) -> dict[str, Any]:
    """A job of Actions; without a conclusion it is queued. `file` tells workflows of one name apart."""
    suite = {
        "databaseId": run * 10,
        "app": ACTIONS,
        "workflowRun": {
            "databaseId": run,
            "event": event,
            "workflow": {"databaseId": file or None, "name": workflow},
        },
    }
    return check_run(name, conclusion, suite=suite, **more)


def check_run(name: str, conclusion: str | None, *, suite: Any = None, **more: Any) -> dict[str, Any]:
    number = next(_ids)
    return {
        "__typename": "CheckRun", "id": f"C{number}", "databaseId": number, "name": name, "conclusion": conclusion,
        "status": "COMPLETED" if conclusion else "QUEUED", "startedAt": None, "completedAt": None, "title": None,
        "checkSuite": suite or {"databaseId": 5, "app": OTHER, "workflowRun": None},
        "url": "https://g/p", **more,
    }  # fmt: skip


def status(context: str, state: str, **more: Any) -> dict[str, Any]:
    return {
        "__typename": "StatusContext", "id": f"S{context}", "context": context, "state": state,
        "createdAt": "2026-11-30T10:00:00Z", "creator": {"login": "bot"}, **more,
    }  # fmt: skip


def checks_of(*nodes: dict[str, Any], required: tuple[Required, ...] = ()) -> tuple[Check, ...]:
    results = [result_of(node, SHA) for node in nodes]
    return ordered(results, missing(required, results), SHA)


def verdict_of(
    *nodes: dict[str, Any], required: tuple[Required, ...] = (), rule: GateRule | None = None
) -> GateState:
    return evaluate(rule or GateRule(), Rollup(SHA, checks_of(*nodes, required=required)), SHA).state


@pytest.mark.parametrize(
    ("node", "state", "conclusion"),
    [
        *(
            (check_run("a", conclusion.name), CheckState.COMPLETED, conclusion)
            for conclusion in Conclusion
        ),
        (check_run("a", None, status="IN_PROGRESS"), CheckState.RUNNING, None),
        *(
            (check_run("a", None, status=word), CheckState.QUEUED, None)
            for word in ("QUEUED", "WAITING", "PENDING", "REQUESTED", "NEW")
        ),
        (check_run("a", None, status="COMPLETED"), CheckState.RUNNING, None),
        (check_run("a", "SPLENDID"), CheckState.COMPLETED, Conclusion.FAILURE),
        (status("a", "SUCCESS"), CheckState.COMPLETED, Conclusion.SUCCESS),
        (status("a", "FAILURE"), CheckState.COMPLETED, Conclusion.FAILURE),
        (status("a", "ERROR"), CheckState.COMPLETED, Conclusion.FAILURE),
        (status("a", "PENDING"), CheckState.RUNNING, None),
        (status("a", "EXPECTED"), CheckState.QUEUED, None),
        (status("a", "SPLENDID"), CheckState.COMPLETED, Conclusion.FAILURE),
    ],
)  # fmt: skip
def test_states(node: dict[str, Any], state: CheckState, conclusion: Conclusion | None) -> None:
    (check,) = checks_of(node)
    assert (check.name, check.sha, check.state, check.conclusion) == ("a", SHA, state, conclusion)


def test_what_a_check_tells() -> None:
    (check,) = checks_of(
        job(
            "build",
            startedAt="2026-11-30T10:00:00Z",
            completedAt="2026-11-30T10:01:30Z",
            detailsUrl="https://g/d",
            title="12 tests",
        )
    )
    assert (check.seconds, check.log) == (90.0, "https://g/d")
    assert check.summary == "GitHub Actions, CI, push: 12 tests"
    (check,) = checks_of(status("ci/x", "PENDING", description="waits", targetUrl="https://ci/1"))
    assert (check.summary, check.log, check.seconds) == ("bot: waits", "https://ci/1", None)


GREEN, RED, WAITING = GateState.GREEN, GateState.RED, GateState.WAITING


@pytest.mark.parametrize(
    ("why", "nodes", "state"),
    [
        ("a newer attempt counts", [job("a", "FAILURE", run=1), job("a", run=2)], GREEN),
        ("a newer attempt counts, though it has not begun", [job("a", run=1), job("a", None, run=2)], WAITING),
        ("a newer attempt counts, red", [job("a", run=1), job("a", "FAILURE", run=2)], RED),
        ("both events count", [job("a", "FAILURE", event="push"), job("a", run=2, event="pull_request")], RED),
        ("both events count", [job("a", event="push"), job("a", "FAILURE", run=2, event="pull_request")], RED),
        ("both workflows count", [job("a", "FAILURE", workflow="x"), job("a", run=2, workflow="y")], RED),
        ("both workflows of one name count", [job("a", "FAILURE", file=1), job("a", run=2, file=2)], RED),
        (
            "one workflow that was renamed",
            [job("a", "FAILURE", file=1), job("a", run=2, file=1, workflow="x")],
            GREEN,
        ),
        ("the merge queue's count too", [job("a", "FAILURE", event="merge_group"), job("a", run=2)], RED),
        ("both apps count", [job("a"), check_run("a", "FAILURE")], RED),
        ("both apps count", [check_run("a", "FAILURE"), job("a")], RED),
        ("a status of that name counts", [job("a"), status("a", "FAILURE")], RED),
        ("a status of that name counts", [status("a", "PENDING"), job("a")], WAITING),
        ("of an app without workflows the newest", [check_run("a", "FAILURE"), check_run("a", "SUCCESS")], GREEN),
        ("legs of a matrix that share a name", [job("a", "FAILURE"), job("a"), job("a")], RED),
        ("legs of a matrix that share a name", [job("a"), job("a"), job("a", None)], WAITING),
        (
            "cancelled by the run for the pull request",
            [job("a", "CANCELLED"), job("a", run=2, event="pull_request")],
            GREEN,
        ),
        (
            "cancelled later, by somebody",
            [job("a", "CANCELLED", run=3), job("a", run=2, event="pull_request")],
            RED,
        ),
        ("cancelled in another workflow", [job("a", "CANCELLED", workflow="x"), job("a", run=2)], RED),
        ("cancelled by an app", [check_run("a", "CANCELLED"), job("a")], RED),
    ],
)
def test_which_results_of_one_name_count(why: str, nodes: list[dict[str, Any]], state: GateState) -> None:
    for order in (nodes, nodes[::-1]):
        assert verdict_of(*order) is state, why


@pytest.mark.parametrize(
    ("required", "state"),
    [
        (Required("a"), GREEN),
        (Required("a", 15368), GREEN),
        (Required("a", 7), WAITING),
        (Required("b"), WAITING),
        (Required("s"), GREEN),
        (Required("s", 7), WAITING),  # a person set it, or another App
    ],
)
def test_an_absent_required_check_is_never_green(required: Required, state: GateState) -> None:
    assert verdict_of(job("a"), status("s", "SUCCESS"), required=(required,)) is state
    (last,) = [check for check in checks_of(required=(required,)) if check.state is CheckState.QUEUED]
    assert (last.name, last.required, last.reported, last.summary) == (required.name, True, False, "")


def test_what_is_there_instead_is_told() -> None:
    checks = checks_of(job("a"), required=(Required("a", 7),))
    (reason,) = evaluate(GateRule(), Rollup(SHA, checks), SHA).reasons
    assert str(reason) == (
        "waits: a: required by the target branch's rules, and has not reported"
        " (one of that name has, but not by App 7)"
    )


def test_an_expected_status_has_not_reported() -> None:
    (check,) = checks_of(status("a", "EXPECTED"), required=(Required("a"),))
    assert (check.required, check.reported) == (True, False)
    assert evaluate(GateRule(), Rollup(SHA, (check,)), SHA).unanswered


nodes = st.one_of(
    st.builds(
        job,
        st.sampled_from("ab"),
        st.sampled_from(["SUCCESS", "FAILURE", "CANCELLED", "SKIPPED", None]),
        run=st.integers(1, 4),
        workflow=st.sampled_from("xy"),
    ),
    st.builds(check_run, st.sampled_from("ab"), st.sampled_from(["SUCCESS", "FAILURE", None])),
    st.builds(status, st.sampled_from("ab"), st.sampled_from(["SUCCESS", "PENDING", "ERROR"])),
)


@given(st.lists(nodes, min_size=1, max_size=8), st.randoms())
def test_nothing_hangs_on_the_order_of_the_answer(listed: list[dict[str, Any]], shuffle: random.Random) -> None:
    other = list(listed)
    shuffle.shuffle(other)
    assert sorted(map(repr, checks_of(*listed))) == sorted(map(repr, checks_of(*other)))
    assert verdict_of(*listed) is verdict_of(*other)


@given(st.lists(nodes, min_size=1, max_size=8))
def test_green_only_if_the_newest_of_every_source_is(listed: list[dict[str, Any]]) -> None:
    """The rule anew, by brute force: of a red result there is a newer one from the same source, or it counts."""
    results = [result_of(node, SHA) for node in listed]
    red = [one for one in results if one.check.conclusion in {Conclusion.FAILURE, None}]
    hidden = [
        one
        for one in red
        if any(
            other.source == one.source
            and (other.run or 0, other.id if other.run is None else 0)
            > (one.run or 0, one.id if one.run is None else 0)
            for other in results
        )
    ]
    if len(hidden) < len(red):
        assert verdict_of(*listed) is not GREEN

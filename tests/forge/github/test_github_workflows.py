"""Workflow runs that no job in the rollup tells of."""

from typing import Any

import pytest

from syncline.checks.gate import OWN_CHECK
from syncline.checks.model import Check, CheckState, Conclusion
from syncline.forge.github.normalise import Result
from syncline.forge.github.workflows import run_of, untold

SHA = "a" * 40


def suite(run: int, status: str = "COMPLETED", conclusion: str | None = None, **more: Any) -> dict[str, Any]:
    event, workflow = more.get("event", "push"), more.get("workflow", 1)
    shown = {"databaseId": run, "event": event, "url": "", "workflow": {"databaseId": workflow, "name": "CI"}}
    return {"id": f"CS{run}", "status": status, "conclusion": conclusion, "workflowRun": shown}


def job(
    run: int, conclusion: Conclusion | None = Conclusion.SUCCESS, name: str = "unit", number: int = 0
) -> Result:
    state = CheckState.COMPLETED if conclusion else CheckState.RUNNING
    return Result(Check(name, SHA, state, conclusion), id=number or run * 100, kind="check", run=run)


WAITS, ENDED = CheckState.RUNNING, CheckState.COMPLETED


@pytest.mark.parametrize(
    ("why", "suites", "results", "told"),
    [
        ("it has ended and its jobs are there", [suite(1, conclusion="SUCCESS")], [job(1)], []),
        ("a job says that it is red", [suite(1, conclusion="FAILURE")], [job(1, Conclusion.FAILURE)], []),
        ("a job says that it is at work", [suite(1, "IN_PROGRESS")], [job(1), job(1, None, "gpu")], []),
        ("between two jobs", [suite(1, "IN_PROGRESS")], [job(1)], [WAITS]),
        ("before the first job", [suite(1, "QUEUED")], [], [CheckState.QUEUED]),
        ("the jobs that are there are of another run", [suite(1, "IN_PROGRESS")], [job(2, None)], [WAITS]),
        ("ended, but GitHub does not say how", [suite(1)], [job(1)], [WAITS]),
        ("nothing was to be done", [suite(1, conclusion="SKIPPED")], [], []),
        ("it could not start", [suite(1, conclusion="STARTUP_FAILURE")], [], [ENDED]),
        ("somebody must approve", [suite(1, conclusion="ACTION_REQUIRED")], [], [ENDED]),
        ("a word that is new", [suite(1, conclusion="SPLENDID")], [], [ENDED]),
        ("a newer run of it",
         [suite(1, conclusion="STARTUP_FAILURE"), suite(2, conclusion="SUCCESS")], [job(2)], []),
        ("an old job hides no newer run", [suite(1, conclusion="SUCCESS"), suite(2, "QUEUED")], [job(1)],
         [CheckState.QUEUED]),
        ("of another event both count",
         [suite(1, conclusion="STARTUP_FAILURE"), suite(2, conclusion="SUCCESS", event="pull_request")], [job(2)],
         [ENDED]),
        ("the newer cancelled it",
         [suite(1, conclusion="CANCELLED"), suite(2, conclusion="SUCCESS", event="pull_request")], [job(2)], []),
        ("the newer was cancelled",
         [suite(1, conclusion="SUCCESS"), suite(2, conclusion="CANCELLED", event="pull_request")], [job(1)],
         [ENDED]),
        ("two workflows of one name",
         [suite(1, conclusion="STARTUP_FAILURE"), suite(2, conclusion="SUCCESS", workflow=2)], [job(2)], [ENDED]),
    ],
)  # fmt: skip
def test_runs_that_no_job_tells_of(
    why: str, suites: list[dict[str, Any]], results: list[Result], told: list[CheckState]
) -> None:
    for order in (suites, suites[::-1]):
        found = list(untold(map(run_of, order), results, SHA, at_work=lambda _run, _own: False))
        assert [one.check.state for one in found] == told, why
        assert all(one.check.conclusion not in {Conclusion.SUCCESS, Conclusion.SKIPPED} for one in found)
        assert all(one.check.name == "workflow CI" for one in found)


@pytest.mark.parametrize("at_work", [True, False])
def test_the_gates_own_check_in_the_suite_of_a_run(*, at_work: bool) -> None:
    asked = []

    def more(run: int, own: frozenset[int]) -> bool:
        asked.append((run, own))
        return at_work

    own = job(1, None, OWN_CHECK, number=7)
    found = list(untold([run_of(suite(1, "IN_PROGRESS"))], [job(1), own], SHA, at_work=more))
    assert (len(found), asked) == (int(at_work), [(1, frozenset({7}))])
    # Something else is at work there: it is waited for anyhow, and nobody is asked.
    assert not list(untold([run_of(suite(1, "IN_PROGRESS"))], [job(1, None), own], SHA, at_work=more))
    assert len(asked) == 1

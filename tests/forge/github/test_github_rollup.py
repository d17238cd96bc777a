import threading
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from syncline.checks.gate import GateState, evaluate
from syncline.checks.model import Check, CheckState, Conclusion, Rollup
from syncline.config.models import GateRule
from syncline.errors import ForgeError
from syncline.forge.github.client import Client
from syncline.forge.github.forge import GitHubForge
from syncline.forge.github.required import Required
from syncline.forge.github.rollup import rollup
from syncline.forge.github.settings import GitHubSettings
from testing.github import Do, Fail, GitHubServer
from tests.forge.github.answering import Got, Reply, answering
from tests.forge.github.conftest import MakeForge
from tests.forge.github.opening import tip


def states(found: Rollup) -> list[tuple[str, Any]]:
    return [(check.name, check.conclusion or check.state) for check in found.checks]


def gate(found: Rollup, rule: GateRule | None = None) -> GateState:
    return evaluate(rule or GateRule(), found, found.sha).state


def test_nothing_has_reported(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    assert forge.rollup(sha) == Rollup(sha)
    assert forge.rollup("b" * 40) == Rollup("b" * 40)


def test_check_runs_statuses_and_jobs(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    server.people.check(sha, "unit", "failure")
    server.people.check(sha, "unit", "success", again=True)
    server.people.check(sha, "slow", "in_progress")
    server.people.status(sha, "legacy", "pending", target_url="https://ci.example/1")
    server.people.status(sha, "legacy", "error", target_url="https://ci.example/2")
    run = server.people.run(sha, "CI")
    server.people.job(run, "lint", "cancelled")
    found = forge.rollup(sha)
    assert states(found) == [
        ("legacy", Conclusion.FAILURE),
        ("lint", Conclusion.CANCELLED),
        ("slow", CheckState.RUNNING),
        ("unit", Conclusion.SUCCESS),
    ]
    assert found.checks[0].log == "https://ci.example/2"
    assert forge.start_checks(sha, ()) == found
    idle: Any = {"checkout": lambda _: nullcontext(Path()), "on_event": print, "cancelled": threading.Event()}
    assert forge.work(sha, (), parallel=1, **idle) == found


def test_all_pages_though_results_come_meanwhile(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    for number in range(150):
        server.people.status(sha, f"s{number:03}", "success")
    # Newest first: what comes between the pages would push one over the border, out of sight.
    server.disturb("POST", "/graphql", Do(lambda: server.people.status(sha, "new", "failure")), nth=2)
    found = forge.rollup(sha)
    assert len({check.name for check in found.checks}) == 151
    assert gate(found) is GateState.RED


def test_what_the_target_requires_is_waited_for(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    server.people.protect("dev", ["unit", ("lint", "ci-app")])
    server.people.ruleset(
        "strict", [server.people.required_checks("e2e"), {"type": "deletion"}], include=["refs/heads/d*"]
    )
    server.people.ruleset("off", [server.people.required_checks("never")], include=["~ALL"], active=False)
    server.people.ruleset("main", [server.people.required_checks("other")])
    app = server.people.app("ci-app").id
    assert forge.required() == (Required("e2e"), Required("lint", app), Required("unit"))
    server.people.check(sha, "unit")
    server.people.check(sha, "lint", app="another")
    found = forge.rollup(sha)
    assert [(check.name, check.state) for check in found.checks if check.state is not CheckState.COMPLETED] == [
        ("e2e", CheckState.QUEUED),
        ("lint", CheckState.QUEUED),
    ]
    assert gate(found) is GateState.WAITING
    server.people.check(sha, "lint")
    server.people.status(sha, "e2e")
    assert gate(forge.rollup(sha)) is GateState.GREEN


def test_a_status_must_be_set_by_the_app_that_is_demanded(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    server.people.ruleset("dev", [server.people.required_checks(("e2e", "ci-app"))], include=["refs/heads/dev"])
    server.people.app("another")
    for by, state in (
        ("ada", GateState.WAITING),
        ("another[bot]", GateState.WAITING),
        ("ci-app[bot]", GateState.GREEN),
        ("ada", GateState.WAITING),  # the newest hides the others
    ):
        server.people.status(sha, "e2e", by=by)
        assert gate(forge.rollup(sha)) is state, by


def test_a_status_of_an_app_nobody_may_see(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    server.people.protect("dev", [("e2e", "ci-app")])
    server.people.status(sha, "e2e", by="ci-app[bot]")
    for answer in (Fail(404), Fail(403)):
        server.disturb("GET", "/apps/ci-app", answer)
        assert gate(forge.rollup(sha)) is GateState.WAITING
    assert gate(forge.rollup(sha)) is GateState.GREEN


@pytest.mark.parametrize(
    ("waiting", "state"),
    [
        (None, GateState.WAITING),
        ("pending", GateState.WAITING),
        ("action_required", GateState.RED),
        ("startup_failure", GateState.RED),
        ("cancelled", GateState.RED),
    ],
)
def test_a_workflow_run_without_jobs(
    forge: GitHubForge, server: GitHubServer, waiting: str | None, state: GateState
) -> None:
    sha = tip(server)
    server.people.check(sha, "lint")
    assert gate(forge.rollup(sha)) is GateState.GREEN
    server.people.run(sha, "CI", waiting=waiting)
    found = forge.rollup(sha)
    assert gate(found) is state
    assert [check.name for check in found.checks] == ["lint", "workflow CI"]
    assert gate(found, GateRule(exempt=("workflow CI$",))) is GateState.GREEN
    if state is GateState.RED:
        with pytest.raises(ForgeError, match="workflow runs without a job"):
            forge.retry(sha, ["workflow CI"])
    server.people.job(server.people.run(sha, "CI"), "unit")
    assert gate(forge.rollup(sha)) is GateState.GREEN  # a newer run of it


def test_a_check_that_never_ends_is_named(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    server.people.check(sha, "unit")
    server.people.check(sha, "merge queue", "in_progress", app="queue-app")
    server.people.check(sha, "preview", "queued", app="preview-app")
    found = forge.rollup(sha)
    assert evaluate(GateRule(), found, sha).explain() == (
        "waits: merge queue: has not finished (running)",
        "waits: preview: has not finished (queued)",
    )
    assert gate(found, GateRule(exempt=("merge queue", "preview"))) is GateState.GREEN


def test_a_page_that_fails_is_no_short_rollup(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    for number in range(150):
        server.people.status(sha, f"s{number:03}")
    server.disturb("POST", "/graphql", Fail(502), nth=3, times=5)
    with pytest.raises(ForgeError, match="502"):
        forge.rollup(sha)


def test_a_branch_without_rules(make_forge: MakeForge) -> None:
    assert (
        make_forge(targets={}).required()
        == make_forge(targets={"x": "dev", "y": "gone/for good"}).required()
        == ()
    )


def test_retry_runs_what_failed(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    run, other = server.people.run(sha, "CI"), server.people.run(sha, "Docs")
    for name, state in (("a", "failure"), ("b", "timed_out"), ("c", "success")):
        server.people.job(run, name, state)
    server.people.job(other, "d", "success")
    server.people.check(sha, "e", "failure")
    found = forge.retry(sha, ["a", "b", "d", "e"])
    assert dict(states(found)) == {
        "a": CheckState.QUEUED,
        "b": CheckState.QUEUED,
        "c": Conclusion.SUCCESS,
        "d": CheckState.QUEUED,
        "e": Conclusion.FAILURE,  # it is up to that app
    }
    assert server.log.count("POST", "*/rerun-failed-jobs") == 1
    assert server.log.count("POST", "*/rerun") == 1
    assert server.log.count("POST", "*/rerequest") == 1
    # They are at work now: nothing is started twice.
    assert forge.retry(sha, ["a", "b", "d"]) == found
    assert server.log.count("POST", "*/rerun*") == 2


def test_retry_waits_for_the_whole_run(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    run = server.people.run(sha, "CI")
    server.people.job(run, "a", "failure")
    server.people.job(run, "b", "in_progress")
    with pytest.raises(ForgeError, match="has not ended"):
        forge.retry(sha, ["a"])


def test_what_cannot_be_retried(forge: GitHubForge, server: GitHubServer) -> None:
    sha = tip(server)
    server.people.status(sha, "legacy", "failure")
    with pytest.raises(ForgeError, match=r"legacy of commit .* they are commit statuses"):
        forge.retry(sha, ["legacy"])
    with pytest.raises(ForgeError, match="has no check gone") as caught:
        forge.retry(sha, ["gone"])
    assert "it has: legacy" in caught.value.hint


class Recorded:
    """A rollup of the shape GitHub gives, in pages of 100."""

    def __init__(self, nodes: list[dict[str, Any]], *, jobs: list[int] | None = None) -> None:
        self.nodes, self.jobs = nodes, jobs
        self.break_page: Callable[[dict[str, Any]], Any] = lambda contexts: contexts

    def __call__(self, got: Got) -> Reply:
        if "checkSuites" in str(got.body):
            none = {"totalCount": 0, "nodes": [], "pageInfo": {"hasNextPage": False, "endCursor": None}}
            return Reply({"data": {"repository": {"object": {"checkSuites": none}}}})
        if "/jobs" in got.path:
            if self.jobs is None:
                return Reply({"message": "Resource not accessible by integration"}, status=403)
            return Reply({"total_count": len(self.jobs), "jobs": [{"id": job} for job in self.jobs]})
        start = int(got.body["variables"]["after"] or 0)
        contexts = {
            "totalCount": len(self.nodes),
            "nodes": self.nodes[start : start + 100],
            "pageInfo": {"hasNextPage": start + 100 < len(self.nodes), "endCursor": str(start + 100)},
        }
        rollup = {"contexts": contexts} if start == 0 else self.break_page({"contexts": contexts})
        return Reply({"data": {"repository": {"object": {"statusCheckRollup": rollup}}}})

    def rollup(self) -> Rollup:
        with answering(self) as server:
            settings = GitHubSettings("a", "b", api=server.url)
            with Client(settings, {"GITHUB_TOKEN": "x"}) as client:
                return rollup(client, "a" * 40)


def job(number: int, name: str, conclusion: str = "SUCCESS") -> dict[str, Any]:
    return {
        "__typename": "CheckRun", "id": f"C{number}", "databaseId": number, "name": name, "status": "COMPLETED",
        "conclusion": conclusion, "startedAt": "2026-11-30T10:00:00Z", "completedAt": "2026-11-30T10:05:00Z",
        "detailsUrl": f"https://github.example/runs/{number}", "url": "", "title": None,
        "checkSuite": {
            "app": {"databaseId": 15368, "slug": "github-actions", "name": "GitHub Actions"},
            "workflowRun": {"databaseId": 8, "event": "pull_request", "workflow": {"name": "CI"}},
        },
    }  # fmt: skip


def status(number: int) -> dict[str, Any]:
    return {
        "__typename": "StatusContext", "id": f"S{number}", "context": f"ci/{number}", "state": "SUCCESS",
        "description": "fine", "targetUrl": "https://ci", "createdAt": "2026-11-30T10:00:00Z", "creator": None,
    }  # fmt: skip


def test_a_large_rollup_of_mixed_kinds() -> None:
    nodes = [job(number, f"test ({number})") if number % 3 else status(number) for number in range(500)]
    found = Recorded(nodes).rollup()
    assert len(found.checks) == 500
    assert gate(found, GateRule(required=("test", "ci/"))) is GateState.GREEN
    nodes[499]["conclusion"] = "TIMED_OUT"
    assert gate(Recorded(nodes).rollup()) is GateState.RED


@pytest.mark.parametrize(
    ("jobs", "state"),
    [
        ([1, 2], GateState.RED),  # both are of the newest attempt: legs of a matrix under one name
        ([2], GateState.GREEN),  # the red one was of an attempt before
        ([1], GateState.RED),
        (None, GateState.RED),  # it may not be read: all count
    ],
)
def test_jobs_that_share_a_name_and_attempts_at_one_job(jobs: list[int] | None, state: GateState) -> None:
    found = Recorded([job(1, "test", "FAILURE"), job(2, "test")], jobs=jobs).rollup()
    assert gate(found) is state


def test_a_check_run_that_is_no_job_counts() -> None:
    """A step of a job made it, with the workflow's token: it stands in the run's suite, and in no list of jobs."""
    nodes = [job(1, "test", "FAILURE"), job(2, "report", "FAILURE"), job(3, "test")]
    found = Recorded(nodes, jobs=[3]).rollup()
    assert [check.name for check in found.checks if check.conclusion is Conclusion.FAILURE] == ["report"]
    assert gate(found) is GateState.RED
    nodes = [job(1, "report"), job(2, "report", "FAILURE"), job(3, "test")]
    assert gate(Recorded(nodes, jobs=[3]).rollup()) is GateState.RED


@pytest.mark.parametrize(
    "broken",
    [
        None,
        {"contexts": {"totalCount": 150, "nodes": None, "pageInfo": {"hasNextPage": False, "endCursor": None}}},
        {
            "contexts": {
                "totalCount": 150,
                "nodes": [None] * 50,
                "pageInfo": {"hasNextPage": False, "endCursor": None},
            }
        },
        {"contexts": {"totalCount": 150, "nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": "100"}}},
        {"contexts": {"totalCount": 100, "nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": None}}},
    ],
)
def test_a_page_that_is_not_whole_is_no_short_rollup(broken: Any) -> None:
    recorded = Recorded([status(number) for number in range(150)])
    recorded.break_page = lambda _: broken
    with pytest.raises(ForgeError, match=r"100 of|does not end"):
        recorded.rollup()


def test_it_changes_each_time() -> None:
    recorded = Recorded([job(1, "a"), job(1, "a")])  # of two one stays: never the number that was told
    with pytest.raises(ForgeError, match="1 of 2, 1 of 2, 1 of 2 were seen"):
        recorded.rollup()


def test_check_is_what_the_protocol_says() -> None:
    (check,) = Recorded([job(1, "a")]).rollup().checks
    assert check == Check(
        "a", "a" * 40, CheckState.COMPLETED, Conclusion.SUCCESS, order=2,
        summary="GitHub Actions, CI, pull_request", log="https://github.example/runs/1", seconds=300.0,
    )  # fmt: skip

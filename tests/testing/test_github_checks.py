"""The loopback GitHub: check runs, statuses, suites, the rollup in GraphQL."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from testing.github import GitHubServer
from testing.github.ask import ask, ask_graphql
from testing.github.small import small_github

ROLLUP = """query($oid: GitObjectID!, $after: String)
  { repository(owner: "acme", name: "engine") { object(oid: $oid) {
  ... on Commit { statusCheckRollup { state contexts(first: 100, after: $after) {
    totalCount checkRunCount statusContextCount pageInfo { hasNextPage endCursor } nodes { __typename
      ... on CheckRun { name status conclusion databaseId isRequired(pullRequestNumber: 1) startedAt
        checkSuite { app { slug databaseId } workflowRun { event databaseId workflow { name } } } }
      ... on StatusContext { context state targetUrl isRequired(pullRequestNumber: 1) } } } } } } } }"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitHubServer]:
    with small_github(tmp_path) as running:
        running.people.open_pull("topic", "main")
        yield running


@pytest.fixture
def head(server: GitHubServer) -> str:
    return server.people.pull(1).head_sha


def rollup(server: GitHubServer, sha: str, after: str | None = None) -> Any:
    return ask_graphql(server, ROLLUP, oid=sha, after=after)["data"]["repository"]["object"]["statusCheckRollup"]


def test_only_an_app_makes_check_runs(server: GitHubServer, head: str) -> None:
    body = {"name": "gate", "head_sha": head, "status": "in_progress", "output": {"title": "t", "summary": "s"}}
    assert ask(server, "POST", "~/check-runs", body).json["message"] == "You must authenticate via a GitHub App."
    token = server.people.workflow_token()
    made = ask(server, "POST", "~/check-runs", body, token=token).json
    assert (made["status"], made["app"]["slug"]) == ("in_progress", "github-actions")
    done = ask(server, "PATCH", f"~/check-runs/{made['id']}", {"conclusion": "failure"}, token=token).json
    assert (done["status"], done["conclusion"], done["output"]["title"]) == ("completed", "failure", "t")
    weak = server.people.workflow_token(checks="read", issues="write")
    assert ask(server, "POST", "~/check-runs", body, token=weak).status == 403


def test_an_app_leaves_the_check_runs_of_others_alone(server: GitHubServer, head: str) -> None:
    other = server.people.check(head, "unit", "failure", app="ci-app")
    token = server.people.workflow_token()
    assert ask(server, "PATCH", f"~/check-runs/{other.id}", {"conclusion": "success"}, token=token).status == 403


def test_the_newest_of_each_name_counts(server: GitHubServer, head: str) -> None:
    server.people.check(head, "unit", "failure")
    server.people.check(head, "unit", "success", again=True)
    server.people.check(head, "unit", "neutral", app="other-app")
    latest = ask(server, "GET", f"~/commits/{head}/check-runs").json
    assert [(one["app"]["slug"], one["conclusion"]) for one in latest["check_runs"]] == [
        ("ci-app", "success"),
        ("other-app", "neutral"),
    ]
    assert ask(server, "GET", f"~/commits/{head}/check-runs", filter="all").json["total_count"] == 3
    suites = ask(server, "GET", f"~/commits/{head}/check-suites").json["check_suites"]
    assert [(one["app"]["slug"], one["conclusion"]) for one in suites] == [
        ("ci-app", "success"),
        ("other-app", "neutral"),
    ]


def test_statuses_sum_up_by_context(server: GitHubServer, head: str) -> None:
    assert ask(server, "GET", f"~/commits/{head}/status").json["state"] == "pending"
    server.people.status(head, "ci/a", "failure")
    ask(
        server, "POST", f"~/statuses/{head}", {"state": "success", "context": "ci/a", "target_url": "https://ci/1"}
    )
    shown = ask(server, "GET", f"~/commits/{head}/status").json
    assert (shown["state"], shown["total_count"]) == ("success", 1)
    assert [one["state"] for one in ask(server, "GET", f"~/commits/{head}/statuses").json] == [
        "success",
        "failure",
    ]


def test_a_commit_without_checks_has_no_rollup(server: GitHubServer, head: str) -> None:
    assert rollup(server, head) is None


def test_the_rollup_mixes_check_runs_and_statuses(server: GitHubServer, head: str) -> None:
    server.people.protect("main", ["unit", ("build", "ci-app")])
    server.people.check(head, "unit", "in_progress", app="other-app")
    server.people.check(head, "build", "success")
    server.people.status(head, "ci/ext", "error", target_url="https://ci.example/7")
    run = server.people.run(head, "Tests", event="push")
    job = server.people.job(run, "linux", "failure")
    shown = rollup(server, head)
    assert (shown["state"], shown["contexts"]["checkRunCount"]) == ("FAILURE", 3)
    nodes = shown["contexts"]["nodes"]
    assert [node["isRequired"] for node in nodes] == [True, True, False, False]
    assert nodes[2] == {
        "__typename": "CheckRun", "name": "linux", "status": "COMPLETED", "conclusion": "FAILURE",
        "databaseId": job.id, "isRequired": False, "startedAt": nodes[2]["startedAt"],
        "checkSuite": {
            "app": {"slug": "github-actions", "databaseId": server.people.app("github-actions").id},
            "workflowRun": {"event": "push", "databaseId": run.id, "workflow": {"name": "Tests"}},
        },
    }  # fmt: skip
    assert nodes[3]["state"] == "ERROR"


def test_five_hundred_checks_take_five_pages(server: GitHubServer, head: str) -> None:
    for number in range(495):
        server.people.check(head, f"check {number}", "success")
    for number in range(5):
        server.people.status(head, f"status {number}", "pending")
    names, after, pages = [], None, 0
    while True:
        contexts = rollup(server, head, after)["contexts"]
        names += [node.get("name") or node["context"] for node in contexts["nodes"]]
        pages += 1
        if not contexts["pageInfo"]["hasNextPage"]:
            break
        after = contexts["pageInfo"]["endCursor"]
    assert (pages, len(names), len(set(names)), contexts["totalCount"]) == (5, 500, 500, 500)


def test_a_query_for_what_github_does_not_have_is_a_fault(server: GitHubServer) -> None:
    answer = ask_graphql(server, "{ viewer { login shoeSize } }")
    assert "Cannot query field 'shoeSize'" in answer["errors"][0]["message"]
    assert len(server.faults) == 1
    server.faults.clear()


def test_a_connection_wants_a_page_size(server: GitHubServer) -> None:
    ask_graphql(server, '{ repository(owner: "acme", name: "engine") { pullRequests { totalCount } } }')
    assert "you must provide a `first` or `last` value" in server.faults[0]
    server.faults.clear()


def test_what_is_not_there_is_an_error_with_its_type(server: GitHubServer) -> None:
    answer = ask_graphql(server, '{ repository(owner: "acme", name: "other") { id } }')
    assert [one["type"] for one in answer["errors"]] == ["NOT_FOUND"]
    assert answer["data"] == {"repository": None}


def test_draft_and_ready_by_graphql(server: GitHubServer) -> None:
    for mutation, draft in [("convertPullRequestToDraft", True), ("markPullRequestReadyForReview", False)]:
        given = "(input: {pullRequestId: $id}) { pullRequest { isDraft number } }"
        query = f"mutation($id: ID!) {{ {mutation}{given} }}"
        shown = ask_graphql(server, query, id="PR_1")["data"][mutation]["pullRequest"]
        assert shown == {"isDraft": draft, "number": 1}
        assert len(server.log.mutations(mutation)) == 1
    reader = server.people.token("eve", "read")
    refused = ask_graphql(server, query, id="PR_1", token=reader)
    assert refused["errors"][0]["type"] == "FORBIDDEN"

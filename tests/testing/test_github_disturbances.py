"""The loopback GitHub: everything that goes wrong on command."""

import http.client
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.github import Delay, Do, Fail, GitHubServer, PrimaryLimit, Reset, SecondaryLimit
from testing.github.ask import ask, ask_graphql
from testing.github.small import small_github

COMMENT = ("POST", "~/issues/1/comments", {"body": "hello"})


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitHubServer]:
    with small_github(tmp_path) as running:
        running.people.open_pull("topic", "main")
        yield running


def test_a_failure_before_and_after_the_effect(server: GitHubServer) -> None:
    server.disturb("POST", "*/comments", Fail(503))
    assert ask(server, *COMMENT).status == 503
    assert server.world.comments == {}
    server.disturb("POST", "*/comments", Fail(502, "after"), nth=2)
    assert [ask(server, *COMMENT).status for _ in range(3)] == [201, 502, 201]
    assert len(server.world.comments) == 3
    assert server.log.count("POST", "*/comments", status=502) == 1
    assert server.plan.outstanding() == []


def test_a_failure_may_be_a_page_for_people(server: GitHubServer) -> None:
    server.disturb("GET", "*", Fail(502, html=True))
    failed = ask(server, "GET", "~")
    assert (failed.status, failed.json) == (502, None)
    assert b"Unicorn" in failed.content


def test_a_connection_that_breaks(server: GitHubServer) -> None:
    server.disturb("POST", "*/comments", Reset("before"))
    with pytest.raises((ConnectionError, urllib.error.URLError, http.client.HTTPException)):
        ask(server, *COMMENT)
    assert server.world.comments == {}
    server.disturb("POST", "*/comments", Reset("after"))
    with pytest.raises((ConnectionError, urllib.error.URLError, http.client.HTTPException)):
        ask(server, *COMMENT)
    assert len(server.world.comments) == 1
    assert [one.status for one in server.log.of("POST", "*/comments")] == [0, 0]


def test_limits(server: GitHubServer) -> None:
    server.disturb("GET", "*", SecondaryLimit(429, retry_after=7))
    limited = ask(server, "GET", "~")
    assert (limited.status, limited.headers["retry-after"]) == (429, "7")
    server.disturb("*", "*", PrimaryLimit(reset_in=90), times=2)
    limited = ask(server, "GET", "~")
    now = int(server.clock.now.timestamp())
    assert (limited.status, limited.headers["x-ratelimit-remaining"]) == (403, "0")
    assert int(limited.headers["x-ratelimit-reset"]) == now + 90
    assert ask_graphql(server, "{ viewer { login } }")["errors"][0]["type"] == "RATE_LIMITED"


def test_the_hour_s_requests_run_out_and_come_again(server: GitHubServer) -> None:
    server.world.rate.limit = 2
    assert [ask(server, "GET", "~").status for _ in range(3)] == [200, 200, 403]
    assert ask(server, "GET", "/rate_limit").json["rate"]["remaining"] == 0
    server.clock.advance(hours=1)
    assert ask(server, "GET", "~").headers["x-ratelimit-remaining"] == "1"


def test_stale_reads_end(server: GitHubServer) -> None:
    before = server.people.pull(1).head_sha
    server.stale("*/pulls/1", times=2)
    after = server.people.push("topic", {"x.txt": "x\n"})
    server.people.comment(1, "new")
    seen = [ask(server, "GET", "~/pulls/1").json for _ in range(3)]
    assert [one["head"]["sha"] for one in seen] == [before, before, after]
    assert [one["comments"] for one in seen] == [0, 0, 1]


def test_a_write_is_never_stale(server: GitHubServer) -> None:
    server.stale("/graphql", method="POST", times=2)
    query = 'mutation { convertPullRequestToDraft(input: {pullRequestId: "PR_1"}) { pullRequest { isDraft } } }'
    assert ask_graphql(server, query)["data"]["convertPullRequestToDraft"]["pullRequest"]["isDraft"] is True
    read = '{ repository(owner: "acme", name: "engine") { pullRequest(number: 1) { isDraft } } }'
    seen = [ask_graphql(server, read)["data"]["repository"]["pullRequest"]["isDraft"] for _ in range(2)]
    assert seen == [False, True]


def test_pages_change_between_requests(server: GitHubServer) -> None:
    made = [server.people.comment(1, word) for word in "abcd"]
    server.disturb("GET", "*/comments", Do(lambda: server.world.comments.pop(made[0].id)), nth=2)
    pages = [ask(server, "GET", "~/issues/1/comments", per_page=2, page=page).json for page in (1, 2)]
    assert [[one["body"] for one in page] for page in pages] == [["a", "b"], ["d"]]


def test_an_answer_comes_late(server: GitHubServer) -> None:
    server.disturb("GET", "/user", Delay(0.2))
    connection = http.client.HTTPConnection(server.api.removeprefix("http://"), timeout=0.05)
    connection.request("GET", "/user", headers={"Authorization": f"Bearer {server.token}"})
    with pytest.raises(TimeoutError):
        connection.getresponse()
    connection.close()
    assert ask(server, "GET", "/user").status == 200


def test_an_etag_spares_the_answer_and_the_limit(server: GitHubServer) -> None:
    first = ask(server, "GET", "~/pulls/1")
    again = ask(server, "GET", "~/pulls/1", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status, again.content) == (304, b"")
    assert again.headers["x-ratelimit-used"] == first.headers["x-ratelimit-used"]
    server.people.comment(1, "changed")
    assert ask(server, "GET", "~/pulls/1", headers={"If-None-Match": first.headers["etag"]}).status == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "fault"),
    [
        ("GET", "~/pulls?sate=open", None, "unknown parameter 'sate'"),
        ("GET", "~/pulls?state=merged", None, "'merged' is not one of"),
        ("GET", "~/pulls?per_page=500", None, "100 at most"),
        ("POST", "~/issues/1/comments", {"text": "x"}, "'body' is a required property"),
        ("POST", "~/issues/1/comments", {"body": "x", "pinned": True}, "'pinned' was unexpected"),
        ("GET", "~/stargazers", None, "no such route"),
    ],
)
def test_what_github_does_not_know_fails_the_test(
    tmp_path: Path, method: str, path: str, body: dict[str, object] | None, fault: str
) -> None:
    running = small_github(tmp_path)
    server = running.__enter__()
    server.people.open_pull("topic", "main")
    ask(server, method, path, body)
    with pytest.raises(AssertionError, match="GitHub's rules were broken") as failed:
        running.__exit__(None, None, None)
    assert fault in str(failed.value)


def test_an_answer_that_does_not_fit_is_an_error(server: GitHubServer) -> None:
    server.world.pulls[1].title = None  # type: ignore[assignment] - what the description forbids
    assert ask(server, "GET", "~/pulls/1").status == 500
    assert "the server's own answer does not fit: title" in server.faults[0]
    server.faults.clear()


def test_enterprise_server_has_other_roots(tmp_path: Path) -> None:
    with small_github(tmp_path) as dotcom:
        assert dotcom.graphql == f"{dotcom.api}/graphql"
    (tmp_path / "ghe").mkdir()
    with small_github(tmp_path / "ghe", enterprise=True) as server:
        server.people.open_pull("topic", "main")
        shown = ask(server, "GET", "~/pulls/1").json
        assert shown["url"].startswith(f"{server.world.web}/api/v3/repos/")
        assert ask_graphql(server, "{ viewer { login } }")["data"] == {"viewer": {"login": "syncline-bot"}}
        assert ask(server, "GET", f"{server.world.web}/repos/acme/engine").status == 404
        assert server.log.count("GET", "/repos/acme/engine/pulls/1") == 1
        server.faults.clear()

import logging
import socket
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import pytest

from syncline.errors import ForgeError
from syncline.forge.github.client import TRIES, Client
from syncline.forge.github.limits import Wait
from syncline.forge.github.settings import GitHubSettings
from syncline.forge.github.trouble import NotFoundError, RefusedError, UnknownError
from tests.forge.github.answering import AnsweringServer, Got, Reply, answering, in_turn

TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"  # noqa: S105 - made up for the tests


class Waits(list[Wait]):
    """Remembers each pause, and makes none."""

    @property
    def seconds(self) -> list[float]:
        return [wait.seconds for wait in self]


def client_of(server: AnsweringServer, waits: Waits | None = None, **more: Any) -> Client:
    waits = Waits() if waits is None else waits
    settings = GitHubSettings("ada", "tools", api=server.url)
    return Client(settings, {"GITHUB_TOKEN": TOKEN}, on_wait=waits.append, sleep=lambda _: None, **more)


def test_asks_with_the_token_and_the_version() -> None:
    with answering(in_turn(Reply({"number": 7}))) as server, client_of(server) as client:
        assert client.get("pulls/7") == {"number": 7}
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("GET", "/repos/ada/tools/pulls/7")
    assert asked.headers["authorization"] == f"Bearer {TOKEN}"
    assert asked.headers["x-github-api-version"] == "2022-11-28"


def test_enterprise_addresses() -> None:
    settings = GitHubSettings("ada", "tools", api="https://git.example.com/api/v3")
    assert settings.graphql == "https://git.example.com/api/graphql"
    assert GitHubSettings("ada", "tools").graphql == "https://api.github.com/graphql"


def test_what_did_not_change_is_not_sent_again() -> None:
    def script(got: Got) -> Reply:
        if got.headers.get("if-none-match") == '"one"':
            return Reply(status=304)
        return Reply({"a": 1}, headers={"ETag": '"one"'})

    with answering(script) as server, client_of(server) as client:
        assert client.get("labels/a") == client.get("labels/a") == {"a": 1}
        assert client.get("labels/a", {"page": 2}) == {"a": 1}
    assert [got.headers.get("if-none-match") for got in server.asked] == [None, '"one"', None]


def test_all_pages_and_nothing_twice() -> None:
    def script(got: Got) -> Reply:
        if "page=2" in got.path.split("?")[1].split("&"):
            return Reply([{"id": 2}, {"id": 3}])
        link = f'<{server.url}/repositories/9/pulls?per_page=100&page=2>; rel="next", <{server.url}/x>; rel="last"'
        return Reply([{"id": 1}, {"id": 2}], headers={"Link": link})

    with answering(script) as server, client_of(server) as client:
        assert [item["id"] for item in client.pages("pulls", {"state": "open"})] == [1, 2, 3]
    assert server.asked[0].path == "/repos/ada/tools/pulls?state=open&per_page=100"


def test_items_inside_an_object() -> None:
    with answering(in_turn(Reply({"total_count": 1, "jobs": [{"id": 5}]}))) as server, client_of(server) as client:
        assert list(client.pages("actions/runs/1/jobs", key="jobs")) == [{"id": 5}]


def test_the_token_follows_no_page_to_another_address() -> None:
    reply = Reply([], headers={"Link": '<http://127.0.0.1:1/x>; rel="next"'})
    with (
        answering(in_turn(reply)) as server,
        client_of(server) as client,
        pytest.raises(ForgeError, match="another address"),
    ):
        list(client.pages("pulls"))


def test_the_token_follows_no_redirect_to_another_address() -> None:
    with answering(in_turn(Reply({"ok": True}))) as other:
        reply = Reply(status=302, headers={"Location": f"{other.url}/elsewhere"})
        with answering(in_turn(reply)) as server, client_of(server) as client:
            assert client.get("x") == {"ok": True}
        assert "authorization" not in other.asked[0].headers


@pytest.mark.parametrize("status", [500, 502, 503, 504])
@pytest.mark.parametrize("method", ["get", "patch", "put"])
def test_what_is_safe_is_repeated(method: str, status: int) -> None:
    waits = Waits()
    with (
        answering(
            in_turn(Reply({"message": "oh"}, status=status), Reply(raw=b"<html>", status=status), Reply({}))
        ) as server,
        client_of(server, waits) as client,
    ):
        assert getattr(client, method)("x", {}) == {}
    assert len(server.asked) == 3
    assert waits.seconds == [1.0, 2.0]


def test_repeating_ends() -> None:
    with (
        answering(in_turn(Reply({"message": "down"}, status=503))) as server,
        client_of(server) as client,
        pytest.raises(RefusedError, match=rf"503: down \({TRIES} times\)"),
    ):
        client.get("x")
    assert len(server.asked) == TRIES


@pytest.mark.parametrize("reply", [Reply({}, status=502), Reply(drop=True)])
def test_a_change_that_may_be_done_is_not_repeated(reply: Reply) -> None:
    with answering(in_turn(reply)) as server, client_of(server) as client:
        with pytest.raises(UnknownError, match="not known"):
            client.post("issues/1/comments", {"body": "x"})
        with pytest.raises(UnknownError):
            client.graphql("mutation M { x }")
    assert len(server.asked) == 2


def test_a_dropped_connection_is_tried_again() -> None:
    with answering(in_turn(Reply(drop=True), Reply({"a": 1}))) as server, client_of(server) as client:
        assert client.get("x") == {"a": 1}


def test_a_change_that_was_never_sent_is_repeated() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        settings = GitHubSettings("ada", "tools", api=f"http://127.0.0.1:{nobody.getsockname()[1]}")
        waits = Waits()
        with (
            Client(settings, {"GITHUB_TOKEN": TOKEN}, on_wait=waits.append, sleep=lambda _: None) as client,
            pytest.raises(ForgeError, match=f"did not answer POST /repos/ada/tools/x, {TRIES} times"),
        ):
            client.post("x")
        assert len(waits) == TRIES - 1


def test_time_out() -> None:
    with answering(in_turn(Reply(hang=5))) as server, client_of(server, timeout=0.05) as client:
        with pytest.raises(ForgeError, match="ReadTimeout"):
            client.get("x")
        with pytest.raises(UnknownError):
            client.post("x")
    assert len(server.asked) == TRIES + 1


def _primary(now: float) -> Reply:
    headers = {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-limit": "5000",
        "x-ratelimit-reset": str(int(now) + 100),
        "Date": format_datetime(datetime.fromtimestamp(int(now), UTC), usegmt=True),
    }
    return Reply({"message": "API rate limit exceeded for user ID 1."}, status=403, headers=headers)


SECONDARY = {"message": "You have exceeded a secondary rate limit. Please wait."}


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [
        # The server's own clock counts: this one is ten hours away from ours.
        ([_primary(time.time() + 36_000)], [101.0]),
        ([Reply(SECONDARY, status=403, headers={"Retry-After": "7"})], [8.0]),
        ([Reply(SECONDARY, status=403), Reply(SECONDARY, status=429)], [60.0, 120.0]),
        ([Reply({"message": "slow"}, status=429)], [60.0]),
        (
            [
                Reply(
                    {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]},
                    headers=_primary(0).headers,
                )
            ],
            [101.0],
        ),
    ],
)
def test_limits_are_waited_out(limits: list[Reply], seconds: list[float]) -> None:
    waits = Waits()
    with answering(in_turn(*limits, Reply({"data": {"a": 1}}))) as server, client_of(server, waits) as client:
        # A change too: it was refused, not done.
        assert client.graphql("mutation M { a }") == {"a": 1}
    assert waits.seconds == seconds
    assert all("GitHub" in wait.why for wait in waits)


def test_limits_are_not_waited_out_for_ever() -> None:
    waits = Waits()
    with (
        answering(in_turn(Reply(SECONDARY, status=403, headers={"Retry-After": "40"}))) as server,
        client_of(server, waits, longest_wait=100) as client,
        pytest.raises(ForgeError, match="beyond 100 s in all"),
    ):
        client.get("x")
    assert waits.seconds == [41.0, 41.0]


def test_a_refusal_is_no_limit() -> None:
    reply = Reply({"message": "Resource not accessible by personal access token"}, status=403)
    with answering(in_turn(reply)) as server, client_of(server) as client, pytest.raises(RefusedError) as caught:
        client.post("issues/1/comments", {})
    assert caught.value.status == 403
    assert "permission" in caught.value.hint
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("status", "content", "words"),
    [
        (401, {"message": "Bad credentials"}, "make a new one"),
        (404, {"message": "Not Found"}, "repository"),
        (403, {"message": "Repository was archived so is read-only."}, "unarchived"),
        (
            422,
            {"message": "Validation Failed", "errors": [{"resource": "Label", "code": "already_exists"}]},
            "Label already_exists",
        ),
        (422, {"message": "Validation Failed", "errors": ["No commits between dev and x"]}, "No commits between"),
    ],
)
def test_refusals_say_what_to_do(status: int, content: Any, words: str) -> None:
    with (
        answering(in_turn(Reply(content, status=status))) as server,
        client_of(server) as client,
        pytest.raises(RefusedError) as caught,
    ):
        client.post("x")
    assert words in str(caught.value)
    assert "ada/tools" in str(caught.value)


def test_not_there() -> None:
    with answering(in_turn(Reply({"message": "Not Found"}, status=404))) as server, client_of(server) as client:
        assert client.find("labels/x") is None
        client.delete("labels/x")
        with pytest.raises(NotFoundError):
            client.get("labels/x")


def test_no_json() -> None:
    with (
        answering(in_turn(Reply(raw=b"<html>Sign in</html>"))) as server,
        client_of(server) as client,
        pytest.raises(ForgeError, match="no JSON"),
    ):
        client.get("x")


@pytest.mark.parametrize(
    ("kind", "error", "status"),
    [
        ("NOT_FOUND", NotFoundError, 404),
        ("FORBIDDEN", RefusedError, 403),
        ("UNPROCESSABLE", RefusedError, 422),
    ],
)
def test_errors_of_graphql(kind: str, error: type[RefusedError], status: int) -> None:
    reply = Reply({"data": {"repository": None}, "errors": [{"type": kind, "message": "no such thing"}]})
    with (
        answering(in_turn(reply)) as server,
        client_of(server) as client,
        pytest.raises(error, match="no such thing") as caught,
    ):
        client.graphql("query Open($a: Int) { repository { id } }")
    assert caught.value.status == status
    assert "GraphQL query Open" in caught.value.message


def test_graphql_fails_for_the_moment() -> None:
    passing = Reply({"data": None, "errors": [{"message": "Something went wrong while executing your query."}]})
    with answering(in_turn(passing, Reply({"data": {"a": 1}}))) as server, client_of(server) as client:
        assert client.graphql("query { a }") == {"a": 1}


def echo(got: Got) -> Reply:
    """An answer that says everything it was told, as a careless proxy does."""
    return Reply({"message": str(got.headers)}, status=400)


def drop(got: Got) -> Reply:  # noqa: ARG001 - a script gets the request
    return Reply(drop=True)


@pytest.mark.parametrize("script", [echo, drop])
def test_no_secret_leaves_the_client(script: Callable[[Got], Reply], caplog: pytest.LogCaptureFixture) -> None:
    waits = Waits()
    caplog.set_level(logging.DEBUG)
    with answering(script) as server, client_of(server, waits) as client:
        for call in (lambda: client.get("x"), lambda: client.post("x"), lambda: client.graphql("mutation { x }")):
            with pytest.raises(ForgeError) as caught:
                call()
            error = caught.value
            shown = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))
            assert TOKEN not in shown
            assert error.__context__ is None
            assert error.__cause__ is None
        assert TOKEN not in repr(client) + repr(client._hub.auth) + repr(client.settings) + repr(client._redactor)
        assert TOKEN not in repr(client._hub.auth.get_auth_flow(client._hub))
    assert TOKEN in server.asked[0].headers["authorization"]
    assert TOKEN not in str(list(waits))
    assert TOKEN not in caplog.text


def test_no_token() -> None:
    with pytest.raises(ForgeError, match="GITHUB_TOKEN, found none"):
        Client(GitHubSettings("ada", "tools"), {})
    with pytest.raises(ForgeError, match="no token") as caught:
        Client(GitHubSettings("ada", "tools"), {"GITHUB_TOKEN": "secret one"})
    assert "secret" not in str(caught.value)

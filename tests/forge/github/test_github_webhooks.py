import hashlib
import hmac
import json
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.forge.github.webhooks import Deliveries, Event, SignatureError, is_signed, read, receive
from testing.github import GitHubServer
from tests.forge.github.opening import tip

SECRET = "It's a Secret to Everybody"  # noqa: S105 - GitHub's example
BODY = b"Hello, World!"
SIGNATURE = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
"""GitHub's own example: https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries."""


def test_githubs_own_example() -> None:
    assert is_signed(SECRET, BODY, SIGNATURE)


@pytest.mark.parametrize(
    ("secret", "body", "signature"),
    [
        (SECRET, BODY, None),
        (SECRET, BODY, ""),
        (SECRET, BODY, "sha256="),
        (SECRET, BODY, SIGNATURE.removeprefix("sha256=")),
        (SECRET, BODY, SIGNATURE.replace("sha256", "sha1")),
        (SECRET, BODY + b"\n", SIGNATURE),
        (SECRET, BODY, SIGNATURE[:-1] + "8"),
        (SECRET, BODY, "sha256=\udcff\xe9"),
        ("another", BODY, SIGNATURE),
        (SECRET, BODY, "sha256=\ud800"),
    ],
)
def test_what_is_not_signed(secret: str, body: bytes, signature: str | None) -> None:
    assert not is_signed(secret, body, signature)


def test_no_secret_signs_nothing() -> None:
    # The right signature for an empty secret: whoever forgot to set one would take anything from anybody.
    assert not is_signed("", BODY, "sha256=" + hmac.new(b"", BODY, hashlib.sha256).hexdigest())


def test_what_happens_is_told(server: GitHubServer) -> None:
    server.webhooks.start()
    people = server.people
    pull = people.open_pull("sync/1", "dev")
    sha = tip(server)
    people.comment(pull.number, "/syncline retry")
    people.review(pull.number)
    people.check(sha, "unit")
    people.status(sha, "lint")
    people.job(people.run(sha, branch="sync/1"), "build")
    pushed = people.push("sync/1", {"x": "y"})
    people.delete_branch("sync/2")
    known = Deliveries()
    sent = server.webhooks.take()
    found = [receive(SECRET, one.headers(SECRET), one.content, known) for one in sent]
    name = f"{server.owner}/{server.name}"
    wanted = {
        Event("pull_request", name, pull.number, sha, "sync/1"),
        Event("issue_comment", name, pull.number),
        Event("pull_request_review", name, pull.number, sha, "sync/1"),
        Event("check_run", name, pull.number, sha, "sync/1"),
        Event("status", name, None, sha),
        Event("workflow_run", name, pull.number, sha, "sync/1"),
        Event("push", name, None, pushed, "sync/1"),
        Event("push", name, None, "", "sync/2"),
    }
    assert wanted - set(found) == set()
    again = [receive(SECRET, one.headers(SECRET), one.content, known) for one in reversed(sent)]
    assert set(again) == {None}


def test_a_delivery_with_another_secret_is_refused_unread(server: GitHubServer) -> None:
    server.webhooks.start()
    server.people.open_pull("sync/1", "dev")
    (one,) = server.webhooks.take("pull_request")
    known = Deliveries()
    with pytest.raises(SignatureError):
        receive(SECRET, one.headers("guessed"), one.content, known)
    with pytest.raises(SignatureError):
        receive(SECRET, {**one.headers(SECRET), "X-Hub-Signature-256": ""}, one.content, known)
    assert len(known) == 0
    headers = {name.lower(): value for name, value in one.headers(SECRET).items()}
    assert receive(SECRET, headers, one.content, known) is not None


def test_the_oldest_deliveries_are_forgotten() -> None:
    known = Deliveries(3)
    assert [known.is_new(one) for one in "abcabcd"] == [True, True, True, False, False, False, True]
    assert len(known) == 3
    assert [known.is_new(one) for one in "dcba"] == [False, False, False, True]


REPOSITORY = {"full_name": "ada/tools"}


def body(**payload: Any) -> bytes:
    return json.dumps({"repository": REPOSITORY, **payload}).encode()


@pytest.mark.parametrize(
    ("kind", "payload", "event"),
    [
        (
            "check_suite",
            {
                "check_suite": {
                    "head_sha": "a1",
                    "head_branch": None,
                    "pull_requests": [{"number": 1}, {"number": 2}],
                }
            },
            Event("check_suite", "ada/tools", None, "a1"),
        ),
        (
            "workflow_job",
            {"workflow_job": {"head_sha": "a1", "head_branch": "x"}},
            Event("workflow_job", "ada/tools", None, "a1", "x"),
        ),
        (
            "status",
            {"sha": "a1", "branches": [{"name": "x"}]},
            Event("status", "ada/tools", None, "a1", "x"),
        ),
        ("push", {"ref": "refs/tags/v1", "after": "a1"}, None),
        ("issue_comment", {"issue": {"number": 3}}, None),
        ("ping", {"zen": "Design for failure."}, None),
        ("star", {}, None),
        ("", {}, None),
        ("check_run", {}, None),
        ("check_run", {"check_run": {"head_sha": 7}}, None),
        ("pull_request", {"pull_request": {"number": "7", "head": {"sha": "a", "ref": "b"}}}, None),
        ("push", {"ref": 1, "after": "a"}, None),
        ("status", {"sha": ""}, None),
    ],
)
def test_small_shapes(kind: str, payload: Any, event: Event | None) -> None:
    assert read(kind, body(**payload)) == event


def test_a_form_is_read_too() -> None:
    text = body(ref="refs/heads/a+b", after="c3").decode()
    assert read("push", urlencode({"payload": text}).encode()) == Event("push", "ada/tools", None, "c3", "a+b")
    assert read("push", b"payload=%7B") is None
    assert read("push", b"payload=") is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from([
            "repository", "full_name", "pull_request", "head", "sha", "ref", "number", "issue", "check_run",
            "check_suite", "head_sha", "head_branch", "pull_requests", "workflow_run", "after", "branches", "name",
        ]),
        inner,
    ), max_leaves=20,
)  # fmt: skip


@given(st.sampled_from(["pull_request", "issue_comment", "check_run", "push", "status", "workflow_run"]), JSON)
def test_any_json_is_borne(kind: str, payload: Any) -> None:
    found = read(kind, json.dumps(payload).encode())
    assert found is None or isinstance(found.sha, str)


@given(st.binary())
def test_any_bytes_are_borne(content: bytes) -> None:
    assert read("push", content) is None

"""The loopback GitHub: signed deliveries, twice, backwards, each fit for GitHub's description."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from testing.github import GitHubServer
from testing.github.ask import ask
from testing.github.small import small_github


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitHubServer]:
    with small_github(tmp_path) as running:
        running.webhooks.start()
        yield running


def test_what_happens_is_delivered_as_it_was_then(server: GitHubServer) -> None:
    opened = ask(server, "POST", "~/pulls", {"title": "t", "head": "topic", "base": "main", "draft": True}).json
    before, people = opened["head"]["sha"], server.people
    people.comment(1, "hello")
    after = people.push("topic", {"x.txt": "x\n"})
    run = people.run(after)
    people.job(run, "linux", "failure")
    people.status(after, "ci/ext", "pending")
    people.set_draft(1, draft=False)
    people.review(1)
    people.label(1, "sync")
    people.edit_body(1, "other words")
    people.merge(1)
    waiting = server.webhooks.take()
    assert [(one.event, one.action) for one in waiting] == [
        ("pull_request", "opened"), ("issue_comment", "created"), ("push", ""), ("pull_request", "synchronize"),
        ("workflow_run", "requested"), ("check_run", "completed"), ("workflow_run", "completed"), ("status", ""),
        ("pull_request", "ready_for_review"), ("pull_request_review", "submitted"), ("pull_request", "labeled"),
        ("pull_request", "edited"), ("pull_request", "closed"),
    ]  # fmt: skip
    payloads = [json.loads(one.content) for one in waiting]
    assert payloads[0]["pull_request"]["head"]["sha"] == before
    assert (payloads[3]["before"], payloads[3]["after"]) == (before, after)
    assert payloads[-1]["pull_request"]["merged"] is True
    assert server.webhooks.take() == []


def test_deliveries_come_twice_and_backwards_with_a_signature(server: GitHubServer) -> None:
    received: list[tuple[str, bytes, str]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.headers["X-GitHub-Delivery"], content, self.headers["X-Hub-Signature-256"]))
            self.send_response(202)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as hook:
        thread = Thread(target=hook.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True)
        thread.start()
        server.people.push("one", {"x": "1"}, start="main")
        server.people.push("two", {"x": "2"}, start="main")
        url = f"http://127.0.0.1:{hook.server_address[1]}/hook"
        assert server.webhooks.send(url, "secret", times=2, backwards=True) == [202] * 4
        hook.shutdown()
        thread.join()
    assert [json.loads(content)["ref"] for _, content, _ in received] == ["refs/heads/two"] * 2 + [
        "refs/heads/one"
    ] * 2
    assert len({name for name, _, _ in received}) == 2
    for _, content, signature in received:
        digest = hmac.new(b"secret", content, hashlib.sha256).hexdigest()
        assert signature == f"sha256={digest}"

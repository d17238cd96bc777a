"""The loopback GitHub: workflow runs, jobs, logs, artifacts, Apps and tokens."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from testing.github import GitHubServer
from testing.github.ask import ask
from testing.github.small import small_github


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitHubServer]:
    with small_github(tmp_path) as running:
        yield running


def test_a_failed_job_and_its_log(server: GitHubServer) -> None:
    tip = str(server.world.bare.tip("topic"))
    run = server.people.run(tip, "Tests", branch="topic", by="ada")
    server.people.job(run, "linux", "failure", log="boom\n")
    server.people.job(run, "docs", "success", log="fine\n")
    shown = ask(server, "GET", "~/actions/runs", head_sha=tip, status="failure").json["workflow_runs"]
    assert [(one["id"], one["name"], one["conclusion"]) for one in shown] == [(run.id, "Tests", "failure")]
    jobs = ask(server, "GET", f"~/actions/runs/{run.id}/jobs").json["jobs"]
    assert [(one["name"], one["conclusion"]) for one in jobs] == [("linux", "failure"), ("docs", "success")]
    redirect = ask(server, "GET", f"~/actions/jobs/{jobs[0]['id']}/logs")
    assert redirect.status == 302
    assert ask(server, "GET", redirect.headers["location"], token="").content == b"boom\n"
    whole = ask(server, "GET", ask(server, "GET", f"~/actions/runs/{run.id}/logs").headers["location"], token="")
    with zipfile.ZipFile(io.BytesIO(whole.content)) as archive:
        assert archive.read("1_docs.txt") == b"fine\n"


def test_a_token_does_not_belong_where_logs_lie(server: GitHubServer) -> None:
    run = server.people.run(str(server.world.bare.tip("topic")))
    job = server.people.job(run, "linux", log="x")
    ask(server, "GET", f"{server.world.web}/_files/jobs/{job.id}.txt")
    assert "a token was sent" in server.faults[0]
    server.faults.clear()


def test_logs_of_what_runs_or_is_old_are_not_there(server: GitHubServer) -> None:
    run = server.people.run(str(server.world.bare.tip("topic")))
    job = server.people.job(run, "linux", "in_progress")
    assert ask(server, "GET", f"~/actions/jobs/{job.id}/logs").status == 404
    server.people.job(run, "linux", "success")
    run.logs_gone = True
    assert ask(server, "GET", f"~/actions/jobs/{job.id}/logs").status == 410


def test_failed_jobs_run_again_in_a_new_attempt(server: GitHubServer) -> None:
    run = server.people.run(str(server.world.bare.tip("topic")))
    old = server.people.job(run, "linux", "failure")
    server.people.job(run, "docs", "success")
    assert ask(server, "POST", f"~/actions/runs/{run.id}/rerun-failed-jobs", {}).status == 201
    assert ask(server, "POST", f"~/actions/runs/{run.id}/rerun-failed-jobs", {}).status == 403
    jobs = ask(server, "GET", f"~/actions/runs/{run.id}/jobs").json["jobs"]
    assert [(one["name"], one["status"], one["run_attempt"]) for one in jobs] == [
        ("linux", "queued", 2),
        ("docs", "completed", 1),
    ]
    assert server.people.job(run, "linux", "success").id != old.id
    assert ask(server, "GET", f"~/actions/runs/{run.id}").json["conclusion"] == "success"
    first = ask(server, "GET", f"~/actions/runs/{run.id}/attempts/1/jobs").json["jobs"]
    assert [one["conclusion"] for one in first] == ["failure", "success"]


def test_steps_and_legs_of_one_name(server: GitHubServer) -> None:
    tip = str(server.world.bare.tip("topic"))
    run = server.people.run(tip)
    server.people.job(run, "test", "failure", steps=[("Set up", "success"), ("Run tests", "failure")])
    server.people.job(run, "test", "success", leg=1)
    jobs = ask(server, "GET", f"~/actions/runs/{run.id}/jobs").json["jobs"]
    assert [(one["name"], one["conclusion"]) for one in jobs] == [("test", "failure"), ("test", "success")]
    assert [(step["name"], step["conclusion"]) for step in jobs[0]["steps"]][1:] == [("Run tests", "failure")]
    assert ask(server, "GET", f"~/commits/{tip}/check-runs").json["total_count"] == 2
    assert ask(server, "POST", f"~/actions/runs/{run.id}/rerun-failed-jobs").status == 201
    jobs = ask(server, "GET", f"~/actions/runs/{run.id}/jobs").json["jobs"]
    assert [(one["status"], one["run_attempt"]) for one in jobs] == [("queued", 2), ("completed", 1)]


def test_runs_that_wait_for_approval(server: GitHubServer) -> None:
    run = server.people.run(str(server.world.bare.tip("topic")), waiting="action_required")
    shown = ask(server, "GET", f"~/actions/runs/{run.id}").json
    assert (shown["status"], shown["conclusion"]) == ("completed", "action_required")


def test_cancelling_and_dispatching(server: GitHubServer) -> None:
    run = server.people.run(str(server.world.bare.tip("topic")), "Nightly Build")
    server.people.job(run, "linux", "queued")
    assert ask(server, "POST", f"~/actions/runs/{run.id}/cancel").status == 202
    assert ask(server, "GET", f"~/actions/runs/{run.id}").json["conclusion"] == "cancelled"
    path = "~/actions/workflows/nightly-build.yml"
    assert ask(server, "POST", f"{path}/dispatches", {"ref": "main", "inputs": {"deep": "yes"}}).status == 204
    runs = ask(server, "GET", f"{path}/runs", event="workflow_dispatch").json["workflow_runs"]
    assert [(one["head_branch"], one["status"]) for one in runs] == [("main", "queued")]
    assert server.world.runs[runs[0]["id"]].inputs == {"deep": "yes"}


def test_artifacts(server: GitHubServer) -> None:
    run = server.people.run(str(server.world.bare.tip("topic")))
    server.people.artifact(run, "report", {"a.json": b"{}"})
    server.people.artifact(run, "old", {"b": b""}, expired=True)
    report, old = ask(server, "GET", f"~/actions/runs/{run.id}/artifacts").json["artifacts"]
    redirect = ask(server, "GET", f"~/actions/artifacts/{report['id']}/zip")
    with zipfile.ZipFile(
        io.BytesIO(ask(server, "GET", redirect.headers["location"], token="").content)
    ) as archive:
        assert archive.namelist() == ["a.json"]
    assert ask(server, "GET", f"~/actions/artifacts/{old['id']}/zip").status == 410


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public(key: rsa.RSAPrivateKey) -> str:
    pem, info = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_key().public_bytes(pem, info).decode()


def signed(server: GitHubServer, key: rsa.RSAPrivateKey, app: int, **changes: int) -> str:
    now = int(server.clock.now.timestamp())
    return jwt.encode({"iat": now - 60, "exp": now + 540, "iss": str(app), **changes}, key, algorithm="RS256")


def test_an_app_gets_tokens_that_end(server: GitHubServer, key: rsa.RSAPrivateKey) -> None:
    installed = server.people.install_app("sync-app", public(key), checks="write", issues="read")
    own = signed(server, key, installed.app.id)
    assert ask(server, "GET", "/app", token=own).json["slug"] == "sync-app"
    assert ask(server, "GET", "~/installation", token=own).json["id"] == installed.id
    made = ask(server, "POST", f"/app/installations/{installed.id}/access_tokens", {}, token=own).json
    token = made["token"]
    assert ask(server, "GET", "/installation/repositories", token=token).json["total_count"] == 1
    server.people.open_pull("topic", "main")
    assert ask(server, "GET", "~/issues/1/comments", token=token).status == 200
    refused = ask(server, "POST", "~/issues/1/comments", {"body": "x"}, token=token)
    assert refused.json["message"] == "Resource not accessible by integration"
    server.clock.advance(hours=1)
    assert ask(server, "GET", "~", token=token).status == 401


def test_what_an_app_may_not_sign(server: GitHubServer, key: rsa.RSAPrivateKey) -> None:
    installed = server.people.install_app("sync-app", public(key))
    now = int(server.clock.now.timestamp())
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    bad = [
        signed(server, other, installed.app.id),
        signed(server, key, installed.app.id + 1),
        signed(server, key, installed.app.id, exp=now + 3600),
        signed(server, key, installed.app.id, exp=now - 3600),
    ]
    assert [ask(server, "GET", "/app", token=one).status for one in bad] == [401] * 4


def test_who_one_is(server: GitHubServer) -> None:
    assert ask(server, "GET", "/user").json["login"] == "syncline-bot"
    assert ask(server, "GET", "/user", token=server.people.workflow_token()).status == 403
    assert ask(server, "GET", "/user", token="").status == 401
    server.people.user("kim", "maintain")
    shown = ask(server, "GET", "~/collaborators/kim/permission").json
    assert (shown["permission"], shown["role_name"]) == ("write", "maintain")
    server.world.tokens.pop(server.token)
    assert ask(server, "GET", "/user").json["message"] == "Bad credentials"

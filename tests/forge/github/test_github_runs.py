import os
import zipfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.errors import ForgeError
from syncline.forge.github import runs
from syncline.forge.github.client import Client
from syncline.forge.github.downloads import TooLargeError, download, shortened
from syncline.forge.github.settings import GitHubSettings
from testing.github import Fail, GitHubServer, PrimaryLimit, Reset
from tests.forge.github.answering import Got, Reply, answering, in_turn
from tests.forge.github.opening import tip

SECRET = "ghp_" + "s" * 36


@pytest.fixture
def client(server: GitHubServer) -> Generator[Client]:
    settings = GitHubSettings(server.owner, server.name, api=server.api)
    with Client(settings, {"GITHUB_TOKEN": server.token}, sleep=lambda _: None) as client:
        yield client


def client_at(url: str) -> Client:
    return Client(GitHubSettings("ada", "tools", api=url), {"GITHUB_TOKEN": SECRET}, sleep=lambda _: None)


def test_runs_and_jobs_of_a_commit(server: GitHubServer, client: Client) -> None:
    sha = tip(server)
    ci, docs = server.people.run(sha), server.people.run(sha, "Docs", event="push", branch="sync/1")
    server.people.run(tip(server, "sync/2"))
    unit = server.people.job(ci, "unit", "failure")
    lint = server.people.job(ci, "lint", "in_progress")
    first, second = runs.of_commit(client, sha)
    assert (first.id, first.name, first.event, first.status, first.conclusion, first.attempt) == (
        ci.id, "CI", "pull_request", "in_progress", "", 1,
    )  # fmt: skip
    assert (second.id, second.branch, second.sha) == (docs.id, "sync/1", sha)
    jobs = runs.jobs_of(client, ci.id)
    assert [(one.id, one.name, one.conclusion) for one in jobs] == [
        (unit.id, "unit", "failure"), (lint.id, "lint", ""),
    ]  # fmt: skip
    assert runs.jobs_of(client, docs.id) == ()


def test_all_pages_of_jobs(server: GitHubServer, client: Client) -> None:
    run = server.people.run(tip(server))
    for number in range(150):
        server.people.job(run, f"{number}")
    assert len(runs.jobs_of(client, run.id)) == 150


def test_failed_jobs_run_again(server: GitHubServer, client: Client) -> None:
    run = server.people.run(tip(server))
    server.people.job(run, "unit", "failure")
    lint = server.people.job(run, "lint")
    runs.rerun_failed(client, run.id)
    kept, new = runs.jobs_of(client, run.id)
    assert (kept.id, new.name, new.attempt, new.status) == (lint.id, "unit", 2, "queued")
    with pytest.raises(ForgeError, match="has not ended"):
        runs.rerun_failed(client, run.id)


def test_the_log_of_a_job(server: GitHubServer, client: Client, tmp_path: Path) -> None:
    run = server.people.run(tip(server))
    job = server.people.job(run, "unit", "in_progress", log="one\ntwo\n")
    to = tmp_path / "unit.txt"
    assert runs.job_log(client, job.id, to) is None
    server.people.job(run, "unit", "failure")
    assert runs.job_log(client, job.id, to) == 8
    assert to.read_text() == "one\ntwo\n"
    (file,) = server.log.of("GET", "/_files/*")
    assert file.actor == ""  # whoever has the address needs no token, and gets none
    run.logs_gone = True
    assert runs.job_log(client, job.id, to) is None
    assert to.read_text() == "one\ntwo\n"
    assert [path.name for path in tmp_path.glob("unit*")] == ["unit.txt"]


def test_a_long_log_is_shortened_in_the_middle(server: GitHubServer, client: Client, tmp_path: Path) -> None:
    run = server.people.run(tip(server))
    job = server.people.job(run, "unit", "failure", log="begin\n" + "x" * 300_000 + "\nend\n")
    assert runs.job_log(client, job.id, tmp_path / "log", limit=100) == 300_011
    text = (tmp_path / "log").read_text()
    assert text.startswith("begin\nx")
    assert text.endswith("x\nend\n")
    assert "\n[... 299911 bytes left out ...]\n" in text


@given(st.lists(st.binary(max_size=9)), st.integers(1, 40))
def test_shortened_keeps_both_ends(chunks: list[bytes], limit: int) -> None:
    whole = b"".join(chunks)
    short = b"".join(shortened(chunks, limit))
    if len(whole) <= limit:
        assert short == whole
    else:
        note = f"\n[... {len(whole) - limit} bytes left out ...]\n".encode()
        assert short == whole[: limit // 2] + note + whole[len(whole) - (limit - limit // 2) :]


def test_the_logs_of_a_run(server: GitHubServer, client: Client, tmp_path: Path) -> None:
    run = server.people.run(tip(server))
    server.people.job(run, "unit", "failure", log="bad\n")
    server.people.job(run, "a / b", "success", log="good\n")
    assert runs.run_logs(client, run.id, tmp_path / "logs.zip") is not None
    files = runs.unpack(tmp_path / "logs.zip", tmp_path / "logs")
    assert [file.read_text() for file in files] == ["bad\n", "good\n"]
    run.logs_gone = True
    assert runs.run_logs(client, run.id, tmp_path / "none.zip") is None


def test_artifacts(server: GitHubServer, client: Client, tmp_path: Path) -> None:
    run = server.people.run(tip(server))
    server.people.artifact(run, "report", {"d/junit.xml": b"<x/>"})
    server.people.artifact(run, "old", {"a": b""}, expired=True)
    report, old = runs.artifacts_of(client, run.id)
    assert (report.name, old.name, old.expired) == ("report", "old", True)
    assert runs.download_artifact(client, report, tmp_path / "r.zip") == report.size
    assert runs.unpack(tmp_path / "r.zip", tmp_path / "r") == (tmp_path / "r/d/junit.xml",)
    assert (tmp_path / "r/d/junit.xml").read_bytes() == b"<x/>"
    assert runs.download_artifact(client, old, tmp_path / "o.zip") is None
    with pytest.raises(TooLargeError, match="'report' has"):
        runs.download_artifact(client, report, tmp_path / "x.zip", limit=9)
    server.world.artifacts[report.id].expired = True
    assert runs.download_artifact(client, report, tmp_path / "x.zip") is None


def test_what_is_larger_than_it_said_is_not_kept(server: GitHubServer, client: Client, tmp_path: Path) -> None:
    run = server.people.run(tip(server))
    server.people.job(run, "unit", "failure", log=os.urandom(5000).hex())
    with pytest.raises(TooLargeError):
        runs.run_logs(client, run.id, tmp_path / "logs.zip", limit=1000)
    assert not list(tmp_path.glob("logs*"))


@pytest.mark.parametrize("trouble", [Fail(502), Reset("before"), Reset("after"), PrimaryLimit()])
@pytest.mark.parametrize("path", ["*/actions/jobs/*/logs", "/_files/*"])
def test_trouble_is_borne(
    server: GitHubServer, client: Client, tmp_path: Path, path: str, trouble: Fail | Reset | PrimaryLimit
) -> None:
    run = server.people.run(tip(server))
    job = server.people.job(run, "unit", "failure", log="one\n" * 100)
    server.disturb("GET", path, trouble, times=2)
    assert runs.job_log(client, job.id, tmp_path / "log") == 400
    assert (tmp_path / "log").read_text() == "one\n" * 100


def test_trouble_that_stays_is_told_without_the_address(
    server: GitHubServer, client: Client, tmp_path: Path
) -> None:
    run = server.people.run(tip(server))
    job = server.people.job(run, "unit", "failure", log="one\n")
    server.disturb("GET", "/_files/*", Reset("before"), times=99)
    with pytest.raises(ForgeError, match="failed 5 times") as caught:
        runs.job_log(client, job.id, tmp_path / "log")
    assert "_files" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert not list(tmp_path.glob("log*"))


def test_the_token_stays_at_the_api(tmp_path: Path) -> None:
    with answering(lambda _: Reply(raw=b"the log")) as store:
        away = Reply(status=302, headers={"Location": f"{store.url}/f?sig=abc"})
        moved = Reply(status=301, headers={"Location": "/repositories/7/actions/jobs/1/logs"})
        with answering(in_turn(moved, away)) as api, client_at(api.url) as client:
            assert download(client, "actions/jobs/1/logs", tmp_path / "log", limit=99) == 7
            assert [SECRET in got.headers.get("authorization", "") for got in api.asked] == [True, True]
        (got,) = store.asked
        assert (got.path, got.headers.get("authorization")) == ("/f?sig=abc", None)


def test_an_answer_without_a_redirect_is_the_file(tmp_path: Path) -> None:
    with answering(lambda _: Reply(raw=b"the log")) as api, client_at(api.url) as client:
        assert download(client, "actions/jobs/1/logs", tmp_path / "log", limit=99) == 7


@pytest.mark.parametrize("to", ["", "http://[", "file:///etc/passwd", "/repos/ada/tools/x"])
def test_a_redirect_to_nowhere(tmp_path: Path, to: str) -> None:
    def script(_: Got) -> Reply:
        return Reply(status=302, headers={"Location": to})

    with answering(script) as api, client_at(api.url) as client, pytest.raises(ForgeError, match="nowhere"):
        download(client, "x", tmp_path / "log", limit=99)


def zip_of(place: Path, *names: str) -> Path:
    with zipfile.ZipFile(place, "w") as opened:
        for name in names:
            opened.writestr(name, f"{name}!")
    return place


def test_nothing_is_unpacked_outside_of_the_folder(tmp_path: Path) -> None:
    archive = zip_of(tmp_path / "z", "../a", "/b", "c/../../d", "e\\..\\..\\f", "g/", "h/i")
    assert runs.unpack(archive, tmp_path / "in") == (tmp_path / "in/h/i",)
    assert {path.name for path in tmp_path.iterdir()} == {"z", "in"}


def test_a_zip_that_swells_is_stopped(tmp_path: Path) -> None:
    archive = tmp_path / "z"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("a", b"\0" * 3_000_000)
    assert archive.stat().st_size < 10_000
    with pytest.raises(TooLargeError):
        runs.unpack(archive, tmp_path / "in", limit=100_000)
    assert (tmp_path / "in/a").stat().st_size <= 100_000


def test_what_is_no_zip(tmp_path: Path) -> None:
    (tmp_path / "z").write_bytes(b"PK no")
    with pytest.raises(ForgeError, match="no zip"):
        runs.unpack(tmp_path / "z", tmp_path / "in")

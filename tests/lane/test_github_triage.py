"""`syncline triage PROPOSAL` on GitHub: logs of jobs, the parents' own checks, and what landed on target."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from syncline.checks.triage.cause import Cause
from syncline.checks.triage.report import Report
from syncline.forge.github.beside import owners
from syncline.forge.github.runs import Job
from syncline.forge.protocol import Landed
from syncline.lane.triage.triage import triage_proposal
from testing.github_lane import POLICY, GitHubLane, github_lane

LOG = """\
2026-11-30T03:00:01.0000000Z ##[group]Run python -m pytest -q
2026-11-30T03:00:02.0000000Z Traceback (most recent call last):
2026-11-30T03:00:02.0000000Z   File "/home/runner/work/engine/engine/pkg/a.py", line {line}, in attend
2026-11-30T03:00:02.0000000Z     return rope(x)
2026-11-30T03:00:02.0000000Z            ^^^^
2026-11-30T03:00:02.0000000Z {error}
2026-11-30T03:00:03.0000000Z ##[error]Process completed with exit code 1.
"""
NAME = LOG.format(line=7, error="NameError: name 'rope' is not defined")
SAME = LOG.format(line=19, error="NameError: name 'rope' is not defined")
VALUE = LOG.format(line=7, error="ValueError: 3 ranks, 4 wanted")


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path) as made:
        made.sync()
        yield made


def job(lane: GitHubLane, sha: str, state: str, log: str = "", name: str = "unit") -> Any:
    run = lane.server.people.run(sha, "CI")
    return lane.server.people.job(run, name, state, log=log)


def triaged(lane: GitHubLane) -> Report:
    with lane.context() as context:
        return triage_proposal(context, context.forge.proposal(lane.open_pull().number))


def parents(lane: GitHubLane) -> tuple[str, str]:
    bare = lane.server.world.bare
    target = bare.tip("dev")
    head = lane.open_pull().head_sha
    assert target is not None
    source = lane.repo.text("rev-parse", f"{head}^2").strip()
    return target, source


# What the jobs of target and source did: None for no job at all.
SCENARIOS = [
    (None, None, Cause.UNKNOWN),
    (("failure", SAME), ("success", ""), Cause.TARGET),
    (("success", ""), ("failure", SAME), Cause.SOURCE),
    (("failure", SAME), ("failure", SAME), Cause.BOTH),
    (("success", ""), ("success", ""), Cause.SYNC),
    (("failure", VALUE), ("failure", VALUE), Cause.UNKNOWN),
    (("failure", VALUE), ("success", ""), Cause.UNKNOWN),
    (("success", ""), ("cancelled", SAME), Cause.UNKNOWN),
    (("timed_out", SAME), ("skipped", ""), Cause.UNKNOWN),
    (("success", ""), None, Cause.UNKNOWN),
    (None, ("failure", SAME), Cause.SOURCE),
]


@pytest.mark.parametrize(("target", "source", "cause"), SCENARIOS)
def test_whose_doing_it_is(
    lane: GitHubLane, target: tuple[str, str] | None, source: tuple[str, str] | None, cause: Cause
) -> None:
    for sha, ended in zip(parents(lane), (target, source), strict=True):
        if ended is not None:
            job(lane, sha, *ended)
    job(lane, lane.open_pull().head_sha, "failure", NAME)
    report = triaged(lane)
    (one,) = report.faults
    assert one.verdict.cause is cause
    assert (one.cluster.first.kind, one.cluster.first.path) == ("NameError", "pkg/a.py")
    assert report.notes == ()


def test_what_comes_and_goes_on_a_parent_is_flaky(lane: GitHubLane) -> None:
    target, source = parents(lane)
    job(lane, target, "failure", SAME)
    job(lane, target, "success")
    job(lane, source, "success")
    job(lane, lane.open_pull().head_sha, "failure", NAME)
    (one,) = triaged(lane).faults
    assert (one.verdict.cause, one.verdict.confidence) == (Cause.FLAKY, 0.8)


def test_forty_jobs_with_one_fault_and_a_job_without_a_log(lane: GitHubLane) -> None:
    head = lane.open_pull().head_sha
    run = lane.server.people.run(head, "CI")
    for number in range(40):
        lane.server.people.job(run, f"unit ({number})", "failure", log=LOG.format(
            line=number + 1, error="NameError: name 'rope' is not defined"
        ))  # fmt: skip
    lane.server.people.check(head, "external", "failure")
    report = triaged(lane)
    counts = {one.cluster.first.kind: len(one.cluster.checks) for one in report.faults}
    assert counts == {"NameError": 40, "exit": 1}
    assert len(report.rows) == 41


def test_what_landed_on_target_last_is_asked(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        _landed(lane)


def _landed(lane: GitHubLane) -> None:
    people, bare = lane.server.people, lane.server.world.bare
    # Somebody's proposal was red in the same way and landed all the same; target's own commit was never tested.
    head = people.push("topic", {"topic.txt": "x\n"}, start="dev")
    opened = people.open_pull("topic", "dev")
    job(lane, head, "failure", SAME)
    people.merge(opened.number)
    lane.sync()
    with lane.context() as context:
        landed = context.forge.landed("dev", 3)
    assert landed == (Landed(opened.number, head, bare.tip("dev") or ""),)
    job(lane, lane.open_pull().head_sha, "failure", NAME)
    (one,) = triaged(lane).faults
    assert (one.verdict.cause, one.verdict.confidence) == (Cause.EXPOSED, 0.7)
    assert any(item.by == f"proposal {opened.number}" for item in one.verdict.witnesses)


def test_a_log_that_is_gone_accuses_nobody(lane: GitHubLane) -> None:
    target, source = parents(lane)
    run = lane.server.people.run(target, "CI")
    lane.server.people.job(run, "unit", "failure", log=SAME)
    run.logs_gone = True
    job(lane, source, "success")
    job(lane, lane.open_pull().head_sha, "failure", NAME)
    (one,) = triaged(lane).faults
    assert one.verdict.cause is Cause.UNKNOWN
    assert any("nobody can tell how" in item.words for item in one.verdict.evidence)


def test_the_command_tells_it_too(lane: GitHubLane) -> None:
    target, source = parents(lane)
    job(lane, target, "failure", SAME)
    job(lane, source, "success")
    job(lane, lane.open_pull().head_sha, "failure", NAME)
    done = lane.run("triage", str(lane.open_pull().number))
    assert done.code == 1
    assert "target (0.95): NameError: name 'rope' is not defined" in done.out
    assert "fails the same way (ci)" in done.out
    assert lane.server.token not in done.out + done.err


TABLE = "##[error]Process completed with exit code 1.\n"
RANK = LOG.replace("2026-11-30T03:00:02.0000000Z ", "")


def test_logs_of_ranks_in_an_artifact_tell_what_the_log_does_not(lane: GitHubLane) -> None:
    people = lane.server.people
    target, source = parents(lane)
    head = lane.open_pull().head_sha
    lost = {"rank0/stderr.log": b"Connection reset by peer\n"}
    for sha, state, line in ((target, "failure", 19), (source, "success", 0), (head, "failure", 7)):
        run = people.run(sha, "CI")
        people.job(run, "gpu (a100, 8)", state, log=TABLE)
        people.job(run, "gpu (h100, 8)", "success")
        told = RANK.format(line=line, error="NameError: name 'rope' is not defined").encode()
        people.artifact(run, "logs-gpu-a100-8", lost | {"rank3/stderr.log": told})
        people.artifact(run, "logs-gpu-h100-8", {"rank0/stderr.log": VALUE.encode()})
        people.artifact(run, "wheels", {"rank9.log": VALUE.encode()})
    report = triaged(lane)
    (one,) = report.faults
    first = one.cluster.first
    assert (first.kind, first.log, first.rank, first.path) == ("NameError", "rank3/stderr.log", 3, "pkg/a.py")
    assert (one.verdict.cause, report.notes) == (Cause.TARGET, ())


def test_archives_that_are_no_logs_are_refused_with_words(
    lane: GitHubLane, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("syncline.lane.triage.red.LARGEST_ARTIFACT", 1 << 20)
    people, head = lane.server.people, lane.open_pull().head_sha
    run = people.run(head, "CI")
    people.job(run, "unit", "failure", log=TABLE)
    people.artifact(run, "logs", {"huge.log": b"\0" * (64 << 20)})
    people.artifact(run, "logs-data", {"x.png": b"x"})
    people.artifact(run, "logs-gone", {"a.log": NAME.encode()}, expired=True)
    people.artifact(run, "logs-broken", {"a.log": NAME.encode()}).content = b"PK\x03\x04 broken"
    people.artifact(run, "test results", {"a.txt": NAME.encode()})
    report = triaged(lane)
    assert [one.cluster.first.kind for one in report.faults] == ["NameError"]
    notes = "\n".join(report.notes)
    assert "huge.log of unit could not be read: unpacked it is larger than 1 MiB" in notes
    assert "holds no logs" in notes
    assert "the artifact 'logs-gone' is kept no more" in notes
    assert "is broken" in notes
    assert len(report.notes) == 4


def test_annotations_tell_where_there_is_no_log(lane: GitHubLane) -> None:
    people, head = lane.server.people, lane.open_pull().head_sha
    seen = people.check(head, "style", "failure")
    seen.annotations += [
        {"path": "pkg/a.py", "start_line": 7, "end_line": 7, "annotation_level": "failure", "title": "F821, here",
         "message": "undefined name 'rope'"},
        {"path": "pkg/b.py", "start_line": 1, "end_line": 1, "annotation_level": "notice", "message": "well done"},
    ]  # fmt: skip
    run = people.run(head, "CI")
    lost = people.job(run, "gpu", "failure")
    words = "The self-hosted runner lost communication with the server. Verify the machine is running."
    lane.server.world.check_runs[lost.id].annotations += [
        {"path": ".github", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": words}
    ]
    faults = {one.cluster.checks: one for one in triaged(lane).faults}
    style, gpu = faults["style",], faults["gpu",]
    first = style.cluster.first
    assert (first.path, first.line, first.kind, first.message) == (
        "pkg/a.py",
        7,
        "F821, here",
        "undefined name 'rope'",
    )
    assert gpu.verdict.cause is Cause.INFRASTRUCTURE


def test_a_lane_may_want_no_artifacts(tmp_path: Path) -> None:
    with github_lane(tmp_path, policy=f"{POLICY}[lanes.nightly.triage]\nartifacts = []\n") as lane:
        lane.sync()
        run = lane.server.people.run(lane.open_pull().head_sha, "CI")
        lane.server.people.job(run, "unit", "failure", log=TABLE)
        lane.server.people.artifact(run, "logs", {"a.log": NAME.encode()})
        assert [one.cluster.first.kind for one in triaged(lane).faults] == ["exit code"]


@pytest.mark.parametrize(
    ("artifact", "owner"),
    [
        ("logs-unit-3.11-linux", {1}), ("logs_unit (3.12, linux)", {2}), ("Logs of lint", {3}), ("logs", set()),
        ("logs-3.12-linux", {2}), ("logs-unit", set()),
    ],
)  # fmt: skip
def test_whose_artifact_it_is(artifact: str, owner: set[int]) -> None:
    names = ("cicd / unit (3.11, linux)", "cicd / unit (3.12, linux)", "lint")
    jobs = [Job(number, 9, name, 1, "completed", "failure", "") for number, name in enumerate(names, 1)]
    assert owners(artifact, jobs) == owner
    one = [Job(1, 9, "unit", 1, "completed", "failure", ""), Job(2, 9, "lint", 1, "completed", "success", "")]
    assert owners("logs", one) == {1}

"""`syncline triage PROPOSAL` on GitHub: logs of jobs, the parents' own checks, and what landed on target."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from syncline.checks.triage.cause import Cause
from syncline.checks.triage.report import Report
from syncline.forge.protocol import Landed
from syncline.lane.triage.triage import triage_proposal
from testing.github_lane import GitHubLane, github_lane

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

"""A workflow that runs a check on both parents when the lane asks for it, on the test GitHub."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest

from syncline.checks.triage.cause import Cause
from syncline.checks.triage.report import Report
from syncline.forge.github.client import Client
from syncline.lane.triage import dispatched
from syncline.lane.triage.on_parents import Running
from syncline.lane.triage.triage import triage_proposal
from testing.github_lane import POLICY, GitHubLane, github_lane

LOG = """\
Traceback (most recent call last):
  File "pkg/a.py", line {line}, in attend
    return rope(x)
{error}
##[error]Process completed with exit code 1.
"""
NAME = LOG.format(line=7, error="NameError: name 'rope' is not defined")
SAME = LOG.format(line=19, error="NameError: name 'rope' is not defined")
OTHER = LOG.format(line=7, error="ValueError: 3 ranks, 4 wanted")
ASKS = f'{POLICY}[lanes.nightly.triage]\ndispatch = "parents.yml"\n'


class Machines(Event):
    """Ends the runs that were started, each time somebody waits for them."""

    def __init__(self, lane: GitHubLane, ends: Callable[[str], tuple[str, str]]) -> None:
        super().__init__()
        self.lane, self.ends, self.waited = lane, ends, 0

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.waited += 1
        world, people = self.lane.server.world, self.lane.server.people
        for run in list(world.runs.values()):
            if run.event == "workflow_dispatch":
                state, log = self.ends(run.inputs["sha"])
                people.job(run, run.workflow.name, state, log=log)
        return False


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path, policy=ASKS) as made:
        made.sync()
        # The workflow is there since it ran once; on the head the check is red.
        made.server.people.job(made.server.people.run(parents(made)[0], "Parents", event="push"), "Parents")
        run = made.server.people.run(made.open_pull().head_sha, "CI")
        made.server.people.job(run, "unit (3.11)", "failure", log=NAME)
        yield made


def parents(lane: GitHubLane) -> tuple[str, str]:
    head = lane.open_pull().head_sha
    return lane.repo.text("rev-parse", f"{head}^1").strip(), lane.repo.text("rev-parse", f"{head}^2").strip()


def triaged(lane: GitHubLane, cancelled: Event | None = None, *, seconds: float = 60) -> tuple[Report, list[str]]:
    told: list[str] = []
    running = Running(seconds, told.append, cancelled) if cancelled is not None else None
    with lane.context() as context:
        return triage_proposal(context, context.forge.proposal(lane.open_pull().number), running=running), told


def started(lane: GitHubLane) -> int:
    return sum(run.event == "workflow_dispatch" for run in lane.server.world.runs.values())


GOOD, FAILS, ELSE, CUT = ("success", ""), ("failure", SAME), ("failure", OTHER), ("cancelled", "")


@pytest.mark.parametrize(
    ("target", "source", "cause"),
    [(GOOD, GOOD, Cause.SYNC), (FAILS, ELSE, Cause.TARGET), (GOOD, CUT, Cause.UNKNOWN)],
)
def test_whose_doing_it_is(
    lane: GitHubLane, target: tuple[str, str], source: tuple[str, str], cause: Cause
) -> None:
    ends = dict(zip(parents(lane), (target, source), strict=True))
    before, _ = triaged(lane)
    assert [one.verdict.cause for one in before.faults] == [Cause.UNKNOWN]
    assert started(lane) == 0, "nothing is started without being asked for"
    report, told = triaged(lane, Machines(lane, ends.__getitem__))
    (one,) = report.faults
    # Neither parent's own CI ran it, so what they have was not known.
    inherited = cause in {Cause.TARGET, Cause.SOURCE, Cause.BOTH}
    assert one.verdict.cause is (Cause.EXPOSED if inherited else cause)
    by = {item.parent: item.saw.value for item in one.verdict.witnesses if item.by == dispatched.BY}
    words = {GOOD: "passed", FAILS: "failed", ELSE: "failed", CUT: "unfinished"}
    assert by == {"target": words[target], "source": words[source]}
    assert len(told) == started(lane) == 2
    # What ended is known from then on, also without being asked for; what was cut off is tried again.
    again, _ = triaged(lane)
    assert again.faults[0].verdict.cause is one.verdict.cause
    triaged(lane, Machines(lane, ends.__getitem__))
    assert started(lane) == 2 + (CUT in {target, source})


def test_a_run_that_takes_longer_is_asked_for_the_next_time_and_not_started_again(lane: GitHubLane) -> None:
    report, _ = triaged(lane, Event(), seconds=0.05)
    assert [one.verdict.cause for one in report.faults] == [Cause.UNKNOWN]
    assert len([note for note in report.notes if "has not ended; ask again later" in note]) == 2
    runs = [run for run in lane.server.world.runs.values() if run.event == "workflow_dispatch"]
    assert [(run.branch, run.inputs) for run in runs] == [
        ("dev", {"sha": parent, "check": "unit (3.11)", "tests": ""}) for parent in parents(lane)
    ]
    Machines(lane, lambda _: GOOD).wait(0)
    report, told = triaged(lane)
    assert [one.verdict.cause for one in report.faults] == [Cause.SYNC]
    assert (started(lane), told, report.notes) == (2, [], ())


def test_a_server_that_does_not_tell_the_run(lane: GitHubLane, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Client.post

    def silent(self: Client, path: str, json: dict[str, object]) -> object:
        return whole(self, path, {**json, "return_run_details": False})

    monkeypatch.setattr(Client, "post", silent)
    report, _ = triaged(lane, Machines(lane, lambda _: GOOD))
    assert [one.verdict.cause for one in report.faults] == [Cause.SYNC]
    assert started(lane) == 2


def test_what_cannot_be_started_or_is_no_witness_is_told(lane: GitHubLane) -> None:
    world, people = lane.server.world, lane.server.people
    world.workflows["Parents"].path = ".github/workflows/others.yml"
    report, _ = triaged(lane, Machines(lane, lambda _: GOOD))
    assert [one.verdict.cause for one in report.faults] == [Cause.UNKNOWN]
    assert sum("parents.yml could not be started for unit (3.11)" in note for note in report.notes) == 2
    # A job with a check's name would be taken for that check's result on the branch.
    world.workflows["Parents"].path = ".github/workflows/parents.yml"
    run = people.run(lane.open_pull().head_sha, "CI 2")
    people.job(run, "Parents", "failure", log=OTHER)
    report, _ = triaged(lane, Machines(lane, lambda _: GOOD))
    assert any("is called Parents like a check" in note for note in report.notes)


def test_one_check_of_each_fault_is_run(lane: GitHubLane) -> None:
    people = lane.server.people
    run = people.run(lane.open_pull().head_sha, "CI 2")
    for number in range(30):
        people.job(run, f"more ({number})", "failure", log=NAME.replace("line 7", f"line {number + 1}"))
    people.job(run, "other", "failure", log=OTHER)
    # Source's own CI tells of one of those that fail by the first fault.
    people.job(people.run(parents(lane)[1], "CI 2"), "more (7)", "success")
    report, told = triaged(lane, Machines(lane, lambda _: GOOD))
    assert sorted(len(one.cluster.checks) for one in report.faults) == [1, 31]
    assert {one.verdict.cause for one in report.faults} == {Cause.SYNC}
    assert len(told) == started(lane) == 3

"""An order is carried out once, wherever the process that does it dies, and whoever goes on.

Every effect is gone through with SYNCLINE_TESTS=long; otherwise some of each order.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from syncline.lane.actions import Outcome, Rest
from testing.github.things import WorkflowRun
from testing.github_lane import POLICY, Fate, GitHubLane, Killed, github_lane
from testing.sealed import git

_STRIDE = 1 if os.environ.get("SYNCLINE_TESTS") == "long" else 43
_FILES = 99


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path, policy=POLICY.replace("slice = 4", "slice = 20")) as made:
        for branch in ("main", "dev"):
            made.server.people.push(branch, {f"{number}.txt": f"{branch}\n" for number in range(_FILES)})
        made.sync()
        yield made


def die_everywhere(lane: GitHubLane, machines: list[GitHubLane], words: Callable[[int], str]) -> Iterator[int]:
    """Give the order again and again; one machine dies at another effect each time, the next one goes on."""
    number = 0
    while True:
        lane.server.people.comment(1, words(number))
        fate = Fate(1 + number * _STRIDE, "after" if number % 2 else "before")
        first, second = (machines[(number + add) % len(machines)] for add in (0, 1))
        try:
            first.sync(fate)
        except Killed:
            died = True
        else:
            died = False
        step = second.sync()
        assert isinstance(step.action, Rest)
        answered = said(lane)
        assert answered.count(f"| `{words(number)}` | done") == 1 + sum(
            words(n) == words(number) for n in range(number)
        )
        yield number
        if not died:
            return
        number += 1


def said(lane: GitHubLane) -> str:
    (living,) = [body for body in lane.comments(1) if '"marker":"orders"' in body]
    return living


@pytest.fixture
def machines(lane: GitHubLane, tmp_path: Path) -> list[GitHubLane]:
    return [lane, lane.on_another_machine(tmp_path / "other")]


def test_take(lane: GitHubLane, machines: list[GitHubLane]) -> None:
    heads = [lane.open_pull().head_sha]
    for number in die_everywhere(lane, machines, lambda n: f"/syncline take theirs {n}.txt"):
        head = lane.open_pull().head_sha
        assert git(lane.server.path, "rev-parse", f"{head}^").decode().strip() == heads[-1]
        assert git(lane.server.path, "show", f"{head}:{number}.txt") == b"main\n"
        heads.append(head)
    assert len(heads) > 2
    git(lane.server.path, "fsck", "--strict")


def test_pause_and_resume(lane: GitHubLane, machines: list[GitHubLane]) -> None:
    for number in die_everywhere(lane, machines, lambda n: ("/syncline pause", "/syncline resume")[n % 2]):
        step = machines[number % 2].sync()
        assert isinstance(step.action, Rest)
        assert (step.action.outcome is Outcome.PAUSED) is (number % 2 == 0)


def test_retry(lane: GitHubLane, machines: list[GitHubLane]) -> None:
    people, head = lane.server.people, lane.open_pull().head_sha
    run: WorkflowRun = people.run(head, "CI")
    people.job(run, "unit", "failure")
    for number in die_everywhere(lane, machines, lambda _: "/syncline retry"):
        assert lane.server.log.count("POST", "*/rerun-failed-jobs") == number + 1
        people.job(run, "unit", "failure")


def test_abort(lane: GitHubLane, machines: list[GitHubLane]) -> None:
    lane.server.people.push(lane.open_pull().head, {"mine.txt": "x\n"})
    for _ in die_everywhere(lane, machines, lambda _: "/syncline abort"):
        assert lane.server.people.pull(1).state == "closed"
        lane.server.people.reopen(1)
        step = lane.sync()
        assert isinstance(step.action, Rest)
        assert step.action.outcome is Outcome.NEEDS_PEOPLE
        assert lane.server.people.pull(1).state == "open"

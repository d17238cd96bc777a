"""A sync on GitHub that dies anywhere: the next one goes on, and nothing is there twice.

Every effect is gone through with SYNCLINE_TESTS=long; otherwise a few of each phase.
"""

import os
import re
import signal
from collections import Counter
from pathlib import Path

import pytest

from syncline.lane.actions import Outcome, Rest
from testing.cli import run_killed
from testing.github_lane import Fate, GitHubLane, Killed, github_lane
from testing.sealed import git

_LONG = os.environ.get("SYNCLINE_TESTS") == "long"
_STRIDE = 1 if _LONG else 31
_PARTS = 4


def markers(lane: GitHubLane) -> Counter[str]:
    texts = "\n".join(body for pull in lane.pulls() for body in lane.comments(pull.number))
    return Counter(re.findall(r'syncline:comment \{"marker":"([^"]+)"', texts))


def assert_once(lane: GitHubLane) -> None:
    """One proposal, one branch, each comment once."""
    (pull,) = lane.pulls()
    assert lane.branches() == [pull.head]
    found = markers(lane)
    assert set(found.values()) == {1}, found
    assert found[f"trigger:{pull.head_sha}"] == 1
    assert [label.name for label in pull.labels] == ["sync"]
    assert "unfinished" not in (pull.body or "")


def to_the_end(lane: GitHubLane, fate: Fate) -> bool:
    """Sync, with CI's answer between; die once, where `fate` says. Returns whether it died."""
    died = False
    for answered in (False, True):
        if answered:
            lane.ci()
        try:
            step = lane.sync(fate)
        except Killed:
            died = True
            step = lane.sync()
        assert isinstance(step.action, Rest)
        assert step.action.outcome is (Outcome.READY if answered else Outcome.WAITING), step.done
    return died


@pytest.mark.parametrize("part", range(_PARTS))
def test_killed_at_every_effect(tmp_path: Path, part: int) -> None:
    number, died = 1 + part * _STRIDE, True
    while died:
        place = tmp_path / str(number)
        place.mkdir()
        with github_lane(place) as lane:
            died = to_the_end(lane, Fate(number, "after" if number % 2 else "before"))
            assert_once(lane)
            assert not lane.open_pull().draft
            git(lane.server.path, "fsck", "--strict")
        number += _STRIDE * _PARTS
    assert number > 2 * _STRIDE


@pytest.mark.parametrize("number", range(5, 400, 5) if _LONG else (40, 75))
def test_killed_without_a_farewell(tmp_path: Path, number: int) -> None:
    with github_lane(tmp_path) as lane:
        command = ("-C", lane.repo.path, "--config", lane.config, "sync", "--json")
        done = run_killed(number, *command, env={"GITHUB_TOKEN": lane.server.token})
        assert done.code in {-signal.SIGKILL, 1}
        assert lane.run("sync", "--json").json()["outcome"] == "waiting"
        lane.ci()
        assert lane.run("sync", "--json").json()["outcome"] == "ready"
        assert_once(lane)


def test_killed_right_after_it_became_ready(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        lane.sync()
        head = lane.ci()
        number = 0
        while lane.open_pull().draft:  # nearer to the moment each time
            with pytest.raises(Killed):
                lane.sync(Fate(number, "after"))
            number += 1
        assert not any(f"Ready at {head}" in body for body in lane.comments(1))
        for _ in range(2):
            assert "is ready" in lane.sync().done
            assert sum(f"Ready at {head}" in body for body in lane.comments(1)) == 1

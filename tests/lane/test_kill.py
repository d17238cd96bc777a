"""kill -9 at every effect of a sync: the next one goes on, and nothing is done twice.

Every single effect is gone through with SYNCLINE_TESTS=long; otherwise each ninth, which meets every step (merge,
push, propose, trigger, checks, ready) several times.
"""

import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from testing.cli import run_killed, run_syncline
from testing.lane import LaneStory, build_lane
from testing.state import differences, snapshot

_STRIDE = 1 if os.environ.get("SYNCLINE_TESTS") == "long" else 9
_PARTS = 6
"""The effects are shared out among so many tests, for the workers that run them."""


def _killed(story: LaneStory, number: int, *command: str) -> int:
    """Run syncline and kill it at its `number`-th effect; return how it ended (0: it came to its end first)."""
    return run_killed(number, "-C", story.repo.path, "--config", story.config, *command, "--json").code


def _assert_done_once(story: LaneStory, outcome: str) -> None:
    """After going on: one proposal, one branch, each comment once, each check one success, a clean store."""
    done = story.run("sync", "--json")
    assert done.json()["outcome"] == outcome, done.out + done.err
    document = done.json()
    proposals = story.run("proposals", "--all", "--json").json()["proposals"]
    assert [p["state"] for p in proposals] == ["open"]
    branches = story.repo.text("for-each-ref", "--format=%(refname:short)", "refs/heads/main2dev").split()
    assert branches == [document["proposal"]["branch"]]
    shown = story.run("show", "1", "--json").json()
    markers = Counter(comment["marker"] for comment in shown["comments"])
    assert set(markers.values()) == {1}, markers
    assert f"trigger:{document['head']}" in markers
    good = Counter(check["name"] for check in shown["checks"] if check["conclusion"] == "success")
    assert good == {"files": 1, "done": 1}
    # Attempts that were cut off are there and say so; none is left without an end.
    assert {check["state"] for check in shown["checks"]} == {"completed"}
    story.repo.git("fsck", "--strict")


@pytest.mark.parametrize("part", range(_PARTS))
def test_killed_at_every_effect(tmp_path: Path, part: int) -> None:
    number, step = 1 + part * _STRIDE, _STRIDE * _PARTS
    met = 0
    while True:
        place = tmp_path / str(number)
        place.mkdir()
        story = build_lane(place)
        before = snapshot(story.repo)
        code = _killed(story, number, "sync")
        if code == 0:
            break
        assert code == -signal.SIGKILL
        met += 1
        _assert_done_once(story, "ready")
        changed = [line for line in differences(before, snapshot(story.repo)) if "main2dev/" not in line]
        assert changed == [], (number, changed)
        number += step
    assert met >= 3


def test_killed_again_and_again_it_still_gets_there(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    for number in (30, 45, 25, 60, 35, 50):
        _killed(story, number, "sync")
    _assert_done_once(story, "ready")


def test_nothing_temporary_outlives_the_next_run(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = {"TMPDIR": str(scratch)}
    command = ["-C", str(story.repo.path), "--config", str(story.config), "sync", "--json"]
    for number in (20, 60):
        run_killed(number, *command, env=environment)
    assert list(scratch.glob("syncline-*"))
    # One that was killed before it could lock what it had made.
    nameless = scratch / f"syncline-{os.getuid()}-nameless"
    nameless.mkdir()
    os.utime(nameless, (0, 0))
    assert run_syncline(*command, env=environment).code == 0
    assert list(scratch.glob("syncline-*")) == []

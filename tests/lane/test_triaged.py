"""Red checks explain themselves in a lane, and what tends to pass is run again."""

import sqlite3
from pathlib import Path

from testing.lane import POLICY, LaneStory, build_lane

CHECK = """
[[lanes.nightly.checks]]
name = "unit"
command = ["sh", "unit.sh"]
[lanes.nightly.gate]
required = ["unit$"]
[lanes.nightly.triage]
retry_after = 0.01
"""

# Counts its runs outside of the check-out, and says what CI says when a mirror is not to be reached.
FLAKY = """
echo run >> {counter}
if [ $(wc -l < {counter}) -le {failures} ]; then
  echo "fatal: unable to access 'https://mirror.example.org/': Could not resolve host: mirror.example.org"
  exit 128
fi
"""
BROKEN = """
cat <<'END'
Traceback (most recent call last):
  File "app.py", line 3, in <module>
    import late
ModuleNotFoundError: No module named 'late'
END
exit 1
"""


def lane_with(tmp_path: Path, script: str, extra: str = "") -> LaneStory:
    check = tmp_path / "unit.sh"
    check.write_text(script)
    policy = POLICY.replace('"/ok to test {sha}"', '"/ok {sha}"') + CHECK.replace("unit.sh", str(check)) + extra
    return build_lane(tmp_path, policy=policy)


def body(lane: LaneStory) -> str:
    state = lane.repo.path / ".git" / "syncline"
    with sqlite3.connect(next(state.glob("*.db"))) as database:
        return database.execute("select body from proposals order by number desc").fetchone()[0]


def test_a_fault_is_told_with_its_cause(tmp_path: Path) -> None:
    lane = lane_with(tmp_path, BROKEN)
    done = lane.run("sync", "--json")
    assert done.code == 1
    document = done.json()
    assert document["outcome"] == "checks-failed", document
    assert "ModuleNotFoundError: No module named 'late'" in document["why"]
    told = body(lane)
    assert "### Why checks are red" in told
    assert "ModuleNotFoundError" in told
    # Nothing changed since: nothing is done, and the words are the same.
    again = lane.run("sync", "--json").json()
    assert (again["why"], again["action"]) == (document["why"], "Rest")
    assert body(lane) == told


def test_what_tends_to_pass_is_run_again_and_told_as_flaky(tmp_path: Path) -> None:
    counter = tmp_path / "runs"
    lane = lane_with(tmp_path, FLAKY.format(counter=counter, failures=1))
    done = lane.run("sync", "--json")
    assert done.json()["outcome"] == "ready", done
    assert counter.read_text().count("run") == 2
    assert "passed only after 1 failed attempt on this commit: flaky" in body(lane)


def test_it_is_run_again_so_often_and_no_more(tmp_path: Path) -> None:
    counter = tmp_path / "runs"
    lane = lane_with(tmp_path, FLAKY.format(counter=counter, failures=99))
    for _ in range(3):
        assert lane.run("sync", "--json").json()["outcome"] in {"checks-failed", "waiting"}
    assert lane.run("sync", "--json").json()["outcome"] == "checks-failed"
    assert counter.read_text().count("run") == 3


def test_nothing_is_run_again_where_the_lane_says_so(tmp_path: Path) -> None:
    counter = tmp_path / "runs"
    lane = lane_with(tmp_path, FLAKY.format(counter=counter, failures=1), "retries = 0\n")
    assert lane.run("sync", "--json").json()["outcome"] == "checks-failed"
    assert counter.read_text().count("run") == 1


def test_what_was_kept_and_cannot_be_read_is_found_out_again(tmp_path: Path) -> None:
    lane = lane_with(tmp_path, BROKEN)
    why = lane.run("sync", "--json").json()["why"]
    kept = list((lane.repo.path / ".git" / "syncline" / "cache" / "triage").glob("*.json"))
    assert len(kept) == 1
    kept[0].write_text('{"faults": [1]}')
    assert lane.run("sync", "--json").json()["why"] == why

"""`syncline triage PROPOSAL` on the local forge: real merges, real parents, checks that really fail."""

import json
from pathlib import Path
from typing import Any

import pytest

from testing.builder import RepositoryBuilder
from testing.cli import Result
from testing.lane import POLICY, LaneStory, build_lane

# feature.txt is on target alone, lib.txt on source alone, app.txt on both.


def check(name: str, fails_if: str, *, words: str = "rope is missed", more: str = "") -> str:
    """A check that fails, with these words, where a condition of the shell holds."""
    script = json.dumps(f"if {fails_if}; then echo 'E: {words}'; exit 1; fi")
    return f'[[lanes.nightly.checks]]\nname = "{name}"\ncommand = ["sh", "-c", {script}]\n{more}'


TARGET, SOURCE = "test -f feature.txt", "test -f lib.txt"
MERGE = f"{TARGET} && {SOURCE}"
DIFFERENT = """[[lanes.nightly.checks]]
name = "other"
command = ["sh", "-c", "if test -f feature.txt && test -f lib.txt; then echo merged; else echo E: x; fi; exit 1"]
"""

OTHERWISE = """[[lanes.nightly.checks]]
name = "other"
command = ["sh", "-c", "if ! test -f feature.txt; then exit 0; fi; if test -f lib.txt; then echo E: m; else echo E: t; fi; exit 1"]
"""  # noqa: E501 - a command of one line
EACH_ITS_OWN = """[[lanes.nightly.checks]]
name = "both"
command = ["sh", "-c", "c=0; if test -f feature.txt; then echo a.c:1:1: error: ours is gone; c=1; fi; if test -f lib.txt; then echo b.c:2:1: error: theirs is gone; c=1; fi; exit $c"]
"""  # noqa: E501 - a command of one line

SCENARIOS: dict[str, tuple[str, str]] = {
    "fails in the merge alone": (check("one", MERGE), "sync"),
    "fails on target": (check("one", TARGET), "target"),
    "fails on source": (check("one", SOURCE), "source"),
    "fails on both": (check("one", f"{TARGET} || {SOURCE}"), "both"),
    "fails otherwise on both": (DIFFERENT, "unknown"),
    "fails otherwise on target, passes on source": (OTHERWISE, "unknown"),
    "fails on both, on each by a fault of its own": (EACH_ITS_OWN, "source target"),
}


def triage(story: LaneStory, *more: str) -> tuple[Result, dict[str, Any]]:
    done = story.run("triage", "1", "--json", *more)
    return done, done.json()


def lane(tmp_path: Path, checks: str, more: str = "", outcome: str = "checks-failed") -> LaneStory:
    story = build_lane(tmp_path, policy=f'{POLICY}{checks}\n[lanes.nightly.gate]\nrequired = [".*"]\n{more}')
    assert story.run("sync", "--json").json()["outcome"] == outcome
    return story


@pytest.mark.parametrize(("checks", "cause"), SCENARIOS.values(), ids=SCENARIOS)
def test_whose_doing_it_is(tmp_path: Path, checks: str, cause: str) -> None:
    story = lane(tmp_path, checks)
    done, before = triage(story)
    assert (done.code, {one["cause"] for one in before["faults"]}) == (1, {"unknown"})
    done, found = triage(story, "--run-parents")
    assert (done.code, sorted(one["cause"] for one in found["faults"])) == (1, cause.split())
    assert len([line for line in done.err.splitlines() if line.startswith("runs ")]) == 2
    # The second time nothing is run, and what came of it is told without being asked for.
    for again in (triage(story, "--run-parents"), triage(story)):
        assert again[0].err == ""
        assert again[1] == found
    # Nothing of the parents' runs is taken for a result of the forge.
    assert story.run("gate", "1", "--json").json()["state"] == "red"


def test_a_lane_may_say_that_parents_are_run_and_another_command_is_another_result(tmp_path: Path) -> None:
    story = lane(tmp_path, check("one", TARGET), "[lanes.nightly.triage]\nrun_parents = true\n")
    done, found = triage(story)
    assert [one["cause"] for one in found["faults"]] == ["target"]
    assert done.err == ""  # the sync ran them already
    text = story.config.read_text()
    story.config.write_text(text.replace("rope is missed", "rope is gone"))
    assert story.run("sync", "--json").json()["outcome"] == "checks-failed"
    done, found = triage(story)
    assert [one["cause"] for one in found["faults"]] == ["target"]
    assert len(list((story.repo.git_dir / "syncline" / "cache" / "parents").glob("*/*.json"))) == 4
    assert "rope is gone" in found["faults"][0]["failure"]["message"]


def test_the_time_for_parents_is_bounded_and_what_was_cut_off_accuses_nobody(tmp_path: Path) -> None:
    slow = check("slow", f"{MERGE} || {{ sleep 30; true; }}")
    story = lane(tmp_path, slow, "[lanes.nightly.triage]\nrun_parents_for = 0.5\n")
    done, found = triage(story, "--run-parents")
    (one,) = found["faults"]
    assert one["cause"] == "unknown"
    assert {(item["parent"], item["saw"]) for item in one["witnesses"]} == {("target", "unfinished")}
    assert found["notes"] == ["slow was not run on source: the time for running parents is over"]
    assert done.err.count("runs slow") == 1
    # It was no result, so it is tried again.
    assert triage(story, "--run-parents")[0].err.count("runs slow") == 1


def test_a_selector_runs_the_failing_tests_alone_on_the_parents(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    # Prints what pytest prints of failed tests, and notes with what it was called.
    tests = tmp_path / "runner"
    tests.write_text(
        "#!/bin/sh\n"
        f'echo "$SYNCLINE_SHA $*" >> {ran}\n'
        "test -f feature.txt && test -f lib.txt || exit 0\n"
        "echo \"FAILED feature.py::dev - NameError: name 'rope' is not defined\"\n"
        "exit 1\n"
    )
    tests.chmod(0o755)
    more = f'select = ["{tests}", "--only", "{{tests}}"]\n'
    checks = f'[[lanes.nightly.checks]]\nname = "unit"\ncommand = ["{tests}", "all"]\n{more}'
    story = build_lane(tmp_path, policy=POLICY + checks)
    build = RepositoryBuilder.resume(story.repo)
    build.branch("dev").commit("a test that target has", {"feature.py": "def dev():\n    pass\n"})
    build.finish(head="main", checkout=False)
    assert story.run("sync", "--json").json()["outcome"] == "checks-failed"
    ran.unlink()
    _, found = triage(story, "--run-parents")
    (one,) = found["faults"]
    # Source has no such test, so there is nothing to run there.
    assert one["tests"] == ["feature.py::dev"]
    assert [line.split() for line in ran.read_text().splitlines()] == [
        [story.repo.tip("refs/heads/dev"), "--only", "feature.py::dev"]
    ]  # fmt: skip
    assert {(item["parent"], item["saw"]) for item in one["witnesses"]} == {
        ("target", "passed"), ("source", "not run")
    }  # fmt: skip
    # What is not there cannot fail there.
    assert (one["cause"], one["confidence"]) == ("sync", 0.8)


def test_what_passed_only_on_retry_is_flaky_and_told(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    story = lane(tmp_path, check("one", f"! test -e {flag}"))
    flag.touch()
    assert story.run("sync", "--retry", "--json").json()["outcome"] == "ready"
    done, found = triage(story)
    assert done.code == 0
    assert found["passed_on_retry"] == [{"check": "one", "failed": 1}]
    assert [one["cause"] for one in found["faults"]] == ["flaky"]
    assert "flaky: one passed only after 1 failed attempt on this commit" in story.run("triage", "1").out


def test_passing_faults_are_known_by_their_words_and_by_those_of_the_lane(tmp_path: Path) -> None:
    own = (
        "[[lanes.nightly.triage.transient]]\n"
        'match = "scratch disk went away"\ncause = "infrastructure"\nsays = "our scratch disks"\n'
    )
    checks = check("disk", MERGE, words="the scratch disk went away")
    checks += check("net", MERGE, words="curl: (56) the connection was reset")
    # The sync waits for the moment to run them again.
    _, found = triage(lane(tmp_path, checks, own, outcome="waiting"))
    assert {tuple(one["checks"]): one["cause"] for one in found["faults"]} == {
        ("disk",): "infrastructure", ("net",): "infrastructure",
    }  # fmt: skip
    assert "our scratch disks" in str(found["faults"])


def test_a_fault_that_was_known_on_target_is_told_from_what_landed_there(tmp_path: Path) -> None:
    """The head that landed is target's commit now, and its results are that commit's own."""
    story = lane(tmp_path, check("one", TARGET))
    head = story.run("show", "1", "--json").json()["head"]
    story.repo.git("update-ref", "refs/heads/dev", head)
    assert story.run("sync", "--json").json()["outcome"] == "checks-failed"
    number = story.run("proposals", "--json").json()["proposals"][0]["number"]
    found = story.run("triage", str(number), "--json").json()
    (one,) = found["faults"]
    assert one["cause"] == "target"
    assert [(item["parent"], item["by"]) for item in one["witnesses"] if item["saw"] == "failed"] == [
        ("target", "ci")
    ]  # fmt: skip


def landed(story: LaneStory) -> None:
    """Make the head of proposal 1 target's commit, with all that is recorded of it."""
    story.repo.git("update-ref", "refs/heads/dev", story.run("show", "1", "--json").json()["head"])


def causes(story: LaneStory, *more: str, outcome: str = "checks-failed") -> list[tuple[str, float]]:
    assert story.run("sync", "--json").json()["outcome"] == outcome
    number = story.run("proposals", "--json").json()["proposals"][0]["number"]
    found = story.run("triage", str(number), "--json", *more).json()
    return [(one["cause"], one["confidence"]) for one in found["faults"]]


def test_what_comes_and_goes_on_a_parent_is_flaky(tmp_path: Path) -> None:
    """Target's commit failed the same way once, and passed when it was run again."""
    flag = tmp_path / "flag"
    story = lane(tmp_path, check("one", f"! test -e {flag}"))
    flag.touch()
    assert story.run("sync", "--retry", "--json").json()["outcome"] == "ready"
    landed(story)
    flag.unlink()
    # It is worth another try on the merge, for which the lane waits.
    assert causes(story, outcome="waiting") == [("flaky", 0.8)]


def test_what_a_parents_own_ci_never_ran_was_exposed(tmp_path: Path) -> None:
    """Target's commit has results, but none of this check: it failed there all the time, and nobody knew."""
    story = lane(tmp_path, check("old", "false"), outcome="ready")
    landed(story)
    story.config.write_text(
        story.config.read_text().replace("[lanes.nightly.gate]", check("new", TARGET) + "\n[lanes.nightly.gate]")
    )
    assert causes(story) == [("unknown", 0.0)]
    assert causes(story, "--run-parents") == [("exposed", 0.95)]


def test_what_cannot_be_told_is_refused_clearly(tmp_path: Path) -> None:
    story = lane(tmp_path, check("one", MERGE))
    for arguments, words in (
        (("9",), "proposal 9"),
        (("0",), "0"),
        (("1", "--lane", "nightlly"), "nightlly"),
        (("x",), "x"),
    ):
        done = story.run("triage", *arguments)
        assert done.code == 2, done.out
        assert words in done.err
    assert story.run("triage", "--help").code == 0


def test_a_damaged_memory_of_parents_costs_a_run_and_nothing_else(tmp_path: Path) -> None:
    story = lane(tmp_path, check("one", TARGET))
    _, first = triage(story, "--run-parents")
    files = list((story.repo.git_dir / "syncline" / "cache" / "parents").glob("*/*.json"))
    assert len(files) == 2
    for file, content in zip(files, (b"{", b'{"saw": "odd"}'), strict=True):
        file.write_bytes(content)
    done, again = triage(story, "--run-parents")
    assert done.err.count("runs one") == 2
    assert again == first

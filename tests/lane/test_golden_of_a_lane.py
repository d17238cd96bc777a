"""Expected values taken from what a red check left: where the sync alone made it red, and where it did not."""

import json
from pathlib import Path
from typing import Any

from testing.builder import RepositoryBuilder
from testing.github_lane import POLICY as GITHUB_POLICY
from testing.github_lane import github_lane
from testing.lane import LaneStory

TABLE = (
    '[[lanes.nightly.repair.golden]]\nmatch = ["*.gold", "golden.json"]\ncheck = "unit"\nartifact = "values*"\n'
)
POLICY = f"""
version = 1
[lanes.nightly]
source = "main"
target = "dev"
branch = "main2dev/{{slice}}"
[lanes.nightly.identity]
name = "Sync Bot"
email = "sync@example.org"
[lanes.nightly.triage]
run_parents = true
[lanes.nightly.gate]
required = ["unit"]
{TABLE}
"""


def _lane(tmp_path: Path, value: str, fails_if: str = "false") -> LaneStory:
    """Target and source each have one feature, with `{"loss": 1}`; with both it is `value`."""
    build = RepositoryBuilder(tmp_path / "repo")
    main = build.branch("main")
    main.commit("start", {"app.txt": "one\n", "golden.json": '{"loss": 1}\n'})
    main.branch("dev").commit("target (#11)", {"ours.txt": "x\n"}, author="Ada")
    main.commit("source (#21)", {"theirs.txt": "x\n"}, author="Cy")
    script = (
        f"v=1; if test -f ours.txt && test -f theirs.txt; then v={value}; fi; mkdir $SYNCLINE_ARTIFACTS/values; "
        'printf \'{"loss": %s}\\n\' "$v" > $SYNCLINE_ARTIFACTS/values/golden.json; '
        f"if {fails_if}; then echo 'E: no memory left'; exit 1; fi; "
        "cmp golden.json $SYNCLINE_ARTIFACTS/values/golden.json || { echo 'E: loss differs'; exit 1; }"
    )
    check = f'[[lanes.nightly.checks]]\nname = "unit"\ncommand = ["sh", "-c", {json.dumps(script)}]\n'
    config = tmp_path / "policy.toml"
    config.write_text(POLICY + check)
    return LaneStory(build.finish(head="dev"), config)


def _sync(story: LaneStory) -> dict[str, Any]:
    done = story.run("sync", "--json")
    assert done.out, done.err
    return done.json()


def test_new_values_are_expected_where_the_sync_alone_changed_them(tmp_path: Path) -> None:
    story = _lane(tmp_path, "2")
    document = _sync(story)
    assert document["outcome"] == "ready", document
    assert document["repair"] == document["head"] != document["merge"]
    assert story.repo.read(document["head"], "golden.json") == b'{"loss": 2}\n'
    message = story.repo.text("log", "-1", "--format=%B", document["head"])
    assert "- golden.json: the values that unit left at" in message
    assert "Syncline-Repair-Left: 0" in message


def test_nan_is_refused_with_words_and_not_tried_again(tmp_path: Path) -> None:
    story = _lane(tmp_path, "NaN")
    first = _sync(story)
    assert (first["outcome"], first["head"]) == ("checks-failed", first["merge"]), first
    body = story.run("show", "1", "--json").json()["body"]
    assert "values that unit left were not taken over: golden.json" in body
    assert "no number" in body
    assert _sync(story)["head"] == first["merge"]


def test_what_fails_on_a_parent_changes_no_expectation(tmp_path: Path) -> None:
    story = _lane(tmp_path, "2", "test -f ours.txt")
    document = _sync(story)
    assert (document["outcome"], document["head"]) == ("checks-failed", document["merge"]), document


def test_on_github_they_come_from_the_artifact_of_the_job(tmp_path: Path) -> None:
    with github_lane(tmp_path, policy=GITHUB_POLICY + TABLE) as lane:
        lane.sync()
        head = lane.open_pull().head_sha
        people = lane.server.people
        target = lane.server.world.bare.tip("dev")
        assert target is not None
        for sha in (target, lane.repo.text("rev-parse", f"{head}^2").strip()):
            people.job(people.run(sha, "CI"), "unit", "success")
        run = people.run(head, "CI")
        people.job(run, "unit", "failure", log="E   AssertionError: loss 5, expected 2\n")
        people.job(run, "done", "failure", log="E   AssertionError: loss 5, expected 2\n")
        people.artifact(run, "values-unit", {"out/run.gold": b"5\n"})
        people.artifact(run, "values-other", {"out/run.gold": b"7\n"})
        lane.sync()
        new = lane.open_pull().head_sha
        assert new != head
        assert lane.repo.read(new, "run.gold") == b"5\n"

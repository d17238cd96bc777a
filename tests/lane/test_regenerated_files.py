"""Lock files that a lane's command makes anew: with the merge, in a later round, and when the command fails."""

import textwrap
from pathlib import Path
from typing import Any

from testing.builder import RepositoryBuilder
from testing.lane import GREEN_CHECKS, LaneStory

POLICY = """
version = 1
[lanes.nightly]
source = "main"
target = "dev"
branch = "main2dev/{slice}"
[lanes.nightly.identity]
name = "Sync Bot"
email = "sync@example.org"
"""
MIDDLE = "".join(f"{number}\n" for number in range(10, 20))
RIGHT = f"# made\n05\n{MIDDLE}25\n"
MAKE = "{ echo '# made'; cat deps.in; } > deps.out"


def _table(script: str) -> str:
    return textwrap.dedent(f"""
        [[lanes.nightly.repair.regenerate]]
        name = "lock"
        match = ["/deps.out"]
        inputs = ["/deps.in"]
        command = ["sh", "-c", '''{script}''']
        network = true
    """)


def _lane(tmp_path: Path, script: str) -> LaneStory:
    """Both sides added to `deps.in`, which merges; in `deps.out` both changed one line, which does not."""
    build = RepositoryBuilder(tmp_path / "repo")
    main = build.branch("main")
    main.commit("start", {"app.txt": "one\n", "deps.in": MIDDLE, "deps.out": f"# made\n{MIDDLE}"})
    dev = main.branch("dev")
    dev.commit("target (#11)", {"deps.in": f"05\n{MIDDLE}", "deps.out": f"# made 5\n05\n{MIDDLE}"}, author="Ada")
    main.commit("source (#21)", {"deps.in": f"{MIDDLE}25\n", "deps.out": f"# made 25\n{MIDDLE}25\n"}, author="Cy")
    config = tmp_path / "policy.toml"
    config.write_text(POLICY + _table(script) + GREEN_CHECKS)
    return LaneStory(build.finish(head="dev"), config)


def _sync(story: LaneStory) -> dict[str, Any]:
    done = story.run("sync", "--json")
    assert done.out, done.err
    return done.json()


def _message(story: LaneStory, commit: str) -> str:
    return story.repo.text("log", "-1", "--format=%B", commit)


def test_a_conflict_in_a_lock_file_is_settled_by_making_it_anew(tmp_path: Path) -> None:
    story = _lane(tmp_path, MAKE)
    document = _sync(story)
    assert document["outcome"] == "ready", document
    assert document["repair"] == document["head"] != document["merge"]
    assert story.repo.read(document["head"], "deps.out").decode() == RIGHT
    message = _message(story, document["head"])
    assert "- lock made deps.out anew" in message
    assert "Syncline-Repair-Settled: /deps.out" in message
    body = story.run("show", "1", "--json").json()["body"]
    assert "made anew by the lane" in body
    assert "1 by commands, 0 by people" in story.run("sync").out
    assert _sync(story)["head"] == document["head"]


def test_a_command_that_fails_is_told_and_does_later_what_it_could_not(tmp_path: Path) -> None:
    story = _lane(tmp_path, "echo 'the index is down' >&2; exit 1")
    first = _sync(story)
    assert (first["outcome"], first["head"]) == ("needs-people", first["merge"]), first
    assert "without lock: exit code 1: the index is down" in story.run("show", "1", "--json").json()["body"]
    story.config.write_text(POLICY + _table(MAKE) + GREEN_CHECKS)
    second = _sync(story)
    assert second["outcome"] == "ready", second
    assert (second["merge"], second["repair"]) == (first["merge"], second["head"])
    assert story.repo.read(second["head"], "deps.out").decode() == RIGHT
    assert "without lock" not in _message(story, second["head"])

"""Looking at a repository that nobody may write to: everything but writing works, and nothing is left."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from testing.cli import Result, run_syncline
from testing.lane import LaneStory, build_lane
from testing.sealed import sealed_environment, sealed_home
from testing.state import differences, snapshot
from testing.unprivileged import drop_override

COMMANDS = (
    ("plan",), ("merge", "dev", "main"), ("status",), ("proposals",), ("show", "1"), ("gate", "1"),
    ("gate", "dev"),
)  # fmt: skip


@contextmanager
def read_only(place: Path) -> Generator[None]:
    modes = {path: path.stat().st_mode for path in [place, *place.rglob("*")] if not path.is_symlink()}
    for path in reversed(modes):
        path.chmod(modes[path] & ~0o222)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def look(story: LaneStory, *arguments: str) -> Result:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "syncline", *arguments, "--config", str(story.config)],
        cwd=story.repo.path, env=sealed_environment(sealed_home()), stdin=subprocess.DEVNULL,
        capture_output=True, encoding="utf-8", check=False, timeout=120,
        preexec_fn=drop_override,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LaneStory]:
    """One that has been synced, and one that syncline has never seen."""
    synced = build_lane(tmp_path_factory.mktemp("synced"))
    assert synced.run("sync").code == 0
    return {"synced": synced, "unseen": build_lane(tmp_path_factory.mktemp("unseen"), conflict=True)}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("which", ["synced", "unseen"])
def test_it_says_the_same_as_where_it_may_write(
    stories: dict[str, LaneStory], which: str, command: tuple[str, ...]
) -> None:
    story = stories[which]
    with read_only(story.repo.path):
        before = snapshot(story.repo)
        seen = look(story, *command, "--json")
        assert differences(before, snapshot(story.repo)) == []
    free = run_syncline(*command, "--config", story.config, "--json", repo=story.repo)
    assert seen.code == free.code, seen.err
    documents = [json.loads(done.out) for done in (seen, free)]
    for document in documents:
        document.pop("seconds", None)
    assert documents[0] == documents[1]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_looking_leaves_no_file_of_syncline_s(stories: dict[str, LaneStory], command: tuple[str, ...]) -> None:
    story = stories["unseen"]
    run_syncline(*command, "--config", story.config, repo=story.repo)
    assert not (story.repo.git_dir / "syncline").exists()


def test_a_commit_that_could_not_stay_is_refused(stories: dict[str, LaneStory]) -> None:
    story = stories["unseen"]
    with read_only(story.repo.path):
        done = look(story, "merge", "dev", "main", "--commit", "--json")
    assert done.code == 2
    assert "cannot be written to" in json.loads(done.out)["error"]


def test_a_sync_is_refused_with_the_place(stories: dict[str, LaneStory]) -> None:
    with read_only(stories["unseen"].repo.path):
        done = look(stories["unseen"], "sync")
    assert done.code == 2
    assert "syncline" in done.err

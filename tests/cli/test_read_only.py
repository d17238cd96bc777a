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
from testing.learning import build_past
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


@contextmanager
def mode(place: Path, bits: int) -> Generator[None]:
    before = place.stat().st_mode
    place.chmod(bits)
    try:
        yield
    finally:
        place.chmod(before)


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


LEARNING = (("learn",), ("learn", "--forget", "dev~1"), ("learn", "--anew"))


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> LaneStory:
    """One that has learned."""
    story = build_past(tmp_path_factory.mktemp("taught"), syncs=2)
    assert story.run("learn").code == 0
    return story


@pytest.mark.parametrize("command", LEARNING, ids=" ".join)
@pytest.mark.parametrize(
    ("place", "bits", "why"),
    [
        ("learned/nightly.json", 0o444, "it is read-only"),
        ("learned/nightly.json", 0o200, "cannot be read: Permission denied"),
        ("learned", 0o555, "Permission denied"),
        ("locks/nightly (learning).lock", 0o444, "Permission denied"),
    ],
)
def test_a_record_that_cannot_be_replaced_is_as_it_was(
    taught: LaneStory, command: tuple[str, ...], place: str, bits: int, why: str
) -> None:
    state = taught.repo.git_dir / "syncline"
    record = state / "learned/nightly.json"
    before = record.read_bytes()
    with mode(state / place, bits):
        done = look(taught, *command, "--json")
    assert done.code == 2
    said = json.loads(done.out)
    assert why in said["error"]
    assert str(state / place) in said["error"]
    assert "writable" in said["hint"] or "readable" in said["hint"]
    assert record.read_bytes() == before
    assert [file.name for file in record.parent.iterdir()] == [record.name]


def test_learning_where_nothing_can_be_kept_is_refused(tmp_path: Path) -> None:
    story = build_past(tmp_path, syncs=1)
    with read_only(story.repo.path):
        done = look(story, "learn", "--json")
    assert done.code == 2
    assert "make the file and its directory writable" in json.loads(done.out)["hint"]


def test_a_record_below_a_file_is_refused(tmp_path: Path) -> None:
    story = build_past(tmp_path, syncs=1, keys='learned = "words.txt/nightly.json"\n')
    before = (story.repo.path / "words.txt").read_bytes()
    done = look(story, "learn", "--json")
    assert done.code == 2
    assert "words.txt/nightly.json was to be written" in json.loads(done.out)["error"]
    assert (story.repo.path / "words.txt").read_bytes() == before

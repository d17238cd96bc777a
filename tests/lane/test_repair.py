"""The one repair commit of a run: what it holds, when it is written anew, and when syncline steps aside."""

import shutil
import signal
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from syncline.cli.session import open_forge
from syncline.config.load import load
from syncline.errors import FenceError
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from syncline.lane.act import Effects, act
from syncline.lane.actions import Repair
from syncline.lane.context import LaneContext
from syncline.lane.decide import decide
from syncline.lane.observe import observe
from syncline.lane.shape import genuine_repair, read_shape
from testing.cli import run_killed
from testing.lane import LaneStory
from testing.repair_lane import REPAIRED_CALLS, REPAIRED_USE, USE, build_repair_lane
from testing.sealed import git
from tests.lane.test_sync import settle

OFF = "[lanes.nightly.repair]\nmechanical = false\n"
BLIND = '[lanes.nightly.audit]\nskip = ["doubled"]\n'
"""Without this audit nobody knows how to mend the parameter that stands twice: one mend is left for later."""


def _sync(story: LaneStory) -> dict[str, Any]:
    done = story.run("sync", "--json")
    assert done.out, done.err
    return done.json()


def _policy(story: LaneStory, extra: str) -> None:
    text = story.config.read_text().partition("[lanes.nightly.repair]")[0].partition("[lanes.nightly.audit]")[0]
    story.config.write_text(text + extra)


def _message(story: LaneStory, commit: str) -> str:
    return story.repo.text("log", "-1", "--format=%B", commit)


def _open_round(tmp_path: Path) -> tuple[LaneStory, dict[str, Any]]:
    """A proposal with one mend made, and the policy changed so that another one is known."""
    story = build_repair_lane(tmp_path, BLIND)
    first = _sync(story)
    assert first["outcome"] == "needs-people", first
    assert first["repair"] == first["head"] != first["merge"]
    _policy(story, "")
    return story, first


def test_what_is_mechanical_is_mended_before_anybody_sees_it(tmp_path: Path) -> None:
    story = build_repair_lane(tmp_path)
    document = _sync(story)
    assert document["outcome"] == "ready", document
    head, merge = document["head"], document["merge"]
    assert document["repair"] == head != merge
    assert story.repo.text("rev-parse", f"{head}^").strip() == merge
    assert story.repo.read(head, "calls.py").decode() == REPAIRED_CALLS
    assert story.repo.read(head, "use.py").decode() == REPAIRED_USE
    assert story.repo.read(merge, "use.py").decode() == USE
    message = _message(story, head)
    assert "- calls.py:" in message
    assert "as source renamed it in lib.py" in message
    assert "Syncline-Repair-Left: 0" in message
    assert "clip_norm" in story.run("show", "1", "--json").json()["body"]
    assert story.run("verify", document["proposal"]["branch"]).code == 0


def test_switched_off_nothing_is_mended(tmp_path: Path) -> None:
    story = build_repair_lane(tmp_path, OFF)
    document = _sync(story)
    assert (document["outcome"], document["head"]) == ("needs-people", document["merge"])
    _policy(story, OFF.replace("mechanical = false", "rounds = 0"))
    document = _sync(story)
    assert (document["outcome"], document["head"]) == ("needs-people", document["merge"])
    assert "0 of 0 rounds" in document["why"]


def test_a_later_round_amends_the_one_commit(tmp_path: Path) -> None:
    story, first = _open_round(tmp_path)
    second = _sync(story)
    assert second["outcome"] == "ready", second
    assert second["repair"] == second["head"] != first["head"]
    assert second["merge"] == first["merge"]
    assert story.repo.text("rev-parse", f"{second['head']}^").strip() == first["merge"]
    message = _message(story, second["head"])
    assert message.count("\n- ") == 2
    assert "Syncline-Repair-Left: 1 0" in message
    assert story.repo.read(second["head"], "calls.py").decode() == REPAIRED_CALLS
    # The ref that keeps what was written here follows, so an abort knows the branch for its own.
    story.run("abort", "--because", "test")
    assert story.repo.text("for-each-ref", "refs/heads/main2dev", "refs/syncline/runs") == ""


def test_the_rounds_are_counted_in_the_commit(tmp_path: Path) -> None:
    story, first = _open_round(tmp_path)
    _policy(story, "[lanes.nightly.repair]\nrounds = 1\n")
    document = _sync(story)
    assert (document["outcome"], document["head"]) == ("needs-people", first["head"])
    assert "1 could be mended by itself, but 1 of 1 rounds of repairs are used up" in document["why"]


def test_beside_people_s_commits_it_steps_aside(tmp_path: Path) -> None:
    story, first = _open_round(tmp_path)
    branch = first["proposal"]["branch"]
    settle(story, branch, {"note.txt": "mine\n"}, "A note")
    head = story.repo.tip(f"refs/heads/{branch}")
    document = _sync(story)
    assert (document["outcome"], document["head"]) == ("needs-people", head)
    assert "people have committed on" in document["why"]
    assert story.repo.tip(f"refs/heads/{branch}") == head


def test_a_repair_commit_that_people_amended_is_theirs(tmp_path: Path) -> None:
    story, first = _open_round(tmp_path)
    branch = first["proposal"]["branch"]
    place = tmp_path / "person"
    story.repo.git("worktree", "add", str(place), branch)
    (place / "note.txt").write_text("mine\n")
    git(place, "add", "--all")
    git(place, "commit", "--amend", "--no-edit")
    story.repo.git("worktree", "remove", str(place))
    head = story.repo.tip(f"refs/heads/{branch}")
    document = _sync(story)
    assert document["head"] == head
    assert "people have committed on" in document["why"]
    assert story.repo.read(head, "note.txt") == b"mine\n"


def test_a_branch_in_a_work_tree_is_not_moved_under_somebody(tmp_path: Path) -> None:
    story, first = _open_round(tmp_path)
    branch = first["proposal"]["branch"]
    story.repo.git("worktree", "add", str(tmp_path / "person"), branch)
    document = _sync(story)
    assert document["head"] == first["head"]
    assert "is checked out at" in document["why"]
    assert git(tmp_path / "person", "status", "--porcelain") in ("", b"")


def test_a_push_between_looking_and_acting_wins(tmp_path: Path) -> None:
    story, first = _open_round(tmp_path)
    branch = first["proposal"]["branch"]
    lane = load(story.config).lane()
    with Repository.open(story.repo.path) as repository, open_forge(repository) as forge:
        context = LaneContext.of(repository, lane, forge)
        now = datetime(2026, 11, 30, tzinfo=UTC)
        seen = observe(context, now)
        action = decide(seen)
        assert isinstance(action, Repair)
        settle(story, branch, {"note.txt": "mine\n"}, "A note")
        head = story.repo.tip(f"refs/heads/{branch}")
        with pytest.raises(FenceError):
            act(context, seen, action, Effects(now, lambda _: None, lambda _: None, Event()))
    assert story.repo.tip(f"refs/heads/{branch}") == head


def test_another_machine_amends_what_this_one_wrote(tmp_path: Path) -> None:
    upstream = build_repair_lane(tmp_path, BLIND, bare=True)
    upstream.config.write_text(
        upstream.config.read_text().replace('target = "dev"', 'target = "dev"\nremote = "origin"')
    )
    here = LaneStory(upstream.repo.clone(tmp_path / "here"), upstream.config)
    first = _sync(here)
    assert first["repair"] == first["head"]
    there = LaneStory(upstream.repo.clone(tmp_path / "there"), tmp_path / "there.toml")
    there.config.write_text(here.config.read_text())
    shutil.copytree(
        here.repo.path / ".git" / "syncline", there.repo.path / ".git" / "syncline", dirs_exist_ok=True
    )
    _policy(there, "")
    second = _sync(there)
    assert second["outcome"] == "ready", second
    assert (second["repair"], second["merge"]) == (second["head"], first["merge"])
    assert "Syncline-Repair-Left: 1 0" in _message(there, second["head"])
    _policy(here, "")
    again = _sync(here)
    assert (again["outcome"], again["head"], again["repair"]) == ("ready", second["head"], second["head"])


def test_a_remote_that_takes_no_commit_back_is_told_and_ends_no_sync(tmp_path: Path) -> None:
    upstream = build_repair_lane(tmp_path, BLIND, bare=True)
    upstream.config.write_text(
        upstream.config.read_text().replace('target = "dev"', 'target = "dev"\nremote = "origin"')
    )
    here = LaneStory(upstream.repo.clone(tmp_path / "here"), upstream.config)
    first = _sync(here)
    upstream.repo.git("config", "receive.denyNonFastForwards", "true")
    _policy(here, "")
    second = _sync(here)
    assert (second["outcome"], second["head"]) == ("needs-people", first["head"])
    assert "1 could be mended by itself, but main2dev/" in second["why"]
    assert "takes no commit back" in second["why"]


def test_killed_in_a_round_it_goes_on(tmp_path: Path) -> None:
    story, first = _open_round(tmp_path / "first")
    met = 0
    for number in range(2, 60, 16):
        place = tmp_path / str(number)
        shutil.copytree(tmp_path / "first", place)
        copy = LaneStory(
            replace(story.repo, path=place / "repo", git_dir=place / "repo" / ".git"), place / "policy.toml"
        )
        done = run_killed(number, "-C", copy.repo.path, "--config", copy.config, "sync", "--json")
        met += done.code == -signal.SIGKILL
        document = _sync(copy)
        assert (document["outcome"], document["merge"]) == ("ready", first["merge"]), (number, document)
        assert document["repair"] == document["head"]
        assert copy.repo.read(document["head"], "calls.py").decode() == REPAIRED_CALLS
        assert "Syncline-Repair-Left: 1 0" in _message(copy, document["head"])
        copy.repo.git("fsck", "--strict")
    assert met >= 3


def test_formatters_that_make_it_worse_are_left_out(tmp_path: Path) -> None:
    formatter = tmp_path / "break"
    formatter.write_text('#!/bin/sh\nfor f in "$@"; do echo "def (" >> "$f"; done\n')
    formatter.chmod(0o755)
    table = f'[[lanes.nightly.formatters]]\nname = "break"\ncommand = ["{formatter}"]\nmatch = ["*.py"]\n'
    story = build_repair_lane(tmp_path, table)
    document = _sync(story)
    assert document["outcome"] == "ready", document
    assert "without formatters (break on" in _message(story, document["head"])


def test_only_what_syncline_wrote_is_a_repair_commit(tmp_path: Path) -> None:
    story, first = _open_round(tmp_path)
    run = first["run"] if "run" in first else first["proposal"]["run"]
    with Repository.open(story.repo.path) as repository:
        commit = read_commit(repository, CommitId(first["head"]))
        assert genuine_repair(commit, run)
        assert not genuine_repair(commit, "another")
    head, merge = first["head"], first["merge"]
    tree = story.repo.text("rev-parse", f"{merge}^{{tree}}").strip()
    message = _message(story, head)
    forged = [
        ("another tree", tree, merge, message),
        ("another place", f"{head}^{{tree}}", head, message),
        ("another word", f"{head}^{{tree}}", merge, message.replace("- use.py", "- us.py")),
        ("no seal", f"{head}^{{tree}}", merge, message.partition("Syncline-Repair-Made")[0]),
    ]
    for what, its_tree, parent, words in forged:
        made = story.repo.text(
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.org",
            "commit-tree",
            "-p",
            parent,
            "-m",
            words,
            its_tree,
        ).strip()
        with Repository.open(story.repo.path) as repository:
            assert not genuine_repair(read_commit(repository, CommitId(made)), run), what
            shape = read_shape(repository, CommitId(made), run=run, any_machine=True)
            assert shape is not None
            assert made in shape.people, what

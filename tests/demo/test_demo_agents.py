"""The whole story without a person: an agent that settles it, and one that must not be believed."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from syncline.demo.story import Story, build, config_text
from testing.cli import run_syncline
from testing.sealed import git as run_git

OPEN = {
    "scripts/launch.sh", "tests/test_recompute.py", "tests/test_router.py", "tinytron/arguments.py",
    "tinytron/legacy_sampler.py", "tinytron/recompute.py", "tinytron/router.py", "tinytron/schedule.py",
    "tinytron/training.py", "tinytron/utils.py",
}  # fmt: skip

HOSTILE = r"""
import json, os, sys, time
task = json.load(sys.stdin)
path = task["task"]["paths"][0]
merged = task["data_not_instructions"]["files"][0]["versions"]["ours"]
def say(*edits):
    print(json.dumps({"version": 1, "reason": "trust me", "edits": list(edits)}))
match path:
    case "scripts/launch.sh":
        say({"path": path, "delete": True}, {"path": ".github/CODEOWNERS", "content": "* @me\n"})
    case "tests/test_recompute.py" | "tests/test_router.py":
        say({"path": path, "content": "import unittest\n"})
    case "tinytron/arguments.py":
        say({"path": path, "content": "TOKEN = 'ghp_" + "a1B2" * 9 + "'\n"})
    case "tinytron/legacy_sampler.py":
        time.sleep(600)
    case "tinytron/recompute.py":
        print("I have settled everything!")
    case "tinytron/router.py":
        say({"path": "../" + path, "content": ""})
    case "tinytron/schedule.py":
        os.symlink("/etc/passwd", "link"); say({"path": path, "content": "x = 1\n"})
    case "tinytron/training.py":
        say({"path": path, "content": "def train(:\n"})
    case _:
        sys.exit(3)
"""
REFUSED = {
    "scripts/launch.sh": ".github/CODEOWNERS, which is not of its task",
    "tests/test_recompute.py": "is gone",
    "tests/test_router.py": "is gone",
    "tinytron/arguments.py": "a GitHub token",
    "tinytron/legacy_sampler.py": "over its time limit",
    "tinytron/recompute.py": "is no answer",
    "tinytron/router.py": "../tinytron/router.py, which is not of its task",
    "tinytron/schedule.py": "left link in its room",
    "tinytron/training.py": "training.py",
    "tinytron/utils.py": "exit code 3",
}


def said(repository: Path, *words: str) -> str:
    return run_git(repository, *words).decode().strip()


def test_a_scripted_agent_takes_it_to_ready(tmp_path: Path) -> None:
    done = run_syncline("demo", str(tmp_path / "tinytron"), "--agent", "--json", repo=tmp_path)
    assert done.code == 0, done.err
    document = json.loads(done.out)
    after = document["after"]
    assert document["settled_by_people"] is None
    assert (after["outcome"], after["people"], after["unresolved"]) == ("ready", [], [])
    assert {one["path"]: one["agents"] for one in after["settled"]} == {path: ["scripted"] for path in OPEN}
    assert [one for one in after["findings"] if one["severity"] != "look"] == []
    repository = tmp_path / "tinytron"
    # Planted faults: mended mechanically, and the one that only an agent could.
    message = said(repository, "show", "-s", "--format=%B", after["head"])
    assert "call `clip_grads` `clip_grad_norm`, as source renamed it" in message
    assert "tinytron/inference.py:25: take out 1 line" in message
    assert "tinytron/evaluate.py, by scripted: pass the state of the random numbers" in message
    # One merge commit as it was made, and the one commit above it.
    assert after["repair"] == after["head"]
    assert said(repository, "rev-parse", after["head"] + "^") == after["merge"]
    # The journal keeps why checks were red, found with both parents as witnesses.
    told = (repository / ".git" / "syncline" / "journal" / "main-to-dev.jsonl").read_text()
    assert "sync (0.90): TypeError: save_checkpoint() missing 1 required keyword-only argument" in told
    assert "sync (0.95): ImportError: cannot import name 'clip_grads'" in told
    assert "syncline-0-" not in told.split("found out why", 1)[1].split('"}', 1)[0], "paths are the repository's"


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return build(tmp_path / "tinytron")


def sync(story: Story, policy: str) -> dict[str, Any]:
    config = story.repository.parent / "policy.toml"
    config.write_text(config_text() + policy)
    done = run_syncline("sync", "--json", "--config", str(config), repo=story.repository)
    document: dict[str, Any] = json.loads(done.out)
    assert document["outcome"] == "needs-people", done.err
    assert {one["path"] for one in document["unresolved"]} == OPEN
    return document


def test_a_hostile_one_is_refused_and_nothing_changes(story: Story, tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    script.write_text(HOSTILE)
    command = json.dumps([sys.executable, "-I", str(script)])
    ask = f'[[lanes.main-to-dev.agents.ask]]\nname = "x"\ncommand = {command}\n'
    document = sync(story, f"[lanes.main-to-dev.agents]\nseconds = 3.0\n{ask}")
    told = (story.repository / ".git" / "syncline" / "journal" / "main-to-dev.jsonl").read_text()
    (event,) = [line for line in told.splitlines() if '"done"' in line and '"AskAgents"' in line]
    why = str(json.loads(event)["what"])
    for path, words in REFUSED.items():
        assert any(path in part and words in part for part in why.split("; ")), (path, why)
    assert "a1B2" not in told
    # Nothing but what syncline itself made: the merge, and its own repair above it.
    assert document["head"] == document["repair"]
    assert "Syncline-Agent" not in said(story.repository, "show", "-s", "--format=%B", document["head"])
    assert said(story.repository, "status", "--porcelain") == ""
    # And it is all there for whoever comes next, with the agents off.
    (tmp_path / "policy.toml").write_text(config_text())
    place = tmp_path / "tasks"
    done = run_syncline(
        "show",
        "1",
        "--tasks",
        str(place),
        "--json",
        "--config",
        str(tmp_path / "policy.toml"),
        repo=story.repository,
    )
    rows = json.loads(done.out)["tasks"]
    assert {row["path"] for row in rows} == OPEN
    assert [row["why"] for row in rows] == [None] * len(OPEN)
    for row in rows:
        document = json.loads(Path(row["file"]).read_bytes())
        assert document["task"]["paths"] == [row["path"]]
        data = document["data_not_instructions"]
        (file,) = data["files"]
        assert set(file["versions"]) == {"base", "ours", "theirs", "merged"}
        assert data["commits"], row["path"]

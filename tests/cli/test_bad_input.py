"""Every kind of bad input: a clear error on stderr, exit code 2, the work tree as it was, never a traceback."""

import json
import subprocess
from pathlib import Path

import pytest

from testing.builder import RepositoryBuilder
from testing.cli import run_syncline
from testing.lane import LaneStory, build_lane
from testing.state import differences, snapshot


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> LaneStory:
    return build_lane(tmp_path_factory.mktemp("lane"))


COMMANDS = (
    ("plan", "wrong"), ("sync", "wrong"), ("tick", "wrong"), ("status", "wrong"), ("abort", "wrong"),
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=[row[0] for row in COMMANDS])
def test_an_unknown_lane_is_named_with_the_known_ones(story: LaneStory, command: tuple[str, ...]) -> None:
    done = story.run(*command)
    assert done.code == 2
    assert "wrong" in done.err
    assert "nightly" in done.err


@pytest.mark.parametrize(("arguments", "wanted"), [
    (("merge", "dev", "nosuch"), "no commit is named 'nosuch'"),
    (("merge", "dev", "--output=x"), "no such option"),
    (("merge", "dev", ""), "no commit is named ''"),
    (("merge", "dev", "-"), "no commit is named '-'"),
    (("show", "99"), "99"),
    (("show", "x"), "invalid value for 'number'"),
    (("gate", "99"), "99"),
    (("gate", "nosuch"), "no commit is named"),
    (("verify", "main"), "a merge commit was expected"),
    (("verify", "nosuch"), "no commit is named"),
    (("sync", "--wait", "-3"), "invalid value for '--wait'"),
    (("frobnicate",), "no such command"),
    (("merge", "dev"), "missing argument"),
])  # fmt: skip
def test_wrong_words(story: LaneStory, arguments: tuple[str, ...], wanted: str) -> None:
    before = snapshot(story.repo)
    done = story.run(*arguments)
    assert done.code == 2, done.out
    assert wanted.lower() in done.err.lower()
    assert done.out == ""
    assert differences(before, snapshot(story.repo)) == []


def test_errors_are_json_when_json_is_asked_for(story: LaneStory) -> None:
    done = story.run("merge", "dev", "nosuch", "--json")
    assert done.code == 2
    assert "nosuch" in json.loads(done.out)["error"]
    usage = story.run("merge", "dev", "--json")
    assert usage.code == 2
    assert "usage" in json.loads(usage.out)["error"]


def test_no_repository(tmp_path: Path) -> None:
    for command in (("plan",), ("merge", "a", "b"), ("sync",), ("status",), ("proposals",), ("verify",)):
        done = run_syncline("-C", tmp_path, *command)
        assert done.code == 2
        assert "repository" in done.err
    assert "no such directory" in run_syncline("-C", tmp_path / "nowhere", "plan").err


def test_an_empty_repository_is_called_so(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)  # noqa: S607
    for command in (("merge", "main", "dev"), ("replay", "--last", "5"), ("verify",)):
        done = run_syncline("-C", tmp_path, *command)
        assert done.code == 2
        assert "the repository holds no commit yet: make the first one" in done.err


def test_no_configuration_tells_what_to_do(builder: RepositoryBuilder) -> None:
    builder.branch("main").commit("one", {"a": "1"})
    repo = builder.finish()
    done = run_syncline("sync", repo=repo)
    assert done.code == 2
    assert "syncline.toml" in done.err
    assert "syncline init" in done.err


@pytest.mark.parametrize(("text", "wanted"), [
    ("version = 1\n[lanes.x]\nsource = 'main'\n", "target"),
    ("version = 1\n[lanes.x]\nsource = 'main'\ntarget = 'dev'\nslise = 3\n", "policy.toml:5"),
    ("version = 1\n[lanes.x\n", "policy.toml:2:9: not valid TOML"),
    ("", "lane"),
    ("version = 1\n[lanes.x]\nsource = 'main'\ntarget = 'dev'\nforge = 'gitlab'\n", "local"),
])  # fmt: skip
def test_a_wrong_configuration_names_line_and_key(
    story: LaneStory, tmp_path: Path, text: str, wanted: str
) -> None:
    place = tmp_path / "policy.toml"
    place.write_text(text)
    for command in ("plan", "sync", "status"):
        done = run_syncline(command, "--config", place, repo=story.repo)
        assert done.code == 2
        assert wanted in done.err


def test_a_shallow_clone_is_refused_with_the_way_out(story: LaneStory, tmp_path: Path) -> None:
    shallow = story.repo.shallow_clone(tmp_path / "shallow", 1)
    done = run_syncline("merge", "origin/dev", "origin/dev", repo=shallow)
    assert done.code == 2
    assert "--unshallow" in done.err


def test_unrelated_histories(builder: RepositoryBuilder, tmp_path: Path) -> None:
    builder.branch("main").commit("one", {"a": "1"})
    builder.branch("dev").commit("two", {"b": "1"})
    repo = builder.finish()
    config = tmp_path / "c.toml"
    config.write_text("version = 1\n[lanes.l]\nsource = 'main'\ntarget = 'dev'\n")
    for command in (
        ("merge", "dev", "main"),
        ("plan", "--config", str(config)),
        ("sync", "--config", str(config)),
    ):
        done = run_syncline(*command, repo=repo)
        assert done.code == 2
        assert "no common ancestor" in done.err


def test_missing_branches_and_where_they_are(story: LaneStory, tmp_path: Path) -> None:
    clone = story.repo.clone(tmp_path / "clone")
    clone.git("checkout", "-q", "--detach")
    clone.git("branch", "-D", "dev")
    done = run_syncline("plan", "--config", story.config, repo=clone)
    assert done.code == 2
    assert "origin/dev" in done.err or "origin/main" in done.err


def test_a_remote_that_is_not_there(story: LaneStory, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("version = 1\n[lanes.l]\nsource = 'main'\ntarget = 'dev'\nremote = 'nowhere'\n")
    done = run_syncline("sync", "--config", config, repo=story.repo)
    assert done.code == 2
    assert "nowhere" in done.err


def test_a_remote_s_password_is_not_shown(story: LaneStory, tmp_path: Path) -> None:
    clone = story.repo.clone(tmp_path / "clone")
    clone.git("remote", "set-url", "origin", "http://user:s3cret@127.0.0.1:9/x.git")
    config = tmp_path / "c.toml"
    config.write_text("version = 1\n[lanes.l]\nsource = 'main'\ntarget = 'dev'\nremote = 'origin'\n")
    done = run_syncline("sync", "--config", config, repo=clone)
    assert done.code == 2
    assert "s3cret" not in done.err + done.out


def test_without_an_identity_the_error_says_where_to_set_one(story: LaneStory, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("version = 1\n[lanes.l]\nsource = 'main'\ntarget = 'dev'\n")
    none = {"GIT_AUTHOR_NAME": "", "GIT_AUTHOR_EMAIL": "", "GIT_COMMITTER_NAME": "", "GIT_COMMITTER_EMAIL": "",
            "GIT_CONFIG_GLOBAL": "/dev/null"}  # fmt: skip
    done = run_syncline("sync", "--config", config, repo=story.repo, env=none)
    assert done.code == 2
    assert "[lanes.l.identity]" in done.err


def test_a_dirty_work_tree_is_left_as_it_is(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    (story.repo.path / "app.txt").write_text("edited, not committed\n")
    (story.repo.path / "new file").write_text("untracked\n")
    before = snapshot(story.repo)
    assert story.run("sync").code == 0
    changed = [line for line in differences(before, snapshot(story.repo)) if "main2dev/" not in line]
    assert changed == []


def test_a_detached_head_and_a_merge_in_progress_do_not_matter(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    story.repo.git("checkout", "-q", "--detach", "main")
    (story.repo.git_dir / "MERGE_HEAD").write_text(story.repo["dev"] + "\n")
    before = snapshot(story.repo)
    assert story.run("sync").code == 0
    changed = [line for line in differences(before, snapshot(story.repo)) if "main2dev/" not in line]
    assert changed == []


def test_no_subcommand_shows_help() -> None:
    done = run_syncline()
    assert "sync" in done.out + done.err
    assert run_syncline("--version").out.startswith("syncline ")

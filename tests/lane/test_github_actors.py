"""Who acts, and where: an archived repository, renamed branches, forks, tokens whose pushes nothing hears."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from syncline.lane.actions import Outcome, Rest
from syncline.lane.reconcile import Step
from testing.cli import run_syncline
from testing.github_lane import POLICY, GitHubLane, github_lane
from testing.sealed import git


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path) as made:
        yield made


def outcome(step: Step) -> Outcome:
    assert isinstance(step.action, Rest)
    return step.action.outcome


def test_an_archived_repository_is_told(lane: GitHubLane) -> None:
    lane.sync()
    lane.ci("failure")
    lane.server.world.settings["archived"] = True
    done = lane.run("sync")
    assert done.code == 2
    assert "acme/engine is archived" in done.err
    assert lane.run("sync", "--dry-run").code == 1  # reading is fine, and tells it
    lane.server.world.settings["archived"] = False
    assert outcome(lane.sync()) is Outcome.CHECKS_FAILED


def test_a_renamed_target_is_told_and_followed_once_the_lane_names_it(lane: GitHubLane) -> None:
    lane.sync()
    old = lane.open_pull()
    bare = lane.server.path
    git(bare, "branch", "-m", "dev", "develop")
    lane.server.world.pulls[old.number].base = "develop"  # GitHub moves pull requests along
    done = lane.run("sync")
    assert done.code == 2
    assert "there is no branch 'dev', the target of lane 'nightly', at origin" in done.err
    assert "new name as `target`" in done.err
    lane.config.write_text(lane.config.read_text().replace('target = "dev"', 'target = "develop"'))
    done = lane.run("sync", "--json").json()
    assert done["outcome"] == "waiting"
    (now,) = [pull for pull in lane.pulls() if pull.state == "open"]
    assert (now.base, lane.server.people.pull(old.number).state) == ("develop", "closed")


def test_a_renamed_source_is_told(lane: GitHubLane) -> None:
    git(lane.server.path, "branch", "-m", "main", "trunk")
    done = lane.run("plan")
    assert done.code == 2
    assert "main" in done.err
    done = lane.run("sync")
    assert "there is no branch 'main', the source of lane 'nightly', at origin" in done.err
    assert "new name as `source`" in done.err


def test_an_upstream_s_branch_into_a_fork(tmp_path: Path) -> None:
    policy = POLICY.replace('remote = "origin"', 'source_remote = "upstream"\ntarget_remote = "origin"')
    with github_lane(tmp_path, policy=policy) as lane:
        upstream = tmp_path / "upstream"
        git(tmp_path, "clone", "-q", "--bare", lane.server.path, upstream)
        git(lane.server.path, "update-ref", "-d", "refs/heads/main")
        lane.repo.text("remote", "add", "upstream", str(upstream))
        assert outcome(lane.sync()) is Outcome.WAITING
        lane.ci()
        assert outcome(lane.sync()) is Outcome.READY
        assert "main2dev" not in git(upstream, "for-each-ref").decode()


def test_a_proposal_from_a_fork_is_nobody_s_but_theirs(lane: GitHubLane) -> None:
    lane.sync()
    mine = lane.open_pull()
    people = lane.server.people
    people.push_to_fork("mallory", mine.head, {"evil.txt": "x\n"}, start="dev")
    theirs = people.open_pull(f"mallory:{mine.head}", "dev", body=mine.body, by="mallory")
    people.check(theirs.head_sha, "unit")
    people.check(theirs.head_sha, "done")
    lane.server.log.clear()
    assert outcome(lane.sync()) is Outcome.WAITING
    assert not [one for one in lane.server.log.writes() if f"/{theirs.number}" in one.path]
    assert people.pull(theirs.number).state == "open"
    for name in ("unit", "done"):
        people.check(mine.head_sha, name)
    assert outcome(lane.sync()) is Outcome.READY


def test_a_push_that_started_nothing_is_told_after_a_while(tmp_path: Path) -> None:
    policy = POLICY.replace('ci_trigger = "/ok to test {sha}"\n', "")
    with github_lane(tmp_path, policy=policy) as lane:
        assert "GITHUB_TOKEN" not in lane.sync().done
        lane.server.people.check(lane.open_pull().head_sha, "lint")
        lane.server.clock.advance(minutes=31)
        told = lane.sync()
        assert outcome(told) is Outcome.WAITING
        assert "a push with GITHUB_TOKEN of a workflow starts no other workflow" in told.done
        lane.server.people.check(lane.open_pull().head_sha, "unit", "in_progress")
        assert "GITHUB_TOKEN" not in lane.sync().done


def test_the_token_of_a_scheduled_workflow_is_enough(lane: GitHubLane) -> None:
    """It is no user's: nothing may be asked about who one is, or what that account may do."""
    permissions = {
        "contents": "read",
        "pull_requests": "write",
        "issues": "write",
        "checks": "read",
        "statuses": "read",
    }
    token = {"GITHUB_TOKEN": lane.server.people.workflow_token(**permissions)}
    actor = {"GITHUB_ACTOR": "", "GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "schedule"}
    done = run_syncline("sync", "--config", lane.config, "--json", repo=lane.repo, env=token | actor)
    assert done.json()["outcome"] == "waiting"
    lane.ci()
    done = run_syncline("sync", "--config", lane.config, "--json", repo=lane.repo, env=token | actor)
    assert done.json()["outcome"] == "ready", done.err
    asked = {one.path for one in lane.server.log.entries}
    assert not [path for path in asked if path == "/user" or path.startswith("/users/")]

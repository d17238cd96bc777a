"""A lane that shows the gate's verdict on the head of its proposal: `gate_check = true`."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from syncline.checks.gate import OWN_CHECK
from syncline.lane.actions import Outcome, Rest
from syncline.lane.reconcile import Step
from testing.cli import run_syncline
from testing.github import Do
from testing.github_lane import POLICY, Fate, GitHubLane, Killed, github_lane
from testing.lane import build_lane

SHOWS = POLICY.replace("[lanes.nightly.github]", "[lanes.nightly.github]\ngate_check = true")


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path, policy=SHOWS) as made:
        yield made


def outcome(step: Step) -> Outcome:
    assert isinstance(step.action, Rest)
    return step.action.outcome


def shown(lane: GitHubLane, sha: str) -> list[str]:
    """The states of the status, oldest first: a person's token makes no check run."""
    return [one.state for one in lane.server.world.statuses if (one.sha, one.context) == (sha, OWN_CHECK)]


def test_it_follows_the_verdict_and_waits_for_itself_never(lane: GitHubLane) -> None:
    lane.server.people.protect("dev", [OWN_CHECK])
    assert outcome(lane.sync()) is Outcome.WAITING
    head = lane.open_pull().head_sha
    assert shown(lane, head) == ["pending"]
    lane.server.log.clear()
    assert outcome(lane.sync()) is Outcome.WAITING
    assert lane.server.log.writes() == []
    lane.ci("failure")
    assert outcome(lane.sync()) is Outcome.CHECKS_FAILED
    lane.ci("success")
    assert outcome(lane.sync()) is Outcome.READY
    assert shown(lane, head) == ["pending", "failure", "success"]
    # What begins anew takes it back, and a new head has its own.
    lane.server.people.check(head, "unit", "in_progress", again=True)
    assert outcome(lane.sync()) is Outcome.WAITING
    assert shown(lane, head)[-1] == "pending"
    second = lane.server.people.push(lane.open_pull().head, {"late.txt": "x\n"})
    lane.sync()
    assert shown(lane, second) == ["pending"]
    told = [one.description or "" for one in lane.server.world.statuses]
    said = [*told, *lane.comments(lane.open_pull().number), lane.open_pull().body or ""]
    assert not [words for words in said if str(lane.repo.path) in words]


def test_it_is_shown_before_it_is_ready(lane: GitHubLane) -> None:
    lane.sync()
    head = lane.ci()
    told: list[list[str]] = []
    lane.server.world.listen(
        lambda _event, action, _thing: told.append(shown(lane, head)) if action == "ready_for_review" else None
    )
    lane.sync()
    assert told == [["pending", "success"]]


def test_nobody_asked_for_it(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        lane.sync()
        assert shown(lane, lane.open_pull().head_sha) == []
        assert not lane.server.log.count("GET", "*/statuses")


def test_a_killed_sync_posts_nothing_twice(lane: GitHubLane) -> None:
    lane.sync()
    head = lane.ci()
    for at in range(40):
        try:
            done = lane.sync(Fate(at, "after"))
        except Killed:
            continue
        assert outcome(done) is Outcome.READY
        break
    assert shown(lane, head) == ["pending", "success"]


def test_a_list_that_lags_behind_keeps_nothing_up(lane: GitHubLane) -> None:
    lane.sync()
    head = lane.ci()
    lane.server.stale("*/commits/*/statuses", times=50)
    assert outcome(lane.sync()) is Outcome.READY
    assert shown(lane, head) == ["pending", "success"]


def test_a_dry_run_tells_of_it(lane: GitHubLane) -> None:
    lane.sync()
    lane.ci()
    lane.server.log.clear()
    done = lane.run("sync", "--dry-run")
    assert f"would show the gate's verdict on {lane.open_pull().head_sha}: green" in done.out
    assert lane.server.log.writes() == []


def test_post_by_hand(lane: GitHubLane) -> None:
    people = lane.server.people
    people.push("topic", {"topic.txt": "x\n"}, start="main")
    pull = people.open_pull("topic", "main")
    done = lane.run("gate", str(pull.number), "--post")
    assert (done.code, done.out.splitlines()[-1]) == (1, f"posted: commit status {OWN_CHECK}")
    for name in ("unit", "done"):
        people.check(pull.head_sha, name)
    token = {"GITHUB_TOKEN": people.workflow_token()}
    arguments = ("gate", pull.head_sha, "--post", "--json", "--config", lane.config)
    for changed in (True, False):
        done = run_syncline(*arguments, repo=lane.repo, env=token)
        assert done.code == 0, done.err
        assert done.json()["posted"]["changed"] is changed
        assert done.json()["posted"]["kind"] == "status"  # as it began
    assert shown(lane, pull.head_sha) == ["pending", "success"]
    gone = lane.run("gate", "b" * 40, "--post")
    assert gone.code == 2
    assert f"has no commit {'b' * 40}" in gone.err


def test_the_rights_that_the_documentation_grants_are_enough(lane: GitHubLane) -> None:
    people = lane.server.people
    head = people.push("topic", {"topic.txt": "x\n"}, start="main")
    people.job(people.run(head, "CI"), "unit")
    people.check(head, "done")
    docs = (Path(__file__).parents[2] / "docs" / "github.md").read_text()
    granted = re.findall(r"permissions: \{(.*)\}", docs)
    assert len(granted) == 2
    for words, extra in zip(granted, (("--post",), ()), strict=True):
        rights = dict(word.split(": ") for word in words.replace("-", "_").split(", "))
        done = run_syncline(
            "gate", head, *extra, "--json", "--config", lane.config, repo=lane.repo,
            env={"GITHUB_TOKEN": people.workflow_token(**rights)},
        )  # fmt: skip
        assert done.code == 0, done.err
        assert done.json().get("posted", {}).get("kind", "check") == "check"


def test_a_head_that_moves_while_it_is_judged(lane: GitHubLane) -> None:
    people = lane.server.people
    first = people.push("topic", {"topic.txt": "x\n"}, start="main")
    pull = people.open_pull("topic", "main")
    for name in ("unit", "done"):
        people.check(first, name)
    moved: list[str] = []
    lane.server.disturb(
        "POST", "/graphql", Do(lambda: moved.append(people.push("topic", {"topic.txt": "y\n"}))), nth=3
    )
    done = lane.run("gate", str(pull.number), "--json")
    assert (done.code, done.json()["sha"]) == (1, moved[0])


def test_the_local_forge_has_no_place_for_it(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    assert story.run("sync").code == 0
    done = story.run("gate", "1", "--post")
    assert done.code == 2
    assert "no place" in done.err
    assert "--post" in done.err

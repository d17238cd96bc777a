"""The commands on a lane whose proposals live on GitHub, as people run them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.github_lane import POLICY, GitHubLane, github_lane


@pytest.fixture(scope="module")
def lane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitHubLane]:
    """A lane with an open, ready proposal, and a person's pull request into `main`."""
    with github_lane(tmp_path_factory.mktemp("lane"), enterprise=True) as made:
        assert made.run("sync").code == 1
        made.ci()
        assert made.run("sync").code == 0
        made.server.people.push("topic", {"topic.txt": "x\n"}, start="main")
        made.server.people.open_pull("topic", "main")
        yield made


def theirs(lane: GitHubLane) -> str:
    return str(next(pull.number for pull in lane.server.world.pulls.values() if pull.head == "topic"))


def test_tick_by_tick(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        done = [lane.run("tick", "--json").json() for _ in range(6)]
        actions = [one["action"] for one in done]
        assert actions[:4] == ["Prepare", "Push", "Open", "Trigger"]
        assert actions[-1] == "Rest"
        assert done[-1]["outcome"] == "waiting"


def test_sync_tells_where_it_stands(lane: GitHubLane) -> None:
    done = lane.run("sync")
    assert done.code == 0
    assert "ready: proposal 1 is ready" in done.out
    assert "report" in done.out  # the report lies here, whatever the proposal's body can say of it


def test_status_proposals_and_show(lane: GitHubLane) -> None:
    assert lane.run("status", "--json").json()["lanes"][0]["state"] == "ready"
    for arguments in ((), ("--all",), ("--lane", "nightly")):
        (found,) = lane.run("proposals", *arguments, "--json").json()["proposals"]
        assert (found["number"], found["draft"]) == (1, False)
        assert found["url"].endswith("/acme/engine/pull/1")
    shown = lane.run("show", "1", "--json").json()
    assert {check["name"] for check in shown["checks"]} == {"unit", "done"}
    assert any(comment["marker"].startswith("trigger:") for comment in shown["comments"])


def test_gate_of_a_proposal_and_of_a_commit(lane: GitHubLane) -> None:
    head = lane.open_pull().head_sha
    for subject in ("1", head):
        assert lane.run("gate", subject).code == 0
    other = lane.server.world.bare.tip("main")
    assert other is not None
    done = lane.run("gate", other)
    assert done.code == 1
    assert "waiting" in done.out


def test_gate_of_anybodys_pull_request(lane: GitHubLane) -> None:
    people, number = lane.server.people, theirs(lane)
    people.protect("main", ["security"])
    head = lane.server.world.bare.tip("topic")
    assert head is not None
    assert lane.run("gate", number).code == 1
    people.check(head, "unit")
    people.check(head, "done")
    # What its own target requires, not what the lane's does.
    done = lane.run("gate", number, "--json")
    assert done.code == 1
    assert [reason["check"] for reason in done.json()["reasons"]] == ["security"]
    people.check(head, "security", "failure")
    assert lane.run("gate", number, "--json").json()["state"] == "red"
    people.check(head, "security")
    assert lane.run("gate", number).code == 0
    assert lane.run("show", number).code == 0


def test_a_log_that_is_elsewhere_is_pointed_to(lane: GitHubLane) -> None:
    lane.server.people.check(lane.open_pull().head_sha, "unit", details_url="https://ci.example.org/7")
    done = lane.run("show", "1", "--log", "unit")
    assert done.code == 2
    assert "https://ci.example.org/7" in done.err


@pytest.mark.parametrize("command", ["sync", "status", "proposals", "abort"])
def test_without_a_token(lane: GitHubLane, command: str) -> None:
    from testing.cli import run_syncline  # noqa: PLC0415 - only here

    done = run_syncline(command, "--config", lane.config, repo=lane.repo)
    assert done.code == 2
    assert "GITHUB_TOKEN" in done.out + done.err


def test_checks_of_its_own_are_refused(tmp_path: Path) -> None:
    check = '[[lanes.nightly.checks]]\nname = "x"\ncommand = ["true"]\n'
    with github_lane(tmp_path, policy=POLICY + check) as lane:
        done = lane.run("sync")
        assert done.code == 2
        assert "GitHub runs its own" in done.err
        assert lane.server.log.entries == []


def test_two_forges_want_a_lane_named(lane: GitHubLane, tmp_path: Path) -> None:
    config = tmp_path / "two.toml"
    config.write_text(
        lane.config.read_text() + '[lanes.here]\nsource = "main"\ntarget = "dev"\nremote = "origin"\n'
    )
    both = GitHubLane(lane.server, lane.repo, config)
    for command in ("show", "gate"):
        done = both.run(command, "1")
        assert done.code == 2
        assert "--lane" in done.err
        assert both.run(command, "1", "--lane", "nightly").code == 0
    assert len(both.run("proposals", "--json").json()["proposals"]) == 1


def test_abort_closes_and_deletes_what_nobody_worked_on(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        lane.run("sync")
        done = lane.run("abort", "--because", "not today", "--json")
        assert done.code == 0, done.err
        (pull,) = lane.pulls()
        assert pull.state == "closed"
        assert any("Aborted: not today." in body for body in lane.comments(pull.number))
        assert lane.branches() == []
        assert lane.run("sync", "--json").json()["outcome"] == "ended"


def test_a_refused_push_says_what_to_do(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        hook = lane.server.path / "hooks" / "pre-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(
            "#!/bin/sh\necho 'error: GH006: Protected branch update failed for main2dev/x.' >&2\nexit 1\n"
        )
        hook.chmod(0o755)
        done = lane.run("sync")
        assert done.code == 2
        assert "GH006" in done.err
        assert "the branch is protected there" in done.err
        assert lane.pulls() == []
        hook.unlink()
        assert lane.run("sync", "--json").json()["outcome"] == "waiting"

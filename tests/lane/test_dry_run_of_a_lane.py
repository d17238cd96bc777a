"""A dry run tells every write and does none: nothing is changed here, at the remote, or at the forge."""

import copy
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from testing.cli import Result, run_syncline
from testing.github import Fail
from testing.github_lane import POLICY as GITHUB_POLICY
from testing.github_lane import GitHubLane, github_lane
from testing.lane import GREEN_CHECKS, POLICY, build_lane
from testing.repository import BuiltRepository
from testing.state import differences, snapshot


def everything(repo: BuiltRepository | Path) -> dict[str, str]:
    """Every file below the git directory but objects; SQLite's lock files hold nothing."""
    place = repo.git_dir if isinstance(repo, BuiltRepository) else repo
    return {
        str(path.relative_to(place)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in place.rglob("*")
        if path.is_file() and "objects" not in path.relative_to(place).parts
    }


def whats(done: Result) -> list[str]:
    """What was told, without ids that another moment makes others."""
    document = done.json()
    assert document["dry_run"] is True
    return [write["what"].split(" at ")[0].split(" on ")[0] for write in document["writes"]]


def nothing_changed(run: Callable[[], Result], *repositories: BuiltRepository | Path) -> Result:
    before = [(snapshot(repo, ()), everything(repo)) for repo in repositories]
    done = run()
    for repo, (state, files) in zip(repositories, before, strict=True):
        assert differences(state, snapshot(repo, ())) == []
        assert everything(repo) == files
    return done


def test_a_local_lane_from_nothing_to_its_checks(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    policy = (POLICY + GREEN_CHECKS).replace('["true"]', f'["touch", "{ran}"]')
    story = build_lane(tmp_path, policy=policy)
    done = nothing_changed(lambda: story.run("sync", "--dry-run", "--json"), story.repo)
    assert whats(done) == [
        f"create the branch {branch_of(done)}",
        "open a draft proposal from {} into dev, labelled sync: {}".format(
            branch_of(done), done.json()["proposal"]["title"]
        ),
        f"comment 'trigger:{done.json()['head']}'",
        "start",
        "run",
        f"set the ref refs/syncline/runs/nightly/{done.json()['run']} to {done.json()['head']}",
    ]
    assert done.code == 1
    assert done.json()["outcome"] == "waiting"
    assert not (story.repo.git_dir / "syncline").exists()
    texts = [write["text"] for write in done.json()["writes"]]
    assert "Syncline-Run:" in texts[0]
    assert "syncline:state=" in texts[1]
    assert str(story.repo.git_dir / "syncline" / "reports") in texts[1]
    assert texts[2].startswith("/ok to test ")
    # As people read it, and not as if anything was done.
    shown = nothing_changed(lambda: story.run("sync", "--dry-run"), story.repo)
    assert shown.out.startswith("would create the branch main2dev/")
    assert "  Syncline-Run: " in shown.out
    assert "created branch" not in shown.out + shown.err
    assert not ran.exists()
    # Done, it comes to the same.
    assert story.run("sync").code == 0
    assert ran.exists()


def branch_of(done: Result) -> str:
    return done.json()["proposal"]["branch"]


def test_a_local_lane_on_its_way(tmp_path: Path) -> None:
    story = build_lane(tmp_path, policy=POLICY + GREEN_CHECKS, conflict=True)
    assert story.run("sync").code == 1
    proposal = story.run("sync", "--json").json()["proposal"]
    run = lambda *words: nothing_changed(lambda: story.run(*words), story.repo)  # noqa: E731
    assert run("sync", "--dry-run").out.startswith("would change nothing\n")
    told = whats(run("sync", "--restart", "--dry-run", "--json"))
    assert told[:2] == ["comment 'closed'", "close proposal 1 as closed"]
    assert any(what.startswith("open a draft proposal") for what in told)
    told = whats(run("abort", "--dry-run", "--json"))
    assert told[:3] == [
        "comment 'aborted'",
        "close proposal 1 as closed",
        f"delete the branch {proposal['branch']}",
    ]
    assert told[3].startswith("delete the ref refs/syncline/runs/nightly/")
    # A branch that somebody has checked out would stay.
    story.repo.text("checkout", "-q", proposal["branch"])
    assert not any(what.startswith("delete the branch") for what in whats(run("abort", "--dry-run", "--json")))
    story.repo.text("checkout", "-q", "main")
    (story.repo.path / "shared.txt").write_text("settled\n")
    assert whats(run("tick", "--retry", "--dry-run", "--json")) == []


def test_another_syncline_at_work_is_not_in_the_way(tmp_path: Path) -> None:
    from syncline.lane.lock import hold_lane  # noqa: PLC0415 - only here

    story = build_lane(tmp_path)
    with hold_lane(story.repo.git_dir / "syncline", "nightly"):
        assert story.run("sync").code == 2
        assert story.run("tick", "--dry-run", "--json").json()["action"] == "Prepare"


def world_of(lane: GitHubLane) -> Any:
    world = lane.server.world
    return copy.deepcopy((
        [(p.number, p.state, p.draft, p.title, p.body, p.head_sha, [label.name for label in p.labels])
         for p in world.pulls.values()],
        [(c.id, c.body) for number in world.pulls for c in world.comments_of(number)],
        sorted(world.labels), world.bare.refs(),
    ))  # fmt: skip


def test_a_lane_on_github(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        lane.server.people.push("topic", {"t": "x"}, start="main")
        theirs = lane.server.people.open_pull("topic", "main").number

        def told(*words: str) -> list[str]:
            before = world_of(lane)
            lane.server.log.clear()
            done = nothing_changed(lambda: lane.run(*words, "--dry-run", "--json"), lane.repo, lane.server.path)
            assert world_of(lane) == before
            assert lane.server.log.writes() == []
            return whats(done)

        first = told("sync")
        reader = {"GITHUB_TOKEN": lane.server.people.token("reader", "read")}
        done = run_syncline("sync", "--config", lane.config, "--dry-run", "--json", repo=lane.repo, env=reader)
        assert len(whats(done)) == len(first)
        assert [what.split()[0] for what in first] == ["create", "open", "comment", "set"]
        assert theirs == 1
        assert [what.rpartition(" to ")[0] for what in told("tick")] == [first[-1].rpartition(" to ")[0]]
        lane.sync()
        head = lane.ci("failure", ["unit"])
        assert told("sync") == ["write the body of proposal 2"]
        assert told("sync", "--retry")[:1] == ["run again"]
        lane.ci("success")
        lane.server.people.check(head, "unit", "success")
        assert told("sync")[-2:] == ["mark proposal 2 ready", f"comment 'ready:{head}'"]
        lane.server.people.push(lane.open_pull().head, {"late.txt": "x\n"})
        moved = lane.open_pull().head_sha
        assert told("sync")[:1] == [f"comment 'trigger:{moved}'"]
        assert told("abort")[:2] == ["comment 'aborted'", "close proposal 2 as closed"]
        lane.server.people.comment(2, "/syncline retry\n/syncline pause\n/syncline abort")
        assert [what.split(":")[0] for what in told("sync")][:4] == [
            "note the new comments", "answer /syncline retry by ada", "answer /syncline pause by ada",
            "comment 'aborted'",
        ]  # fmt: skip


def test_a_commit_that_people_order(tmp_path: Path) -> None:
    with github_lane(tmp_path, conflict=True) as lane:
        lane.sync()
        lane.server.people.comment(1, "/syncline take theirs shared.txt")
        before = world_of(lane)
        done = nothing_changed(lambda: lane.run("sync", "--dry-run", "--json"), lane.repo, lane.server.path)
        assert world_of(lane) == before
        note, move, answer, *_ = done.json()["writes"]
        assert note["what"].startswith("note the new comments on proposal 1")
        assert move["what"].startswith("move the branch main2dev/")
        assert "take theirs of shared.txt, ordered by ada" in move["text"]
        assert "by ada: done: committed as" in answer["what"]


def test_a_client_that_must_not_write_refuses_to(tmp_path: Path) -> None:
    from syncline.errors import ForgeError  # noqa: PLC0415
    from syncline.forge.github.client import Client  # noqa: PLC0415
    from syncline.forge.github.settings import GitHubSettings  # noqa: PLC0415

    with github_lane(tmp_path, policy=GITHUB_POLICY) as lane:
        own = GitHubSettings(lane.server.owner, lane.server.name, api=lane.server.api)
        with Client(own, {"GITHUB_TOKEN": lane.server.token}, writes=False) as client:
            assert client.get("branches/dev")["name"] == "dev"
            assert client.graphql("query Q { viewer { login } }")
            for change in (
                lambda: client.post("pulls", {}), lambda: client.put("pulls/1/merge"), lambda: client.delete("x"),
                lambda: client.patch("pulls/1", {}), lambda: client.graphql("mutation M { x }"),
            ):  # fmt: skip
                with pytest.raises(ForgeError, match="which it must not"):
                    change()


def test_what_was_told_before_an_error_is_printed(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        lane.sync()
        lane.server.people.push(lane.open_pull().head, {"late.txt": "x\n"})
        lane.server.disturb("GET", "*/comments", Fail(403), nth=4)  # in the second step
        done = nothing_changed(lambda: lane.run("sync", "--dry-run"), lane.repo)
        assert done.code == 2
        assert done.out.startswith("would comment 'trigger:")
        assert "403" in done.err

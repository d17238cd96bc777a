"""`syncline sync` with `forge = "github"`: from plan to ready, as its users run it."""

from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from testing.cli import Result, run_syncline
from testing.github import Fail, GitHubServer, SecondaryLimit, github
from testing.lane import POLICY, build_lane

TABLE = """
[lanes.nightly.gate]
required = ["unit"]
[lanes.nightly.github]
repository = "acme/engine"
api = "%s"
token_env = "SYNC_TOKEN"
"""
Sync = Callable[..., Result]


@pytest.fixture
def hub(tmp_path: Path) -> Generator[tuple[GitHubServer, Sync]]:
    story = build_lane(tmp_path, policy=POLICY)
    with github(tmp_path / "github", story.repo) as server:
        story.repo.git("remote", "add", "origin", str(server.path))
        policy = POLICY.replace('target = "dev"\n', 'target = "dev"\nremote = "origin"\nforge = "github"\n')
        story.config.write_text(policy + TABLE % server.api)

        def sync(*arguments: str, token: str = server.token) -> Result:
            done = run_syncline(
                "sync", "--config", story.config, *arguments, repo=story.repo, env={"SYNC_TOKEN": token}
            )
            assert token not in done.out + done.err
            return done

        yield server, sync


def test_from_plan_to_ready_with_a_red_round(hub: tuple[GitHubServer, Sync]) -> None:
    server, sync = hub
    server.disturb("POST", "*/pulls", Fail(502, "after"))
    server.disturb("POST", "*/comments", SecondaryLimit(retry_after=0))
    first = sync()
    assert (first.code, "slow down" in first.err) == (1, True)
    (pull,) = server.world.pulls.values()
    assert (pull.draft, [label.name for label in pull.labels]) == (True, ["sync"])
    assert f"/ok to test {pull.head_sha}" in server.world.comments_of(pull.number)[0].body

    server.people.check(pull.head_sha, "unit", "failure")
    assert "unit: did not succeed" in sync().out
    assert server.people.pull(pull.number).draft

    server.people.check(pull.head_sha, "unit", "success", again=True)
    assert sync().code == 0
    assert not server.people.pull(pull.number).draft
    assert [one.body.split("\n")[1][:5] for one in server.world.comments_of(pull.number)] == ["/ok t", "Ready"]

    # Nothing is done twice, and a push takes it back.
    writes = [one for one in server.log.entries if one.method in {"POST", "PATCH"} and one.path != "/graphql"]
    assert sync().code == 0
    assert [
        one for one in server.log.entries if one.method in {"POST", "PATCH"} and one.path != "/graphql"
    ] == writes
    server.people.push(pull.head, {"more.txt": "more\n"})
    assert sync().code == 1
    assert server.people.pull(pull.number).draft


def test_a_token_that_is_wrong(hub: tuple[GitHubServer, Sync]) -> None:
    _, sync = hub
    done = sync(token="ghp_wrong0123456789")  # noqa: S106 - it is none
    assert done.code == 2
    assert "make a new one" in done.err

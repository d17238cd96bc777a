"""The loopback GitHub: what may land, how, and what stands in its way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from testing.github import GitHubServer
from testing.github.ask import ask, ask_graphql
from testing.github.small import small_github

ENABLE = """mutation($id: ID!, $head: GitObjectID) {
  enablePullRequestAutoMerge(input: {pullRequestId: $id, mergeMethod: MERGE, expectedHeadOid: $head}) {
    pullRequest { autoMergeRequest { mergeMethod enabledBy { login } } } } }"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitHubServer]:
    with small_github(tmp_path) as running:
        running.people.open_pull("topic", "main")
        yield running


def state(server: GitHubServer) -> str:
    return ask(server, "GET", "~/pulls/1").json["mergeable_state"]


def merge(server: GitHubServer, **body: Any) -> tuple[int, str]:
    answer = ask(server, "PUT", "~/pulls/1/merge", body)
    return answer.status, answer.json["message"]


@pytest.mark.parametrize(("method", "parents", "commits"), [("merge", 2, 4), ("squash", 1, 2), ("rebase", 1, 3)])
def test_the_three_ways_to_merge(server: GitHubServer, method: str, parents: int, commits: int) -> None:
    before = server.world.bare.tip("main")
    assert merge(server, merge_method=method)[0] == 200
    tip = server.world.bare.tip("main")
    assert before
    assert tip
    about = server.world.bare.about(tip)
    assert len(about["parents"].split()) == parents
    assert len(server.world.bare.commits(before, tip)) == commits - 1
    assert server.world.bare.file(tip, "c.txt") == server.world.bare.file("topic", "c.txt")
    shown = ask(server, "GET", "~/pulls/1").json
    assert (shown["merged"], shown["merge_commit_sha"], shown["state"]) == (True, tip, "closed")


def test_what_can_not_be_merged(server: GitHubServer) -> None:
    assert merge(server, sha="0" * 40) == (409, "Head branch was modified. Review and try the merge again.")
    server.people.set_draft(1, draft=True)
    assert merge(server) == (405, "Pull Request is still a draft")
    server.people.set_draft(1, draft=False)
    server.world.settings["allow_merge_commit"] = False
    assert merge(server, merge_method="merge") == (405, "Merge commits are not allowed on this repository.")
    server.world.settings["allow_merge_commit"] = True
    server.people.push("main", {"c.txt": "other\n"})
    assert merge(server) == (405, "Pull Request is not mergeable")


def test_required_checks_and_reviews_block(server: GitHubServer) -> None:
    server.people.protect("main", ["unit", ("build", "ci-app")], approvals=1)
    head = server.people.pull(1).head_sha
    assert state(server) == "blocked"
    assert 'Required status check "unit" is expected.' in merge(server)[1]
    server.people.status(head, "unit", "success")
    server.people.check(head, "build", app="another-app")
    server.people.review(1)
    assert merge(server)[1] == 'Required status check "build" is expected.'
    server.people.check(head, "build", "failure")
    assert merge(server)[1] == 'Required status check "build" is failing.'
    server.people.check(head, "build", "success", again=True)
    assert state(server) == "clean"
    server.people.push("topic", {"new.txt": "n\n"})
    assert state(server) == "blocked"


def test_a_ruleset_has_its_say(server: GitHubServer) -> None:
    rules = [
        server.people.required_checks("unit", strict=True),
        {
            "type": "pull_request",
            "parameters": {
                "required_approving_review_count": 0, "dismiss_stale_reviews_on_push": False,
                "require_code_owner_review": False, "require_last_push_approval": False,
                "required_review_thread_resolution": False, "allowed_merge_methods": ["merge"],
            },
        },
    ]  # fmt: skip
    server.people.ruleset("main stays green", rules)
    server.people.ruleset("only tried out", [{"type": "required_signatures"}], active=False)
    shown = ask(server, "GET", "~/rules/branches/main").json
    assert [one["type"] for one in shown] == ["required_status_checks", "pull_request"]
    assert ask(server, "GET", "~/rules/branches/topic").json == []
    assert [one["name"] for one in ask(server, "GET", "~/rulesets").json] == ["main stays green", "only tried out"]
    assert merge(server, merge_method="squash")[0] == 405
    server.people.check(server.people.pull(1).head_sha, "unit")
    assert state(server) == "behind"
    assert ask(server, "PUT", "~/pulls/1/update-branch", {}).status == 202
    server.people.check(server.people.pull(1).head_sha, "unit")
    assert state(server) == "clean"


def test_protection_is_for_administrators_to_see(server: GitHubServer) -> None:
    server.people.protect("main", ["unit"], strict=True, linear_history=True)
    admin = server.people.token("root", "admin")
    shown = ask(server, "GET", "~/branches/main/protection", token=admin).json
    assert shown["required_status_checks"]["checks"] == [{"context": "unit", "app_id": None}]
    assert shown["required_linear_history"] == {"enabled": True}
    assert ask(server, "GET", "~/branches/main/protection").status == 404
    assert ask(server, "GET", "~/branches/topic/protection", token=admin).json["message"] == "Branch not protected"
    everybody = ask(server, "GET", "~/branches/main").json
    assert everybody["protected"] is True
    assert everybody["protection"]["required_status_checks"]["enforcement_level"] == "non_admins"
    assert "required_linear_history" not in everybody["protection"]


def test_auto_merge_waits_for_what_is_required(server: GitHubServer) -> None:
    server.people.protect("main", ["unit"])
    pull = ask(server, "GET", "~/pulls/1").json
    shown = ask_graphql(server, ENABLE, id=pull["node_id"], head=pull["head"]["sha"])
    assert shown["data"]["enablePullRequestAutoMerge"]["pullRequest"]["autoMergeRequest"] == {
        "mergeMethod": "MERGE",
        "enabledBy": {"login": "syncline-bot"},
    }
    assert ask(server, "GET", "~/pulls/1").json["merged"] is False
    server.people.check(pull["head"]["sha"], "unit")
    assert ask(server, "GET", "~/pulls/1").json["merged_by"]["login"] == "syncline-bot"


@pytest.mark.parametrize(
    ("setting", "head", "message"),
    [
        ({}, None, "Pull request is in clean status"),
        ({"allow_auto_merge": False}, None, "Auto merge is not allowed for this repository"),
        ({"allow_merge_commit": False}, None, "Merge method merge merging is not allowed on this repository"),
        ({}, "0" * 40, "Head sha didn't match expected head oid"),
    ],
)
def test_auto_merge_refused(
    server: GitHubServer, setting: dict[str, bool], head: str | None, message: str
) -> None:
    server.world.settings.update(setting)
    shown = ask_graphql(server, ENABLE, id="PR_1", head=head)
    assert [one["message"] for one in shown["errors"]] == [message]


def test_an_archived_repository_is_read_only(server: GitHubServer) -> None:
    server.world.settings["archived"] = True
    assert ask(server, "GET", "~").json["archived"] is True
    assert "archived" in ask(server, "POST", "~/issues/1/comments", {"body": "x"}).json["message"]


def test_how_it_may_be_merged_is_not_for_everybody(server: GitHubServer) -> None:
    server.world.settings["allow_squash_merge"] = False
    assert ask(server, "GET", "~").json["allow_squash_merge"] is False
    assert "allow_squash_merge" not in ask(server, "GET", "~", token=server.people.token("eve", "read")).json
    query = '{ repository(owner: "acme", name: "engine") { squashMergeAllowed mergeCommitAllowed } }'
    assert ask_graphql(server, query)["data"]["repository"]["squashMergeAllowed"] is False

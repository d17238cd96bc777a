from collections.abc import Callable

import pytest

from syncline.checks.gate import OWN_CHECK, Verdict, evaluate
from syncline.checks.model import Check, CheckState, Conclusion, Rollup
from syncline.config.models import GateRule
from syncline.errors import FenceError, ForgeError
from syncline.forge.github import gate_check
from syncline.forge.github.client import Client
from syncline.forge.github.land import land, land_when_green, obstacle
from syncline.forge.github.lander import GitHubLander
from syncline.forge.github.settings import GitHubSettings
from syncline.forge.landing import By, Landing
from testing.github import Do, Fail, GitHubServer, Reset
from tests.forge.github.opening import tip


@pytest.fixture
def client(server: GitHubServer) -> Client:
    settings = GitHubSettings(server.owner, server.name, api=server.api)
    return Client(settings, {"GITHUB_TOKEN": server.token}, sleep=lambda _: None)


@pytest.fixture
def number(server: GitHubServer) -> int:
    return server.people.open_pull("sync/1", "dev").number


def judged(sha: str, end: Conclusion = Conclusion.SUCCESS) -> Verdict:
    return evaluate(GateRule(), Rollup(sha, (Check("unit", sha, CheckState.COMPLETED, end),)), sha)


def parents(server: GitHubServer, commit: str) -> list[str]:
    return server.world.bare.about(commit)["parents"].split()


def test_it_lands_as_a_merge_of_what_was_judged(server: GitHubServer, client: Client, number: int) -> None:
    head, target = tip(server), tip(server, "dev")
    done = land(client, number, judged(head), target_sha=target)
    assert done.as_merge
    assert done.commit == tip(server, "dev")
    assert parents(server, done.commit) == [target, head]
    assert done.words == f"proposal {number} landed as {done.commit}"
    assert land(client, number, judged(head), target_sha=target) == done
    assert server.log.count("PUT", "*/merge") == 1


@pytest.mark.parametrize("trouble", [Reset(), Reset("before"), Fail(502, "after"), Fail(502)])
def test_a_merge_of_unknown_fate_is_looked_for(
    server: GitHubServer, client: Client, number: int, trouble: Reset | Fail
) -> None:
    target = tip(server, "dev")
    server.disturb("PUT", "*/merge", trouble)
    done = land(client, number, judged(tip(server)), target_sha=target)
    assert parents(server, done.commit) == [target, tip(server)]


@pytest.mark.parametrize("method", ["squash", "rebase"])
def test_another_method_is_refused_with_the_reason(
    server: GitHubServer, client: Client, number: int, method: str
) -> None:
    with pytest.raises(ForgeError, match=f"not by {method}: else the merge base stays"):
        land(client, number, judged(tip(server)), target_sha=tip(server, "dev"), method=method)
    with pytest.raises(ForgeError, match=f"not by {method}"):
        land_when_green(client, number, head_sha=tip(server), method=method)
    assert server.log.entries == []


def test_the_gate_must_be_green_for_this_head(server: GitHubServer, client: Client, number: int) -> None:
    target = tip(server, "dev")
    with pytest.raises(ForgeError, match=r"the gate is red \(1 red\)"):
        land(client, number, judged(tip(server), Conclusion.FAILURE), target_sha=target)
    with pytest.raises(FenceError, match="its head is"):
        land(client, number, judged(tip(server, "sync/2")), target_sha=target)
    assert server.log.count("PUT") == 0


def test_what_is_no_proposal_to_land(server: GitHubServer, client: Client, number: int) -> None:
    target = tip(server, "dev")
    with pytest.raises(ForgeError, match="no proposal 99"):
        land(client, 99, judged(tip(server)), target_sha=target)
    server.people.set_draft(number, draft=True)
    with pytest.raises(ForgeError, match="is a draft"):
        land(client, number, judged(tip(server)), target_sha=target)
    server.people.close(number)
    with pytest.raises(ForgeError, match="is closed"):
        land(client, number, judged(tip(server)), target_sha=target)


def test_a_target_that_moved_is_told(server: GitHubServer, client: Client, number: int) -> None:
    target = tip(server, "dev")
    moved = server.people.push("dev", {"new": "x"})
    with pytest.raises(FenceError, match=f"dev has moved from {target} to {moved}"):
        land(client, number, judged(tip(server)), target_sha=target)
    assert tip(server, "dev") == moved


def test_a_target_that_moves_in_between_is_told_afterwards(
    server: GitHubServer, client: Client, number: int
) -> None:
    target = tip(server, "dev")
    server.disturb("PUT", "*/merge", Do(lambda: server.people.push("dev", {"new": "x"})))
    done = land(client, number, judged(tip(server)), target_sha=target)
    assert done.as_merge
    assert done.words.endswith(", on top of newer commits of dev that were not judged with it")


def test_a_head_that_moves_in_between_does_not_land(server: GitHubServer, client: Client, number: int) -> None:
    target = tip(server, "dev")
    server.disturb("PUT", "*/merge", Do(lambda: server.people.push("sync/1", {"new": "x"})))
    with pytest.raises(FenceError, match="Head branch was modified"):
        land(client, number, judged(tip(server)), target_sha=target)
    assert tip(server, "dev") == target


def test_what_github_refuses_is_told_in_its_words(server: GitHubServer, client: Client, number: int) -> None:
    server.people.protect("dev", ["other"])
    with pytest.raises(ForgeError, match='Required status check "other" is expected'):
        land(client, number, judged(tip(server)), target_sha=tip(server, "dev"))


def test_a_squash_by_a_person_is_told(server: GitHubServer, client: Client, number: int) -> None:
    head, target = tip(server), tip(server, "dev")
    server.people.merge(number, "squash")
    done = land(client, number, judged(head), target_sha=target)
    assert not done.as_merge
    assert "is no merge commit" in done.words


def test_another_head_landed_by_a_person_is_told(server: GitHubServer, client: Client, number: int) -> None:
    head, target = tip(server), tip(server, "dev")
    server.people.push("sync/1", {"more": "x"})
    server.people.merge(number)
    done = land(client, number, judged(head), target_sha=target)
    assert not done.as_merge
    assert "with another head than" in done.words


def no_merge_commits(server: GitHubServer) -> None:
    server.world.settings |= {"allow_merge_commit": False, "allow_rebase_merge": False}


def archived(server: GitHubServer) -> None:
    server.world.settings["archived"] = True


def linear_by_protection(server: GitHubServer) -> None:
    server.people.protect("dev", linear_history=True)


def by_ruleset(kind: str, **parameters: object) -> Callable[[GitHubServer], object]:
    rule = {"type": kind, **({"parameters": parameters} if parameters else {})}
    return lambda server: server.people.ruleset("rules", [rule], include=["refs/heads/dev"])


QUEUE = {
    "check_response_timeout_minutes": 60, "grouping_strategy": "ALLGREEN", "max_entries_to_build": 5,
    "max_entries_to_merge": 5, "merge_method": "SQUASH", "min_entries_to_merge": 1,
    "min_entries_to_merge_wait_minutes": 5,
}  # fmt: skip
REVIEWED = {
    "dismiss_stale_reviews_on_push": False, "require_code_owner_review": False,
    "require_last_push_approval": False, "required_approving_review_count": 0,
    "required_review_thread_resolution": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("arrange", "words"),
    [
        (no_merge_commits, "does not allow merge commits, only squash: switch on `Allow merge commits`"),
        (archived, "is archived"),
        (linear_by_protection, "the protection of dev requires a linear history"),
        (by_ruleset("required_linear_history"), "a ruleset requires a linear history of dev"),
        (
            by_ruleset("pull_request", **REVIEWED, allowed_merge_methods=["squash", "rebase"]),
            "a ruleset allows only squash and rebase on dev",
        ),
        (by_ruleset("merge_queue", **QUEUE), "the merge queue of dev lands by squash"),
    ],
)
def test_what_stands_in_the_way_is_found_in_advance(
    server: GitHubServer, client: Client, number: int, arrange: Callable[[GitHubServer], object], words: str
) -> None:
    assert obstacle(client, "dev") == ""
    arrange(server)
    assert words in obstacle(client, "dev")
    with pytest.raises(ForgeError, match="nothing can land on dev as a merge commit"):
        land(client, number, judged(tip(server)), target_sha=tip(server, "dev"))
    assert server.log.count("PUT") == 0


def test_what_does_not(server: GitHubServer, client: Client) -> None:
    by_ruleset("pull_request", **REVIEWED, allowed_merge_methods=["merge", "squash"])(server)
    by_ruleset("merge_queue", **{**QUEUE, "merge_method": "MERGE"})(server)
    server.people.ruleset("others", [{"type": "required_linear_history"}], include=["refs/heads/main"])
    assert obstacle(client, "dev") == ""


def test_auto_merge_waits_for_the_gate(server: GitHubServer, client: Client, number: int) -> None:
    head, target = tip(server), tip(server, "dev")
    with pytest.raises(ForgeError, match="dev does not require syncline/gate"):
        land_when_green(client, number, head_sha=head)
    server.people.protect("dev", [OWN_CHECK])
    with pytest.raises(FenceError):
        land_when_green(client, number, head_sha=tip(server, "sync/2"))
    assert land_when_green(client, number, head_sha=head)
    assert not land_when_green(client, number, head_sha=head)
    gate_check.post(client, judged(head, Conclusion.FAILURE))
    assert server.people.pull(number).state == "open"
    gate_check.post(client, judged(head))
    assert parents(server, tip(server, "dev")) == [target, head]
    assert land(client, number, judged(head), target_sha=target).as_merge


def test_an_auto_merge_that_would_squash_is_in_the_way(server: GitHubServer, client: Client, number: int) -> None:
    server.people.protect("dev", [OWN_CHECK])
    server.people.auto_merge(number, "squash")
    lander = GitHubLander(client, By.FORGE)
    assert lander.look(number).against == "somebody switched on auto-merge by squash"
    assert GitHubLander(client, By.SYNCLINE).look(number).against == ""
    lander.disarm(number)
    assert lander.look(number) == Landing()


def test_auto_merge_that_is_not_to_be_had(server: GitHubServer, client: Client, number: int) -> None:
    head = tip(server)
    server.people.protect("dev", [OWN_CHECK])
    server.world.settings["allow_auto_merge"] = False
    with pytest.raises(ForgeError, match="does not allow auto-merge"):
        land_when_green(client, number, head_sha=head)
    server.world.settings["allow_auto_merge"] = True
    server.people.auto_merge(number, "squash")
    with pytest.raises(ForgeError, match="not by squash"):
        land_when_green(client, number, head_sha=head)


def test_auto_merge_of_unknown_fate_is_looked_for(server: GitHubServer, client: Client, number: int) -> None:
    server.people.protect("dev", [OWN_CHECK])
    asked = len(server.log.of("POST", "/graphql"))
    server.disturb("POST", "/graphql", Reset(), nth=3)
    assert land_when_green(client, number, head_sha=tip(server))
    assert len(server.log.of("POST", "/graphql")) > asked
    assert len(server.log.mutations("AutoMerge")) == 1
    assert server.people.pull(number).auto_merge is not None

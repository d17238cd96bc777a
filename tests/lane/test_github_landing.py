"""Landing by syncline or by GitHub: as a merge commit, only what was judged, never against a person's word."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from syncline.lane.actions import Outcome, Rest
from syncline.lane.reconcile import Step
from testing.github import Do, Fail
from testing.github_lane import POLICY, Fate, GitHubLane, Killed, github_lane

GATE = "syncline/gate"


def landing(by: str) -> str:
    return POLICY.replace("[lanes.nightly.github]", f'[lanes.nightly.github]\nland = "{by}"')


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path, policy=landing("merge")) as made:
        yield made


@pytest.fixture
def auto(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path, policy=landing("auto-merge")) as made:
        made.server.people.protect("dev", [GATE])
        yield made


def outcome(step: Step) -> Outcome:
    assert isinstance(step.action, Rest)
    return step.action.outcome


def tip(lane: GitHubLane, branch: str = "dev") -> str:
    found = lane.server.world.bare.tip(branch)
    assert found is not None
    return found


def parents(lane: GitHubLane, commit: str) -> list[str]:
    return lane.server.world.bare.about(commit)["parents"].split()


def test_what_is_ready_lands_and_the_next_slice_begins(lane: GitHubLane) -> None:
    lane.sync()
    target, head, number = tip(lane), lane.ci(), lane.open_pull().number
    lane.server.clock.advance(days=1)
    told = lane.run("sync", "--dry-run", "--json").json()["writes"]
    assert f"merge proposal {number} at {head} into its target at {target}" in [write["what"] for write in told]
    assert tip(lane) == target
    assert outcome(lane.sync()) is Outcome.WAITING
    assert parents(lane, tip(lane)) == [target, head]
    (asked,) = lane.server.log.of("PUT", "*/merge")
    assert asked.body == {"merge_method": "merge", "sha": head}
    assert [pull.state for pull in lane.pulls()] == ["closed", "open"]
    lane.ci()
    assert outcome(lane.sync()) is Outcome.UP_TO_DATE
    assert lane.repo.text("for-each-ref", "refs/syncline/runs") == ""
    assert lane.server.log.count("PUT", "*/merge") == 2


def test_killed_around_the_landing(lane: GitHubLane) -> None:
    lane.sync()
    target, head = tip(lane), lane.ci()
    fate = Fate()
    for at in range(100):
        fate = Fate(at, "after")
        with pytest.raises(Killed):
            lane.sync(fate)
        if tip(lane) != target:
            break
    lane.server.clock.advance(days=1)
    assert outcome(lane.sync()) is Outcome.WAITING
    assert parents(lane, tip(lane)) == [target, head]
    assert lane.server.log.count("PUT", "*/merge") == 1
    assert len(lane.pulls()) == 2


def test_target_that_moved_is_merged_and_judged_first(lane: GitHubLane) -> None:
    lane.sync()
    old = lane.open_pull()
    lane.ci()
    moved = lane.server.people.push("dev", {"other.txt": "x\n"})
    lane.server.clock.advance(minutes=5)
    assert outcome(lane.sync()) is Outcome.WAITING
    new = lane.open_pull()
    assert new.number > old.number
    assert any(f"Superseded by proposal {new.number}" in body for body in lane.comments(old.number))
    assert tip(lane) == moved
    head = lane.ci()
    # Once more in the last moment: GitHub is told the head, and what landed is told.
    lane.server.disturb("PUT", "*/merge", Do(lambda: lane.server.people.push(new.head, {"late.txt": "x\n"})))
    assert outcome(lane.sync()) is Outcome.WAITING
    assert tip(lane) == moved
    assert lane.open_pull().head_sha != head
    head = lane.ci()
    lane.sync()
    assert parents(lane, tip(lane)) == [moved, head]


def test_target_that_moved_under_people_s_commits_is_theirs_to_merge(lane: GitHubLane) -> None:
    lane.sync()
    pull = lane.open_pull()
    lane.server.people.push(pull.head, {"mine.txt": "x\n"})
    lane.ci()
    lane.server.people.push("dev", {"other.txt": "x\n"})
    told = lane.sync()
    assert outcome(told) is Outcome.READY
    assert f"merge target into {pull.head}" in told.done
    assert lane.open_pull().number == pull.number
    assert lane.server.log.count("PUT", "*/merge") == 0


def test_nobody_s_objection_is_passed_over(lane: GitHubLane) -> None:
    lane.sync()
    number = lane.open_pull().number
    lane.ci()
    people = lane.server.people
    people.user("eve", "read")
    people.review(number, "CHANGES_REQUESTED", by="eve")
    people.review(number, "APPROVED", by="ada")
    told = lane.sync()
    assert outcome(told) is Outcome.READY
    assert "does not land by itself: eve asked for changes" in told.done
    people.review(number, "COMMENTED", by="eve")
    assert "eve asked for changes" in lane.sync().done
    assert lane.server.log.count("PUT", "*/merge") == 0
    # In the last moment.
    people.review(number, "APPROVED", by="eve")
    before = tip(lane)
    people.protect("dev", approvals=1)
    lane.sync()
    assert tip(lane) != before


def test_a_review_that_target_wants_is_waited_for_without_a_new_proposal(lane: GitHubLane) -> None:
    lane.server.people.protect("dev", approvals=1)
    lane.sync()
    pull = lane.open_pull()
    lane.ci()
    for name in ("one.txt", "two.txt"):
        told = lane.sync()
        assert outcome(told) is Outcome.READY
        assert "an approving review" in told.done
        lane.server.people.push("dev", {name: "x\n"})
    assert lane.open_pull().number == pull.number


def test_what_github_refuses_is_told_and_tried_by_the_next_sync(lane: GitHubLane) -> None:
    lane.sync()
    lane.ci()
    lane.server.disturb("PUT", "*/merge", Fail(403, message="Resource not accessible by integration"))
    told = lane.sync()
    assert outcome(told) is Outcome.READY
    assert "does not land by itself: GitHub refused PUT" in told.done
    assert "docs/github.md" in told.done
    before = tip(lane)
    lane.sync()
    assert tip(lane) != before


@pytest.mark.parametrize("by", ["off", "merge"])
def test_a_repository_that_only_squashes_is_told_from_the_beginning(tmp_path: Path, by: str) -> None:
    with github_lane(tmp_path, policy=landing(by)) as lane:
        lane.server.world.settings |= {"allow_merge_commit": False, "allow_rebase_merge": False}
        done = lane.run("sync")
        assert (
            "landing    must be a merge commit, and cannot: acme/engine does not allow merge commits" in done.out
        )
        assert "does not allow merge commits, only squash" in (lane.open_pull().body or "")
        lane.ci()
        told = lane.sync()
        assert outcome(told) is Outcome.READY
        assert ("does not land by itself: acme/engine does not allow merge" in told.done) == (by == "merge")
        assert lane.server.log.count("PUT", "*/merge") == 0
        # Put right, the body says nothing of it any more.
        lane.server.world.settings["allow_merge_commit"] = True
        lane.run("sync")
        assert "allow merge commits" not in (lane.pulls()[0].body or "")


def test_auto_merge_is_on_only_while_the_gate_is_green(auto: GitHubLane) -> None:
    auto.sync()
    pull, people = auto.open_pull(), auto.server.people
    assert pull.auto_merge is None
    head = auto.ci()
    told = auto.sync()
    assert outcome(told) is Outcome.READY
    assert "lands as soon as target's rules allow it" in told.done
    assert auto.open_pull().auto_merge is not None
    people.check(head, "unit", "failure", again=True)
    assert outcome(auto.sync()) is Outcome.CHECKS_FAILED
    assert auto.open_pull().auto_merge is None
    people.check(head, "unit")
    auto.sync()
    assert auto.open_pull().auto_merge is not None
    people.push(pull.head, {"late.txt": "x\n"})
    assert outcome(auto.sync()) is Outcome.WAITING
    assert auto.open_pull().auto_merge is None
    head = auto.ci()
    people.review(pull.number, "CHANGES_REQUESTED")
    assert "asked for changes" in auto.sync().done
    assert auto.open_pull().auto_merge is None
    people.review(pull.number, "APPROVED")
    target = tip(auto)
    auto.sync()
    people.status(head, GATE, "success")
    assert parents(auto, tip(auto)) == [target, head]


def test_auto_merge_where_nothing_is_left_to_wait_for(auto: GitHubLane) -> None:
    auto.sync()
    head, target = auto.ci(), tip(auto)
    auto.server.people.status(head, GATE, "success")
    auto.sync()
    assert parents(auto, tip(auto)) == [target, head]


def test_auto_merge_without_the_gate_among_target_s_rules(tmp_path: Path) -> None:
    with github_lane(tmp_path, policy=landing("auto-merge")) as lane:
        lane.sync()
        lane.ci()
        told = lane.sync()
        assert outcome(told) is Outcome.READY
        assert f"dev does not require {GATE}" in told.done
        assert lane.open_pull().auto_merge is None


def test_people_land_by_rebase(tmp_path: Path) -> None:
    # GitHub rebases only what applies without conflicts.
    with github_lane(tmp_path, policy=POLICY.replace("slice = 4", "slice = 1")) as lane:
        lane.sync()
        lane.ci()
        assert outcome(lane.sync()) is Outcome.READY
        pull = lane.open_pull()
        lane.server.people.merge(pull.number, "rebase")
        lane.server.clock.advance(days=1)
        told = lane.sync()
        assert outcome(told) is Outcome.BLOCKED
        assert f"proposal {pull.number} was landed without its commits" in told.done
        assert f"merge {pull.head} into target" in told.done

"""A lane on GitHub from plan to ready, and what people, CI and other machines do to it meanwhile."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from syncline.lane.act import Effects, act
from syncline.lane.actions import Outcome, Prepare, Rest
from syncline.lane.decide import decide
from syncline.lane.observe import observe
from syncline.lane.reconcile import Step
from testing.github_lane import POLICY, Fate, GitHubLane, Killed, github_lane
from testing.sealed import git


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path) as made:
        yield made


def outcome(step: Step) -> Outcome:
    assert isinstance(step.action, Rest)
    return step.action.outcome


def test_from_plan_to_ready_with_one_red_round(lane: GitHubLane) -> None:
    waits = lane.sync()
    assert outcome(waits) is Outcome.WAITING
    assert "done: sentinel has not reported" in waits.done
    pull = lane.open_pull()
    assert pull.draft
    assert [label.name for label in pull.labels] == ["sync"]
    assert pull.body is not None
    assert str(lane.repo.path) not in pull.body
    first = lane.ci("failure", ["unit"])
    assert outcome(lane.sync()) is Outcome.CHECKS_FAILED
    assert lane.open_pull().draft
    # A person mends it on the branch.
    second = lane.server.people.push(pull.head, {"app.txt": "mended\n"})
    waits = lane.sync()
    assert outcome(waits) is Outcome.WAITING
    assert lane.ci("success") == second
    assert outcome(lane.sync()) is Outcome.READY
    assert not lane.open_pull().draft
    said = lane.comments(pull.number)
    for head in (first, second):
        assert sum(f"/ok to test {head}" in body for body in said) == 1
    assert sum(f"Ready at {second}" in body for body in said) == 1
    assert len(lane.pulls()) == 1
    # Nothing more to do: nothing is written.
    lane.server.log.clear()
    assert outcome(lane.sync()) is Outcome.READY
    assert lane.server.log.writes() == []


def test_a_new_head_makes_a_ready_one_a_draft(lane: GitHubLane) -> None:
    lane.sync()
    lane.ci()
    assert outcome(lane.sync()) is Outcome.READY
    head = lane.server.people.push(lane.open_pull().head, {"late.txt": "x\n"})
    assert outcome(lane.sync()) is Outcome.WAITING
    assert lane.open_pull().draft
    assert lane.server.world.bare.tip(lane.open_pull().head) == head


def test_a_check_that_runs_again_makes_it_a_draft(lane: GitHubLane) -> None:
    lane.sync()
    head = lane.ci()
    lane.sync()
    lane.server.people.check(head, "unit", "in_progress", again=True)
    assert outcome(lane.sync()) is Outcome.WAITING
    assert lane.open_pull().draft
    lane.server.people.check(head, "unit")
    assert outcome(lane.sync()) is Outcome.READY


def test_a_check_that_begins_anew_while_it_becomes_ready(lane: GitHubLane) -> None:
    lane.sync()
    head = lane.ci()
    people = lane.server.people

    def on_ready(event: str, action: str, thing: object) -> None:
        del event, thing
        if action == "ready_for_review":
            people.check(head, "unit", "queued", again=True)

    lane.server.world.listen(on_ready)
    assert outcome(lane.sync()) is Outcome.WAITING
    assert lane.open_pull().draft


def test_what_a_ruleset_requires_is_waited_for_and_must_not_be_skipped(lane: GitHubLane) -> None:
    people = lane.server.people
    people.ruleset("dev", [people.required_checks("security")], include=["refs/heads/dev"])
    lane.sync()
    head = lane.ci()
    waits = lane.sync()
    assert outcome(waits) is Outcome.WAITING
    assert "security: required by the target branch's rules, and has not reported" in waits.done
    people.check(head, "security", "skipped")
    assert outcome(lane.sync()) is Outcome.CHECKS_FAILED
    people.check(head, "security", "success")
    assert outcome(lane.sync()) is Outcome.READY


def test_its_own_check_is_not_waited_for(lane: GitHubLane) -> None:
    lane.server.people.protect("dev", ["syncline/gate"])
    lane.sync()
    head = lane.ci()
    lane.server.people.check(head, "syncline/gate", "in_progress")
    assert outcome(lane.sync()) is Outcome.READY


def test_an_unanswered_trigger_is_posted_once_more_and_then_told(lane: GitHubLane) -> None:
    lane.sync()
    number, head = lane.open_pull().number, lane.open_pull().head_sha
    asked = lambda: sum(f"/ok to test {head}" in body for body in lane.comments(number))  # noqa: E731
    lane.server.people.check(head, "lint")  # comes with every push, and answers nothing
    lane.server.clock.advance(minutes=29)
    assert "nothing has answered yet" in lane.sync().done
    assert asked() == 1
    lane.server.clock.advance(minutes=2)
    lane.sync()
    assert asked() == 2
    for _ in range(3):
        lane.server.clock.advance(minutes=40)
        waits = lane.sync()
        assert outcome(waits) is Outcome.WAITING
        assert "CI was asked for twice" in waits.done
        assert asked() == 2


@pytest.mark.parametrize("state", ["queued", "in_progress"])
def test_a_trigger_is_not_repeated_while_something_is_at_work(lane: GitHubLane, state: str) -> None:
    lane.sync()
    lane.server.people.check(lane.open_pull().head_sha, "unit", state)
    lane.server.clock.advance(hours=2)
    lane.sync()
    assert len([body for body in lane.comments(lane.open_pull().number) if "/ok to test" in body]) == 1


def test_a_trigger_is_not_repeated_where_that_is_switched_off(tmp_path: Path) -> None:
    policy = POLICY.replace("[lanes.nightly.github]", "[lanes.nightly.github]\ntrigger_again_after = 0")
    with github_lane(tmp_path, policy=policy) as lane:
        lane.sync()
        lane.server.clock.advance(days=1)
        lane.sync()
        pull = next(iter(lane.pulls()))
        assert len([body for body in lane.comments(pull.number) if "/ok to test" in body]) == 1


def ready(lane: GitHubLane) -> int:
    lane.sync()
    lane.ci()
    assert outcome(lane.sync()) is Outcome.READY
    return lane.open_pull().number


def kept_runs(lane: GitHubLane) -> str:
    return lane.repo.text("for-each-ref", "refs/syncline/runs")


def test_a_merge_at_github_is_seen_and_the_next_slice_begins(lane: GitHubLane) -> None:
    number = ready(lane)
    assert kept_runs(lane)
    lane.server.people.merge(number)
    lane.server.clock.advance(days=1)
    assert outcome(lane.sync()) is Outcome.WAITING
    assert [pull.state for pull in lane.pulls()] == ["closed", "open"]
    assert len(kept_runs(lane).splitlines()) == 1  # of the second run
    second = ready(lane)
    lane.server.people.merge(second)
    assert outcome(lane.sync()) is Outcome.UP_TO_DATE
    assert kept_runs(lane) == ""


@pytest.mark.parametrize("moves_on", [False, True])
def test_a_landing_without_the_commits_is_told_and_can_be_mended(
    lane: GitHubLane, tmp_path: Path, *, moves_on: bool
) -> None:
    number = ready(lane)
    branch = lane.open_pull().head
    head = lane.open_pull().head_sha
    lane.server.people.merge(number, "squash")
    if moves_on:
        lane.server.people.push("dev", {"app.txt": "and on\n"})
    lane.server.people.delete_branch(branch)
    lane.server.clock.advance(days=1)
    elsewhere = lane.on_another_machine(tmp_path / "elsewhere")
    for machine in (lane, elsewhere):
        told = machine.sync()
        assert outcome(told) is Outcome.BLOCKED
        assert f"proposal {number} was landed without its commits" in told.done
    bare = lane.server.path
    tree = git(bare, "rev-parse", "dev^{tree}").decode().strip()
    tip = git(bare, "commit-tree", "-p", "dev", "-p", head, "-m", "mend", tree).decode().strip()
    git(bare, "update-ref", "refs/heads/dev", tip)
    assert outcome(lane.sync()) is Outcome.WAITING
    assert len(lane.pulls()) == 2


def test_restart_goes_on_after_a_squash(lane: GitHubLane) -> None:
    number = ready(lane)
    lane.server.people.merge(number, "squash")
    lane.server.clock.advance(days=1)
    assert outcome(lane.sync()) is Outcome.BLOCKED
    assert outcome(lane.sync(restart_after=number)) is not Outcome.BLOCKED
    assert len(lane.pulls()) == 2


def test_closed_by_a_person_stays_closed(lane: GitHubLane) -> None:
    lane.sync()
    lane.server.people.close(lane.open_pull().number)
    assert outcome(lane.sync()) is Outcome.ENDED
    assert len(lane.pulls()) == 1
    lane.server.people.reopen(1)
    assert outcome(lane.sync()) is Outcome.WAITING


def test_a_new_night_supersedes_and_names_the_successor(lane: GitHubLane) -> None:
    lane.sync()
    old = lane.open_pull()
    lane.server.people.push("main", {"new.txt": "x\n"})
    lane.server.people.push("dev", {"other.txt": "x\n"})
    lane.server.clock.advance(days=1)
    lane.sync()
    new = lane.open_pull()
    assert new.number > old.number
    assert lane.server.people.pull(old.number).state == "closed"
    assert any(f"Superseded by proposal {new.number}" in body for body in lane.comments(old.number))
    assert len(lane.branches()) == 2


def test_another_machine_goes_on(lane: GitHubLane, tmp_path: Path) -> None:
    lane.sync()
    number = lane.open_pull().number
    said = Counter(lane.comments(number))
    other = lane.on_another_machine(tmp_path / "other")
    assert outcome(other.sync()) is Outcome.WAITING
    assert Counter(lane.comments(number)) == said
    lane.ci()
    assert outcome(other.sync()) is Outcome.READY
    assert outcome(lane.sync()) is Outcome.READY
    assert len(lane.pulls()) == 1
    assert len(lane.branches()) == 1


@pytest.mark.parametrize("opened", [False, True])
def test_two_machines_that_prepare_the_same_run(lane: GitHubLane, tmp_path: Path, *, opened: bool) -> None:
    other = lane.on_another_machine(tmp_path / "other")
    now = lane.server.clock.now + timedelta(seconds=5)  # so that its commits are others
    with other.context() as context:
        seen = observe(context, now)
        action = decide(seen)
        assert isinstance(action, Prepare)
        act(context, seen, action, Effects(now, lambda _: None, lambda _: None, Event()))
        if opened:
            lane.sync()
        else:
            _die_after_push(lane)
    assert outcome(other.sync()) is Outcome.WAITING
    lane.ci()
    assert outcome(other.sync()) is Outcome.READY
    assert outcome(lane.sync()) is Outcome.READY
    assert len(lane.pulls()) == 1
    assert len(lane.branches()) == 1


def _die_after_push(lane: GitHubLane) -> None:
    for at in range(100):
        with pytest.raises(Killed):
            lane.sync(Fate(at, "after"))
        if lane.branches():
            return
    raise AssertionError("nothing was pushed")


def test_retry_runs_failed_jobs_again_once(lane: GitHubLane) -> None:
    lane.sync()
    people, head = lane.server.people, lane.open_pull().head_sha
    run = people.run(head, "CI")
    people.job(run, "unit", "failure")
    people.job(run, "done", "success")
    assert outcome(lane.sync()) is Outcome.CHECKS_FAILED
    again = lane.sync(retry=True)
    assert outcome(again) is Outcome.WAITING, again.done
    assert lane.server.log.count("POST", "*/rerun-failed-jobs") == 1
    people.job(run, "unit", "success")
    lane.sync()
    assert outcome(lane.sync()) is Outcome.READY


def test_a_body_that_people_wrote_in_keeps_their_words(lane: GitHubLane) -> None:
    lane.sync()
    pull = lane.open_pull()
    edited = f"Ada: look at run.gold first.\n\n{pull.body}"
    lane.server.people.edit_body(pull.number, edited)
    lane.ci("failure")
    assert outcome(lane.sync()) is Outcome.CHECKS_FAILED
    body = lane.open_pull().body or ""
    assert body.startswith("Ada: look at run.gold first.")
    assert body != edited  # it tells of the failure


def test_marked_ready_by_hand_it_is_a_draft_again(lane: GitHubLane) -> None:
    lane.sync()
    lane.server.people.set_draft(lane.open_pull().number, draft=False)
    assert outcome(lane.sync()) is Outcome.WAITING
    assert lane.open_pull().draft


def test_conflicts_are_settled_on_the_branch(tmp_path: Path) -> None:
    with github_lane(tmp_path, conflict=True) as lane:
        assert outcome(lane.sync()) is Outcome.NEEDS_PEOPLE
        lane.ci()
        assert outcome(lane.sync()) is Outcome.NEEDS_PEOPLE
        assert lane.open_pull().draft
        lane.server.people.push(lane.open_pull().head, {"shared.txt": "alpha\nbeta of both\n"})
        assert outcome(lane.sync()) is Outcome.WAITING
        lane.ci()
        assert outcome(lane.sync()) is Outcome.READY


def test_the_branch_of_another_lane_s_proposal_is_left_alone(lane: GitHubLane) -> None:
    """A pull request whose branch has the name that the lane would take, without a run of it."""
    name = f"main2dev/{lane.server.clock.now:%Y-%m-%d}"
    made = lane.server.people.push(name, {"mine.txt": "x\n"}, start="dev")
    theirs = lane.server.people.open_pull(name, "dev")
    lane.sync()
    assert lane.branches() == [name, f"{name}-2"]
    assert lane.server.world.bare.tip(name) == made
    assert lane.server.people.pull(theirs.number).state == "open"

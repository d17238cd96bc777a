"""People steer a lane by comments, from the comment to what becomes of it; on one machine and on two."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from syncline.audit.finding import Finding, Severity
from syncline.lane.actions import Outcome, Rest
from syncline.lane.observe import observe, observed_state
from syncline.lane.reconcile import Step
from testing.github.things import Comment
from testing.github_lane import GitHubLane, github_lane
from testing.sealed import git


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path) as made:
        made.sync()
        yield made


@pytest.fixture
def open_lane(tmp_path: Path) -> Iterator[GitHubLane]:
    """With a conflict over `shared.txt`, of which the tree holds target's version."""
    with github_lane(tmp_path, conflict=True) as made:
        made.sync()
        yield made


def outcome(step: Step) -> Outcome:
    assert isinstance(step.action, Rest), step
    return step.action.outcome


def order(lane: GitHubLane, words: str, *, by: str = "ada") -> Comment:
    return lane.server.people.comment(lane.pulls()[-1].number, words, by=by)


def answers(lane: GitHubLane) -> list[str]:
    """What the living comment says of each order: `WHO | ORDER | ANSWER`."""
    (living,) = [body for body in lane.comments(lane.pulls()[-1].number) if '"marker":"orders"' in body]
    return [line.strip("| ").replace("`", "") for line in living.split("\n") if line.startswith("| `@")]


def reactions(comment: Comment) -> list[str]:
    return [one.content for one in comment.reactions]


def journal(lane: GitHubLane) -> list[dict[str, object]]:
    with lane.context() as context:
        return [entry for entry in context.journal.read() if entry["event"] == "order"]


def show(lane: GitHubLane, path: str) -> str:
    return git(lane.server.path, "show", f"{lane.open_pull().head_sha}:{path}").decode()


# --- pause, resume


def test_a_pause_holds_the_lane_on_every_machine_until_resume(lane: GitHubLane, tmp_path: Path) -> None:
    paused = order(lane, "/syncline pause")
    assert outcome(lane.sync()) is Outcome.PAUSED
    assert reactions(paused) == ["eyes", "+1"]
    lane.ci()
    # A new night, a new commit, a restart: nothing is begun.
    lane.server.people.push("main", {"new.txt": "x\n"})
    lane.server.people.push("dev", {"other.txt": "x\n"})
    lane.server.clock.advance(days=1)
    lane.server.log.clear()
    other = lane.on_another_machine(tmp_path / "other")
    for machine in (lane, other):
        held = machine.sync(restart_after=lane.open_pull().number)
        assert outcome(held) is Outcome.PAUSED
        assert "paused by ada on proposal 1 at 2" in held.done
    assert lane.server.log.writes() == []
    assert len(lane.pulls()) == len(lane.branches()) == 1
    status = lane.run("status")
    assert "nightly: paused: paused by ada on proposal 1 at 2" in status.out
    order(lane, "/syncline retry", by="bo")
    lane.sync()
    assert "not done: paused by ada on proposal 1" in answers(lane)[-1]
    order(lane, "/syncline resume", by="bo")
    assert outcome(other.sync()) is not Outcome.PAUSED
    assert len(lane.pulls()) == 2
    assert [(entry["who"], entry["order"], entry["done"]) for entry in [*journal(lane), *journal(other)]] == [
        ("ada", "/syncline pause", True), ("bo", "/syncline retry", False), ("bo", "/syncline resume", True),
    ]  # fmt: skip


def test_a_paused_proposal_does_not_stay_ready_unproven(lane: GitHubLane) -> None:
    head = lane.ci()
    assert outcome(lane.sync()) is Outcome.READY
    order(lane, "/syncline pause")
    assert outcome(lane.sync()) is Outcome.PAUSED
    assert not lane.open_pull().draft
    lane.server.people.check(head, "unit", "failure")
    assert outcome(lane.sync()) is Outcome.PAUSED
    assert lane.open_pull().draft
    lane.server.people.check(head, "unit")
    assert outcome(lane.sync()) is Outcome.PAUSED
    assert lane.open_pull().draft
    order(lane, "/syncline resume")
    assert outcome(lane.sync()) is Outcome.READY


def test_a_pause_outlives_the_proposal(lane: GitHubLane) -> None:
    order(lane, "/syncline pause")
    lane.sync()
    lane.server.people.close(lane.open_pull().number)
    lane.server.people.push("main", {"new.txt": "x\n"})
    lane.server.people.push("dev", {"other.txt": "x\n"})
    assert outcome(lane.sync()) is Outcome.PAUSED
    order(lane, "/syncline recheck\n/syncline resume")
    assert outcome(lane.sync()) is Outcome.WAITING
    living = [body for body in lane.comments(1) if '"marker":"orders"' in body]
    assert "not done: `proposal 1 is closed`" in living[0]
    assert len(lane.pulls()) == 2


def test_the_last_of_pause_and_resume_counts(lane: GitHubLane) -> None:
    order(lane, "/syncline pause\n/syncline resume\n/syncline pause")
    assert outcome(lane.sync()) is Outcome.PAUSED
    order(lane, "/syncline resume")
    order(lane, "/syncline resume")
    assert outcome(lane.sync()) is Outcome.WAITING


# --- abort


def test_abort_ends_the_run_as_the_command_does(lane: GitHubLane) -> None:
    order(lane, "/syncline abort")
    assert outcome(lane.sync()) is Outcome.ENDED
    (pull,) = lane.pulls()
    assert pull.state == "closed"
    assert lane.branches() == []
    assert any("Aborted: ada ordered it" in body for body in lane.comments(pull.number))
    assert "done: closed proposal 1; deleted branch" in answers(lane)[-1]
    assert lane.repo.text("for-each-ref", "refs/syncline/runs") == ""
    lane.server.log.clear()
    assert outcome(lane.sync()) is Outcome.ENDED
    assert lane.server.log.writes() == []


def test_aborted_and_reopened_it_goes_on(lane: GitHubLane) -> None:
    lane.server.people.push(lane.open_pull().head, {"mine.txt": "x\n"})
    order(lane, "/syncline abort")
    assert outcome(lane.sync()) is Outcome.ENDED
    assert len(lane.branches()) == 1  # it holds a person's commit
    lane.server.people.reopen(1)
    assert outcome(lane.sync()) is Outcome.WAITING


# --- retry


def failing(lane: GitHubLane) -> object:
    people, head = lane.server.people, lane.open_pull().head_sha
    run = people.run(head, "CI")
    people.job(run, "unit", "failure")
    people.job(run, "done", "success")
    return run


def test_retry_runs_failed_jobs_again_once(lane: GitHubLane, tmp_path: Path) -> None:
    run = failing(lane)
    order(lane, "/syncline retry")
    assert outcome(lane.sync()) is Outcome.WAITING
    other = lane.on_another_machine(tmp_path / "other")
    other.sync()
    lane.sync()
    assert lane.server.log.count("POST", "*/rerun-failed-jobs") == 1
    lane.server.people.job(run, "unit", "failure")  # type: ignore[arg-type]
    assert outcome(lane.sync()) is Outcome.CHECKS_FAILED
    assert lane.server.log.count("POST", "*/rerun-failed-jobs") == 1
    assert "done: asked for again at" in answers(lane)[-1]


def test_retry_without_a_failure_is_answered(lane: GitHubLane) -> None:
    asked = order(lane, "/syncline retry")
    lane.sync()
    assert "not done: no check of" in answers(lane)[-1]
    assert reactions(asked) == ["eyes", "confused"]


# --- take


def test_take_settles_a_file(open_lane: GitHubLane) -> None:
    lane = open_lane
    before = lane.open_pull().head_sha
    order(lane, "/syncline take theirs shared.txt")
    assert outcome(lane.sync()) is Outcome.WAITING
    assert show(lane, "shared.txt") == "alpha\nbeta of main\n"
    head = lane.open_pull().head_sha
    assert git(lane.server.path, "rev-parse", f"{head}^").decode().strip() == before
    message = git(lane.server.path, "show", "-s", "--format=%B", head).decode()
    assert "take theirs of shared.txt, ordered by ada" in message
    assert "Syncline-Settled: /shared.txt\nSyncline-Order: " in message
    lane.ci()
    assert outcome(lane.sync()) is Outcome.READY
    order(lane, "/syncline take ours shared.txt\n/syncline take theirs /shared.txt")
    lane.sync()
    assert "not done: somebody settled it otherwise in" in answers(lane)[-2]
    assert "done: it holds that already" in answers(lane)[-1]
    assert lane.open_pull().head_sha == head


def test_take_of_what_the_tree_holds_already_settles_too(open_lane: GitHubLane) -> None:
    order(open_lane, "/syncline take ours shared.txt")
    assert outcome(open_lane.sync()) is Outcome.WAITING
    assert show(open_lane, "shared.txt") == "alpha\nbeta of dev\n"


def test_take_is_refused_with_words(open_lane: GitHubLane) -> None:
    refused = {
        "OWNERS": "the lane's policy settles it: path rule 'protect'",
        "run.gold": "the lane's policy settles it: path rule 'ours' for *.gold",
        "deps.toml": "the lane's policy settles it",
        "app.txt": "it is not in conflict",
        "../../etc/passwd": "it is not in conflict",
        "shared.txt extra": "it is not in conflict",
    }
    head = open_lane.open_pull().head_sha
    order(open_lane, "\n".join(f"/syncline take theirs {path}" for path in refused))
    assert outcome(open_lane.sync()) is Outcome.NEEDS_PEOPLE
    for (path, why), said in zip(refused.items(), answers(open_lane), strict=True):
        assert said.startswith(f"@ada | /syncline take theirs {path} | not done: {why}")
    assert open_lane.open_pull().head_sha == head


def test_take_never_touches_what_a_person_changed(open_lane: GitHubLane) -> None:
    lane = open_lane
    mine = "alpha\n<<<<<<< mine\nbeta\n=======\nstill at work\n>>>>>>> theirs\n"
    head = lane.server.people.push(lane.open_pull().head, {"shared.txt": mine})
    order(lane, "/syncline take theirs shared.txt")
    assert outcome(lane.sync()) is Outcome.NEEDS_PEOPLE
    assert "not done: somebody changed it on the branch" in answers(lane)[-1]
    assert lane.open_pull().head_sha == head


def test_take_loses_no_commit_pushed_meanwhile(open_lane: GitHubLane) -> None:
    lane = open_lane
    order(lane, "/syncline take theirs shared.txt")
    pushed: list[str] = []

    def push(event: str, action: str, thing: object) -> None:
        del thing
        if not pushed and (event, action) == ("issue_comment", "created"):  # the order is noted now
            pushed.append(lane.server.people.push(lane.open_pull().head, {"mine.txt": "x\n"}))

    lane.server.world.listen(push)
    assert outcome(lane.sync()) is Outcome.WAITING
    head = lane.open_pull().head_sha
    assert git(lane.server.path, "rev-parse", f"{head}^").decode().strip() == pushed[0]
    assert (show(lane, "mine.txt"), show(lane, "shared.txt")) == ("x\n", "alpha\nbeta of main\n")


# --- waive


def found(lane: GitHubLane) -> list[Finding]:
    """What stands now, as this machine sees it."""
    with lane.context() as context:
        state = observed_state(context, observe(context, lane.server.clock.now))
    assert state is not None
    return list(state.findings)


def finding(lane: GitHubLane) -> str:
    """Drop target's line by hand, and return what the audit calls that."""
    lane.server.people.push(lane.open_pull().head, {"feature.txt": "other\n"})
    (dropped,) = [one for one in found(lane) if one.kind == "dropped-lines"]
    return dropped.id


def findings(lane: GitHubLane) -> list[str]:
    return [one.id for one in found(lane)]


def test_waive_lets_a_finding_pass_on_every_machine(lane: GitHubLane, tmp_path: Path) -> None:
    wanted, head = finding(lane), lane.open_pull().head_sha
    policy = lane.config.read_bytes()
    order(lane, f"/syncline waive {wanted} because --> <b>moved</b> `x` | y")
    assert outcome(lane.sync()) is Outcome.WAITING
    assert "done: feature.txt" in answers(lane)[-1]
    other = lane.on_another_machine(tmp_path / "other")
    assert wanted not in findings(lane)
    assert wanted not in findings(other)
    assert lane.open_pull().head_sha == head  # CI need not run again
    assert lane.config.read_bytes() == policy
    assert "waived by ada" in (lane.open_pull().body or "")
    order(lane, f"/syncline waive {wanted} because again\n/syncline waive 0123456789ab because no")
    lane.sync()
    assert "done: it passes already: waived by ada on" in answers(lane)[-2]
    assert "not done: no open finding has the id 0123456789ab" in answers(lane)[-1]
    # Other code is another matter.
    lane.server.people.push(lane.open_pull().head, {"feature.txt": "yet another\n"})
    assert findings(other)


def test_an_invariant_is_not_waived(open_lane: GitHubLane) -> None:
    open_lane.server.people.push(open_lane.open_pull().head, {"OWNERS": "all: eve\n"})
    (stop,) = [one for one in found(open_lane) if one.severity is Severity.STOP]
    order(open_lane, f"/syncline waive {stop.id} because please")
    open_lane.sync()
    assert "not done: OWNERS: nobody may waive this (protected-path)" in answers(open_lane)[-1]
    assert stop.id in findings(open_lane)


def test_a_record_by_who_may_not_write_counts_for_nothing(lane: GitHubLane, tmp_path: Path) -> None:
    wanted = finding(lane)
    order(lane, f"/syncline waive {wanted} because moved\n/syncline pause")
    lane.sync()
    world, people = lane.server.world, lane.server.people
    (living,) = [one for one in world.comments.values() if '"marker":"orders"' in one.body]
    for comment in list(world.comments.values()):
        if comment.user.login == "ada" or comment is living:
            world.comments.pop(comment.id)
    people.user("eve", "triage")
    order(lane, living.body, by="eve")
    assert wanted in findings(lane)
    assert outcome(lane.sync()) is not Outcome.PAUSED
    # Nor does it stand in the way of ours.
    order(lane, "/syncline pause", by="bo")
    assert outcome(lane.sync()) is Outcome.PAUSED
    assert outcome(lane.on_another_machine(tmp_path / "other").sync()) is Outcome.PAUSED


# --- recheck, help


def test_recheck_tells_and_judges_anew(lane: GitHubLane) -> None:
    head = lane.ci()
    assert outcome(lane.sync()) is Outcome.READY
    lane.server.people.check(head, "unit", "failure")
    order(lane, "/syncline recheck")
    assert outcome(lane.sync()) is Outcome.CHECKS_FAILED
    assert lane.open_pull().draft
    assert "done: " in answers(lane)[-1]
    assert "the gate: red: unit" in answers(lane)[-1]


def test_help_is_named_and_answered(lane: GitHubLane) -> None:
    assert "`/syncline help`" in (lane.open_pull().body or "")
    order(lane, "/syncline help")
    lane.sync()
    (living,) = [body for body in lane.comments(1) if '"marker":"orders"' in body]
    assert "| `/syncline waive ID because REASON` |" in living


# --- who may, and where


def test_what_is_no_order_changes_nothing(lane: GitHubLane) -> None:
    people = lane.server.people
    people.user("eve", "read")
    bot = people.app("other-app").bot
    stranger = order(lane, "/syncline abort", by="eve")
    order(lane, "/syncline abort", by=bot.login)
    order(lane, "> /syncline abort\n\n```\n/syncline abort\n```\nsay `/syncline abort`")
    edited = order(lane, "fine")
    edited.body, edited.updated = "/syncline abort", lane.server.clock.now + timedelta(seconds=5)
    elsewhere = people.push("feature", {"f.txt": "x\n"}, start="dev")
    assert elsewhere
    theirs = people.open_pull("feature", "dev")
    people.comment(theirs.number, "/syncline abort")
    assert outcome(lane.sync()) is Outcome.WAITING
    assert lane.open_pull().state == people.pull(theirs.number).state == "open"
    assert reactions(stranger) == reactions(edited) == ["confused"]
    assert len(answers(lane)) == 1
    assert "not done: the comment was edited before it was read" in answers(lane)[0]
    assert len(lane.comments(theirs.number)) == 1

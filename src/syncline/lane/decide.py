"""The decision: a pure function from what was observed to one next action. It reads from top to bottom."""

from syncline.checks.gate import GateState
from syncline.git import CommitId
from syncline.lane.actions import (
    Action,
    Announce,
    AskAgents,
    Close,
    Describe,
    FindCauses,
    Follow,
    Forget,
    GiveWay,
    MarkDraft,
    MarkReady,
    Open,
    Outcome,
    Prepare,
    Push,
    RefreshGolden,
    Repair,
    Rest,
    RetryChecks,
    RunChecks,
    ShowVerdict,
    StartChecks,
    Supersede,
    Trigger,
    TriggerAgain,
)
from syncline.lane.decide_landing import disarm, land, to_be_made_anew
from syncline.lane.decide_orders import steer
from syncline.lane.observation import Current, Observation, Prepared


def decide(seen: Observation) -> Action:
    """Return the one next action for a lane."""
    # Before anybody is answered: the forge may land at any moment what is not proven any more.
    if seen.current is not None and (unsafe := disarm(seen.current, leaving=False)) is not None:
        return unsafe
    if (due := steer(seen)) is not None:
        return due
    if len(seen.open_proposals) > 1:
        oldest, newest = seen.open_proposals[0], seen.open_proposals[-1]
        return Supersede(oldest.number, "a lane has one open proposal", by=newest.number)
    if seen.unannounced is not None:
        old, new = seen.unannounced
        return Announce(old, new)
    if seen.landed_runs:
        return Forget(seen.landed_runs)
    if seen.prepared is not None and seen.prepared.beaten:
        return GiveWay(seen.prepared.run, seen.prepared.commit)
    if seen.current is None:
        return _start(seen)
    leave = _leave(seen, seen.current)
    return disarm(seen.current, leaving=leave is not None) or leave or _advance(seen, seen.current)


def _start(seen: Observation) -> Action:
    """No proposal is open: begin a run, or rest."""
    part = seen.plan.slice
    if part is None:
        return Rest(Outcome.UP_TO_DATE, "target contains all of source")
    if seen.cut_landing is not None and not seen.restart:
        number, branch = seen.cut_landing
        return Rest(
            Outcome.BLOCKED,
            f"proposal {number} was landed without its commits (a squash, or a rebase): the next sync would meet"
            f" the same conflicts again; merge {branch} into target, which changes nothing but the ancestry,"
            " or begin anew with --restart",
        )
    if seen.prepared is not None:
        return _publish(seen, seen.prepared)
    if seen.closed_by_people and not seen.restart:
        return Rest(
            Outcome.ENDED,
            "the sync of these commits was closed without landing; another slice, or --restart, begins another",
        )
    return Prepare(seen.plan.target, part.tip, seen.attempts + 1)


def _publish(seen: Observation, prepared: Prepared) -> Action:
    if prepared.pushed is None:
        return Push(prepared.run, prepared.branch, prepared.commit, seen.plan.target)
    return Open(prepared.run, prepared.branch, prepared.commit)


def _leave(seen: Observation, run: Current) -> Action | None:
    """Reasons to end the open proposal, or to stop and ask; None to go on with it."""
    number = run.proposal.number
    if run.landed:
        return Close(number, landed=True, why="target contains it")
    if run.head is None:
        return Close(number, landed=False, why=f"its branch {run.proposal.branch} was deleted")
    if run.source_landed:
        return Close(number, landed=False, why="target contains the imported commits by another way")
    if seen.restart and run.inputs_changed:
        return _replace(seen, run, "a new run was asked for")
    if seen.restart:
        return Close(number, landed=False, why="a new run was asked for")
    if not run.merge_found:
        return _blocked(run, "its branch was rewritten: the merge commit is not on its first-parent line any more")
    if run.squashed:
        return _blocked(
            run,
            f"target holds its content but not its commits (a squash?): merge {run.proposal.branch} into target, "
            "so that the next sync starts from there",
        )
    why = _outdated(run)
    if why is None:
        return None
    if run.people:
        return _blocked(run, f"{why}, and people have committed on {run.proposal.branch}")
    return _replace(seen, run, why)


def _outdated(run: Current) -> str | None:
    if run.rewound:
        return "target or source was moved back and no longer contains what the sync was made from"
    if not run.inputs_changed:
        return None
    if run.policy_changed:
        return "the lane's policy changed since the merge"
    if not run.merges_into_target:
        return "target moved and conflicts with it"
    # With people's commits on it, a new night is no reason to stop: they are at work there.
    if run.due_again and not run.people:
        return "a new sync is due"
    return None


def _replace(seen: Observation, run: Current, why: str) -> Action:
    """Have the successor ready before the open proposal is closed, so that it is closed for something."""
    if not run.proposal.draft:
        return MarkDraft(run.proposal.number, why)
    part = seen.plan.slice
    if part is None:
        return Close(run.proposal.number, landed=False, why=f"{why}; target contains all of source")
    if seen.prepared is None:
        return Prepare(seen.plan.target, part.tip, seen.attempts + 1)
    if seen.prepared.pushed is None:
        return _publish(seen, seen.prepared)
    return Supersede(run.proposal.number, why)


def _blocked(run: Current, why: str) -> Action:
    if not run.proposal.draft:
        return MarkDraft(run.proposal.number, why)
    if run.head is not None and not run.verdict_shown:
        return ShowVerdict(run.proposal.number, run.head)
    return Rest(
        Outcome.BLOCKED,
        f"proposal {run.proposal.number}: {why}; land it, close it, or begin anew with --restart",
    )


def _advance(seen: Observation, run: Current) -> Action:
    """Bring the open proposal one step nearer to ready."""
    number, head = run.proposal.number, run.head
    assert head is not None  # noqa: S101 - `_leave` ends a run without a branch
    if run.proposal.head_sha != head:
        return Follow(number, head)
    if (due := _repair(run, head) or _ask_for_checks(run, head)) is not None:
        return due
    if not run.provable and not run.proposal.draft:
        return MarkDraft(number, "it is not proven any more")
    if (due := _without_people(run, head)) is not None:
        return due
    if run.provable and (why := to_be_made_anew(run)):
        return _replace(seen, run, why)
    if not run.body_current:
        return Describe(number, head)
    if not run.verdict_shown:  # before it is ready: target's rules may require it
        return ShowVerdict(number, head)
    if run.provable:
        # One that was killed right after marking has neither told of it nor asked anybody to review.
        return MarkReady(number, head) if run.proposal.draft or not run.ready_told else land(seen, run)
    return _rest(run)


def _repair(run: Current, head: CommitId) -> Repair | None:
    """Before CI is asked for: it would look at a head that goes. What is ready is left as it was proven."""
    if not run.repairable or run.repair_over or not run.proposal.draft:
        return None
    return Repair(run.proposal.number, head, run.repairable)


def _without_people(run: Current, head: CommitId) -> Action | None:
    """What can be done about what is red or open before people are asked."""
    number = run.proposal.number
    if run.causes_due:
        return FindCauses(number, head)
    if run.golden_due and run.proposal.draft:
        return RefreshGolden(number, head, run.golden_due)
    if run.ask_due and run.proposal.draft:
        return AskAgents(number, head, run.ask_due)
    if run.retry_due:
        return RetryChecks(number, head, run.retry_due, asked=False)
    return None


def _ask_for_checks(run: Current, head: CommitId) -> Action | None:
    number = run.proposal.number
    if not run.trigger_posted:
        return Trigger(number, head)
    if run.trigger_again:
        return TriggerAgain(number, head)
    if not run.checks_started:
        return StartChecks(number, head)
    if run.checks_unfinished:
        return RunChecks(number, head)
    if run.failed_checks and run.retry_asked:
        return RetryChecks(number, head, run.failed_checks)
    return None


def _rest(run: Current) -> Rest:
    number = run.proposal.number
    if run.unresolved or run.stops:
        parts = []
        if run.unresolved:
            parts.append(f"{run.unresolved} conflict{'s' if run.unresolved != 1 else ''} to settle")
        if run.stops:
            parts.append(
                f"{run.stops} finding{'s' if run.stops != 1 else ''} that stop{'s' if run.stops == 1 else ''} it"
            )
        words = f"proposal {number} stays a draft: {' and '.join(parts)}"
        if run.repairable:
            words += f"; {run.repairable} could be mended by itself, but {run.repair_over}"
        return Rest(Outcome.NEEDS_PEOPLE, words)
    assert run.verdict is not None  # noqa: S101 - checks were started
    words = "; ".join([*run.verdict.explain()[:3], *([run.unanswered] if run.unanswered else [])])
    if run.verdict.state is GateState.RED and run.retry_later:
        return Rest(Outcome.WAITING, f"proposal {number} waits: {words}; {run.retry_later}")
    if run.verdict.state is GateState.RED:
        why = f"; why: {run.causes}" if run.causes else ""
        return Rest(Outcome.CHECKS_FAILED, f"proposal {number} stays a draft: {words}{why}")
    return Rest(Outcome.WAITING, f"proposal {number} waits: {words}")

"""Acting: one idempotent effect for each action. Whatever it changes is fenced by what it was decided for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Event

from syncline.checks.gate import Verdict
from syncline.checks.model import Check
from syncline.errors import FenceError, ForgeError, SynclineError
from syncline.forge.protocol import Proposal, ProposalState
from syncline.git import CommitId
from syncline.git.commit import read_commit, write_commit
from syncline.git.paths import json_path
from syncline.git.refs import RefChange, change_refs, delete_ref, find_commit, find_object
from syncline.lane.actions import (
    Action,
    Announce,
    AskAgents,
    Close,
    Describe,
    Disarm,
    FindCauses,
    Follow,
    Forget,
    GiveWay,
    Land,
    MarkDraft,
    MarkReady,
    NoteOrders,
    Obey,
    Open,
    Prepare,
    Push,
    RefreshGolden,
    Refuse,
    Repair,
    RetryChecks,
    RunChecks,
    ShowVerdict,
    StartChecks,
    Supersede,
    Trigger,
    TriggerAgain,
)
from syncline.lane.audited import waiting_paths
from syncline.lane.context import LaneContext
from syncline.lane.ends import Ends, require_tip
from syncline.lane.generated import not_generated
from syncline.lane.golden import not_refreshed
from syncline.lane.landing import act_on_landing, obstacle
from syncline.lane.observation import Observation
from syncline.lane.observe import body_state
from syncline.lane.orders import act_on_orders
from syncline.lane.repair import refuse_broken_promises, repair_branch, repair_merge
from syncline.lane.repair_commit import held
from syncline.lane.run_name import learned_ref, run_inputs, run_name, run_ref
from syncline.lane.shape import read_shape
from syncline.lane.state import State
from syncline.lane.steered import require_no_word
from syncline.lane.triaged import find_causes, read_triage, refuse_retry
from syncline.lane.trigger import marker_of, ready_marker
from syncline.markup.markdown import text
from syncline.plan.make_plan import make_plan
from syncline.propose import body, commit_message, html, report
from syncline.whole_file import written_beside

_MAX_BRANCH_SUFFIX = 1000


@dataclass(frozen=True, slots=True)
class Effects:
    """What an action needs beside the lane: the moment, someone to tell, and a way to stop."""

    now: datetime
    tell: Callable[[str], None]
    check_changed: Callable[[Check], None]
    cancelled: Event


def act(context: LaneContext, seen: Observation, action: Action, effects: Effects) -> str:
    """Do what was decided and return what was done, in a sentence.

    Raises:
        FenceError: when something moved since; nothing was changed.
        SynclineError: when git or the forge refuses.
    """
    context.look_again()
    match action:
        case Prepare() | Repair():
            return _write_commits(context, seen, action, effects)
        case Push():
            context.branches.create(action.branch, action.commit, target=action.target)
            return f"created branch {action.branch} at {action.commit.short}"
        case GiveWay() | Forget():
            return _let_go(context, action)
        case Supersede() | Announce() | Close():
            return _end(context, action)
        case Open():
            return _open(context, seen, action, effects)
        case Follow():
            context.forge.update(action.number, head_sha=action.head)
            return f"proposal {action.number} follows its branch to {action.head.short}"
        case Describe():
            _describe(context, seen, action, effects)
            return f"wrote the body of proposal {action.number} and its report again"
        case Land() | Disarm():
            return _land(context, seen, action) if isinstance(action, Land) else act_on_landing(context, action)
        case NoteOrders() | Obey() | Refuse():
            return act_on_orders(context, ends_of(seen), action, effects.now)
        case _:
            return _act_on_checks(context, seen, action, effects)


def _write_commits(context: LaneContext, seen: Observation, action: Prepare | Repair, effects: Effects) -> str:
    if isinstance(action, Repair):
        return repair_branch(context, seen, action, now=effects.now, tell=effects.tell)
    return _prepare(context, seen, action, effects)


def _end(context: LaneContext, action: Supersede | Announce | Close) -> str:
    forge = context.forge
    match action:
        case Supersede():
            forge.close(action.number, state=ProposalState.SUPERSEDED, superseded_by=action.by)
            return f"closed proposal {action.number} as superseded: {action.why}"
        case Announce():
            forge.comment(action.number, "superseded", f"Superseded by proposal {action.by}.")
            forge.close(action.number, state=ProposalState.SUPERSEDED, superseded_by=action.by)
            return f"named proposal {action.by} on proposal {action.number}"
        case Close():
            state = ProposalState.MERGED if action.landed else ProposalState.CLOSED
            forge.comment(action.number, "closed", f"Closed: {text(action.why)}.")
            forge.close(action.number, state=state)
            if action.landed:
                _forget(context, forge.proposal(action.number).run)
            return f"closed proposal {action.number}: {action.why}"


def _act_on_checks(context: LaneContext, seen: Observation, action: Action, effects: Effects) -> str:
    forge, lane = context.forge, context.lane
    match action:
        case Trigger() | TriggerAgain():
            text = lane.ci_trigger_text(action.head)
            assert text is not None  # noqa: S101 - only decided where the lane has one
            again = isinstance(action, TriggerAgain)
            marker = marker_of(action.head, again=again)
            forge.comment(action.number, marker, text)
            context.written.add(marker)
            return f"asked for CI on {action.head.short}{' once more' if again else ''}"
        case StartChecks():
            forge.start_checks(action.head, lane.checks)
            return f"queued {len(lane.checks)} checks for {action.head.short}"
        case RunChecks():
            rollup = forge.work(
                action.head,
                lane.checks,
                checkout=context.checkout,
                on_event=effects.check_changed,
                parallel=lane.checks_parallel,
                cancelled=effects.cancelled,
                lane=lane.name,
            )
            ended = [check for check in rollup.checks if check.conclusion is not None]
            return f"ran checks on {action.head.short}: {len(ended)} results"
        case FindCauses():
            proposal = forge.proposal(action.number)
            effects.tell("finding out why checks are red")
            causes = find_causes(context, proposal, action.head, tell=effects.tell, cancelled=effects.cancelled)
            return f"found out why checks are red: {causes}"
        case RefreshGolden() | AskAgents():
            return _answer_checks(context, seen, action, effects)
        case RetryChecks():
            return _retry(context, action)
        case ShowVerdict():
            verdict = context.verdict(action.head)
            forge.show_verdict(verdict)
            context.shown.append(verdict)
            return f"showed the gate's verdict on {action.head.short}: {verdict.state}"
        case MarkReady():
            return _mark_ready(context, seen, action)
        case MarkDraft():
            context.forge.mark_draft(action.number)
            return f"proposal {action.number} is a draft again: {action.why}"
        case _:
            raise AssertionError(f"no such action: {action}")


def _answer_checks(
    context: LaneContext, seen: Observation, action: RefreshGolden | AskAgents, effects: Effects
) -> str:
    from syncline.lane.ask_agents import ask_agents  # noqa: PLC0415 - only where a lane has agents
    from syncline.lane.refresh_golden import refresh_golden  # noqa: PLC0415 - only where a lane wants it

    state = _state(context, action.head, context.forge.proposal(action.number).run, ends_of(seen))
    if isinstance(action, RefreshGolden):
        return refresh_golden(context, state, ends_of(seen), action, now=effects.now)
    return ask_agents(context, state, seen.plan.target, action, now=effects.now, tell=effects.tell)


def _retry(context: LaneContext, action: RetryChecks) -> str:
    try:
        context.forge.retry(action.head, action.names)
    except ForgeError as error:
        if action.asked:
            raise
        # Some checks no forge runs again (a commit status has nothing to run): people may, by other means.
        refuse_retry(context, action.head, action.names, error.message)
        return f"not run again: {', '.join(action.names)}: {error.message}"
    return f"queued again: {', '.join(action.names)}"


def _prepare(context: LaneContext, seen: Observation, action: Prepare, effects: Effects) -> str:
    repository, lane = context.repository, context.lane
    inputs = run_inputs(lane, target=action.target, source=action.source)
    run = run_name(inputs, action.attempt)
    effects.tell(f"merging {action.source.short} into {action.target.short}")
    from syncline.lane.learned import read_learned  # noqa: PLC0415 - not where nothing is to be merged

    learned = read_learned(repository, lane, action.target)
    record = repository.write_blob(learned.content) if learned.content else None
    result = context.merge(action.target, action.source, record)
    branch = _free_branch(context, lane.branch_name(now=effects.now, slice_tip=action.source), run)
    boundary = seen.plan.slice.boundary if seen.plan.slice is not None else None
    message = commit_message.merge_message(
        title=lane.title_text(now=effects.now, slice_tip=action.source),
        lane=lane.name,
        source=lane.source,
        target=lane.target,
        run=run,
        branch=branch,
        policy=lane.digest,
        learned=record,
        plan=seen.plan,
        boundary=read_commit(repository, boundary) if boundary is not None else None,
        result=result,
        signed_off_by=context.signed_off_by,
    )
    person = context.person
    merge = write_commit(
        repository, tree=result.tree, parents=(action.target, action.source), message=message,
        author=person, committer=person, when=effects.now, signature=context.signature,
    )  # fmt: skip
    head = repair_merge(
        context, run, merge, waiting=waiting_paths(result.unresolved), now=effects.now, tell=effects.tell
    )
    refuse_broken_promises(context, merge, head)
    ref, kept = run_ref(lane.name, run), learned_ref(lane.name, run)
    changes = [RefChange(ref, find_commit(repository, ref), head)]
    if record is not None:  # git must not take it for garbage as long as the run may be made again
        changes.append(RefChange(kept, find_object(repository, kept), record))
    change_refs(repository, changes, why=f"syncline: prepare run {run}")
    context.forget_shapes()
    return f"merged: {len(result.conflicts)} conflicts, {len(result.unresolved)} open, commit {head.short}"


def _forget(context: LaneContext, run: str) -> None:
    """Let go of what is kept for a run that has landed: target keeps the commits now."""
    for ref in (run_ref(context.lane.name, run), learned_ref(context.lane.name, run)):
        kept = find_object(context.repository, ref)
        if kept is not None:
            delete_ref(context.repository, ref, kept)


def _let_go(context: LaneContext, action: GiveWay | Forget) -> str:
    context.forget_shapes()
    if isinstance(action, Forget):
        for run in action.runs:
            _forget(context, run)
        return f"landed: run {', '.join(action.runs)}"
    delete_ref(context.repository, run_ref(context.lane.name, action.run), action.commit)
    return f"run {action.run} is taken over from another machine, which was first"


def _free_branch(context: LaneContext, name: str, run: str) -> str:
    """Return `name`, or `name-2`, ...: the first that is free or already this run's."""
    blocking = context.branches.in_the_way(name)
    if blocking is not None:
        raise SynclineError(
            f"git cannot have a branch {name!r} beside the branch {blocking!r}",
            hint=f"rename that branch, or change `branch` of lane {context.lane.name!r}",
        )
    for number in range(1, _MAX_BRANCH_SUFFIX):
        candidate = name if number == 1 else f"{name}-{number}"
        tip = context.branches.tip(candidate)
        if tip is None or read_shape(context.repository, tip, run=run) is not None:
            return candidate
    raise SynclineError(f"no free branch name for {name!r}", hint="delete old sync branches")


def _open(context: LaneContext, seen: Observation, action: Open, effects: Effects) -> str:
    forge, lane = context.forge, context.lane
    head = context.branches.tip(action.branch)
    if head is None:
        raise FenceError(f"branch {action.branch} is gone")
    state = _state(context, head, action.run, ends_of(seen))
    text = _write_report(context, state, seen.plan.source, effects)
    title = lane.title_text(now=effects.now, slice_tip=state.shape.source)
    proposal = forge.open_proposal(
        lane=lane.name, run=action.run, branch=action.branch, target=lane.target, title=title, body=text,
        head_sha=head, labels=lane.labels,
    )  # fmt: skip
    return f"opened draft proposal {proposal.number}: {title}"


def _describe(context: LaneContext, seen: Observation, action: Describe, effects: Effects) -> None:
    state = _state(context, action.head, context.forge.proposal(action.number).run, ends_of(seen))
    context.forge.update(action.number, body=_write_report(context, state, seen.plan.source, effects))


def _state(context: LaneContext, head: CommitId, run: str, ends: Ends) -> State:
    shape = context.shape(head, run, ends)
    if shape is None:
        raise FenceError(f"{head.short} does not hold the merge commit of run {run}")
    return context.state(shape, ends)


def _write_report(context: LaneContext, state: State, source: CommitId, effects: Effects) -> str:
    """Write the HTML report and return the body that links it."""
    from syncline.lane.from_answers import write_from_answers  # noqa: PLC0415 - not where nothing is written

    shape, lane = state.shape, context.lane
    effects.tell("writing the report")
    place = context.reports / shape.run / "report.html"
    place.parent.mkdir(parents=True, exist_ok=True)
    offered = write_from_answers(context.repository, lane, state, place.parent)
    made = report.collect(
        context.repository,
        lane=lane,
        plan=make_plan(
            context.repository, source=source, target=shape.target, slice_size=lane.slice, tip=shape.source
        ),
        result=state.result,
        facts=replace(_facts(context, state), from_answers=offered),
        rollup=context.results(shape.head),
        verdict=context.verdict(shape.head),
        created=effects.now,
    )
    content = html.render_html(made).encode("utf-8", "backslashreplace")
    with written_beside(place, content, mode=0o644) as beside:
        beside.replace(place)
    marker = f"<!-- syncline:state={body_state(context, state)} -->"
    steered = context.forge.steering is not None
    why = obstacle(context)
    triage = read_triage(context, shape.head, effects.now.timestamp())
    section = triage.told.section if triage.told is not None else ""
    if not context.elsewhere:
        link = str(place)
        return body.render_body(
            made, report_link=link, state_marker=marker, landing=why, steered=steered, triage=section
        )
    # Paths of this machine lead nobody there to the report and the patch, and are nobody's business.
    if made.from_answers is not None:
        made = replace(made, from_answers=replace(made.from_answers, commands=()))
    return body.render_body(
        made, report_link="", state_marker=marker, landing=why, steered=steered, triage=section
    )


def _facts(context: LaneContext, state: State) -> report.RunFacts:
    shape = state.shape
    return report.RunFacts(
        run=shape.run,
        branch=shape.branch,
        merge_commit=shape.merge.oid,
        head=shape.head,
        repair_commit=shape.repair,
        people=shape.people,
        settled=state.settled,
        unresolved=tuple(decision.path for decision in state.unresolved),
        stops=tuple(f"{json_path(f.path)}: {f.message}" for f in state.stops),
        audit=state.audit,
        repairs=held(context.repository, state.shape).repairs,
        not_done=(
            *not_generated(context.repository, context.lane, read_commit(context.repository, shape.head).tree),
            *not_refreshed(context, shape.head),
        ),
    )


def _proven(context: LaneContext, seen: Observation, action: MarkReady | Land) -> tuple[Proposal, State, Verdict]:
    """Look once more: the gate, open conflicts and findings are judged for this very head.

    Raises:
        FenceError: it is not proven, or the branch moved.
    """
    proposal = context.forge.proposal(action.number)
    state = _state(context, action.head, proposal.run, ends_of(seen))
    verdict = context.verdict(action.head)
    if not verdict.green or state.unresolved or state.stops:
        raise FenceError(f"proposal {action.number} is not provable any more at {action.head.short}")
    if proposal.target != context.lane.target:
        raise FenceError(f"proposal {action.number} goes into {proposal.target} now, not {context.lane.target}")
    require_tip(context.branches, proposal.branch, action.head)
    return proposal, state, verdict


def _land(context: LaneContext, seen: Observation, action: Land) -> str:
    _proven(context, seen, action)
    require_no_word(context, action.number)
    return act_on_landing(context, action)


def _mark_ready(context: LaneContext, seen: Observation, action: MarkReady) -> str:
    """Look once more, then mark, then look again."""
    forge = context.forge
    proposal, state, verdict = _proven(context, seen, action)
    forge.mark_ready(action.number, head_sha=action.head)
    try:
        require_tip(context.branches, proposal.branch, action.head)
        if context.elsewhere:
            _require_green(context, action)
    except FenceError:
        forge.mark_draft(action.number)
        raise
    passed = ", ".join(sorted(text(check.name) for check in verdict.counted)) or "none were asked for"
    lines = [
        f"Ready at {action.head}.",
        f"Checks passed: {passed}.",
        f"Conflicts settled: {state.counts}; none open.",
    ]
    forge.comment(action.number, ready_marker(action.head), "\n".join(lines))
    context.written.add(ready_marker(action.head))
    return f"proposal {action.number} is ready at {action.head.short}"


def _require_green(context: LaneContext, action: MarkReady) -> None:
    """Refuse when the gate is not green any more: checks that run elsewhere may begin anew at any moment.

    Raises:
        FenceError: it is not.
    """
    context.look_again()
    verdict = context.verdict(action.head)
    if not verdict.green:
        raise FenceError(f"the gate was green at {action.head.short} and is not any more: {verdict.explain()[0]}")


def ends_of(seen: Observation) -> Ends:
    """Return the tips that were observed."""
    return Ends(seen.plan.source, seen.plan.target)

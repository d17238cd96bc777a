"""Observing a lane: refs, proposals, checks, commits become one frozen value. Reads only, but for fetching."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from syncline.audit.finding import Severity
from syncline.checks.gate import GateState, Verdict
from syncline.checks.model import Check, CheckState, Conclusion
from syncline.forge.protocol import Proposal, ProposalState
from syncline.git import CommitId
from syncline.git.refs import find_commit, list_refs
from syncline.lane.asked import questions, unasked
from syncline.lane.context import LaneContext
from syncline.lane.ends import Ends, read_ends
from syncline.lane.golden import golden_due, not_refreshed
from syncline.lane.landing import observe_landing, obstacle
from syncline.lane.observation import Current, Observation, Prepared
from syncline.lane.repair_commit import held
from syncline.lane.run_name import inputs_of, run_inputs, run_name, run_ref
from syncline.lane.shape import Shape, read_shape
from syncline.lane.state import State
from syncline.lane.steered import read_steered
from syncline.lane.triaged import Triage, read_triage, triage_key
from syncline.lane.trigger import asked_for_ci, ready_marker
from syncline.lane.verdict import failed_checks
from syncline.plan.model import Plan

_MOST_SHOWN = 10
"""How many verdicts one sync posts."""
_BRANCHES_LOOKED_AT = 20
"""How many branches of one template (`name`, `name-2`, ...) are looked through for a run made elsewhere."""


def observe(context: LaneContext, now: datetime, *, restart_after: int = -1, retry: bool = False) -> Observation:
    """Return how the lane stands.

    Args:
        context: the lane.
        now: the moment, aware; branch names come from it.
        restart_after: the newest proposal's number when a person asked for a new run; -1: nobody asked.
        retry: whether a person asked to run failed checks again.
    """
    lane = context.lane
    context.look_again()
    ends = read_ends(context.repository, lane)
    plan = context.plan(ends)
    inputs = run_inputs(lane, target=plan.target, source=plan.slice.tip) if plan.slice else ""
    proposals = context.forge.proposals(lane.name)
    opened = tuple(p for p in proposals if p.state is ProposalState.OPEN)
    ended = [p for p in proposals if p.state is not ProposalState.OPEN and inputs_of(p.run) == inputs]
    newest = opened[-1] if opened else None
    steered = read_steered(context, proposals)
    current = _current(context, newest, ends, inputs, now, retry=retry) if newest is not None else None
    prepared = _prepared(context, run_name(inputs, len(ended) + 1), ends, plan, now)
    if current is not None and not current.merge_found:
        prepared = _beaten(context, current) or prepared
    latest = max((p.number for p in proposals), default=0)
    return Observation(
        lane=lane.name,
        plan=plan,
        inputs=inputs,
        attempts=len(ended),
        closed_by_people=bool(ended) and ended[-1].state is ProposalState.CLOSED,
        open_proposals=opened,
        current=current,
        prepared=prepared,
        unannounced=_unannounced(proposals, newest),
        restart=restart_after >= (newest.number if newest is not None else latest),
        cut_landing=_cut_landing(context, proposals, ends) if newest is None else None,
        landed_runs=_landed_runs(context, proposals, ends),
        steered=steered,
    )


def _cut_landing(context: LaneContext, proposals: Sequence[Proposal], ends: Ends) -> tuple[int, str] | None:
    """The newest proposal, where the forge calls it merged but target does not contain its commits."""
    last = max(proposals, key=lambda proposal: proposal.number, default=None)
    if not context.elsewhere or last is None or last.state is not ProposalState.MERGED:
        return None
    head = CommitId(last.head_sha)
    if not context.branches.has_head(last.number, head) or context.contains(ends.target, head):
        return None
    shape = read_shape(context.repository, head, run=last.run, any_machine=True)
    if shape is None or context.contains(ends.target, shape.source):
        return None
    # What merges cleanly and brings something was taken back since: nobody's answers would be asked for again.
    lost = not context.fits(ends.target, head) or context.brings_nothing(ends.target, head)
    return (last.number, last.branch) if lost else None


def _landed_runs(context: LaneContext, proposals: Sequence[Proposal], ends: Ends) -> tuple[str, ...]:
    if not context.elsewhere:
        return ()  # `Close` forgets them
    place = run_ref(context.lane.name, "")
    kept = {ref.name.removeprefix(place) for ref in list_refs(context.repository, place)}
    merged = (p for p in proposals if p.state is ProposalState.MERGED and p.run in kept)
    return tuple(
        p.run
        for p in merged
        if context.repository.has(CommitId(p.head_sha)) and context.contains(ends.target, CommitId(p.head_sha))
    )


def _beaten(context: LaneContext, current: Current) -> Prepared | None:
    """What was made here for a run that another machine has proposed: the same merge, as another commit."""
    run, head = current.proposal.run, current.head
    commit = find_commit(context.repository, run_ref(context.lane.name, run))
    if not context.elsewhere or head is None or commit is None:
        return None
    here = read_shape(context.repository, commit, run=run)
    there = read_shape(context.repository, head, run=run, any_machine=True)
    if here is None or there is None or here.merge.tree != there.merge.tree:
        return None
    return Prepared(run, there.branch, commit, head, beaten=True)


def _unannounced(proposals: Sequence[Proposal], newest: Proposal | None) -> tuple[int, int] | None:
    if newest is None:
        return None
    for proposal in proposals:
        if proposal.state is ProposalState.SUPERSEDED and proposal.superseded_by is None:
            return proposal.number, newest.number
    return None


def _prepared(context: LaneContext, run: str, ends: Ends, plan: Plan, now: datetime) -> Prepared | None:
    if plan.slice is None:
        return None
    commit = find_commit(context.repository, run_ref(context.lane.name, run))
    if commit is None:
        return _of_another_machine(context, run, ends, now, plan.slice.tip)
    shape = context.shape(commit, run, ends)
    if shape is None:
        return None
    pushed = context.branches.tip(shape.branch)
    if pushed is not None and context.shape(pushed, run, ends) is None:
        if context.lane.target_at is not None and read_shape(
            context.repository, pushed, run=run, any_machine=True
        ):
            return Prepared(run, shape.branch, commit, pushed, beaten=True)
        return None  # somebody else took the name meanwhile: prepare again under another one
    return Prepared(run, shape.branch, commit, pushed)


def _of_another_machine(
    context: LaneContext, run: str, ends: Ends, now: datetime, tip: CommitId
) -> Prepared | None:
    """Return the same run where another machine has made and pushed it: it is taken over, not made again."""
    if context.lane.target_at is None:
        return None
    name = context.lane.branch_name(now=now, slice_tip=tip)
    for number in range(1, _BRANCHES_LOOKED_AT):
        branch = name if number == 1 else f"{name}-{number}"
        pushed = context.branches.tip(branch)
        if pushed is None:
            return None
        shape = context.shape(pushed, run, ends)
        if shape is not None and shape.branch == branch:
            return Prepared(run, branch, pushed, pushed)
    return None


def _current(
    context: LaneContext, proposal: Proposal, ends: Ends, inputs: str, now: datetime, *, retry: bool
) -> Current:
    lane = context.lane
    head = context.branches.tip(proposal.branch)
    shape = context.shape(head, proposal.run, ends) if head is not None else None
    if head is None or shape is None:
        return _without_merge(proposal, head, landed=_landed_before(context, proposal, ends))
    # A push after the landing does not undo it.
    landed = context.contains(ends.target, head) or _landed_before(context, proposal, ends)
    # Target's tip may stand beside the run: what matters is whether it still fits.
    moved = ends.target != shape.target and not context.contains(head, ends.target)
    fits = landed or not moved or context.fits(ends.target, head)
    state = context.state(shape, ends)
    results = context.results(head).checks
    newest = {check.name: check for check in sorted(results, key=lambda check: check.order)}
    wanted = {spec.name for spec in lane.checks}
    mine = [check for name, check in newest.items() if name in wanted]
    verdict = context.verdict(head)
    asked = asked_for_ci(context, proposal, head, verdict, now)
    triage = read_triage(context, head, now.timestamp()) if proposal.head_sha == head else Triage()
    repairable, over = _repairable(context, proposal, shape, state, ends)
    failed = {c.name for c in mine if c.conclusion not in {None, Conclusion.SUCCESS}}
    if context.elsewhere:
        failed = set(failed_checks(verdict))
    askable = proposal.head_sha == head and not context.branches.checked_out(proposal.branch)
    ask_due = unasked(context, questions(context, state, triage)) if askable else ()
    return Current(
        proposal=proposal,
        head=head,
        merge_found=True,
        landed=landed,
        source_landed=context.contains(ends.target, shape.source),
        rewound=_rewound(context, shape, ends),
        squashed=moved and not landed and context.brings_nothing(ends.target, head),
        inputs_changed=inputs != inputs_of(shape.run),
        policy_changed=shape.policy != lane.digest,
        merges_into_target=fits,
        due_again=_due_again(context, shape, now),
        people=len(shape.people),
        unresolved=len(state.unresolved),
        stops=len(state.stops),
        body_current=f"state={body_state(context, state)}" in proposal.body,
        trigger_posted=asked.posted,
        ready_told=proposal.draft or _ready_told(context, proposal, head),
        checks_started=context.elsewhere
        or (wanted <= set(newest) and not any(_to_be_queued(check, wanted) for check in newest.values())),
        checks_unfinished=any(check.state is not CheckState.COMPLETED for check in mine),
        failed_checks=tuple(sorted(failed)),
        retry_asked=retry,
        verdict=verdict,
        trigger_again=asked.again,
        causes_due=bool(triage.key) and triage.told is None,
        causes=triage.causes,
        golden_due=golden_due(context, shape, triage) if askable else (),
        ask_due=ask_due,
        retry_due=triage.due,
        retry_later=triage.later,
        unanswered=asked.words,
        verdict_shown=_verdict_shown(context, verdict),
        target_moved=moved,
        landing=observe_landing(context, proposal, head) if not landed else None,
        repairable=repairable,
        repair_over=over,
    )


def _repairable(
    context: LaneContext, proposal: Proposal, shape: Shape, state: State, ends: Ends
) -> tuple[int, str]:
    """How many mends are proven and not made yet, and why they are not to be made."""
    worth = any(finding.severity is not Severity.LOOK for finding in state.findings)
    worth = worth or bool(context.lane.repair.regenerate)
    # What is ready was proven as it is; people may be about to land it.
    if not worth or not proposal.draft or not context.lane.repair.mechanical:
        return 0, ""
    from syncline.lane.mended import why_over  # noqa: PLC0415 - not where nothing is to be mended

    over = why_over(
        context.lane, held(context.repository, shape).left, shape,
        checked_out=context.branches.checked_out(proposal.branch),
    )  # fmt: skip
    if why := context.not_rolled.get(shape.head):
        over = f"{shape.branch} takes no commit back: {why}"
    made = context.generated(shape, ends)
    return len(context.mended(shape, ends).done) + (len(made.done) if made is not None else 0), over


def _verdict_shown(context: LaneContext, verdict: Verdict) -> bool:
    """Whether there is nothing to post: the lane does not want it, or the verdict stands at the forge.

    What this process posted last is not posted again, though the forge may not show it yet, or not quite so; and
    a verdict that changes all the time is left to the next sync.
    """
    if context.lane.github is None or not context.lane.github.gate_check:
        return True
    if len(context.shown) >= _MOST_SHOWN or (context.shown and context.shown[-1] == verdict):
        return True
    return context.forge.shows_verdict(verdict)


def _ready_told(context: LaneContext, proposal: Proposal, head: CommitId) -> bool:
    marker = ready_marker(head)
    return marker in context.written or any(
        one.marker == marker for one in context.forge.comments(proposal.number)
    )


def _landed_before(context: LaneContext, proposal: Proposal, ends: Ends) -> bool:
    """Whether target contains the head that the proposal had before its branch was deleted or moved away."""
    head = CommitId(proposal.head_sha)
    return context.repository.has(head) and context.contains(ends.target, head)


def _rewound(context: LaneContext, shape: Shape, ends: Ends) -> bool:
    """Whether target or source was moved back or rewritten: the branch would bring back what they dropped."""
    kept = context.contains(ends.target, shape.target) and context.contains(ends.source, shape.source)
    return not kept


def _to_be_queued(check: Check, wanted: set[str]) -> bool:
    """Whether `start_checks` has something to do for a check: it was cut off, or is queued but not wanted now."""
    if check.name in wanted:
        return check.conclusion is Conclusion.CANCELLED
    return check.state is CheckState.QUEUED


def _without_merge(proposal: Proposal, head: CommitId | None, *, landed: bool) -> Current:
    return Current(
        proposal=proposal, head=head, merge_found=False, landed=landed, source_landed=False, rewound=False,
        squashed=False, inputs_changed=True, policy_changed=False, merges_into_target=True, due_again=False,
        people=0, unresolved=0, stops=0, body_current=True, trigger_posted=True, checks_started=True,
        checks_unfinished=False, failed_checks=(), retry_asked=False, verdict=None,
    )  # fmt: skip


def _due_again(context: LaneContext, shape: Shape, now: datetime) -> bool:
    """Whether the branch template gives another name for the run now: a new night, where it holds a date."""
    name = context.lane.branch_name(now=now, slice_tip=shape.source)
    return not (shape.branch == name or shape.branch.startswith(f"{name}-"))


def body_state(context: LaneContext, state: State) -> str:
    """Return a fingerprint of what a proposal's body tells: head, what is open, findings, the gate's verdict."""
    head = state.shape.head
    verdict = context.verdict(head)
    words = [head, *(repr(d.path) for d in state.unresolved), *(f.id for f in state.findings)]
    words += [verdict.state.value] if verdict.state is not GateState.WAITING else ["waiting"]
    words += list(verdict.explain()) if verdict.state is GateState.RED else []
    words += [why] if (why := obstacle(context)) else []
    words += [key] if (key := triage_key(context, head)) else []
    words += not_refreshed(context, head)
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]


def observed_state(context: LaneContext, seen: Observation) -> State | None:
    """Return how the run that was observed stands, at the head that was observed."""
    current, ends = seen.current, Ends(seen.plan.source, seen.plan.target)
    if current is None or current.head is None:
        return None
    shape = context.shape(current.head, current.proposal.run, ends)
    return context.state(shape, ends) if shape is not None else None

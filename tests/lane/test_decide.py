"""The decision, over every observation that Hypothesis can think of, and as a table of the usual ones."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.checks.gate import GateState, Reason, Verdict, Why
from syncline.forge.landing import By
from syncline.forge.orders import Kind, Order, Pause
from syncline.forge.protocol import Proposal, ProposalState
from syncline.git import CommitId
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
    Outcome,
    Prepare,
    Push,
    RefreshGolden,
    Refuse,
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
from syncline.lane.decide import decide
from syncline.lane.observation import Current, LandingSeen, Observation, Prepared, Steered
from syncline.plan.model import Plan, Slice

HEAD, OTHER, SOURCE, TARGET = (CommitId(c * 40) for c in "abcd")
SLICE = Slice(SOURCE, (SOURCE,), 1, None, 0)
PLAN = Plan(SOURCE, TARGET, 1, 1, (OTHER,), SLICE)
UP_TO_DATE = Plan(SOURCE, TARGET, 1, 0, (SOURCE,), None)


def verdict(state: GateState) -> Verdict:
    reasons = {
        GateState.GREEN: (),
        GateState.WAITING: (Reason("x", Why.UNFINISHED),),
        GateState.RED: (Reason("x", Why.FAILED),),
    }[state]
    return Verdict(state, HEAD, reasons, (), ())


def proposal(number: int = 1, *, draft: bool = True, head: str = HEAD) -> Proposal:
    return Proposal(
        number=number, lane="l", run="r", branch="b", target="dev", title="t", body="", draft=draft,
        state=ProposalState.OPEN, head_sha=head, labels=(), created=datetime(2026, 1, 1, tzinfo=UTC),
        superseded_by=None, url="",
    )  # fmt: skip


CURRENT = Current(
    proposal=proposal(), head=HEAD, merge_found=True, landed=False, source_landed=False, rewound=False,
    squashed=False, inputs_changed=False, policy_changed=False, merges_into_target=True, due_again=False, people=0,
    unresolved=0, stops=0,
    body_current=True, trigger_posted=True, checks_started=True, checks_unfinished=False, failed_checks=(),
    retry_asked=False, verdict=verdict(GateState.GREEN),
)  # fmt: skip
NOTHING = Observation(
    lane="l", plan=PLAN, inputs="i", attempts=0, closed_by_people=False, open_proposals=(), current=None,
    prepared=None, unannounced=None, restart=False,
)  # fmt: skip
PREPARED = Prepared("r2", "b2", OTHER, None)


def going(**changes: object) -> Observation:
    current = replace(CURRENT, **changes)  # type: ignore[arg-type]
    return replace(NOTHING, open_proposals=(current.proposal,), current=current)


SYNCLINE, FORGE = LandingSeen(By.SYNCLINE, ""), LandingSeen(By.FORGE, "")
ARMED = replace(FORGE, armed=True)
READY = proposal(draft=False)


PAUSE = Pause("ada", 1, "2026-01-01T00:00:00Z")


def ordered(kind: Kind, *args: str, on: int = 1) -> Order:
    return Order(kind, args, "ada", 5, on)


def steered(seen: Observation, *orders: Order, **changes: object) -> Observation:
    return replace(seen, steered=replace(Steered(), orders=orders, **changes))  # type: ignore[arg-type]


TAKE = ordered(Kind.TAKE, "ours", "a")
TABLE: tuple[tuple[str, Observation, type[Action]], ...] = (
    ("nothing new", replace(NOTHING, plan=UP_TO_DATE), Rest),
    ("a new slice", NOTHING, Prepare),
    ("prepared", replace(NOTHING, prepared=PREPARED), Push),
    ("pushed", replace(NOTHING, prepared=replace(PREPARED, pushed=OTHER)), Open),
    ("closed by people", replace(NOTHING, attempts=1, closed_by_people=True), Rest),
    ("closed by people, restart", replace(NOTHING, attempts=1, closed_by_people=True, restart=True), Prepare),
    ("superseded before, wanted again", replace(NOTHING, attempts=1), Prepare),
    ("two open", replace(going(), open_proposals=(proposal(1), proposal(2))), Supersede),
    ("unannounced", replace(going(), unannounced=(1, 2)), Announce),
    ("landed", going(landed=True), Close),
    ("branch deleted", going(head=None, merge_found=False), Close),
    ("slice landed otherwise", going(source_landed=True), Close),
    ("branch rewritten", going(merge_found=False), Rest),
    ("branch rewritten, ready", going(merge_found=False, proposal=proposal(draft=False)), MarkDraft),
    ("people pushed", going(head=OTHER), Follow),
    ("CI to be asked", going(trigger_posted=False), Trigger),
    ("ready, and nobody was told", going(proposal=READY, ready_told=False), MarkReady),
    ("checks to queue", going(checks_started=False), StartChecks),
    ("checks to run", going(checks_unfinished=True), RunChecks),
    ("failed, retry asked", going(failed_checks=("x",), retry_asked=True), RetryChecks),
    (
        "red, nobody knows why",
        going(verdict=verdict(GateState.RED), causes_due=True, body_current=False),
        FindCauses,
    ),
    (
        "red after ready, nobody knows why",
        going(proposal=READY, verdict=verdict(GateState.RED), causes_due=True),
        MarkDraft,
    ),
    ("green on retry, nobody knows why", going(causes_due=True), FindCauses),
    ("agents to be asked", going(unresolved=1, ask_due=("k",)), AskAgents),
    ("agents to be asked, nobody knows why it is red", going(ask_due=("k",), causes_due=True), FindCauses),
    ("values to be taken over", going(golden_due=("unit",), ask_due=("k",)), RefreshGolden),
    (
        "values to be taken over, nobody knows why it is red",
        going(golden_due=("unit",), causes_due=True),
        FindCauses,
    ),
    ("agents to be asked, mends to be made", going(unresolved=1, ask_due=("k",), repairable=1), Repair),
    ("red by what tends to pass", going(verdict=verdict(GateState.RED), retry_due=("x",)), RetryChecks),
    ("red by what tends to pass, later", going(verdict=verdict(GateState.RED), retry_later="x in 9 s"), Rest),
    ("body old", going(body_current=False), Describe),
    ("proven", going(), MarkReady),
    ("ready", going(proposal=proposal(draft=False)), Rest),
    ("proven, but not shown", going(verdict_shown=False), ShowVerdict),
    ("red, not shown", going(verdict=verdict(GateState.RED), verdict_shown=False), ShowVerdict),
    (
        "red after ready, not shown",
        going(proposal=proposal(draft=False), verdict=verdict(GateState.RED), verdict_shown=False),
        MarkDraft,
    ),
    ("squashed, not shown", going(squashed=True, verdict_shown=False), ShowVerdict),
    ("landed, not shown", going(landed=True, verdict_shown=False), Close),
    ("red after ready", going(proposal=proposal(draft=False), verdict=verdict(GateState.RED)), MarkDraft),
    ("red", going(verdict=verdict(GateState.RED)), Rest),
    ("waiting", going(verdict=verdict(GateState.WAITING)), Rest),
    ("open conflicts", going(unresolved=2), Rest),
    ("open conflicts after ready", going(unresolved=2, proposal=proposal(draft=False)), MarkDraft),
    ("stops", going(stops=1), Rest),
    ("repairable", going(repairable=1, checks_started=False), Repair),
    ("repairable, but over", going(repairable=1, repair_over="why", stops=1), Rest),
    ("repairable, but ready", going(repairable=1, proposal=proposal(draft=False)), Rest),
    ("repairable, red after ready", going(repairable=1, stops=1, proposal=proposal(draft=False)), MarkDraft),
    ("repairable, people pushed", going(repairable=1, head=OTHER), Follow),
    ("repairable, inputs moved", going(repairable=1, inputs_changed=True, policy_changed=True), Prepare),
    ("inputs moved, fits", going(inputs_changed=True), MarkReady),
    ("inputs moved, conflicts", going(inputs_changed=True, merges_into_target=False), Prepare),
    ("inputs moved, conflicts, people", going(inputs_changed=True, merges_into_target=False, people=1), Rest),
    ("policy changed", going(inputs_changed=True, policy_changed=True), Prepare),
    ("squashed", going(squashed=True), Rest),
    ("squashed, ready", going(squashed=True, proposal=proposal(draft=False)), MarkDraft),
    ("target moved back", going(inputs_changed=True, rewound=True), Prepare),
    ("target moved back, ready", going(rewound=True, proposal=proposal(draft=False)), MarkDraft),
    ("target moved back, people", going(rewound=True, people=1), Rest),
    ("a new night", going(inputs_changed=True, due_again=True), Prepare),
    ("a new night, people at work", going(inputs_changed=True, due_again=True, people=2), MarkReady),
    ("a new night, nothing new", going(due_again=True), MarkReady),
    (
        "successor prepared",
        replace(going(inputs_changed=True, due_again=True), prepared=PREPARED),
        Push,
    ),
    (
        "successor pushed",
        replace(going(inputs_changed=True, due_again=True), prepared=replace(PREPARED, pushed=OTHER)),
        Supersede,
    ),
    ("restart", replace(going(inputs_changed=True), restart=True), Prepare),
    ("restart, same commits", replace(going(), restart=True), Close),
    ("CI did not answer", going(trigger_again=True), TriggerAgain),
    ("CI did not answer twice", going(unanswered="twice", verdict=verdict(GateState.WAITING)), Rest),
    ("lands", going(landing=SYNCLINE, proposal=READY), Land),
    ("would land, is a draft", going(landing=SYNCLINE), MarkReady),
    ("would land, body old", going(landing=SYNCLINE, proposal=READY, body_current=False), Describe),
    ("changes requested", going(landing=replace(SYNCLINE, held="ada objects"), proposal=READY), Rest),
    ("a review is wanted", going(landing=replace(SYNCLINE, waits="review"), proposal=READY), Rest),
    ("would land, target moved", going(landing=SYNCLINE, target_moved=True, inputs_changed=True), Prepare),
    ("would land, target moved, ready", going(landing=SYNCLINE, target_moved=True, proposal=READY), MarkDraft),
    (
        "would land, target moved, people",
        going(landing=SYNCLINE, target_moved=True, people=1, proposal=READY),
        Rest,
    ),
    (
        "target moved, a review is wanted",
        going(landing=replace(SYNCLINE, waits="review"), target_moved=True, proposal=READY),
        Rest,
    ),
    ("the forge is to land", going(landing=FORGE, proposal=READY), Land),
    ("the forge is to land, a review is wanted", going(landing=replace(FORGE, waits="x"), proposal=READY), Land),
    ("the forge is to land, target moved", going(landing=FORGE, target_moved=True, proposal=READY), Land),
    ("the forge is to land, behind", going(landing=replace(FORGE, behind=True), proposal=READY), MarkDraft),
    ("armed", going(landing=ARMED, proposal=READY), Rest),
    ("armed, red", going(landing=ARMED, proposal=READY, verdict=verdict(GateState.RED)), Disarm),
    ("armed, head moved", going(landing=ARMED, proposal=READY, head=OTHER), Disarm),
    ("armed, open conflicts", going(landing=ARMED, proposal=READY, unresolved=1), Disarm),
    ("armed, changes requested", going(landing=replace(ARMED, held="ada objects"), proposal=READY), Disarm),
    ("armed, behind", going(landing=replace(ARMED, behind=True), proposal=READY), Disarm),
    (
        "armed, conflicts with target",
        going(landing=ARMED, proposal=READY, inputs_changed=True, merges_into_target=False),
        Disarm,
    ),
    ("armed, restart", replace(going(landing=ARMED, proposal=READY), restart=True), Disarm),
    ("armed, a new night", going(landing=ARMED, proposal=READY, inputs_changed=True, due_again=True), Disarm),
    ("armed, a draft", going(landing=ARMED), Disarm),
    ("armed, landed", going(landing=ARMED, proposal=READY, landed=True), Close),
    ("armed by people", going(landing=replace(SYNCLINE, armed=True), proposal=READY, unresolved=1), MarkDraft),
    ("landed by the forge", replace(NOTHING, landed_runs=("r1",)), Forget),
    ("landed as a squash", replace(NOTHING, cut_landing=(1, "b")), Rest),
    ("landed as a squash, restart", replace(NOTHING, cut_landing=(1, "b"), restart=True), Prepare),
    ("another machine was first", replace(NOTHING, prepared=replace(PREPARED, beaten=True)), GiveWay),
    (
        "another machine has proposed it",
        replace(going(merge_found=False), prepared=replace(PREPARED, beaten=True)),
        GiveWay,
    ),
    ("a new comment", steered(going(), unnoted=(1,)), NoteOrders),
    ("an order", steered(going(), ordered(Kind.RETRY)), Obey),
    ("an order before anything else", steered(going(inputs_changed=True, due_again=True), TAKE), Obey),
    ("an order on another proposal", steered(going(), ordered(Kind.RETRY, on=7)), Refuse),
    ("an order, branch gone", steered(going(merge_found=False), TAKE), Refuse),
    ("abort, branch gone", steered(going(merge_found=False), ordered(Kind.ABORT)), Obey),
    ("an order on what has ended", steered(NOTHING, TAKE, ended=ProposalState.CLOSED), Refuse),
    ("a pause of what has ended", steered(NOTHING, ordered(Kind.PAUSE), ended=ProposalState.MERGED), Refuse),
    ("an abort cut off", steered(NOTHING, ordered(Kind.ABORT), ended=ProposalState.CLOSED), Obey),
    ("abort of what has landed", steered(NOTHING, ordered(Kind.ABORT), ended=ProposalState.MERGED), Refuse),
    ("an order, ready but red", steered(going(proposal=READY, verdict=verdict(GateState.RED)), TAKE), MarkDraft),
    ("a comment, armed but red", steered(going(landing=ARMED, proposal=READY, stops=1), unnoted=(1,)), Disarm),
    ("paused", steered(going(), pause=PAUSE), Rest),
    ("paused, nothing open", steered(NOTHING, pause=PAUSE, ended=ProposalState.MERGED), Rest),
    ("paused, restart", replace(steered(NOTHING, pause=PAUSE, ended=ProposalState.CLOSED), restart=True), Rest),
    ("paused, ready, red", steered(going(proposal=proposal(draft=False), stops=1), pause=PAUSE), MarkDraft),
    ("paused, armed", steered(going(proposal=READY, landing=ARMED), pause=PAUSE), Disarm),
    ("paused, an order", steered(going(), TAKE, pause=PAUSE), Refuse),
    ("paused, resume", steered(going(), ordered(Kind.RESUME), pause=PAUSE), Obey),
)


def test_what_is_to_be_taken_is_one_commit() -> None:
    other = ordered(Kind.TAKE, "theirs", "b")
    assert decide(steered(going(), TAKE, other, ordered(Kind.RETRY), TAKE)) == Obey((TAKE, other), HEAD)


@pytest.mark.parametrize(("name", "seen", "wanted"), TABLE, ids=[row[0] for row in TABLE])
def test_usual_cases(name: str, seen: Observation, wanted: type[Action]) -> None:
    assert type(decide(seen)) is wanted, (name, decide(seen))


currents = st.builds(
    Current,
    proposal=st.builds(proposal, st.just(7), draft=st.booleans(), head=st.sampled_from([HEAD, OTHER])),
    head=st.sampled_from([HEAD, None]),
    merge_found=st.booleans(),
    landed=st.booleans(),
    source_landed=st.booleans(),
    rewound=st.booleans(),
    squashed=st.booleans(),
    inputs_changed=st.booleans(),
    policy_changed=st.booleans(),
    merges_into_target=st.booleans(),
    causes_due=st.booleans(),
    ask_due=st.sampled_from([(), ("k",)]),
    golden_due=st.sampled_from([(), ("unit",)]),
    retry_due=st.sampled_from([(), ("x",)]),
    due_again=st.booleans(),
    people=st.integers(0, 2),
    unresolved=st.integers(0, 2),
    stops=st.integers(0, 2),
    body_current=st.booleans(),
    trigger_posted=st.booleans(),
    checks_started=st.booleans(),
    checks_unfinished=st.booleans(),
    failed_checks=st.sampled_from([(), ("x",)]),
    retry_asked=st.booleans(),
    verdict=st.sampled_from([verdict(state) for state in GateState]),
    trigger_again=st.booleans(),
    verdict_shown=st.booleans(),
    repairable=st.integers(0, 2),
    repair_over=st.sampled_from(["", "people have committed"]),
    unanswered=st.sampled_from(["", "CI was asked for"]),
    target_moved=st.booleans(),
    landing=st.none()
    | st.builds(
        LandingSeen,
        by=st.sampled_from(By),
        held=st.sampled_from(["", "x"]),
        waits=st.sampled_from(["", "y"]),
        armed=st.booleans(),
        behind=st.booleans(),
    ),
)


orders = st.builds(
    ordered, st.sampled_from([one for one in Kind if one is not Kind.HELP]), on=st.sampled_from([7, 7, 3])
)
steers = st.just(Steered()) | st.builds(
    Steered,
    orders=st.lists(orders, max_size=2).map(tuple),
    unnoted=st.sampled_from([(), (), (7,)]),
    pause=st.sampled_from([None, PAUSE]),
)


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    current = draw(st.none() | currents)
    opened = () if current is None else (current.proposal,)
    if current is not None and draw(st.booleans()):
        opened = (proposal(3), current.proposal)
    attempts = draw(st.integers(0, 2))
    return Observation(
        lane="l",
        plan=draw(st.sampled_from([PLAN, UP_TO_DATE])),
        inputs="i",
        attempts=attempts,
        closed_by_people=attempts > 0 and draw(st.booleans()),
        open_proposals=opened,
        current=current,
        prepared=draw(
            st.sampled_from(
                [None, PREPARED, replace(PREPARED, pushed=OTHER), replace(PREPARED, pushed=OTHER, beaten=True)]
            )
        ),
        unannounced=draw(st.sampled_from([None, (1, 7)])) if current is not None else None,
        restart=draw(st.booleans()),
        cut_landing=draw(st.sampled_from([None, (1, "b")])) if current is None else None,
        landed_runs=draw(st.sampled_from([(), ("r1",)])),
        steered=replace(
            draw(steers),
            ended=None if opened else draw(st.sampled_from([*ProposalState][1:] if attempts else [None])),
        ),
    )


@given(observations())
def test_ready_only_when_proven(seen: Observation) -> None:
    action = decide(seen)
    run = seen.current
    says_ready = isinstance(action, MarkReady) or (isinstance(action, Rest) and action.outcome is Outcome.READY)
    if not says_ready:
        return
    assert run is not None
    assert run.verdict is not None
    assert run.verdict.green
    assert (run.unresolved, run.stops) == (0, 0)
    assert run.merge_found
    assert not run.rewound
    assert not run.squashed
    assert run.head == run.proposal.head_sha
    assert run.checks_started
    assert not run.checks_unfinished
    assert not run.landed


@given(observations())
def test_only_what_was_judged_lands(seen: Observation) -> None:
    action = decide(seen)
    run = seen.current
    if isinstance(action, Land):
        assert run is not None
        assert run.landing is not None
        assert run.landing.by is not By.PEOPLE
        assert not run.landing.held
        assert run.provable
        assert not run.proposal.draft
        assert action.head == run.head == run.proposal.head_sha
        assert not seen.restart
        assert not any((run.rewound, run.squashed, run.landed, run.checks_unfinished))
        if run.landing.by is By.SYNCLINE:
            assert not run.target_moved


@given(observations())
def test_the_forge_lands_by_itself_only_what_is_proven(seen: Observation) -> None:
    run = seen.current
    if run is None or run.landing is None or run.landing.by is not By.FORGE or not run.landing.armed or run.landed:
        return
    action = decide(seen)
    housekeeping = isinstance(action, Supersede | Announce | Forget | GiveWay) and not run.proposal.draft
    if not (run.provable and not run.landing.held and run.head == run.proposal.head_sha) and not housekeeping:
        assert isinstance(action, Disarm | Supersede | Announce | Forget | GiveWay), action


@given(observations())
def test_never_a_second_open_proposal(seen: Observation) -> None:
    if isinstance(decide(seen), Open):
        assert not seen.open_proposals


@given(observations())
def test_people_s_commits_are_never_superseded_unasked(seen: Observation) -> None:
    action = decide(seen)
    run = seen.current
    if run is not None and run.people and run.merge_found and not seen.restart and len(seen.open_proposals) == 1:
        assert not isinstance(action, Supersede | Prepare | Push)
        if isinstance(action, Close):
            assert run.landed or run.source_landed or run.head is None


@given(observations())
def test_only_a_draft_that_is_wanted_as_it_is_is_repaired(seen: Observation) -> None:
    action = decide(seen)
    if isinstance(action, Repair):
        run = seen.current
        assert run is not None
        assert run.proposal.draft
        assert action.head == run.head == run.proposal.head_sha
        assert not any((run.landed, run.repair_over, run.squashed, run.rewound))


@given(observations())
def test_a_draft_never_stays_ready_without_proof(seen: Observation) -> None:
    action = decide(seen)
    run = seen.current
    if isinstance(action, Rest) and run is not None and not run.proposal.draft:
        held = action.outcome is Outcome.PAUSED and (run.proven or run.landed or run.head is None)
        assert action.outcome is Outcome.READY or held


@given(observations())
def test_a_paused_lane_does_nothing_but_what_people_order(seen: Observation) -> None:
    action = decide(seen)
    if seen.steered.pause is None:
        assert not (isinstance(action, Rest) and action.outcome is Outcome.PAUSED)
        return
    assert isinstance(action, NoteOrders | Obey | Refuse | MarkDraft | ShowVerdict | Disarm | Rest)
    if isinstance(action, ShowVerdict):
        assert seen.current is not None
        assert seen.current.verdict is not None
        assert not seen.current.verdict.green
    if isinstance(action, Obey):
        assert {order.kind for order in action.orders} <= {Kind.PAUSE, Kind.RESUME, Kind.ABORT}
    if isinstance(action, Rest):
        assert action.outcome is Outcome.PAUSED


@given(observations())
def test_every_order_is_answered_in_its_turn(seen: Observation) -> None:
    action = decide(seen)
    waiting = seen.steered.orders
    if isinstance(action, MarkDraft) and (waiting or seen.steered.unnoted):  # before anybody is answered
        assert seen.current is not None
        assert not seen.current.proven
        assert not seen.current.proposal.draft
    elif seen.steered.unnoted:
        assert action == NoteOrders(7)
    elif waiting:
        assert isinstance(action, Obey | Refuse)
        answered = action.orders if isinstance(action, Obey) else (action.order,)
        assert answered == waiting[: len(answered)]
    else:
        assert not isinstance(action, Obey | Refuse | NoteOrders)


@given(observations())
def test_one_effect_at_a_time_and_the_same_for_the_same(seen: Observation) -> None:
    assert decide(seen) == decide(seen)
    if isinstance(decide(seen), Push):
        assert seen.prepared is not None
        assert seen.prepared.pushed is None

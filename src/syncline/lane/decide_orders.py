"""What follows from people's orders: it goes before everything else. Pure."""

from itertools import takewhile

from syncline.forge.orders import Kind, Order
from syncline.forge.protocol import ProposalState
from syncline.lane.actions import Action, MarkDraft, NoteOrders, Obey, Outcome, Refuse, Rest, ShowVerdict
from syncline.lane.decide_landing import disarm
from syncline.lane.observation import Current, Observation

_WHILE_PAUSED = frozenset({Kind.PAUSE, Kind.RESUME, Kind.ABORT})
_AT_NO_RUN = frozenset({Kind.PAUSE, Kind.RESUME, Kind.ABORT})


def steer(seen: Observation) -> Action | None:
    """Return what people's orders ask for; None where they ask for nothing."""
    steered = seen.steered
    if not (steered.unnoted or steered.orders):
        return _hold(seen) if steered.pause is not None else None
    # Orders may go on and on, or fail: what is not proven is a draft before.
    if (due := _draft(seen.current)) is not None:
        return due
    return NoteOrders(steered.unnoted[0]) if steered.unnoted else _order(seen, steered.orders)


def _order(seen: Observation, orders: tuple[Order, ...]) -> Action:
    first = orders[0]
    why = _against(seen, first)
    if why:
        return Refuse(first, why)
    head = seen.current.head if seen.current is not None else None
    if first.kind is not Kind.TAKE:
        return Obey((first,), head)
    # What is to be taken at once is one commit, and CI runs once.
    same = takewhile(lambda one: one.kind is Kind.TAKE and one.proposal == first.proposal, orders)
    return Obey(tuple(same), head)


def _against(seen: Observation, order: Order) -> str:
    """Return why an order is not carried out, whatever the files and checks say; empty: nothing stands against."""
    steered = seen.steered
    if steered.ended is not None:
        again = {Kind.RESUME} | ({Kind.ABORT} if steered.ended is ProposalState.CLOSED else set())
        return "" if order.kind in again else f"proposal {order.proposal} is {steered.ended}"
    if steered.pause is not None and order.kind not in _WHILE_PAUSED:
        return f"{steered.pause}: /syncline resume comes first"
    if order.kind in _AT_NO_RUN:
        return ""
    if seen.current is None or seen.current.proposal.number != order.proposal:
        return "the lane goes on in another proposal"
    if seen.current.head is None or not seen.current.merge_found:
        return f"branch {seen.current.proposal.branch} does not hold the sync any more"
    return ""


def _hold(seen: Observation) -> Action:
    """Rest, whatever there is to do; nothing lands, and nothing stays ready or shown green that is not proven."""
    run = seen.current
    rest = Rest(Outcome.PAUSED, f"{seen.steered.pause}; /syncline resume there lets the lane go on")
    if run is None:
        return rest
    if (due := disarm(run, leaving=True) or _draft(run)) is not None:
        return due
    if run.head is None or run.landed or run.proven:
        return rest
    if not run.verdict_shown and run.verdict is not None and not run.verdict.green:
        return ShowVerdict(run.proposal.number, run.head)
    return rest


def _draft(run: Current | None) -> MarkDraft | None:
    """Hold back what is ready and not proven; None where that is not so."""
    if run is None or run.head is None or run.landed or run.proven or run.proposal.draft:
        return None
    return MarkDraft(run.proposal.number, "it is not proven any more")

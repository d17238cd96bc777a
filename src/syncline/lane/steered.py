"""What people ordered on a lane's proposals, read from the forge. Writes nothing."""

from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from syncline.config.models import Waiver
from syncline.errors import FenceError
from syncline.forge.orders import Orders
from syncline.forge.protocol import Proposal, ProposalState
from syncline.lane.context import LaneContext
from syncline.lane.observation import Steered


def read_steered(context: LaneContext, proposals: Sequence[Proposal]) -> Steered:
    """Return what is ordered on the open proposals, or on the newest one where none is open.

    The waivers that were ordered are given to the context: they count in the audit of the run, from now on.

    Args:
        context: the lane.
        proposals: all of the lane's.
    """
    steering = context.forge.steering
    if steering is None or not proposals:
        return Steered()
    opened = [one for one in proposals if one.state is ProposalState.OPEN]
    read_on = opened or [max(proposals, key=lambda one: one.number)]
    found = {one.number: steering.read(one.number) for one in read_on}
    newest = found[read_on[-1].number]
    context.waivers = tuple(_waivers(newest)) if opened else ()
    return Steered(
        orders=tuple(order for orders in found.values() for order in orders.open),
        unnoted=tuple(number for number, orders in found.items() if orders.unnoted),
        pause=next((orders.pause for orders in found.values() if orders.pause is not None), None),
        ended=None if opened else read_on[-1].state,
    )


def require_no_word(context: LaneContext, number: int) -> None:
    """Look once more for people's orders, before what cannot be taken back: looking at a lane may take minutes.

    Raises:
        FenceError: somebody ordered something on the proposal meanwhile.
    """
    said = context.forge.steering.read(number) if context.forge.steering is not None else Orders()
    if said.open or said.unnoted or said.pause is not None:
        raise FenceError(f"somebody ordered something on proposal {number} meanwhile")


def _waivers(orders: Orders) -> Iterator[Waiver]:
    for kept in orders.kept:
        try:
            yield Waiver.model_validate_json(kept.text)
        except ValidationError:
            continue  # of another version; the finding stands, and people are asked again

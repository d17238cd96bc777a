"""Landing a lane's proposal: what is observed of it, and doing it."""

from syncline.errors import FenceError, ForgeError
from syncline.forge.landing import By
from syncline.forge.protocol import Proposal
from syncline.git import CommitId
from syncline.lane.actions import Disarm, Land
from syncline.lane.context import LaneContext
from syncline.lane.observation import LandingSeen


def observe_landing(context: LaneContext, proposal: Proposal, head: CommitId) -> LandingSeen | None:
    """Return how an open proposal stands to being landed; None where nobody but people may land it."""
    lander = context.forge.lander
    if lander is None or lander.by is By.PEOPLE:
        return None
    there = lander.look(proposal.number)
    held = there.against or lander.obstacle(proposal.target) or context.not_landed.get(head, "")
    return LandingSeen(lander.by, held, there.waits, there.armed, there.behind)


def obstacle(context: LaneContext) -> str:
    """Return why nothing can land on the lane's target as a merge commit, with what to do; empty where it can."""
    lander = context.forge.lander
    return lander.obstacle(context.lane.target) if lander is not None else ""


def act_on_landing(context: LaneContext, action: Land | Disarm) -> str:
    """Land, or take back that the forge lands; return what was done, in a sentence.

    The caller has looked once more whether the head is proven. What the forge refuses for its own rules is no
    fault of the run: it stays ready, and this process does not try again at the same head.

    Raises:
        FenceError: something moved since; nothing was changed.
    """
    lander = context.forge.lander
    assert lander is not None  # noqa: S101 - see `decide_landing`
    if isinstance(action, Disarm):
        return f"{lander.disarm(action.number)}: {action.why}"
    verdict = context.verdict(action.head)
    do = lander.arm if lander.by is By.FORGE else lander.land
    try:
        return do(action.number, verdict, target_sha=action.target)
    except FenceError:
        raise
    except ForgeError as error:
        context.not_landed[action.head] = f"{error.message}{f' ({error.hint})' if error.hint else ''}"
        return f"proposal {action.number} was not landed: {error.message}"

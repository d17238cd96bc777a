"""What people's orders do. Each is done once: what was done before a kill is recognised, and only answered."""

import json
from dataclasses import dataclass
from datetime import datetime

from syncline.errors import FenceError, ForgeError, SynclineError
from syncline.forge.orders import Kind, Order
from syncline.git import CommitId
from syncline.lane.abort import abort
from syncline.lane.actions import NoteOrders, Obey, Refuse
from syncline.lane.context import LaneContext
from syncline.lane.ends import Ends
from syncline.lane.state import State
from syncline.lane.take import take
from syncline.lane.verdict import failed_checks
from syncline.lane.waive import waive


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of an order, in words for whoever gave it; `keep` is what every machine must know of it."""

    done: bool
    words: str
    keep: str = ""


def act_on_orders(context: LaneContext, ends: Ends, action: NoteOrders | Obey | Refuse, now: datetime) -> str:
    """Note, carry out or refuse what people ordered, and return what was done, in a sentence.

    Raises:
        FenceError: the branch moved since; nothing was changed.
        SynclineError: git or the forge refuses.
    """
    steering = context.forge.steering
    assert steering is not None  # noqa: S101 - somebody ordered
    match action:
        case NoteOrders():
            steering.note(action.number)
            return f"noted what was ordered on proposal {action.number}"
        case Refuse():
            return _tell(context, action.order, Answer(done=False, words=action.why))
        case Obey():
            try:
                answers = _carried_out(context, ends, action, now)
            except (FenceError, ForgeError):
                raise
            except SynclineError as error:  # an order that cannot be carried out must not stop the lane for ever
                words = f"{error.message}{f'; {error.hint}' if error.hint else ''}"
                answers = [Answer(done=False, words=words) for _ in action.orders]
            return "; ".join(
                _tell(context, order, answer) for order, answer in zip(action.orders, answers, strict=True)
            )


def _tell(context: LaneContext, order: Order, answer: Answer) -> str:
    assert context.forge.steering is not None  # noqa: S101 - somebody ordered
    context.forge.steering.answer(order, done=answer.done, words=answer.words, keep=answer.keep)
    context.journal.write(
        "order", key=order.key, proposal=order.proposal, who=order.who, order=str(order), done=answer.done,
        words=answer.words,
    )  # fmt: skip
    return f"{order} of {order.who}: {'done' if answer.done else 'not done'}: {answer.words}"


def _carried_out(context: LaneContext, ends: Ends, action: Obey, now: datetime) -> list[Answer]:
    first, head = action.orders[0], action.head
    match first.kind:
        case Kind.PAUSE:
            # The answer is the effect: it is what every machine reads (see `Steering.answer`).
            return [Answer(done=True, words="the lane is held until /syncline resume")]
        case Kind.RESUME:
            return [Answer(done=True, words="the lane goes on")]
        case Kind.ABORT:
            done = abort(context, f"{first.who} ordered it", also=(first.proposal,))
            return [Answer(done=True, words="; ".join(done) or "it is closed")]
        case _:
            pass
    assert head is not None  # noqa: S101 - see `decide_orders`
    state = _state(context, ends, head, first)
    if state is None:
        return [Answer(done=False, words="the branch does not hold the sync any more") for _ in action.orders]
    match first.kind:
        case Kind.TAKE:
            return [Answer(*one) for one in take(context, state, ends.target, action.orders, now)]
        case Kind.WAIVE:
            return [Answer(*waive(context.repository, state, first, now))]
        case Kind.RETRY:
            return [_retry(context, head, first)]
        case _:
            return [_recheck(context, ends, head, first)]


def _state(context: LaneContext, ends: Ends, head: CommitId, order: Order) -> State | None:
    shape = context.shape(head, context.forge.proposal(order.proposal).run, ends)
    return context.state(shape, ends) if shape is not None else None


def _retry(context: LaneContext, head: CommitId, order: Order) -> Answer:
    """Have failed checks run again, once: what ended after the order was begun has been run again already."""
    assert context.forge.steering is not None  # noqa: S101 - somebody ordered
    failed = failed_checks(context.verdict(head))
    ran = {check.name: check.order for check in context.results(head).checks if check.conclusion is not None}
    newest = {name: ran[name] for name in failed if name in ran}
    begun = order.begun
    if not begun:
        if not newest:
            return Answer(done=False, words=f"no check of {head.short} has failed")
        note = json.dumps({"head": head, "newest": max(newest.values())})
        begun = context.forge.steering.begin(order, note)
        if not begun:
            return Answer(done=True, words="another machine carried it out")
    at, last = _begun(begun)
    if at != head:
        return Answer(done=True, words="they were asked for again; the branch has moved since")
    names = sorted(name for name, number in newest.items() if number <= last)
    if not names:
        return Answer(done=True, words=f"the failed checks of {head.short} were asked for again")
    try:
        context.forge.retry(head, names)
    except ForgeError as error:
        return Answer(done=False, words=f"{error.message}{f'; {error.hint}' if error.hint else ''}")
    return Answer(done=True, words=f"asked for again at {head.short}: {', '.join(names)}")


def _begun(note: str) -> tuple[str, int]:
    try:
        words = json.loads(note)
        return str(words["head"]), int(words["newest"])
    except (ValueError, TypeError, KeyError):
        return "", 0


def _recheck(context: LaneContext, ends: Ends, head: CommitId, order: Order) -> Answer:
    """Judge anew; what follows from it (a draft, a new body) follows in the next steps."""
    context.forget_shapes()
    context.look_again()
    state = _state(context, ends, head, order)
    verdict = context.verdict(head)
    words = [f"the gate: {'; '.join(verdict.explain()[:3])}"]
    if state is not None and (state.unresolved or state.stops):
        words.append(f"open conflicts: {len(state.unresolved)}; findings that stop it: {len(state.stops)}")
    return Answer(done=True, words=f"{head.short}: {'; '.join(words)}")

"""The reconciler: one step (`tick`), or steps until the run rests (`sync`)."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from threading import Event
from typing import Any, Protocol

from syncline.checks.model import Check
from syncline.errors import FenceError, SynclineError
from syncline.lane.act import Effects, act
from syncline.lane.actions import (
    Action,
    AskAgents,
    Follow,
    NoteOrders,
    Outcome,
    Prepare,
    RefreshGolden,
    Repair,
    Rest,
    RetryChecks,
    ShowVerdict,
)
from syncline.lane.context import LaneContext
from syncline.lane.decide import decide
from syncline.lane.observation import Observation
from syncline.lane.observe import observe

_MAX_FENCES = 10
"""How often in a row the world may move between looking and acting before we give up for now."""
_MAX_FOLLOWS = 10
"""How often in one sync the branch may be moved on before we ask who is doing that."""
_OWN_MOVES = 10
"""Moves by syncline itself (answers of agents, repairs) that count as one by somebody else."""


class Progress(Protocol):
    """Someone who watches a lane being reconciled."""

    def observed(self, seen: Observation) -> None:
        """The lane was looked at."""

    def acting(self, action: Action) -> None:
        """An action begins."""

    def tell(self, text: str) -> None:
        """Something inside an action."""

    def check_changed(self, check: Check) -> None:
        """A check changed its state."""

    def acted(self, action: Action, done: str) -> None:
        """An action ended."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what was seen, what was decided, what was done (a sentence)."""

    seen: Observation
    action: Action
    done: str


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person asked for, beside going on."""

    restart_after: int = -1
    retry: bool = False


def tick(
    context: LaneContext, progress: Progress, *, clock: Callable[[], datetime], cancelled: Event, wishes: Wishes
) -> Step:
    """Look, decide and act once.

    Raises:
        FenceError: when something moved between looking and acting; nothing was changed.
        SynclineError: when git or the forge refuses.
    """
    now = clock()
    seen = observe(context, now, restart_after=wishes.restart_after, retry=wishes.retry)
    progress.observed(seen)
    action = decide(seen)
    if isinstance(action, Rest):
        return Step(seen, action, action.why)
    name, details = type(action).__name__, _plain(action)
    context.journal.write("begin", action=name, details=details)
    progress.acting(action)
    effects = Effects(now, progress.tell, progress.check_changed, cancelled)
    try:
        done = act(context, seen, action, effects)
    except SynclineError as error:
        context.journal.write("refused", action=name, details=details, why=error.message)
        raise
    context.journal.write("done", action=name, details=details, what=done)
    progress.acted(action, done)
    return Step(seen, action, done)


def sync(
    context: LaneContext, progress: Progress, *, clock: Callable[[], datetime], cancelled: Event, wishes: Wishes
) -> Step:
    """Step until the run rests, and return the last step, whose action is a `Rest`.

    Raises:
        SynclineError: when git or the forge refuses, or the lane moves faster than it can be followed.
    """
    fences = again = 0
    follows = 0.0
    before: Action | None = None
    while True:
        try:
            step = tick(context, progress, clock=clock, cancelled=cancelled, wishes=wishes)
        except FenceError as error:
            fences += 1
            progress.tell(f"{error.message}; looking again")
            if fences >= _MAX_FENCES:
                raise
            continue
        fences = 0
        if isinstance(step.action, Rest):
            return step
        if cancelled.is_set():
            raise KeyboardInterrupt
        again = again + 1 if step.action == before else 0
        # Somebody may take the branch's name, or give orders, again and again, but not for ever.
        if again >= (_MAX_FENCES if isinstance(step.action, Prepare | ShowVerdict | NoteOrders) else 1):
            return _done_twice(context, step)
        if isinstance(step.action, Follow):
            own = isinstance(before, AskAgents | RefreshGolden | Repair)
            follows += 1 / _OWN_MOVES if own else 1
            if follows > _MAX_FOLLOWS:
                raise SynclineError(
                    f"the branch of proposal {step.action.number} was moved again and again while its checks ran",
                    hint="does a check commit on it? people's pushes are followed by the next sync",
                )
        if isinstance(step.action, RetryChecks):
            wishes = Wishes(wishes.restart_after)
        before = step.action


def _done_twice(context: LaneContext, step: Step) -> Step:
    if context.dry_run:
        words = "a dry run waits for nothing that it would begin; what follows depends on the outcome"
        return Step(step.seen, Rest(Outcome.WAITING, words), words)
    if context.elsewhere:
        words = f"the forge does not show yet what was done: {step.done}; the next sync looks again"
        return Step(step.seen, Rest(Outcome.WAITING, words), words)
    raise SynclineError(
        f"{type(step.action).__name__} was done and is still wanted: {step.done}",
        hint="this is a fault of syncline; the journal in the git directory tells the steps",
    )


def _plain(action: Action) -> dict[str, Any]:
    return {key: value for key, value in asdict(action).items() if value is not None}

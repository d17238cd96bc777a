"""Progress on stderr: a live view in a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from syncline.checks.model import Check, CheckState, Conclusion
from syncline.cli.text import harmless
from syncline.config.models import Lane
from syncline.lane.actions import Action
from syncline.lane.observation import Observation
from syncline.lane.reconcile import Progress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

_NAMES = {
    "Prepare": "merge",
    "Push": "push",
    "Open": "propose",
    "Supersede": "supersede",
    "Announce": "supersede",
    "Close": "close",
    "Follow": "follow",
    "Describe": "describe",
    "Repair": "repair",
    "Trigger": "trigger",
    "TriggerAgain": "trigger",
    "GiveWay": "follow",
    "Forget": "land",
    "StartChecks": "checks",
    "RunChecks": "checks",
    "FindCauses": "checks",
    "RefreshGolden": "repair",
    "AskAgents": "agents",
    "RetryChecks": "checks",
    "ShowVerdict": "gate",
    "MarkReady": "ready",
    "MarkDraft": "draft",
    "Land": "land",
    "Disarm": "land",
    "NoteOrders": "orders",
    "Obey": "order",
    "Refuse": "order",
}


def stage_of(action: Action) -> str:
    """Return the word people see for an action."""
    return _NAMES.get(type(action).__name__, type(action).__name__.lower())


@contextmanager
def progress_for(lane: Lane, *, dry_run: bool = False) -> Generator[Progress]:
    """Yield a progress view fit for stderr; in a dry run it does not say that anything was done."""
    if dry_run or not sys.stderr.isatty():
        yield PlainProgress(lane, dry_run=dry_run)
        return
    from rich.console import Console  # noqa: PLC0415 - only in a terminal

    live = LiveProgress(lane, Console(stderr=True))
    try:
        yield live
    finally:
        live.close()


class PlainProgress:
    """A line for each event, for logs."""

    def __init__(self, lane: Lane, *, dry_run: bool = False) -> None:
        self._lane = lane
        self._dry_run = dry_run
        self._started = time.monotonic()
        self._told_plan = False

    def _line(self, text: str) -> None:
        elapsed = time.monotonic() - self._started
        sys.stderr.write(f"[{self._lane.name} {elapsed:6.1f}s] {harmless(text)}\n")
        sys.stderr.flush()

    def observed(self, seen: Observation) -> None:
        """Say once how far apart the branches are."""
        if not self._told_plan:
            self._told_plan = True
            self._line(plan_line(seen))

    def acting(self, action: Action) -> None:
        """Say what begins."""
        self._line(f"{stage_of(action)}{' (dry run)' if self._dry_run else ''} ...")

    def tell(self, text: str) -> None:
        """Say something inside a stage."""
        self._line(f"  {text}")

    def check_changed(self, check: Check) -> None:
        """Say how a check stands."""
        self._line(f"  check {check_line(check)}")

    def acted(self, action: Action, done: str) -> None:
        """Say what was done."""
        if not self._dry_run:
            self._line(f"{stage_of(action)}: {done}")


def plan_line(seen: Observation) -> str:
    """Return the plan in one line."""
    plan = seen.plan
    if plan.slice is None:
        return f"target has all of source; {plan.ahead} ahead"
    part = plan.slice
    rest = f", {part.left} left for later" if part.left else ""
    return f"{plan.ahead} ahead, {plan.behind} behind; slice of {part.imported} commits{rest}"


def check_line(check: Check) -> str:
    """Return how a check stands, in one line."""
    word = check.conclusion.value if check.conclusion else check.state.value
    took = f" in {check.seconds:.1f}s" if check.seconds is not None and check.conclusion else ""
    why = f": {check.summary}" if check.summary and check.conclusion not in {None, Conclusion.SUCCESS} else ""
    return f"{check.name}: {word}{took}{why}"


class LiveProgress:
    """What is done as lines, what is going on with a spinner, elapsed time and running checks."""

    def __init__(self, lane: Lane, console: "Console") -> None:
        self._lane = lane
        self._console = console
        self._started = time.monotonic()
        self._told_plan = False
        self._status: Status | None = None
        self._running: dict[str, float] = {}
        self._stage = "looking"

    def _say(self, mark: str, style: str, text: str) -> None:
        from rich.text import Text  # noqa: PLC0415 - rich is loaded already

        elapsed = f"{time.monotonic() - self._started:6.1f}s "
        self._console.print(Text.assemble((elapsed, "dim"), (f"{mark} ", style), harmless(text)), soft_wrap=True)

    def _show(self, text: str) -> None:
        from rich.markup import escape  # noqa: PLC0415 - rich is loaded already

        words = f"[bold]{escape(self._lane.name)}[/] {escape(harmless(text))}"
        if self._status is None:
            self._status = self._console.status(words)
            self._status.start()
        else:
            self._status.update(words)

    def observed(self, seen: Observation) -> None:
        """Say once how far apart the branches are."""
        if not self._told_plan:
            self._told_plan = True
            self._say("·", "cyan", plan_line(seen))

    def acting(self, action: Action) -> None:
        """Turn the spinner to what begins."""
        self._stage = stage_of(action)
        self._running.clear()
        self._show(f"{self._stage} ...")

    def tell(self, text: str) -> None:
        """Show something inside a stage beside the spinner."""
        self._show(f"{self._stage}: {text}")

    def check_changed(self, check: Check) -> None:
        """Keep the list of running checks, and a line for each that ended."""
        if check.state is CheckState.COMPLETED:
            self._running.pop(check.name, None)
            good = check.conclusion is Conclusion.SUCCESS
            self._say("✓" if good else "✗", "green" if good else "red", check_line(check))
        elif check.state is CheckState.RUNNING:
            self._running.setdefault(check.name, time.monotonic())
        if self._running:
            self._show(f"checks: waits for {', '.join(self._running)}")

    def acted(self, action: Action, done: str) -> None:
        """Leave a line of what was done."""
        self._say("✓", "green", f"{stage_of(action)}: {done}")
        self._show("looking ...")

    def close(self) -> None:
        """Take the spinner away."""
        if self._status is not None:
            self._status.stop()

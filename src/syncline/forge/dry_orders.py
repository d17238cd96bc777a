"""People's orders in a dry run: what would be noted and answered is told, and counts from then on."""

from collections.abc import Callable, Container
from dataclasses import replace

from syncline.forge.orders import Kept, Kind, Order, Orders, Pause, Steering


class DrySteering:
    """A `Steering` before another one. Nothing that goes through it is written there.

    Args:
        steering: answers the reads.
        made: the proposals that are not there, but would be; nobody orders on them.
        tell: told of each write in words.
    """

    def __init__(self, steering: Steering, made: Container[int], tell: Callable[[str], None]) -> None:
        self._steering = steering
        self._made = made
        self._tell = tell
        self._noted: set[int] = set()
        self._begun: dict[str, str] = {}
        self._answered: dict[str, tuple[Order, bool, str]] = {}

    def read(self, number: int) -> Orders:
        """How a proposal would be steered."""
        if number in self._made:
            return Orders()
        there = self._steering.read(number)
        pause, kept = there.pause, list(there.kept)
        for order, done, keep in self._answered.values():
            if order.proposal != number or not done:
                continue
            if order.kind in {Kind.PAUSE, Kind.RESUME}:
                pause = Pause(order.who, number, order.given) if order.kind is Kind.PAUSE else None
            if keep:
                kept.append(Kept(order.key, keep))
        waiting = (one for one in there.open if one.key not in self._answered)
        return Orders(
            open=tuple(replace(one, begun=self._begun.get(one.key, one.begun)) for one in waiting),
            unnoted=there.unnoted and number not in self._noted,
            pause=pause,
            kept=tuple(kept),
        )

    def note(self, number: int) -> None:
        """Tell of it."""
        self._noted.add(number)
        self._tell(f"note the new comments on proposal {number} that hold orders")

    def begin(self, order: Order, note: str) -> str:
        """Keep the note for this process."""
        return self._begun.setdefault(order.key, order.begun or note)

    def answer(self, order: Order, *, done: bool, words: str, keep: str = "") -> None:
        """Tell of it."""
        if order.key not in self._answered:
            self._answered[order.key] = order, done, keep
            self._tell(f"answer {order} by {order.who}: {'done' if done else 'not done'}: {words}")

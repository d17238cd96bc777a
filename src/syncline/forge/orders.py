"""What people order on a proposal, as any forge tells it. Values and a Protocol, no I/O."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Kind(StrEnum):
    """What can be ordered."""

    RETRY = "retry"
    PAUSE = "pause"
    RESUME = "resume"
    ABORT = "abort"
    TAKE = "take"
    WAIVE = "waive"
    RECHECK = "recheck"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody who may write to the repository wants done.

    `args` of `take` are the side (`ours` or `theirs`) and the path, those of `waive` the finding's id and the
    reason; the others have none. `index` counts the orders of one comment.
    """

    kind: Kind
    args: tuple[str, ...]
    who: str
    comment_id: int
    proposal: int
    index: int = 0
    given: str = ""
    """When, in ISO 8601."""
    begun: str = ""
    """What was noted when somebody began to carry it out (see `Steering.begin`)."""

    @property
    def key(self) -> str:
        """Names it for ever."""
        return f"{self.comment_id}.{self.index}"

    def __str__(self) -> str:
        words = {Kind.WAIVE: " because "}.get(self.kind, " ").join(self.args)
        return f"/syncline {self.kind} {words}".rstrip()


@dataclass(frozen=True, slots=True)
class Pause:
    """Who holds the lane, on which proposal, since when (ISO 8601)."""

    who: str
    proposal: int
    since: str

    def __str__(self) -> str:
        return f"paused by {self.who} on proposal {self.proposal} at {self.since}"


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept with an order that was carried out: `text` as `Steering.answer` was given it."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Orders:
    """How a proposal is steered."""

    open: tuple[Order, ...] = ()
    """Those that wait to be carried out, oldest first."""
    unnoted: bool = False
    """Whether a comment has not been noted yet; `Steering.note` does it."""
    pause: Pause | None = None
    kept: tuple[Kept, ...] = ()


class Steering(Protocol):
    """People's orders, at the forge: what is written here every machine sees.

    Every method raises ForgeError when the forge refuses or cannot answer.
    """

    def read(self, number: int) -> Orders:
        """How a proposal is steered. Writes nothing."""

    def note(self, number: int) -> None:
        """Note the comments that are new, and answer what needs nothing done: help, and what is no order."""

    def begin(self, order: Order, note: str) -> str:
        """Note beside an order, before it is carried out, by what it is known later to be done.

        Returns:
            The note of the first who began it; empty where it has been answered meanwhile.
        """

    def answer(self, order: Order, *, done: bool, words: str, keep: str = "") -> None:
        """Say what became of an order; it is not read again. The same answer again changes nothing.

        That a lane is held, or is no longer, follows from the answer to `pause` and `resume`. `keep` is
        given back by `read` for as long as the proposal is there.
        """

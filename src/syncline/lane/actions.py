"""The actions a decision can ask for: each one idempotent effect, fenced by what it was decided for."""

from dataclasses import dataclass
from enum import StrEnum

from syncline.forge.orders import Order
from syncline.git import CommitId


class Outcome(StrEnum):
    """Why a run rests."""

    UP_TO_DATE = "up-to-date"
    READY = "ready"
    NEEDS_PEOPLE = "needs-people"
    CHECKS_FAILED = "checks-failed"
    WAITING = "waiting"
    BLOCKED = "blocked"
    ENDED = "ended"
    """The run from these inputs was closed or aborted; nothing new came since."""
    PAUSED = "paused"
    """Somebody holds the lane by an order."""

    @property
    def fine(self) -> bool:
        """Whether nobody has to act."""
        return self in {Outcome.UP_TO_DATE, Outcome.READY}


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing to do now."""

    outcome: Outcome
    why: str


@dataclass(frozen=True, slots=True)
class Prepare:
    """Merge, repair, write the commits and keep them by a ref."""

    target: CommitId
    source: CommitId
    attempt: int


@dataclass(frozen=True, slots=True)
class Push:
    """Create the run's branch."""

    run: str
    branch: str
    commit: CommitId
    target: CommitId


@dataclass(frozen=True, slots=True)
class Open:
    """Open the draft proposal."""

    run: str
    branch: str
    commit: CommitId


@dataclass(frozen=True, slots=True)
class Supersede:
    """Close an open proposal in favour of another run."""

    number: int
    why: str
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Announce:
    """Say on a superseded proposal which one took its place."""

    number: int
    by: int


@dataclass(frozen=True, slots=True)
class Close:
    """End a proposal: landed, or without effect."""

    number: int
    landed: bool
    why: str


@dataclass(frozen=True, slots=True)
class Follow:
    """Take over a head that people moved."""

    number: int
    head: CommitId


@dataclass(frozen=True, slots=True)
class Describe:
    """Write the proposal's body and the report again."""

    number: int
    head: CommitId


@dataclass(frozen=True, slots=True)
class Repair:
    """Write the repair commit, or write it anew, with the mends that are proven at this head."""

    number: int
    head: CommitId
    mends: int


@dataclass(frozen=True, slots=True)
class Trigger:
    """Post the comment that starts CI on a head."""

    number: int
    head: CommitId


@dataclass(frozen=True, slots=True)
class TriggerAgain:
    """Post that comment once more, because nothing has answered."""

    number: int
    head: CommitId


@dataclass(frozen=True, slots=True)
class GiveWay:
    """Drop what was prepared here: another machine pushed the same run first."""

    run: str
    commit: CommitId


@dataclass(frozen=True, slots=True)
class Forget:
    """Let go of what is kept for runs that the forge has merged."""

    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartChecks:
    """Queue the checks of a head."""

    number: int
    head: CommitId


@dataclass(frozen=True, slots=True)
class RunChecks:
    """Run the queued checks of a head on this machine."""

    number: int
    head: CommitId


@dataclass(frozen=True, slots=True)
class FindCauses:
    """Find out why the checks of a head are red."""

    number: int
    head: CommitId


@dataclass(frozen=True, slots=True)
class RefreshGolden:
    """Take expected values from what red checks of a head left, where they are red by the sync's own doing."""

    number: int
    head: CommitId
    checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskAgents:
    """Ask the lane's agents what is open, and put on the branch what stands up to everything."""

    number: int
    head: CommitId
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetryChecks:
    """Queue failed checks of a head again: people asked, or they failed by what tends to pass."""

    number: int
    head: CommitId
    names: tuple[str, ...]
    asked: bool = True


@dataclass(frozen=True, slots=True)
class ShowVerdict:
    """Have the forge show the gate's verdict on a head."""

    number: int
    head: CommitId


@dataclass(frozen=True, slots=True)
class MarkReady:
    """Mark the proposal ready, if this is still its head."""

    number: int
    head: CommitId


@dataclass(frozen=True, slots=True)
class MarkDraft:
    """Make the proposal a draft again."""

    number: int
    why: str


@dataclass(frozen=True, slots=True)
class Land:
    """Land what was judged, or have the forge do it as soon as its rules allow it."""

    number: int
    head: CommitId
    target: CommitId
    """Target's tip that was looked at."""


@dataclass(frozen=True, slots=True)
class Disarm:
    """Take back that the forge lands a proposal by itself."""

    number: int
    why: str


@dataclass(frozen=True, slots=True)
class NoteOrders:
    """Note what people say to syncline on a proposal, and answer what needs nothing done."""

    number: int


@dataclass(frozen=True, slots=True)
class Obey:
    """Carry out an order, or several that make one commit, and answer."""

    orders: tuple[Order, ...]
    head: CommitId | None
    """The head they are carried out on; None where no proposal is open."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Answer an order that is not carried out."""

    order: Order
    why: str


Action = (
    Prepare | Push | Open | Supersede | Announce | Close | Follow | Describe | Trigger | TriggerAgain | GiveWay
    | Forget | Repair | StartChecks | RunChecks | FindCauses | RefreshGolden | AskAgents | RetryChecks
    | ShowVerdict | MarkReady | MarkDraft | Land | Disarm | NoteOrders | Obey | Refuse | Rest
)  # fmt: skip

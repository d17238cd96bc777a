"""One night of a lane on the test GitHub, as a value: what happens before its sync, and around it."""

from dataclasses import dataclass

from testing.github import Fail, Reset, SecondaryLimit
from testing.github.disturbances import Disturbance
from testing.github_lane import Fate

FAULTS: tuple[Disturbance, ...] = (
    Fail(502), Fail(502, "after"), Fail(503, html=True), Reset(), Reset("before"), SecondaryLimit(),
    SecondaryLimit(429, None),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Night:
    """What happens before the sync of a night, and around it."""

    events: tuple[str, ...] = ()
    meanwhile: tuple[tuple[str, int], ...] = ()
    """(event, just before which request of the sync)"""
    faults: tuple[tuple[int, int], ...] = ()
    """(which of `FAULTS`, at which request)"""
    stale: tuple[int, int] = (0, 0)
    """How many reads are answered from the state before the events, for REST and GraphQL."""
    killed: Fate | None = None
    skew: int = 0
    """Minutes by which the machine's clock is wrong."""
    elsewhere: bool = False
    """Whether another machine does it, with a clone of its own."""
    small_pages: bool = False
    """Whether lists come in pages of two, so that something can happen between them."""
    called: int = 0
    """Not 0: webhooks call for the sync, each delivered twice, the first so many after all others."""
    restart: bool = False

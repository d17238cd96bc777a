"""Landing in a dry run: told, and never done."""

from collections.abc import Callable

from syncline.checks.gate import Verdict
from syncline.forge.landing import By, Lander, Landing


class DryLander:
    """A `Lander` before another one. What would follow from a landing is not told: it is another sync.

    Args:
        lander: answers the reads.
        would: told of each change, once.
    """

    def __init__(self, lander: Lander, would: Callable[[str], None]) -> None:
        self._lander = lander
        self._would = would
        self._told: set[str] = set()
        self._armed: dict[int, bool] = {}

    @property
    def by(self) -> By:
        """Who is to land."""
        return self._lander.by

    def obstacle(self, target: str) -> str:
        """Why nothing can land on a branch as a merge commit."""
        return self._lander.obstacle(target)

    def look(self, number: int) -> Landing:
        """How an open proposal would stand."""
        there = self._lander.look(number)
        armed = self._armed.get(number, there.armed)
        return Landing(there.against, there.waits, armed, there.behind)

    def land(self, number: int, verdict: Verdict, *, target_sha: str) -> str:
        """Tell of it."""
        return self._tell(f"merge proposal {number} at {verdict.sha} into its target at {target_sha}")

    def arm(self, number: int, verdict: Verdict, *, target_sha: str) -> str:  # noqa: ARG002 - the Protocol's
        """Tell of it."""
        self._armed[number] = True
        return self._tell(f"have proposal {number} merged at {verdict.sha} as soon as the target's rules allow it")

    def disarm(self, number: int) -> str:
        """Tell of it."""
        self._armed[number] = False
        return self._tell(f"take back that proposal {number} is merged by the forge itself")

    def _tell(self, what: str) -> str:
        if what not in self._told:
            self._told.add(what)
            self._would(what)
        return f"would {what}"

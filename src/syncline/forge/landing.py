"""What syncline asks of a forge that can land proposals: values and a Protocol, no I/O."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from syncline.checks.gate import Verdict


class By(StrEnum):
    """Who lands a proposal that is ready."""

    PEOPLE = "off"
    SYNCLINE = "merge"
    FORGE = "auto-merge"
    """The forge itself, as soon as its own rules allow it."""


@dataclass(frozen=True, slots=True)
class Landing:
    """How a proposal stands to being landed.

    `against`: why it must not land, in words; empty where nothing stands against it. `waits`: what the target's
    rules still want of people. `armed`: whether the forge is to land it by itself. `behind`: whether the
    target's rules want a head that contains its newest commit, and this one does not.
    """

    against: str = ""
    waits: str = ""
    armed: bool = False
    behind: bool = False


class Lander(Protocol):
    """Lands proposals as merge commits. Every method raises ForgeError when the forge refuses."""

    @property
    def by(self) -> By:
        """Who is to land."""

    def obstacle(self, target: str) -> str:
        """Why nothing can land on a branch as a merge commit, with what to do; empty where it can."""

    def look(self, number: int) -> Landing:
        """How an open proposal stands."""

    def land(self, number: int, verdict: Verdict, *, target_sha: str) -> str:
        """Merge the head that was judged; what was done, in a sentence. The same again changes nothing.

        Raises:
            FenceError: the head, or the target, is another one; nothing was changed.
        """

    def arm(self, number: int, verdict: Verdict, *, target_sha: str) -> str:
        """Have the forge merge it as soon as its rules hold, or merge it where they do; raises as `land`."""

    def disarm(self, number: int) -> str:
        """Take that back; nothing to take back is fine."""

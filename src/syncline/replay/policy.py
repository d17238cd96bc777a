"""What a lane's own policy decides of a replayed conflict: coupled sets, then path rules, as in a merge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncline.merge.model import Conflict, Side
from syncline.merge.resolvers import coupled as coupled_sets
from syncline.merge.resolvers import path_rule
from syncline.merge.resolvers.patterns import matches

if TYPE_CHECKING:
    from syncline.config.models import CoupledSet, PathRule

_SIDES = {"protect": Side.OURS, "ours": Side.OURS, "theirs": Side.THEIRS}


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the policy decided of a conflict."""

    resolver: str
    side: Side | None
    """None leaves it to people: both sides moved files that go together, and nothing says which wins."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The parts of a lane's policy that choose a side."""

    rules: "Sequence[PathRule]" = ()
    coupled: "Sequence[CoupledSet]" = ()

    def of(self, conflict: Conflict) -> Ruling | None:
        """Return what is decided of a conflict; None where evidence is asked.

        Rules that put a file together (`union`, `combine`) or delete it are not replayed.
        """
        rule = path_rule.first_rule(self.rules, conflict.group)
        if rule is None or rule.take != "protect":
            coupled = next((one for one in self.coupled if matches(one.paths, conflict.path)), None)
            if coupled is not None:
                return Ruling(coupled_sets.NAME, _SIDES.get(coupled.take))
        side = _SIDES.get(rule.take) if rule is not None else None
        return Ruling(path_rule.NAME, side) if side is not None else None

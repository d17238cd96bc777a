"""Counting how answers compare with what people committed."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Tally:
    """Hunks answered, and how: the numbers of one strategy, resolver or class of files."""

    resolved: int = 0
    agree: int = 0
    unresolved: int = 0

    def count(self, *, resolved: bool, right: bool) -> None:
        """Add one hunk."""
        self.resolved += resolved
        self.agree += resolved and right
        self.unresolved += not resolved

    def as_json(self) -> dict[str, int]:
        """Return the numbers."""
        return {
            "resolved": self.resolved,
            "agree": self.agree,
            "disagree": self.resolved - self.agree,
            "unresolved": self.unresolved,
        }


@dataclass
class Strategy:
    """The score of one strategy."""

    hunks: Tally = field(default_factory=Tally)
    locks: Tally = field(default_factory=Tally)
    files_exact: int = 0
    files_resolved: int = 0
    files_total: int = 0
    merges_resolved: int = 0
    merges_exact: int = 0
    merges_total: int = 0
    by_resolver: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_suffix: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_group: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    seconds: float = 0.0
    same_layout: int | None = None
    """How many right answers are the same in white space that may mean something, too; None: not counted."""
    cost: dict[str, Any] | None = None
    """What asking took; None for what asks nobody."""

    def as_json(self) -> dict[str, Any]:
        """Return the score as the public contract has it."""
        return {
            "hunks": self.hunks.as_json() | self._layout(),
            "files": {"exact": self.files_exact, "resolved": self.files_resolved, "total": self.files_total},
            "merges": {"exact": self.merges_exact, "resolved": self.merges_resolved, "total": self.merges_total},
            "by_resolver": {name: tally.as_json() for name, tally in sorted(self.by_resolver.items())},
            "by_suffix": {name: tally.as_json() for name, tally in sorted(self.by_suffix.items())},
            "by_group": {name: tally.as_json() for name, tally in sorted(self.by_group.items())},
            "locks": self.locks.as_json(),
            "seconds": round(self.seconds, 3),
        } | ({} if self.cost is None else {"cost": self.cost})

    def _layout(self) -> dict[str, int]:
        return {} if self.same_layout is None else {"same_layout": self.same_layout}

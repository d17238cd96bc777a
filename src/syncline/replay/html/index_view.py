"""What the index shows: the figures of the summary and of the pages, as tables and drawings. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from syncline.replay.html import charts
from syncline.replay.html.fates import Fate
from syncline.replay.html.figures import Figures, wilson
from syncline.replay.run import TARGETS
from syncline.replay.summary import STRATEGIES, Summary

MAX_CLASSES = 40
"""Rows of a table of classes; the rest is summed up in one row."""


@dataclass(frozen=True, slots=True)
class ClassRow:
    """One class of hunks."""

    name: str
    counts: Mapping[Fate, int]

    @property
    def hunks(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def agreed(self) -> int:
        """Answered as people did."""
        return self.counts[Fate.AGREED]

    @property
    def answered(self) -> int:
        """Answered at all."""
        return self.agreed + self.counts[Fate.DISAGREED]

    @property
    def left(self) -> int:
        """Left open."""
        return self.hunks - self.answered


@dataclass(frozen=True, slots=True)
class TargetRow:
    """What was reached at one target."""

    name: str
    target: float
    answered: int
    agreed: int
    low: float
    high: float
    """Between these lies the true precision, with a probability of 95 %."""


@dataclass(frozen=True, slots=True)
class ResolverRow:
    """What one resolver offered, and what of it was accepted in its name."""

    name: str
    hunks: int
    right: int
    accepted: int
    agreed: int


def index_values(figures: Figures, summary: Summary) -> dict[str, Any]:
    """Return the values of the index page's template."""
    targets = [
        TargetRow(f"{target:.2f}", target, tally.resolved, tally.agree, *wilson(tally.agree, tally.resolved))
        for target, tally in ((target, summary.curve[target]) for target in TARGETS)
    ]
    bins = figures.bins()
    apart = sum(abs(one.mean - one.actual) * one.count for one in bins) / figures.hunks if figures.hunks else None
    total = ClassRow("all hunks", figures.fates)
    tables = (
        ("By group of files", "group", [total, *classes(figures.by_group)]),
        ("By file type", "suffix", classes(figures.by_suffix)),
        ("By what people wrote", "answer", classes(figures.by_answer)),
    )
    return {
        "summary": summary,
        "strategies": [(name, summary.results[name]) for name in STRATEGIES],
        "targets": targets,
        "figures": figures,
        "total": total,
        "tables": tables,
        "resolvers": resolvers(figures, summary),
        "bins": bins,
        "apart": apart,
        "curve_chart": _curve_chart(figures, summary, targets),
        "calibration_chart": charts.calibration(bins),
        "time_chart": charts.over_time(figures.merges),
        "merges": list(reversed(figures.merges)),
    }


def _curve_chart(figures: Figures, summary: Summary, targets: list[TargetRow]) -> charts.Chart:
    hunks = max(summary.hunks, 1)
    reached = [
        (f"at {row.name}", row.answered / hunks, row.agreed / row.answered) for row in targets if row.answered
    ]
    plain = []
    for name in STRATEGIES:
        tally = summary.results[name].hunks
        if name != "syncline" and tally.resolved:
            plain.append((name, tally.resolved / hunks, tally.agree / tally.resolved))
    return charts.risk_coverage(figures.curve(), reached, plain)


def classes(counts: Mapping[str, Counter[Fate]]) -> list[ClassRow]:
    """Return the classes, the largest first; beyond `MAX_CLASSES` they are summed up."""
    rows = sorted(
        (ClassRow(name, fates) for name, fates in counts.items()), key=lambda row: (-row.hunks, row.name)
    )
    rest = rows[MAX_CLASSES:]
    if len(rest) < 2:
        return rows
    together: Counter[Fate] = Counter()
    for row in rest:
        together.update(row.counts)
    return [*rows[:MAX_CLASSES], ClassRow(f"{len(rest)} more", together)]


def resolvers(figures: Figures, summary: Summary) -> list[ResolverRow]:
    """Return what each resolver did, the one that settled most first."""
    accepted = summary.results["syncline"].by_resolver
    rows = []
    for name in figures.spoken.keys() | accepted.keys():
        spoken, tally = figures.spoken.get(name), accepted.get(name)
        rows.append(
            ResolverRow(
                name,
                spoken.hunks if spoken else 0,
                spoken.right if spoken else 0,
                tally.resolved if tally else 0,
                tally.agree if tally else 0,
            )
        )
    return sorted(rows, key=lambda row: (-row.accepted, -row.hunks, row.name))

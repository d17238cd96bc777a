"""What the index shows: the figures of the summary and of the pages, as tables and drawings. Pure."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from syncline.replay.html import charts
from syncline.replay.html.fates import Fate
from syncline.replay.html.figures import Figures, wilson
from syncline.replay.run import TARGETS
from syncline.replay.score import Strategy, Tally
from syncline.replay.summary import STRATEGIES, Summary
from syncline.replay.truth import LeftOut

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


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The same hunks, as each strategy answered them."""

    name: str
    """What class of files they are in, or of which merge."""
    hunks: int
    cells: tuple[Tally, ...]
    """For each strategy, in their order."""
    date: str = ""
    page: str = ""
    """Of the merge."""


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
        "left_out": [(LeftOut(why).said_of(count), count) for why, count in sorted(summary.left_out.items())],
        "strategies": list(summary.results.items()),
        "by_class": (
            ("By group of files, all strategies", _by_class(summary, lambda one: one.by_group)),
            ("By file type, all strategies", _by_class(summary, lambda one: one.by_suffix)),
            ("By merge, all strategies, newest first", _by_merge(figures, summary)),
        ),
        "targets": targets,
        "figures": figures,
        "total": total,
        "tables": tables,
        "resolvers": resolvers(figures, summary),
        "bins": bins,
        "too_sure": [one for one in reversed(bins) if one.interval[1] < one.mean],
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


def _by_class(summary: Summary, of: Callable[[Strategy], Mapping[str, Tally]]) -> list[SideBySide]:
    """Return the classes for all strategies, the largest first; beyond `MAX_CLASSES` they are summed up."""
    results = [of(strategy) for strategy in summary.results.values()]
    names = {name: tally.resolved + tally.unresolved for name, tally in of(summary.results["syncline"]).items()}
    order = sorted(names, key=lambda name: (-names[name], name))
    rest = order[MAX_CLASSES:]
    parts = [(name, [name]) for name in order[:MAX_CLASSES]]
    parts += [(f"{len(rest)} more", rest)] if len(rest) > 1 else [(name, [name]) for name in rest]
    return [
        SideBySide(title, sum(names[one] for one in part), tuple(_together(tallies, part) for tallies in results))
        for title, part in parts
    ]


def _together(tallies: Mapping[str, Tally], names: Sequence[str]) -> Tally:
    found = [tallies[name] for name in names if name in tallies]
    return Tally(*(sum(getattr(one, key) for one in found) for key in ("resolved", "agree", "unresolved")))


def _by_merge(figures: Figures, summary: Summary) -> list[SideBySide]:
    return [
        SideBySide(row.sha, row.hunks, tallies, row.date, row.page)
        for row, tallies in zip(reversed(figures.merges), reversed(summary.merge_tallies), strict=True)
        if row.hunks
    ]


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

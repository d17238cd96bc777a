"""What triage says of one commit: its faults with causes, and how red checks stand on both parents. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from syncline.checks.logs.as_json import failure_as_json
from syncline.checks.triage.cause import Cause, Saw, Triaged, Witness
from syncline.checks.triage.retry import OnRetry
from syncline.checks.triage.stand import fails_alike

PARENTS = ("target", "source")


@dataclass(frozen=True, slots=True)
class Cell:
    """How one check stands on one parent. `same`: it fails there by everything it fails by in the merge."""

    saw: Saw
    by: str
    sha: str
    same: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One red check in the merge and on both parents."""

    check: str
    merge: str
    """How it ended in the merge, in the words of its conclusion."""
    target: tuple[Cell, ...]
    """All that is known; none where nobody ran it."""
    source: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All of it."""

    sha: str
    faults: tuple[Triaged, ...]
    rows: tuple[Row, ...]
    on_retry: tuple[OnRetry, ...] = ()
    """Checks that passed only when they were run again."""
    notes: tuple[str, ...] = ()
    """What could not be read or run."""

    @property
    def by_the_sync(self) -> tuple[Triaged, ...]:
        """The faults that the sync has to mend."""
        return tuple(one for one in self.faults if one.verdict.cause is Cause.SYNC)


def rows(red: Iterable[tuple[str, str, frozenset[str]]], witnesses: Sequence[Witness]) -> tuple[Row, ...]:
    """Return the table of both parents, sorted by check.

    Args:
        red: for each red check its name, its conclusion, and the signatures it fails by.
        witnesses: of both parents.
    """
    made = []
    for check, conclusion, signatures in sorted(red, key=lambda one: one[:2]):
        cells = {
            parent: tuple(
                sorted(
                    {
                        Cell(one.saw, one.by, one.sha, same=fails_alike(one, signatures))
                        for one in witnesses
                        if one.parent == parent and one.check == check
                    },
                    key=lambda cell: (cell.by, cell.sha, cell.saw, cell.same),
                )
            )
            for parent in PARENTS
        }
        made.append(Row(check, conclusion, cells["target"], cells["source"]))
    return tuple(made)


def cell_words(cells: Iterable[Cell]) -> str:
    """Return what is known of a check on a parent in a few words, each once."""
    said = dict.fromkeys(_words(cell) for cell in cells)
    return "; ".join(said) or "not run"


def _words(cell: Cell) -> str:
    by = f" ({cell.by})" if cell.by else ""
    match cell.saw:
        case Saw.FAILED:
            return f"fails the same way{by}" if cell.same else f"fails otherwise{by}"
        case Saw.UNFINISHED:
            return f"cut off{by}"
        case Saw.PASSED | Saw.NOT_RUN:
            return f"{cell.saw.value}{by}"


def as_json(report: Report) -> dict[str, Any]:
    """Return the document of `triage PROPOSAL --json`."""
    return {
        "sha": report.sha,
        "faults": [fault_as_json(one) for one in report.faults],
        "table": [
            {"check": row.check, "merge": row.merge}
            | {parent: [_cell_as_json(cell) for cell in getattr(row, parent)] for parent in PARENTS}
            for row in report.rows
        ],
        "passed_on_retry": [{"check": one.check, "failed": one.failed} for one in report.on_retry],
        "counts": {cause.value: sum(one.verdict.cause is cause for one in report.faults) for cause in Cause},
        "notes": list(report.notes),
    }


def fault_as_json(fault: Triaged) -> dict[str, Any]:
    """Return one fault with its cause."""
    cluster, verdict = fault.cluster, fault.verdict
    return {
        "signature": cluster.signature,
        "cause": verdict.cause.value,
        "confidence": verdict.confidence,
        "failure": failure_as_json(cluster.first),
        "checks": list(cluster.checks),
        "tests": list(cluster.tests),
        "count": cluster.count,
        "evidence": [{"sha": one.sha or None, "why": one.words} for one in verdict.evidence],
        "witnesses": [
            {"parent": one.parent, "check": one.check, "sha": one.sha, "saw": one.saw.value, "by": one.by or None,
             "signatures": sorted(one.signatures)}
            for one in verdict.witnesses
        ],
    }  # fmt: skip


def _cell_as_json(cell: Cell) -> dict[str, Any]:
    return {"saw": cell.saw.value, "same": cell.same, "by": cell.by or None, "sha": cell.sha}

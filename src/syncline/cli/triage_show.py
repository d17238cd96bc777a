"""Triage as text: each fault with its cause, and the table of both parents."""

from collections.abc import Sequence

from syncline.checks.logs.failure import LogFailure
from syncline.checks.triage.cause import Triaged
from syncline.checks.triage.report import Report, Row, cell_words
from syncline.cli.text import one_line, say

_MOST_NAMES = 3
_WIDEST = 60


def show(report: Report, what: str) -> None:
    """Print a report; `what` names what was looked at."""
    red = sum(row.merge != "success" for row in report.rows)
    faults = len(report.faults)
    if not report.rows:
        say(f"{what}: no check is red at {report.sha}")
    else:
        say(f"{what}: {_count(faults, 'fault')} behind {_count(red, 'red check')} at {report.sha}")
    for fault in report.faults:
        say()
        for line in fault_lines(fault):
            say(line)
    for one in report.on_retry:
        say()
        say(f"flaky: {one.check} passed only after {_count(one.failed, 'failed attempt')} on this commit")
    if report.rows:
        say()
        for line in table_lines(report.rows):
            say(line)
    for note in report.notes:
        say(f"note: {one_line(note)}")


def fault_lines(fault: Triaged) -> list[str]:
    """Return a fault as lines: its cause and message, where it is, what it fails, and the evidence."""
    cluster, verdict = fault.cluster, fault.verdict
    sure = f" ({verdict.confidence:.2f})" if verdict.confidence else ""
    lines = [f"{verdict.cause.value}{sure}: {failure_words(cluster.first)}"]
    if place := _place(cluster.first):
        lines.append(f"  at {place}")
    if cluster.first.chain not in {(), (cluster.first.path,)}:
        lines.append(f"  through {' -> '.join(cluster.first.chain)}")
    tests = f"; {_count(len(cluster.tests), 'test')}: {_some(cluster.tests)}" if cluster.tests else ""
    lines.append(f"  fails {_count(len(cluster.checks), 'check')}: {_some(cluster.checks)}{tests}")
    said = ((one_line(one.words), one.sha) for one in verdict.evidence)
    return [*lines, *(f"  because {words}" + (f" [{sha[:10]}]" if sha else "") for words, sha in said)]


def failure_words(failure: LogFailure) -> str:
    """Return what a failure says, on one line."""
    return one_line(f"{failure.kind}: {failure.message}" if failure.message else failure.kind)


def table_lines(rows: Sequence[Row]) -> list[str]:
    """Return the table of the merge and both parents, its columns aligned."""
    table = [("check", "merge", "target", "source")]
    table += [(row.check, row.merge, cell_words(row.target), cell_words(row.source)) for row in rows]
    widths = [min(_WIDEST, max(len(line[column]) for line in table)) for column in range(3)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[3]]).rstrip()
        for line in table
    ]


def _place(failure: LogFailure) -> str:
    line = f":{failure.line}" if failure.path and failure.line is not None else ""
    symbol = f" in {failure.symbol}" if failure.symbol else ""
    return f"{failure.path}{line}{symbol}".strip()


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"

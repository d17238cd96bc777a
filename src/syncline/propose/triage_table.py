"""Triage as Markdown for a proposal's body: the faults, and how each red check stands on both parents. Pure."""

from collections.abc import Iterable, Sequence

from syncline.checks.triage.cause import Cause, Triaged
from syncline.checks.triage.report import Cell, Report, Row, cell_words
from syncline.markup.markdown import CLOSING, code, html_text, opening, table, text

MOST_FAULTS = 20
MOST_ROWS = 50
_MOST_NAMES = 3
_MOST_EVIDENCE = 6
_LONGEST = 300

_WHOSE = {
    Cause.SYNC: "this sync",
    Cause.TARGET: "inherited from target",
    Cause.SOURCE: "inherited from source",
    Cause.BOTH: "inherited from both",
    Cause.EXPOSED: "inherited, and never run there",
    Cause.FLAKY: "flaky",
    Cause.INFRASTRUCTURE: "infrastructure",
    Cause.DEPENDENCY: "a dependency",
    Cause.UNKNOWN: "unknown",
}


def triage_section(report: Report) -> str:
    """Return the section on red checks; empty where none is red and none was flaky.

    Whatever logs say is shown as text: nothing in it becomes markup, a mention or a link. Its length is bounded.
    """
    if not report.rows and not report.on_retry:
        return ""
    parts = ["### Why checks are red\n"]
    if report.faults:
        parts.append(_faults(report.faults))
    if report.rows:
        parts.append(_parents(report.rows))
    parts += [
        f"- {code(one.check)} passed only after {one.failed} failed attempt{'' if one.failed == 1 else 's'}"
        " on this commit: flaky\n"
        for one in report.on_retry[:MOST_ROWS]
    ]
    parts += [f"- {text(note, _LONGEST)}\n" for note in report.notes[:_MOST_EVIDENCE]]
    return "\n".join(parts)


def _faults(faults: Sequence[Triaged]) -> str:
    rows = [
        (
            f"**{_WHOSE[one.verdict.cause]}**"
            + (f" ({one.verdict.confidence:.2f})" if one.verdict.confidence else ""),
            _fault(one),
            _names(one.cluster.checks),
        )
        for one in faults[:MOST_FAULTS]
    ]
    more = f"\n… and {len(faults) - MOST_FAULTS} more faults\n" if len(faults) > MOST_FAULTS else ""
    evidence = "".join(_evidence(one) for one in faults[:MOST_FAULTS])
    return table(("whose", "fault", "fails"), rows) + more + "\n" + evidence


def _fault(fault: Triaged) -> str:
    first = fault.cluster.first
    words = code(f"{first.kind}: {first.message}" if first.message else first.kind, _LONGEST)
    if not first.path:
        return words
    place = first.path + (f":{first.line}" if first.line is not None else "")
    return f"{words} at {code(place, _LONGEST)}"


def _evidence(fault: Triaged) -> str:
    told = fault.verdict.evidence
    if not told:
        return ""
    title = html_text(f"Evidence: {fault.cluster.first.kind} ({_WHOSE[fault.verdict.cause]})"[:_LONGEST])
    lines = [
        f"- {text(one.words, _LONGEST)}" + (f" ({code(one.sha[:10])})" if one.sha else "")
        for one in told[:_MOST_EVIDENCE]
    ]
    if len(told) > _MOST_EVIDENCE:
        lines.append(f"- … and {len(told) - _MOST_EVIDENCE} more")
    if fault.cluster.first.chain not in {(), (fault.cluster.first.path,)}:
        lines.insert(0, f"- through {' → '.join(code(path, 120) for path in fault.cluster.first.chain[:12])}")
    return opening(title) + "\n".join(lines) + "\n" + CLOSING


def _parents(rows: Sequence[Row]) -> str:
    shown = [(code(row.check), text(row.merge), _cell(row.target), _cell(row.source)) for row in rows[:MOST_ROWS]]
    more = f"\n… and {len(rows) - MOST_ROWS} more checks\n" if len(rows) > MOST_ROWS else ""
    return table(("check", "merge", "target", "source"), shown) + more


def _cell(cells: Iterable[Cell]) -> str:
    return text(cell_words(cells), _LONGEST)


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(code(name, 80) for name in names[:_MOST_NAMES]) + more

"""The full report as one self-contained HTML page. Nothing is loaded from anywhere; works without scripts."""

import html
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncline.audit.explain.html import FILTERS, TEMPLATES, what_findings_need
from syncline.audit.explain.told import summary as told_summary
from syncline.markup.page import asset, content_hash, environment
from syncline.markup.plain_text import block
from syncline.propose import picture, words
from syncline.propose.category import Category
from syncline.propose.model import DecisionRow, DiffText, HunkText, JudgedHunk, OpenPath, Report
from syncline.propose.outcome import Outcome
from syncline.propose.test_rows import seconds_text

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_HERE = Path(__file__).parent
_CATEGORIES = [category.value for category in Category]
_STATUSES = ("unresolved", "settled", "resolved", "kept")


@dataclass(frozen=True, slots=True)
class _Path:
    """Everything the page shows of one decided path."""

    anchor: str
    row: DecisionRow
    diff: DiffText | None
    open: OpenPath | None

    @property
    def regions(self) -> list[tuple[int, HunkText | None, JudgedHunk | None]]:
        """By hunk its two sides and what evidence says of it; either may not be shown."""
        texts = {hunk.index: hunk for hunk in self.row.hunks}
        judged = {hunk.index: hunk for hunk in self.row.judged}
        return [(index, texts.get(index), judged.get(index)) for index in sorted(texts | judged)]


def render_html(report: Report) -> str:
    """Return the page.

    Args:
        report: what to tell; its texts may hold anything.
    """
    template = _environment().get_template("report.html.jinja")
    style, script = asset(_HERE / "report.css"), asset(_HERE / "report.js")
    groups = _groups(report)
    anchors = {path.row.path: path.anchor for _, paths in groups for path in paths}
    return template.render(
        report=report,
        state=words.state_of(report),
        summary=words.summary(report),
        totals_sentence=words.totals_sentence(report),
        lying=picture.lying(report),
        standing=picture.standing(report),
        picture_words=picture.describe(report),
        groups=groups,
        anchors=anchors,
        **_audit(report),
        other_diffs=[diff for diff in report.diffs if diff.path not in anchors],
        choices=_choices(report),
        languages=_bars(report),
        sides=_sides,
        words=words,
        count=words.count,
        is_url=_is_url,
        style=style,
        script=script,
        style_hash=content_hash(style),
        script_hash=content_hash(script),
    )


def _audit(report: Report) -> dict[str, Any]:
    """Return what the template shows of the audit."""
    told = report.audit
    if told is None:
        return {"groups_of_audit": (), "audit_summary": "", "excerpt": None, "never": {}}
    needed = what_findings_need(told)
    return {
        "groups_of_audit": needed["groups"],
        "audit_summary": told_summary(told),
        "excerpt": needed["excerpt"],
        "never": needed["never"],
    }


@cache
def _environment() -> "Environment":
    return environment(
        (_HERE, TEMPLATES),
        FILTERS
        | {
            "seconds": seconds_text,
            "capital": words.sentence_case,
            "diff": _diff_markup,
            "outcome": lambda value: words.OUTCOMES[Outcome(value)][0],
            "percent": lambda value: f"{value:.0%}",
        },
    )


def _is_url(text: str) -> bool:
    return text.startswith(("https://", "http://"))


def _groups(report: Report) -> list[tuple[str, list[_Path]]]:
    """Return the decided paths by category, what is open first in each."""
    diffs = {diff.path: diff for diff in report.diffs}
    opened = {one.path: one for one in report.unresolved}
    rows = sorted(
        report.decisions,
        key=lambda row: (_CATEGORIES.index(row.category), row.status != "unresolved", row.path),
    )
    paths = [
        _Path(f"path-{number}", row, diffs.get(row.path), opened.get(row.path))
        for number, row in enumerate(rows, start=1)
    ]
    return [(name, list(group)) for name, group in groupby(paths, key=lambda path: path.row.category)]


@dataclass(frozen=True, slots=True)
class _Choice:
    """One filter: what it is called, the key it looks at, and (value, number of paths)."""

    title: str
    key: str
    values: list[tuple[str, int]]


def _choices(report: Report) -> list[_Choice]:
    rows = report.decisions
    return [
        _Choice("Status", "status", _counted((row.status for row in rows), _STATUSES)),
        _Choice("Outcome", "outcome", _counted(row.outcome for row in rows)),
        _Choice("Conflict", "kind", _counted(row.kind for row in rows)),
        _Choice("Decided by", "resolver", _counted(row.resolver or "nothing" for row in rows)),
        _Choice("Category", "category", _counted((row.category for row in rows), _CATEGORIES)),
    ]


def _counted(values: Iterable[str], order: Iterable[str] = ()) -> list[tuple[str, int]]:
    counts = Counter(values)
    first = [(value, counts.pop(value)) for value in order if value in counts]
    return first + counts.most_common()


@dataclass(frozen=True, slots=True)
class _Bar:
    """The line statistics of one language; widths are in hundredths of the longest bar."""

    name: str
    added: int
    deleted: int
    files: int
    binary: int
    added_width: float
    deleted_width: float


def _bars(report: Report) -> list[_Bar]:
    longest = max((one.added + one.deleted for one in report.languages), default=0) or 1
    return [
        _Bar(
            one.language,
            one.added,
            one.deleted,
            one.files,
            one.binary,
            round(100 * one.added / longest, 2),
            round(100 * one.deleted / longest, 2),
        )
        for one in report.languages
    ]


# --- coloured text: one element for each run of lines of a kind, not for each line -----------------------------


def _diff_markup(text: str) -> "Markup":
    kinds = {"+": "add", "-": "del", "@": "at"}
    return _runs((kinds.get(line[:1], ""), line) for line in _lines(text))


def _sides(hunk: HunkText) -> tuple["Markup", "Markup"]:
    """Return ours and theirs; lines that the other side does not have are marked."""
    ours, theirs = _lines(hunk.ours.text), _lines(hunk.theirs.text)
    return _marked(ours, theirs), _marked(theirs, ours)


def _marked(lines: list[str], others: list[str]) -> "Markup":
    known = {line.strip() for line in others}
    return _runs(("only" if line.strip() not in known else "", line) for line in lines)


def _lines(text: str) -> list[str]:
    lines = block(text).split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _runs(lines: Iterator[tuple[str, str]]) -> "Markup":
    from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    pieces = []
    for kind, run in groupby(lines, key=lambda one: one[0]):
        content = html.escape("".join(line + "\n" for _, line in run), quote=False)
        pieces.append(f'<span class="{kind}">{content}</span>' if kind else content)
    return Markup("".join(pieces))  # noqa: S704 - escaped line by line above

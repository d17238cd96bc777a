"""The proposal's body: GitHub-flavoured Markdown within the forge's limit. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from syncline.audit.explain.markdown import parts
from syncline.markup.fit import Part, Shorter, fit
from syncline.markup.markdown import (
    CLOSING,
    code,
    comment,
    fenced,
    html_code,
    html_text,
    opening,
    table,
    target,
    text,
)
from syncline.propose import words
from syncline.propose.category import Category
from syncline.propose.model import (
    CandidateText,
    CheckRow,
    CommitLine,
    DecisionRow,
    DiffText,
    FromAnswersRow,
    JudgedHunk,
    OpenPath,
    Report,
)
from syncline.propose.outcome import Outcome
from syncline.propose.test_rows import seconds_text

GITHUB_LIMIT = 65_536
"""Characters GitHub takes in the body of a proposal ("body is too long (maximum is 65536 characters)")."""

# The order in which things give way: what a reader misses least goes first.
_DIFF, _DIFF_GROUP, _COMMITS, _FILES, _HUNKS, _DECISIONS, _CHECKS, _OPEN, _LINES, _LAST = range(10)
_HELP = " Who may write here steers it by comments: `/syncline help` lists them."
_MOST_JUDGED, _MOST_HUNKS = 40, 8
"""Open paths whose hunks are shown, and hunks of one of them: the report has them all."""
_CATEGORIES = [category.value for category in Category]
_OUTCOMES = [outcome.value for outcome in words.OUTCOMES]


@dataclass(frozen=True, slots=True)
class _Link:
    """How the text names the full report, and what stands at its end for that."""

    name: str
    definition: str

    @classmethod
    def to(cls, link: str) -> "_Link":
        if link.startswith(("https://", "http://")):
            return cls("the [full report][report]", f"[report]: {target(link)}\n")
        if link:
            return cls("the full report", f"Full report: {code(link, 0)}\n")
        return cls("the full report", "")


def render_body(
    report: Report,
    *,
    limit: int = GITHUB_LIMIT,
    report_link: str = "",
    state_marker: str = "",
    landing: str = "",
    steered: bool = False,
    triage: str = "",
) -> str:
    """Return the body of the proposal.

    Args:
        report: what to tell.
        limit: most characters (code points); 2,000 at least, besides the link and the marker.
        report_link: URL or path of the full report; what is left out points there.
        state_marker: a hidden comment that the caller reads back; put in as it is, on the second line.
        landing: why it cannot land as it must, and what to do; empty where it can.
        steered: whether people's orders are read in its comments.
        triage: why checks are red, as Markdown (see `triage_table`); empty where none is.
    """
    link = _Link.to(report_link)
    head = comment(f"syncline:lane={report.lane[:100]} run={report.run[:100]}") + "\n"
    if state_marker:
        head += state_marker + "\n"
    head += "\n"
    room = limit - len(head) - len(link.definition)
    return head + fit(list(_parts(report, link, landing, steered=steered, triage=triage)), room) + link.definition


def _parts(report: Report, link: _Link, landing: str, *, steered: bool, triage: str) -> Iterator[Part]:
    yield _opening_words(report)
    if landing:
        yield Part(
            f"**It must land as a merge commit, and cannot:** {text(landing, 300)}. Squashed or rebased, its"
            " conflicts would come again in the next sync.\n\n"
        )
    yield from _needs_a_person(report, link)
    if triage:
        short = "### Why checks are red\n\nToo long to be told here: `syncline triage` tells it.\n\n"
        yield Part(f"{triage}\n", shorter=(Shorter(_CHECKS, short), Shorter(_LAST, "")))
    yield from _audit(report)
    yield _lines(report, link)
    yield _decisions(report, link)
    yield from _files(report, link)
    yield from _remerge_diff(report, link)
    yield _commits(report, link)
    yield from _tests(report, link)
    yield _gate(report)
    yield from _notes(report)
    yield Part(
        f"---\n<sub>Lane {text(report.lane, 100)}, run {text(report.run, 100)}, head {text(report.head.short)}, "
        f"made by syncline.{_HELP if steered else ''}</sub>\n\n",
        shorter=(Shorter(_LAST, ""),),
    )


def _opening_words(report: Report) -> Part:
    state = words.state_of(report)
    whole = f"**{state.name}.** {text(state.sentence)}\n\n"
    return Part(
        whole + text(" ".join(words.summary(report))) + "\n\n",
        shorter=(
            Shorter(_LAST, whole + text(" ".join(words.summary(report)), 400) + "\n\n"),
            Shorter(_LAST, whole),
        ),
    )


# --- what needs a person ------------------------------------------------------------------------------------


def _needs_a_person(report: Report, link: _Link) -> Iterator[Part]:
    if not report.stops and not report.unresolved:
        return
    yield Part("### Needs a person first\n\n")
    if report.stops:
        yield _stops(report.stops, link)
    if report.unresolved:
        if report.from_answers is not None:
            yield _from_answers(report.from_answers, link)
        yield from _asked_first(report.unresolved[0])
        yield _open_table(report.unresolved, link)
        yield _commands(report, link)
        yield from _candidates(report, link)


def _audit(report: Report) -> Iterator[Part]:
    if report.audit is not None and (report.audit.findings or report.audit.waived or report.audit.not_run):
        yield Part("### Audit\n\n" + (f"{words.NOT_SETTLED_YET}\n\n" if report.unresolved else ""))
        yield from parts(report.audit)


def _stops(stops: Sequence[str], link: _Link) -> Part:
    def some(number: int) -> str:
        lines = [f"- **Stop:** {text(stop, 600)}\n" for stop in stops[:number]]
        rest = len(stops) - number
        more = f"- {words.count(rest, 'more stop')} in {link.name}.\n" if rest > 0 else ""
        return "".join(lines) + more + "\n"

    short = f"- {words.count(len(stops), 'finding stops', 'findings stop')} this sync; see {link.name}.\n\n"
    return Part(
        some(len(stops)), shorter=(Shorter(_OPEN, some(20)), Shorter(_LINES, some(3)), Shorter(_LAST, short))
    )


def _from_answers(row: FromAnswersRow, link: _Link) -> Part:
    heading = f"**{text(words.from_answers(row))}**\n\n"
    commands = "A patch with them lies beside the report, on the machine that made it.\n\n"
    if row.commands:
        commands = "To look at them and take them over:\n\n" + fenced("\n".join(row.commands), "sh") + "\n"

    def some(number: int) -> str:
        cells = [
            [
                code(one.path),
                text(f"{one.side}, {one.confidence:.0%} sure ({one.resolver})", 200),
                text("; ".join(said.text for said in one.evidence), 300),
            ]
            for one in row.paths[:number]
        ]
        listed = table(["Path", "Answer", "Why"], cells)
        return heading + listed + _more(row.number - len(cells), "path", link) + commands

    short = f"{heading}The commands that take them over are in {link.name}.\n\n"
    return Part(some(30), shorter=(Shorter(_CHECKS, some(10)), Shorter(_OPEN, some(3)), Shorter(_LAST, short)))


def _asked_first(path: OpenPath) -> Iterator[Part]:
    why = words.speaks_for(path)
    if why:
        yield Part(f"**Answer this first:** {code(path.path)}; {text(why)}.\n\n", shorter=(Shorter(_LAST, ""),))


def _open_table(opened: Sequence[OpenPath], link: _Link) -> Part:
    telling = any(one.speaks_for for one in opened)

    def some(number: int) -> str:
        rows = [
            [
                code(one.path),
                text(one.kind),
                *([f"{one.speaks_for:,} more" if one.speaks_for else ""] if telling else []),
                text(one.in_tree),
                _commit_cell(one.ours),
                _commit_cell(one.theirs),
            ]
            for one in opened[:number]
        ]
        header = [
            "Open path",
            "Conflict",
            *(["Speaks for"] if telling else []),
            "In the tree now",
            "Target's newest change",
            "Source's newest change",
        ]
        return table(header, rows) + _more(len(opened) - number, "open path", link)

    short = f"{words.count(len(opened), 'path is', 'paths are')} open; {link.name} lists them.\n\n"
    return Part(
        some(len(opened)),
        shorter=(
            Shorter(_FILES, some(100)),
            Shorter(_CHECKS, some(40)),
            Shorter(_OPEN, some(10)),
            Shorter(_LINES, some(3)),
            Shorter(_LAST, short),
        ),
    )


def _commands(report: Report, link: _Link) -> Part:
    whole = "To settle by hand, then sync again:\n\n" + fenced("\n".join(report.settle), "sh") + "\n"
    if report.accept:
        whole += "To accept what is in the tree as it is:\n\n" + fenced("\n".join(report.accept), "sh") + "\n"
    short = f"The commands that settle them are in {link.name}.\n\n"
    return Part(whole, shorter=(Shorter(_LAST, short),))


def _candidates(report: Report, link: _Link) -> Iterator[Part]:
    """Yield for each open path what evidence says of its hunks, in the order in which they are asked."""
    rows = {row.path: row for row in report.decisions}
    asked = [rows[one.path] for one in report.unresolved if one.path in rows and rows[one.path].judged]
    if not asked:
        return
    hunks = words.count(sum(len(row.judged) + row.judged_left_out for row in asked), "hunk")
    title = f"What evidence says of {words.count(len(asked), 'open path')}, {hunks}"
    rest = len(asked) - _MOST_JUDGED
    more = (
        f"\n{words.count(rest, 'more open path is', 'more open paths are')} in {link.name}.\n" if rest > 0 else ""
    )
    yield Part(
        opening(html_text(title)),
        tuple(_judged_path(row, link) for row in asked[:_MOST_JUDGED]),
        more + CLOSING,
        shorter=(Shorter(_OPEN, f"- {title}: see {link.name}.\n\n"), Shorter(_LAST, "")),
    )


def _judged_path(row: DecisionRow, link: _Link) -> Part:
    def whole(*, texts: bool) -> str:
        parts = [f"{code(row.path)}\n\n"]
        parts += [_judged_hunk(hunk, texts=texts) for hunk in row.judged[:_MOST_HUNKS]]
        rest = len(row.judged[_MOST_HUNKS:]) + row.judged_left_out
        parts.append(_more(rest, "hunk", link))
        return "".join(parts)

    short = f"- {code(row.path)}: see {link.name}.\n"
    return Part(whole(texts=True), shorter=(Shorter(_HUNKS, whole(texts=False)), Shorter(_HUNKS, short)))


def _judged_hunk(hunk: JudgedHunk, *, texts: bool) -> str:
    lines = [f"- Hunk {hunk.index + 1}: {text(words.judged(hunk))}\n"]
    lines += [f"  - {text(one.text, 300)}\n" for one in hunk.evidence]
    for one in hunk.candidates:
        lines.append(f"  - {_candidate_line(one)}\n")
        if texts and one.text is not None and one.text.text:
            lines.append(_indented(fenced(one.text.text, ""), 4))
            lines += [f"    {text(one.text.cut)}\n"] if one.text.cut else []
    if hunk.candidates_left_out:
        lines.append(f"  - {words.count(hunk.candidates_left_out, 'less likely answer')} not shown\n")
    return "".join(lines)


def _candidate_line(one: CandidateText) -> str:
    why = "; ".join(said.text for said in one.evidence)
    return text(words.candidate(one) + (f": {why}" if why else ""), 400)


def _indented(block: str, width: int) -> str:
    return "".join(" " * width + line for line in block.splitlines(keepends=True))


# --- figures and decisions ----------------------------------------------------------------------------------


def _lines(report: Report, link: _Link) -> Part:
    def some(number: int) -> str:
        lines = [
            f"- {text(words.line_sentence(one.language, one.added, one.deleted, one.files, one.binary))}\n"
            for one in report.languages[:number]
        ]
        rest = report.languages[number:]
        if rest:
            files = words.count(sum(one.files for one in rest), "file")
            lines.append(f"- {words.count(len(rest), 'more language')}, {files}: see {link.name}.\n")
        return heading + ("".join(lines) or "- nothing differs from target\n") + "\n"

    heading = "### Lines\n\n"
    added, deleted = sum(one.added for one in report.languages), sum(one.deleted for one in report.languages)
    files = sum(one.files for one in report.languages)
    total = f"All lines: +{added:,} / -{deleted:,} across {words.count(files, 'file')}.\n\n"
    return Part(some(12), shorter=(Shorter(_LINES, some(3)), Shorter(_LAST, total)))


def _decisions(report: Report, link: _Link) -> Part:
    heading = "### Decisions\n\n"
    total = f"{words.count(len(report.decisions), 'path was', 'paths were')} decided"
    if not report.decisions:
        return Part(f"{heading}Nothing had to be decided.\n\n", shorter=(Shorter(_DECISIONS, ""),))
    rows = [
        [text(resolver), text(on), text(status), f"{number:,}"]
        for resolver, on, status, number in words.decided_by(report)
    ]
    settled = f"{text(words.totals_sentence(report))}\n\n"
    return Part(
        heading + table(["Decided by", "On", "Status", "Paths"], rows) + "\n" + settled,
        shorter=(Shorter(_DECISIONS, f"{total}; see {link.name}.\n\n"),),
    )


def _files(report: Report, link: _Link) -> Iterator[Part]:
    rows = sorted(report.decisions, key=lambda row: (_OUTCOMES.index(row.outcome), row.path))
    for outcome, group in groupby(rows, key=lambda row: row.outcome):
        yield _outcome(Outcome(outcome), list(group), link)


def _outcome(outcome: Outcome, rows: Sequence[DecisionRow], link: _Link) -> Part:
    title, meaning = words.OUTCOMES[outcome]
    number = words.count(len(rows), "path")
    head = opening(f"{title}: {number} ({meaning})")

    def some(limit: int) -> str:
        cells = [
            [code(row.path), text(row.kind), _decided_cell(row), _commit_cell(row.ours), _commit_cell(row.theirs)]
            for row in rows[:limit]
        ]
        header = ["Path", "Conflict", "Why", "Target's newest change", "Source's newest change"]
        return head + table(header, cells) + _more(len(rows) - limit, "path", link).rstrip("\n") + "\n" + CLOSING

    count_only = f"- {title}: {number}; {link.name} lists them.\n"
    return Part(
        some(len(rows)),
        shorter=(Shorter(_FILES, some(30)), Shorter(_FILES, count_only), Shorter(_LAST, "")),
    )


def _decided_cell(row: DecisionRow) -> str:
    reasons = [evidence.text for evidence in row.evidence[:2]]
    if row.basis == "evidence" and row.confidence is not None:
        reasons.insert(0, f"from evidence, {row.confidence:.0%} sure ({row.resolver})")
    if row.why:
        by = f" in {row.by.short} {row.by.subject[:80]}" if row.by else ""
        reasons.insert(0, row.why + by)
    return text("; ".join(reasons), 300)


def _commit_cell(commit: CommitLine | None) -> str:
    if commit is None:
        return "none"
    return f"{code(commit.short)} {text(commit.subject, 100)}, {text(commit.author, 40)}"


def _more(number: int, word: str, link: _Link) -> str:
    return (
        f"\n{words.count(number, f'more {word} is', f'more {word}s are')} in {link.name}.\n\n"
        if number > 0
        else "\n"
    )


# --- the remerge-diff ---------------------------------------------------------------------------------------


def _remerge_diff(report: Report, link: _Link) -> Iterator[Part]:
    if not report.diffs:
        return
    yield Part(
        "\n### Remerge-diff\n\nWhat differs between git's own result and the head, nothing else.\n\n",
        shorter=(Shorter(_LAST, ""),),
    )
    diffs = sorted(report.diffs, key=lambda diff: (_CATEGORIES.index(diff.category), diff.path))
    for category, group in groupby(diffs, key=lambda diff: diff.category):
        yield _diff_group(category, list(group), link)


def _diff_group(category: str, diffs: Sequence[DiffText], link: _Link) -> Part:
    added, deleted = sum(diff.added for diff in diffs), sum(diff.deleted for diff in diffs)
    title = f"{words.sentence_case(category)}: {words.count(len(diffs), 'file')}, +{added:,} / -{deleted:,}"
    return Part(
        opening(html_text(title)),
        tuple(_diff(diff, link) for diff in diffs),
        CLOSING,
        shorter=(Shorter(_DIFF_GROUP, f"- {title}; the diffs are in {link.name}.\n"), Shorter(_LAST, "")),
    )


def _diff(diff: DiffText, link: _Link) -> Part:
    figures = f"+{diff.added:,} / -{diff.deleted:,}"
    cut = f"\n{text(diff.patch.cut)}; see {link.name}.\n" if diff.patch.cut else ""
    return Part(
        opening(f"{html_code(diff.path)} {figures}") + fenced(diff.patch.text, "diff") + cut + CLOSING,
        shorter=(Shorter(_DIFF, f"- {code(diff.path)} {figures}; the diff is in {link.name}.\n"),),
    )


# --- commits, tests, gate -----------------------------------------------------------------------------------


def _commits(report: Report, link: _Link) -> Part:
    figures = report.figures
    counts = f"{figures.line:,} on the line of source, {figures.imported:,} in all"
    title = f"Imported commits: {counts}"
    boundary = f"{text(words.sentence_case(figures.boundary_text))}.\n"
    lines = [
        f"- {code(one.short)} {text(one.subject, 140)} ({text(one.author, 60)}, {text(one.date)})\n"
        for one in figures.commits
    ]
    if figures.commits_left_out:
        lines.append(f"- {words.count(figures.commits_left_out, 'commit')} between them not listed here.\n")
    short = f"- {title}; {link.name} lists them.\n"
    return Part(
        opening(title) + boundary + "\n" + "".join(lines) + CLOSING,
        shorter=(Shorter(_COMMITS, short), Shorter(_LAST, "")),
    )


def _tests(report: Report, link: _Link) -> Iterator[Part]:
    yield _sentences("\n### Tested\n\n", report.tested, "Nothing has been tested yet.", link)
    yield _sentences("### Not tested\n\n", report.not_tested, "Nothing known was left out.", link)
    if report.checks:
        yield _checks(report.checks, link)


def _sentences(heading: str, lines: Sequence[str], none: str, link: _Link) -> Part:
    def some(number: int) -> str:
        shown = [f"- {text(line, 300)}\n" for line in lines[:number]]
        return heading + "".join(shown) + _more(len(lines) - number, "line", link)

    if not lines:
        return Part(f"{heading}{none}\n\n", shorter=(Shorter(_LAST, ""),))
    count_only = f"{heading}{words.count(len(lines), 'line')}; see {link.name}.\n\n"
    return Part(some(len(lines)), shorter=(Shorter(_CHECKS, some(20)), Shorter(_LAST, count_only)))


def _checks(checks: Sequence[CheckRow], link: _Link) -> Part:
    rows = [
        [
            code(check.name, 100),
            text(check.conclusion or check.state),
            seconds_text(check.seconds) if check.seconds is not None else "",
            text(check.summary, 160),
            text(check.not_counted) or "counts",
        ]
        for check in checks
    ]
    title = f"Checks: {words.count(len(checks), 'result')}"
    whole = opening(title) + table(["Check", "Result", "Time", "Says", "For the gate"], rows) + CLOSING
    return Part(whole, shorter=(Shorter(_CHECKS, f"- {title}; see {link.name}.\n\n"), Shorter(_LAST, "")))


def _gate(report: Report) -> Part:
    heading = "\n### Gate\n\n"
    state = {"none": "It has not been asked yet."}.get(report.gate.state, f"**{report.gate.state}**")
    reasons = [f"- {text(reason, 300)}\n" for reason in report.gate.reasons]
    whole = f"{heading}{state}\n\n" + "".join(reasons) + "\n"
    few = f"{heading}{state}; {words.count(len(reasons), 'reason')}, the first:\n\n" + "".join(reasons[:3]) + "\n"
    return Part(whole, shorter=(Shorter(_LINES, few), Shorter(_LAST, f"Gate: {state}\n\n")))


def _notes(report: Report) -> Iterator[Part]:
    for heading, lines in (("\n### Repairs\n\n", report.repairs), ("\n### Notes\n\n", report.notes)):
        if lines:
            whole = heading + "".join(f"- {text(line, 300)}\n" for line in lines) + "\n"
            yield Part(whole, shorter=(Shorter(_COMMITS, ""),))

"""The sentences that the Markdown body and the HTML page share. Plain text, pure."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from syncline.merge.model import Status
from syncline.propose.model import CandidateText, FromAnswersRow, JudgedHunk, OpenPath, Report
from syncline.propose.outcome import Outcome


class Tone(StrEnum):
    """How serious a state is."""

    GOOD = "good"
    WAIT = "wait"
    ACT = "act"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class State:
    """Where the proposal stands, in a few words, and what that means in a sentence."""

    name: str
    tone: Tone
    sentence: str


OUTCOMES = {
    Outcome.MARKERS: ("With conflict markers", "the head holds git's own result, conflict markers included"),
    Outcome.RESTORED: ("Restored", "one side had deleted them, the head holds them"),
    Outcome.DELETED: ("Left deleted", "one side has them, the head does not"),
    Outcome.ABSENT: ("Gone on both sides", "neither side has them any more"),
    Outcome.COMBINED: ("Combined", "the head holds what neither side has alone"),
    Outcome.TAKEN: ("Taken from source", "the head holds source's version"),
    Outcome.KEPT: ("Kept from target", "the head holds target's version"),
}
"""Title and meaning of each outcome, in the order of reading."""


BASES = {
    "rule": "a rule of the lane",
    "evidence": "evidence",
    "person": "a person's answer",
    "agent": "an agent's answer",
    "command": "what a command of the lane made",
    "": "",
}
"""On what a path was settled, in words."""


NOT_SETTLED_YET = "Conflicts are open: settling them may do away with some of what follows."
"""Of findings in files that fit what an open path will hold, and not what it holds now."""


def count(number: int, word: str, many: str = "") -> str:
    """Return `1 file`, `1,204 files`."""
    return f"{number:,} {word if number == 1 else many or word + 's'}"


def state_of(report: Report) -> State:
    """Return where the proposal stands; what a person must do comes before what a machine does."""
    if report.stops:
        stops = count(len(report.stops), "finding stops", "findings stop")
        return State("Stopped", Tone.BAD, f"{stops} this sync until somebody acts.")
    if report.unresolved:
        paths = count(len(report.unresolved), "path needs", "paths need")
        return State("Needs a person", Tone.ACT, f"{paths} a decision; the commands are below.")
    match report.gate.state:
        case "green":
            return State("Ready", Tone.GOOD, "Nothing is open and the gate is green for this head.")
        case "red":
            return State("Checks are red", Tone.BAD, "Nothing is left to decide, but the gate is red.")
        case "waiting":
            return State("Waiting for checks", Tone.WAIT, "Nothing is left to decide; the gate waits.")
        case _:
            return State("Not checked yet", Tone.WAIT, "Nothing is left to decide; no gate has judged this head.")


def summary(report: Report) -> tuple[str, ...]:
    """Return the paragraph that says what this sync is, as sentences."""
    figures = report.figures
    oldest = (
        f", the oldest {figures.line:,} of {figures.line + figures.left:,} on its line" if figures.left else ""
    )
    brings = (
        f"This brings {count(figures.imported, 'commit')} of {report.source} into {report.target}{oldest}, "
        f"in one merge commit ({report.merge.short})."
    )
    sentences = [brings]
    if figures.boundary is not None:
        left = count(figures.left, "commit is", "commits are")
        sentences.append(f"{sentence_case(figures.boundary_text)}; {left} left for later syncs.")
    sentences.append(_conflicts(report))
    if report.repair is not None:
        sentences.append(f"One repair commit ({report.repair.short}) stands above the merge.")
    if report.people:
        sentences.append(f"People added {count(len(report.people), 'commit')} above it.")
    return tuple(sentences)


def sentence_case(text: str) -> str:
    """Return the text with a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def _conflicts(report: Report) -> str:
    if not report.conflicts:
        return "Git merged every file without a conflict."
    counts = Counter(
        row.basis or row.status for row in report.decisions if row.kind != "clean" and row.status != Status.KEPT
    )
    parts = [
        f"{counts[key]:,} {words}"
        for key, words in (
            ("rule", "settled by the lane's rules"),
            ("evidence", "settled from evidence"),
            ("person", "settled by a person"),
            ("agent", "settled by an agent"),
            ("command", "made anew by a command"),
            (Status.UNRESOLVED, "still open"),
        )
        if counts[key]
    ]
    return (
        f"{count(report.conflicts, 'path was', 'paths were')} in conflict: {', '.join(parts) or 'none is open'}."
    )


def decided_by(report: Report) -> tuple[tuple[str, str, str, int], ...]:
    """Return (resolver, on what, status, number of paths), the most first; the resolver may be `nothing`."""
    counts = Counter((row.resolver or "nothing", BASES[row.basis], row.status) for row in report.decisions)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple((resolver, on, status, number) for (resolver, on, status), number in ordered)


def speaks_for(path: OpenPath) -> str:
    """Return for which other open hunks an answer speaks; empty where for none."""
    parts = []
    if path.same:
        parts.append(f"{path.same:,} with the same text, numbers aside")
    if path.alike:
        parts.append(f"{path.alike:,} of the same form in this directory")
    if not parts:
        return ""
    return f"it speaks for {path.speaks_for:,} more: {', '.join(parts)}"


def candidate(one: CandidateText) -> str:
    """Return whose text a candidate is, how sure it is, and who proposes it."""
    nobody = "the lane's record" if one.evidence else "no resolver; by what is usual elsewhere"
    by = ", ".join(one.by) or nobody
    return f"{one.side}, {one.confidence:.0%} sure ({by})"


def judged(hunk: JudgedHunk) -> str:
    """Return how a hunk stands."""
    if not hunk.resolver:
        return "open; the likeliest answers:" if hunk.candidates else "open; nobody has an answer"
    sure = f", {hunk.confidence:.0%} sure" if hunk.confidence is not None else ""
    if not hunk.in_tree:
        where = "which is not in the tree while other regions of the file are open"
        return f"{hunk.resolver} has an answer{sure}, {where}"
    return f"settled from evidence by {hunk.resolver}{sure}"


def from_answers(row: FromAnswersRow) -> str:
    """Return what people's answers settle beside."""
    return f"Now {row.number:,} more can be settled from your answers."


def totals_sentence(report: Report) -> str:
    """Return where the head has the files from in which the two sides differ."""
    totals = report.totals
    return (
        f"Of the files in which {report.target} and the slice differ, the head has {totals.kept:,} as target, "
        f"{totals.taken:,} as source and {totals.combined:,} as neither."
    )


def line_sentence(language: str, added: int, deleted: int, files: int, binary: int) -> str:
    """Return `Python lines: +a / -b across n files`."""
    text = f"{language} lines: +{added:,} / -{deleted:,} across {count(files, 'file')}"
    return f"{text} ({binary:,} binary)" if binary else text

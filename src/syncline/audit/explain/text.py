"""An audit as lines for a terminal. Control characters of what the repository holds are shown, never sent."""

from collections.abc import Iterator

from syncline.audit.explain.told import Told, cut, groups, place, proposal_number, summary, waiver_words
from syncline.audit.finding import EvidenceCommit, Finding
from syncline.markup.plain_text import one_line

_MOST_LINES = 6
_MOST_VERBOSE = 60
_WIDTH = 160
"""Characters of a line of the repository's text."""
_MOST_COMMITS = 2
_MOST_FINDINGS = 200
"""Of one severity; nobody reads more, and a checker that has gone wild names a hundred thousand."""
_MESSAGE = 1000
"""Characters of a message: a checker's words may be of any length."""


def lines(told: Told, *, verbose: bool = False) -> Iterator[str]:
    """Yield the lines.

    Args:
        told: the audit.
        verbose: all evidence, whole lost texts, what is waived, and how long each audit took.
    """
    for group in groups(told):
        yield f"{group.severity.value} ({len(group.findings)}): {group.meaning}"
        found, more = (group.findings, 0) if verbose else cut(group.findings, _MOST_FINDINGS)
        for finding in found:
            yield from _finding(finding, verbose=verbose)
        if more:
            yield f"  ... and {more} more (--verbose, or --format json)"
        yield ""
    if verbose and told.waived:
        yield f"waived ({len(told.waived)})"
        for one in told.waived:
            yield f"  {one_line(place(one.finding))}  {one_line(one.finding.message)}  [{one.finding.id}]"
            yield f"      {one_line(waiver_words(one.waiver))}"
        yield ""
    if verbose and told.seconds:
        took = sorted(told.seconds.items(), key=lambda item: -item[1])
        yield "seconds: " + ", ".join(f"{name} {value:.2f}" for name, value in took)
    yield f"{told.merged.short}: {summary(told)}"


def _finding(finding: Finding, *, verbose: bool) -> Iterator[str]:
    yield f"  {one_line(place(finding))}  {one_line(finding.message, _MESSAGE)}  [{finding.kind} {finding.id}]"
    shown, left = cut(finding.text, _MOST_VERBOSE if verbose else _MOST_LINES)
    for line in shown:
        yield f"      | {one_line(_tabs(line), _WIDTH)}".rstrip()
    if left:
        yield f"      | ... and {left} more lines"
    commits, rest = cut([_commit(item) for item in finding.evidence], 999 if verbose else _MOST_COMMITS)
    for line in commits:
        yield f"      because  {line}"
    if rest:
        yield f"      because  ... and {rest} more commits (--verbose)"
    if finding.suggestion:
        yield f"      do       {one_line(finding.suggestion)}"


def _commit(item: EvidenceCommit) -> str:
    """Return a commit in a line; its proposal's number stays where the line is cut."""
    line, number = one_line(item.why, _WIDTH), proposal_number(item.why)
    return f"{item.sha.short} {line}" + (f" ({number})" if number and number not in line else "")


def _tabs(line: str) -> str:
    return line.rstrip("\r\n").expandtabs(4)

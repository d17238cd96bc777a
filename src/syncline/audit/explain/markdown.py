"""An audit as GitHub-flavoured Markdown, for the body of a proposal or a comment.

What the repository's text holds becomes neither markup nor a link, and notifies nobody.
"""

from syncline.audit.explain.told import WHOLE, Group, Told, clip, cut, groups, place, summary, waiver_words
from syncline.audit.finding import Finding, Severity
from syncline.audit.waivers import NEVER, Waived
from syncline.markup.fit import Part, Shorter, fit
from syncline.markup.markdown import CLOSING, code, fenced, html_code, html_text, opening, text

LIMIT = 60_000
"""Characters: GitHub takes 65,536 of a body or comment."""

_MOST_LINES = 30
_MOST_COMMITS = 6
_WIDTH = 300
_RANKS = {Severity.LOOK: 2, Severity.FIX: 4, Severity.STOP: 6}
"""What is left out first where all is too long: texts and evidence of a severity, then its findings."""


def render_markdown(told: Told, limit: int = LIMIT) -> str:
    """Return the whole audit.

    Args:
        told: the audit.
        limit: characters; what does not fit is said to be left out.
    """
    return fit(parts(told), limit)


def parts(told: Told) -> list[Part]:
    """Return the audit in pieces, for a text that holds more than it."""
    found = [Part(f"**Audit of {code(told.merged.short)}**: {text(summary(told))}\n\n")]
    if told.not_run:
        lines = "".join(f"- {code(part.name)}: {text(part.why, _WIDTH)}\n" for part in told.not_run)
        words = f"{len(told.not_run)} parts of the audit did not run.\n\n"
        found.append(Part(f"Did not run:\n\n{lines}\n", shorter=(Shorter(1, words),)))
    found += [_group(group) for group in groups(told)]
    if told.waived:
        rows = "".join(map(_waived, told.waived))
        title = f"{len(told.waived)} waived"
        found.append(Part(opening(title) + rows + CLOSING, shorter=(Shorter(0, f"{title}.\n\n"),)))
    return found


def _group(group: Group) -> Part:
    count = len(group.findings)
    head = f"### {group.severity.value.capitalize()} ({count}): {group.meaning}\n\n"
    short = f"{head}{count} findings, too long to be shown here; `syncline audit` lists them.\n\n"
    rank = _RANKS[group.severity]
    return Part(head, tuple(_finding(one, rank) for one in group.findings), shorter=(Shorter(rank + 1, short),))


def _finding(finding: Finding, rank: int) -> Part:
    where = html_code(place(finding)) if finding.path else WHOLE
    title = f"{where} {html_text(finding.message)}"
    inside = _text(finding) + "".join(f"- {line}\n" for line in _facts(finding))
    line = f"- {_place(finding)} {text(finding.message, _WIDTH)}\n\n"
    return Part(opening(title) + inside + CLOSING, shorter=(Shorter(rank, line),))


def _text(finding: Finding) -> str:
    if not finding.text:
        return ""
    shown, left = cut([clip(line, _WIDTH) for line in finding.text], _MOST_LINES)
    more = f"and {left} more lines\n\n" if left else ""
    return fenced("\n".join(shown), "") + "\n" + more


def _facts(finding: Finding) -> list[str]:
    commits, left = cut(
        [f"because: {code(item.sha.short)} {text(item.why, _WIDTH)}" for item in finding.evidence], _MOST_COMMITS
    )
    facts = list(commits)
    if left:
        facts.append(f"and {left} more commits")
    if finding.suggestion:
        facts.append(f"do: {text(finding.suggestion)}")
    facts.append(code(finding.kind) + (f" of {code(finding.symbol)}" if finding.symbol else ""))
    if finding.kind not in NEVER:
        facts.append(f"to let it pass: `syncline waive {finding.id} --because ...`")
    return facts


def _waived(one: Waived) -> str:
    finding = one.finding
    return f"- {_place(finding)} {text(finding.message, _WIDTH)}; {text(waiver_words(one.waiver), _WIDTH)}\n"


def _place(finding: Finding) -> str:
    return code(place(finding)) if finding.path else WHOLE

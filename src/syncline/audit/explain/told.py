"""One audit with all that is told of it, and the document of the public contract."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from syncline.audit.finding import Finding, Severity
from syncline.audit.task import NotRun
from syncline.audit.waivers import Applied, Waived
from syncline.config.models import Waiver
from syncline.git import CommitId, TreeId
from syncline.git.paths import json_path

_NUMBER = re.compile(r"\((#\d+)\)")
_MEANINGS = {
    Severity.STOP: "nothing may become ready while they stand",
    Severity.FIX: "very likely mistakes",
    Severity.LOOK: "for a person to see",
}


@dataclass(frozen=True, slots=True)
class Told:
    """One audit of one merge."""

    ours: CommitId
    """The target side."""
    theirs: CommitId
    """The source side."""
    bases: tuple[CommitId, ...]
    merged: CommitId | TreeId
    """What was judged."""
    merge: CommitId | None
    """The merge commit, where there is one; `merged` may be a commit above it."""
    lane: str | None
    applied: Applied
    not_run: tuple[NotRun, ...]
    seconds: Mapping[str, float]
    """Wall time by audit."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What stands, the gravest first."""
        return self.applied.standing

    @property
    def waived(self) -> tuple[Waived, ...]:
        """What does not count, and why."""
        return self.applied.waived

    @property
    def counts(self) -> dict[str, int]:
        """How many findings stand, by severity."""
        found = Counter(finding.severity for finding in self.findings)
        return {severity.value: found[severity] for severity in Severity}

    def as_json(self) -> dict[str, Any]:
        """Return the document of `audit --json`."""
        return {
            "merge": self.merge,
            "merged": self.merged,
            "ours": self.ours,
            "theirs": self.theirs,
            "bases": list(self.bases),
            "lane": self.lane,
            "findings": [finding.as_json() for finding in self.findings],
            "counts": self.counts,
            "waived": [one.finding.as_json() | {"waiver": waiver_as_json(one.waiver)} for one in self.waived],
            "expired": [
                {"finding": one.finding.id, "waiver": waiver_as_json(one.waiver)} for one in self.applied.expired
            ],
            "not_run": [{"name": part.name, "why": part.why} for part in self.not_run],
            "seconds": round(sum(self.seconds.values()), 3),
            "seconds_by_audit": {name: round(value, 3) for name, value in self.seconds.items()},
        }


def waiver_as_json(waiver: Waiver) -> dict[str, Any]:
    """Return a waiver as its table in the configuration has it."""
    return {
        "finding": waiver.finding,
        "because": waiver.because,
        "path": waiver.path or None,
        "code": waiver.code,
        "by": waiver.by,
        "on": waiver.on.isoformat() if waiver.on is not None else None,
    }


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one severity."""

    severity: Severity
    meaning: str
    findings: tuple[Finding, ...]


def groups(told: Told) -> tuple[Group, ...]:
    """Return what stands by severity, the gravest first; severities without findings are left out."""
    found = (
        Group(severity, _MEANINGS[severity], tuple(one for one in told.findings if one.severity is severity))
        for severity in Severity
    )
    return tuple(group for group in found if group.findings)


_T = TypeVar("_T")
WHOLE = "the merge as a whole"


def place(finding: Finding) -> str:
    """Return where a finding is: path and line; what concerns no file concerns the merge as a whole."""
    if not finding.path:
        return WHOLE
    return json_path(finding.path) + (f":{finding.line}" if finding.line is not None else "")


def proposal_number(words: str) -> str:
    """Return the proposal's number in a commit's subject, as in "(#12)"; empty without one."""
    found = _NUMBER.findall(words)
    return found[-1] if found else ""


def cut(lines: Sequence[_T], most: int) -> tuple[tuple[_T, ...], int]:
    """Return the first lines or other things, and how many are left out; never just one."""
    shown = tuple(lines) if len(lines) <= most + 1 else tuple(lines[:most])
    return shown, len(lines) - len(shown)


def clip(line: str, width: int) -> str:
    """Return a line without its end, cut to so many characters."""
    line = line.rstrip("\r\n")
    return line if len(line) <= width else line[: width - 1] + "…"


def summary(told: Told) -> str:
    """Return the result in a sentence without an end."""
    if not told.findings:
        words = "no findings"
    else:
        words = ", ".join(f"{count} {severity}" for severity, count in told.counts.items() if count)
    if told.waived:
        words += f", {len(told.waived)} waived"
    if told.not_run:
        words += f"; {len(told.not_run)} part{'' if len(told.not_run) == 1 else 's'} of the audit did not run"
    return words


def waiver_words(waiver: Waiver) -> str:
    """Return who waived, when and why."""
    by = f" by {waiver.by}" if waiver.by else ""
    on = f" on {waiver.on.isoformat()}" if waiver.on is not None else ""
    return f"waived{by}{on}: {waiver.because}"

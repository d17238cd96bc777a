"""An audit as SARIF 2.1.0, for code scanning and editors.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import quote

from syncline import __version__
from syncline.audit.explain.told import Told, waiver_words
from syncline.audit.finding import Edit, Finding, Severity
from syncline.config.models import Waiver
from syncline.markup.plain_text import block

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.STOP: "error", Severity.FIX: "warning", Severity.LOOK: "note"}
_FINGERPRINT = "synclineFinding/v1"


def sarif(told: Told) -> dict[str, Any]:
    """Return the log, to be written as JSON."""
    listed: list[tuple[Finding, Waiver | None]] = [(finding, None) for finding in told.findings]
    listed += [(one.finding, one.waiver) for one in told.waived]
    kinds = list(dict.fromkeys(finding.kind for finding, _ in listed))
    driver = {
        "name": "syncline",
        "version": __version__,
        "rules": [{"id": kind, "shortDescription": {"text": kind.replace("-", " ")}} for kind in kinds],
    }
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not told.not_run,
                "toolExecutionNotifications": [
                    {"level": "warning", "message": {"text": block(f"{part.name} did not run: {part.why}")}}
                    for part in told.not_run
                ],
            }
        ],
        "results": [_result(finding, kinds.index(finding.kind), waiver) for finding, waiver in listed],
        "properties": {
            "ours": told.ours, "theirs": told.theirs, "bases": list(told.bases), "merged": told.merged,
            "lane": told.lane,
        },
    }  # fmt: skip
    if told.waived:
        # Either every result says whether it is suppressed, or none (3.27.23).
        for result in run["results"]:
            result.setdefault("suppressions", [])
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: Finding, rule: int, waiver: Waiver | None) -> dict[str, Any]:
    words = finding.message if not finding.suggestion else f"{finding.message}\n\n{finding.suggestion}"
    result: dict[str, Any] = {
        "ruleId": finding.kind,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": block(words)},
        "partialFingerprints": {_FINGERPRINT: finding.id},
        "properties": {
            "severity": finding.severity.value,
            "side": finding.side or None,
            "text": [block(line) for line in finding.text],
            "evidence": [{"sha": item.sha, "why": block(item.why)} for item in finding.evidence],
        },
    }
    if finding.path:
        result["locations"] = [_location(finding)]
    fix = _fix(finding)
    if fix is not None:
        result["fixes"] = [fix]
    if waiver is not None:
        why = block(waiver_words(waiver))
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": why}]
    return result


def _location(finding: Finding) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(finding.path)}
    if finding.line is not None:
        physical["region"] = {"startLine": max(1, finding.line)}
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.symbol:
        location["logicalLocations"] = [{"name": block(finding.symbol)}]
    return location


def _artifact(path: bytes) -> dict[str, str]:
    # Relative to whatever the reader knows as the root of the sources.
    return {"uri": quote(path, safe="/"), "uriBaseId": "%SRCROOT%"}


def _fix(finding: Finding) -> dict[str, Any] | None:
    """Return the mechanical mend; None without one, and where its text is no UTF-8, which SARIF must be."""
    try:
        changes = [
            _change(path, list(edits)) for path, edits in groupby(finding.edits, key=lambda edit: edit.path)
        ]
    except UnicodeDecodeError:
        return None
    if not changes:
        return None
    return {"description": {"text": block(finding.suggestion or "mend it")}, "artifactChanges": changes}


def _change(path: bytes, edits: Sequence[Edit]) -> dict[str, Any]:
    return {"artifactLocation": _artifact(path), "replacements": list(map(_replacement, edits))}


def _replacement(edit: Edit) -> dict[str, Any]:
    region = {"startLine": edit.start + 1, "startColumn": 1, "endLine": edit.end + 1, "endColumn": 1}
    return {"deletedRegion": region, "insertedContent": {"text": _joined(edit.lines)}}


def _joined(lines: Iterable[bytes]) -> str:
    return b"".join(lines).decode("utf-8")

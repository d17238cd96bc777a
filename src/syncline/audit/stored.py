"""Keeps what the audits of one merge found, so that a lane that is looked at again and again audits it once."""

import hashlib
import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from syncline import __version__
from syncline.audit.audit import Audited
from syncline.audit.finding import Edit, EvidenceCommit, Finding, Severity
from syncline.audit.task import NotRun, Task
from syncline.git import CommitId
from syncline.whole_file import written_beside

_FORMAT = 3
_MOST = 80
"""Results kept, the newest ones."""


def stored_at(directory: Path, task: Task, audits: Collection[str]) -> Path:
    """Return the file for what some audits say of a merge: its name holds all that the result depends on."""
    trees = task.trees
    settings = task.lane.model_dump_json(include={"audit", "paths", "coupled"}) if task.lane is not None else ""
    asked = (*sorted(audits), "", *map(repr, sorted(task.waiting)))
    words = "\0".join((str(_FORMAT), __version__, trees.ours, trees.theirs, trees.merged_tree, settings, *asked))
    return directory / f"{hashlib.sha256(words.encode()).hexdigest()[:32]}.json"


def read_stored(file: Path) -> Audited | None:
    """Return a result that was kept; None where there is none that can be read."""
    try:
        document = json.loads(file.read_bytes())
        return Audited(
            tuple(map(_finding, document["findings"])),
            tuple(NotRun(*pair) for pair in document["not_run"]),
            document["seconds"],
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def store(file: Path, audited: Audited) -> None:
    """Keep a result; one that could not be had whole is not kept, nor is any where nothing can be written."""
    if audited.not_run:
        return
    document = {
        "findings": [_as_json(finding) for finding in audited.findings],
        "not_run": [],
        "seconds": dict(audited.seconds),
    }
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(file, json.dumps(document, ensure_ascii=True).encode(), mode=0o644) as beside:
            beside.replace(file)
        _prune(file.parent)
    except OSError:
        return  # a read-only repository: it is audited again


def _prune(directory: Path) -> None:
    kept = sorted(directory.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
    for old in kept[_MOST:]:
        old.unlink(missing_ok=True)


def _as_json(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "severity": finding.severity.value,
        "path": _text(finding.path),
        "message": finding.message,
        "line": finding.line,
        "symbol": finding.symbol,
        "side": finding.side,
        "evidence": [[item.sha, item.why] for item in finding.evidence],
        "text": list(finding.text),
        "suggestion": finding.suggestion,
        "nth": finding.nth,
        "edits": [
            [_text(edit.path), edit.start, edit.end, [_text(line) for line in edit.lines]]
            for edit in finding.edits
        ],
    }


def _finding(document: dict[str, Any]) -> Finding:
    return Finding(
        kind=document["kind"],
        severity=Severity(document["severity"]),
        path=_bytes(document["path"]),
        message=document["message"],
        line=document["line"],
        symbol=document["symbol"],
        side=document["side"],
        evidence=tuple(EvidenceCommit(CommitId(sha), why) for sha, why in document["evidence"]),
        text=tuple(document["text"]),
        suggestion=document["suggestion"],
        nth=document["nth"],
        edits=tuple(_edit(*edit) for edit in document["edits"]),
    )


def _edit(path: str, start: int, end: int, lines: Sequence[str]) -> Edit:
    return Edit(_bytes(path), start, end, tuple(map(_bytes, lines)))


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")

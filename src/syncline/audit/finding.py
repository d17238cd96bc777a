"""One thing an audit found. The shape is the public contract's (`audit --json`)."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from syncline.git import CommitId
from syncline.git.paths import json_path


class Severity(StrEnum):
    """What a finding asks for."""

    STOP = "stop"
    """Nothing may become ready while it stands."""
    FIX = "fix"
    LOOK = "look"


@dataclass(frozen=True, slots=True)
class EvidenceCommit:
    """A commit and why it matters."""

    sha: CommitId
    why: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `path` is empty where it concerns the merge as a whole."""

    kind: str
    severity: Severity
    path: bytes
    message: str
    line: int | None = None
    symbol: str = ""
    side: str = ""
    evidence: tuple[EvidenceCommit, ...] = ()
    text: tuple[str, ...] = field(default=())
    suggestion: str = ""

    @property
    def id(self) -> str:
        """A name that stays the same when the merge is made again: it holds no line and no commit."""
        words = "\0".join((self.kind, self.symbol, self.side, *self.text)).encode("utf-8", "surrogateescape")
        return hashlib.sha256(words + b"\0" + self.path).hexdigest()[:12]

    def as_json(self) -> dict[str, Any]:
        """Return the finding as the public contract has it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "severity": self.severity.value,
            "path": json_path(self.path),
            "line": self.line,
            "symbol": self.symbol or None,
            "side": self.side or None,
            "message": self.message,
            "evidence": [{"sha": item.sha, "why": item.why} for item in self.evidence],
            "text": list(self.text),
            "suggestion": self.suggestion or None,
        }

"""One thing an audit found. The shape is the public contract's (`audit --json`)."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from syncline.git import CommitId
from syncline.git.paths import json_path
from syncline.merge.model import Side


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


class Did(StrEnum):
    """What a commit did to a text."""

    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Asked:
    """A commit that a finding wants for evidence: which of a side's own commits added or removed a text.

    The runner looks for the commits of all findings in one walk (see `evidence`).
    """

    side: Side
    path: bytes
    """Where the side has the file, or had it."""
    text: bytes
    """A word or a line of the file, without line break."""
    did: Did
    why: str
    """What to say of the commit, as in "added the call"."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Lines of a merged file and what they should be instead: a mechanical mend."""

    path: bytes
    start: int
    """The first line, 0-based."""
    end: int
    """The line after the last one; equal to `start` where lines are only put in."""
    lines: tuple[bytes, ...]
    """With their line breaks."""


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
    edits: tuple[Edit, ...] = ()
    """What would mend it, where that is mechanical."""
    nth: int = 0
    """Which of several that would have the same id, from 0."""
    asks: tuple[Asked, ...] = ()
    """The commits still to be looked for; none in a finding that has left the runner."""

    @property
    def id(self) -> str:
        """A name that stays the same when the merge is made again: it holds no line and no commit.

        A symbol says enough, whichever audit sees its fault first; without one it is the text that tells.
        """
        told = ("", self.symbol) if self.symbol else (self.kind, "", self.side, *self.text)
        number = (str(self.nth),) if self.nth else ()
        words = "\0".join((*told, *number)).encode("utf-8", "surrogatepass")
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

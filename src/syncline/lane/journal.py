"""The journal of a lane: append-only, one JSON document a line, flushed to the disk before anything goes on.

It tells people what happened and why. Nothing is decided from it: the state of a run is read from git and the
forge, so a lost last line loses nothing but a line.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Journal:
    """The journal at `path`."""

    path: Path

    @classmethod
    def of(cls, state_dir: Path, lane: str) -> "Journal":
        """Return the journal of a lane."""
        return cls(state_dir / "journal" / f"{lane}.jsonl")

    def write(self, event: str, **details: Any) -> None:
        """Append one entry; `details` are JSON values and hold no secret."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "pid": os.getpid(),
            "event": event,
        }
        line = json.dumps(entry | details, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            if self._torn(handle):
                line = b"\n" + line
            os.write(handle, line)
            os.fsync(handle)
        finally:
            os.close(handle)

    @staticmethod
    def _torn(handle: int) -> bool:
        """Whether a kill in the middle of a write left a line without an end."""
        size = os.fstat(handle).st_size
        return size > 0 and os.pread(handle, 1, size - 1) != b"\n"

    def read(self) -> Iterator[dict[str, Any]]:
        """Yield the entries, oldest first; a line torn by a kill is passed over."""
        if not self.path.exists():
            return
        with self.path.open(encoding="utf-8") as lines:
            for line in lines:
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue
                if isinstance(entry, dict):
                    yield entry

"""What is kept of a lane: its memory, the record its gate opens by, the conflicts it settled. Small, JSON."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from syncline.errors import SynclineError
from syncline.merge.ladder.gate import Gate
from syncline.merge.ladder.memory import Memory
from syncline.merge.recorded import Recorded

FORMAT = 1


@dataclass
class LaneRecord:
    """Grows by one past merge at a time, the oldest first (`syncline.replay.learning`)."""

    memory: Memory = field(default_factory=Memory)
    gate: Gate = field(default_factory=Gate)
    """For answers given from the past alone."""
    gate_with_answers: Gate = field(default_factory=Gate)
    """For answers given while people settle the files of the same merge."""
    recorded: Recorded = field(default_factory=Recorded)
    learned: tuple[str, ...] = ()
    """The merges it has taken in, oldest first."""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "format": FORMAT,
            "learned": list(self.learned),
            "memory": self.memory.as_json(),
            "gate": self.gate.as_json(),
            "gate_with_answers": self.gate_with_answers.as_json(),
            "recorded": json.loads(self.recorded.to_json()),
        }

    @classmethod
    def from_json(cls, document: Any) -> Self:
        """Read what `as_json` wrote.

        Raises:
            ValueError: when it is nothing of the kind.
        """
        try:
            if document["format"] != FORMAT:
                raise ValueError(f"format {document['format']!r}")
            return cls(
                Memory.from_json(document["memory"]),
                Gate.from_json(document["gate"]),
                Gate.from_json(document["gate_with_answers"]),
                Recorded.from_json(json.dumps(document["recorded"])),
                tuple(map(str, document["learned"])),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{error!r} is missing or misplaced") from error

    @classmethod
    def read(cls, file: Path) -> Self | None:
        """Read a lane's record; None when there is none.

        Raises:
            SynclineError: when the file is something else.
        """
        try:
            content = file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SynclineError(f"{file} cannot be read: {error.strerror}") from error
        try:
            return cls.from_json(json.loads(content))
        except ValueError as error:
            raise SynclineError(
                f"{file} was expected to hold what a lane learned (format {FORMAT}): {error}",
                hint="remove it, `syncline learn` writes it again",
            ) from error

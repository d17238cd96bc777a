"""What is kept of a lane: its memory, the record its gate opens by, the conflicts it settled. Small, JSON."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from syncline.errors import SynclineError
from syncline.merge.attempted import Attempted
from syncline.merge.file_group import FileGroup
from syncline.merge.ladder.gate import OF_ATTEMPTS, Gate
from syncline.merge.ladder.local import Local
from syncline.merge.ladder.memory import KINDS, TURN_HUNKS, Answer, Memory, apart
from syncline.merge.recorded import Recorded

FORMAT = 1
HUNKS_OF_A_HALF_LIFE = 250
"""After merges with so many hunks in all, what was learned before weighs half: large syncs teach much at once, and
policies turn between them. Source: over 32 repositories one or two merges on lanes with large syncs, 40
elsewhere."""
HALF_LIVES = (1.5, 40.0)
"""The shortest and the longest half-life, in merges."""
TURN = 0.33
"""How far the shares of ours, theirs and the rest must be apart (total variation) to count as a turn of policy."""
SEEN_AGAIN = 5
"""So many hunks of a group tell what the lane does with it now."""
_JUDGED = tuple(group.value for group in FileGroup if group is not FileGroup.LOCK)
SIZES = 20
"""How many merges tell how large a lane's merges are."""


def _shares(document: Any) -> tuple[float, ...]:
    shares = tuple(map(float, document))
    if len(shares) != len(KINDS) or not all(math.isfinite(share) and share >= 0 for share in shares):
        raise ValueError("shares that are none")
    return shares


def _locals() -> dict[str, Local]:
    return {kind: Local() for kind in KINDS}


@dataclass
class LaneRecord:
    """Grows by one past merge at a time, the oldest first (`syncline.replay.learning`)."""

    memory: Memory = field(default_factory=Memory)
    gate: Gate = field(default_factory=Gate)
    """For answers given from the past alone."""
    gate_with_answers: Gate = field(default_factory=Gate)
    """For answers given while people settle the files of the same merge."""
    local: dict[str, Local] = field(default_factory=_locals)
    """The correction of the shipped weights by kind of candidate, for answers given from the past alone."""
    local_with_answers: dict[str, Local] = field(default_factory=_locals)
    sizes: tuple[int, ...] = ()
    """How many hunks the newest merges had, the newest last."""
    shares: tuple[float, ...] = (0.0, 0.0, 0.0)
    """How often ours, theirs and something else was right lately, to notice a turn of policy by."""
    recorded: Recorded = field(default_factory=Recorded)
    attempted: Attempted = field(default_factory=Attempted)
    """What attempts at the next sync answered that never landed."""
    learned: tuple[str, ...] = ()
    """The merges it has taken in, oldest first."""
    forgotten: tuple[str, ...] = ()
    """The merges it must not learn from: people revoked them."""

    @property
    def fade(self) -> float:
        """What is left of the past's weight after one more merge."""
        mean = sum(self.sizes) / len(self.sizes) if self.sizes else 10.0
        shortest, longest = HALF_LIVES
        return 0.5 ** (1 / min(longest, max(shortest, HUNKS_OF_A_HALF_LIFE / max(mean, 1.0))))

    def notice(self, answers: Sequence[Answer]) -> None:
        """See whether a merge was settled quite otherwise than those before it, and doubt what it does not tell.

        A record is worth nothing in the sync in which the policy turns. What can be known is that it turns: then a
        group of files that the merge hardly had is left to people until a later merge tells how it is settled now.
        (In the reference lane a sync of 74 hunks turned from source to mixed; the next had 99 golden files, all
        the other way than in the eight syncs before.)
        """
        counts = [0.0, 0.0, 0.0]
        groups: Counter[str] = Counter()
        for answer in answers:
            counts[KINDS.index(answer.kind)] += 1
            groups[answer.facts.group.value] += 1
        total, before = sum(counts), sum(self.shares)
        if total >= TURN_HUNKS and before >= 1 and apart(counts, self.shares) > TURN:
            for gate in (self.gate, self.gate_with_answers):
                gate.doubt((*gate.record, *_JUDGED))
            self.shares = (0.0, 0.0, 0.0)  # what is usual begins anew
        for gate in (self.gate, self.gate_with_answers):
            seen = [group for group, count in groups.items() if count >= SEEN_AGAIN]
            gate.trust((*seen, *(f"{group}{tried}" for group in seen for tried in OF_ATTEMPTS)))
        weight = min(1.0, TURN_HUNKS / total) if total else 0.0
        self.shares = tuple(self.fade * old + weight * new for old, new in zip(self.shares, counts, strict=True))

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "format": FORMAT,
            "learned": list(self.learned),
            "forgotten": list(self.forgotten),
            "memory": self.memory.as_json(),
            "gate": self.gate.as_json(),
            "gate_with_answers": self.gate_with_answers.as_json(),
            "local": {kind: local.as_json() for kind, local in self.local.items()},
            "local_with_answers": {kind: local.as_json() for kind, local in self.local_with_answers.items()},
            "sizes": list(self.sizes),
            "shares": [round(share, 4) for share in self.shares],
            "attempted": self.attempted.as_json(),
            "recorded": self.recorded.as_json(),
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
                memory=Memory.from_json(document["memory"]),
                gate=Gate.from_json(document["gate"]),
                gate_with_answers=Gate.from_json(document["gate_with_answers"]),
                local={kind: Local.from_json(document["local"][kind]) for kind in KINDS},
                local_with_answers={kind: Local.from_json(document["local_with_answers"][kind]) for kind in KINDS},
                sizes=tuple(map(int, document["sizes"])),
                shares=_shares(document["shares"]),
                recorded=Recorded.from_json(document["recorded"]),
                attempted=Attempted.from_json(document.get("attempted", [])),
                learned=tuple(map(str, document["learned"])),
                forgotten=tuple(map(str, document["forgotten"])),
            )
        except (KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ValueError(f"{error!r} is missing or misplaced") from error

    def to_bytes(self) -> bytes:
        """Return it as a file, the same for the same record; a line for each value, so that git stores changes."""
        return json.dumps(self.as_json(), sort_keys=True, separators=(",", ":"), indent=0).encode() + b"\n"

    @classmethod
    def from_bytes(cls, content: bytes, where: str) -> Self:
        """Read what `to_bytes` wrote; `where` is how the place is called in the error.

        Raises:
            SynclineError: when it is something else.
        """
        try:
            return cls.from_json(json.loads(content))
        except (ValueError, RecursionError, SynclineError) as error:
            words = error.message if isinstance(error, SynclineError) else str(error)
            raise SynclineError(
                f"{where} was expected to hold what a lane learned (format {FORMAT}): {words[:300]}",
                hint="`syncline learn` writes it anew",
            ) from error

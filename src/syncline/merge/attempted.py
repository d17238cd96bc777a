"""How earlier attempts at a sync settled the same conflicts, though they never landed. Pure.

A bot that tries every night, or a person whose branch was overtaken, has answered most of tonight's conflicts
before. Measured on the reference lane's four newest syncs: 434 of 586 Python hunks had stood in an attempt; 73
% of the newest attempts' answers are what landed in the end, 89 % of those that three attempts gave, 17 % of
those that a newer attempt gave up. So it is evidence to be weighed, no precedent; what it is worth the lane's
own record tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from syncline.git import CommitId
from syncline.merge.case import HunkCase
from syncline.merge.recorded import Found, Recorded


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one attempt answered."""

    commit: CommitId
    """The commit whose files are its answers."""
    answers: Recorded


@dataclass(frozen=True, slots=True)
class Tried:
    """One answer that attempts gave to a conflict."""

    found: Found
    """As the newest of them has it."""
    commit: CommitId
    """That attempt."""
    times: int
    """How many attempts gave it."""
    others: int
    """How many attempts answered otherwise."""


@dataclass(frozen=True, slots=True)
class Attempted:
    """The attempts, the newest first."""

    attempts: Sequence[Attempt] = ()

    def lookup(self, hunk: HunkCase) -> list[Tried]:
        """Return the answers that a conflict was given, each once, the newest first."""
        by_text: dict[bytes, list[tuple[Found, CommitId]]] = {}
        for attempt in self.attempts:
            found = attempt.answers.lookup(hunk)
            if found is not None:
                text = b"".join(b"".join(found.lines).split())
                by_text.setdefault(text, []).append((found, attempt.commit))
        total = sum(map(len, by_text.values()))
        return [Tried(*said[0], len(said), total - len(said)) for said in by_text.values()]

    def as_json(self) -> list[dict[str, Any]]:
        """Return it as JSON values."""
        return [{"commit": one.commit, "answers": one.answers.as_json()} for one in self.attempts]

    @classmethod
    def from_json(cls, document: Any) -> Self:
        """Read what `as_json` wrote.

        Raises:
            ValueError: when it is nothing of the kind.
        """
        try:
            return cls(
                [Attempt(CommitId(str(one["commit"])), Recorded.from_json(one["answers"])) for one in document]
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"no attempts: {error!r}") from error

"""How earlier attempts at a sync settled the same conflicts, though they never landed. Pure.

A bot that tries every night, or a person whose branch was overtaken, has answered most of tonight's conflicts
before. Measured on the reference lane's four newest syncs: 434 of 586 Python hunks had stood in an attempt; 73
% of the newest attempts' answers are what landed in the end, 89 % of those that three attempts gave, 17 % of
those that a newer attempt gave up. So it is evidence to be weighed, no precedent; what it is worth the lane's
own record tells.

How much an attempt tells depends on its habits: one that took target's side of nearly every conflict tells next
to nothing where it took it once more, and much where for once it did not (an answer tells as many bits as it was
unlikely). In the reference lane's sync of 2026-05-11, 12 answers of the newest attempt were shared by one with a
habit and contradicted by others that chose from case to case: none landed.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from syncline.git import CommitId
from syncline.merge.case import HunkCase
from syncline.merge.file_group import file_group
from syncline.merge.hunks import Lines
from syncline.merge.recorded import Found, Recorded

_UNSEEN = 0.5
"""How many answers of each kind an attempt is taken to have given beside those that were seen."""


class Taken:
    """How often an attempt took target's side, source's, and neither, by group of files."""

    def __init__(self) -> None:
        self._counts: dict[str, list[float]] = {}

    def note(self, hunk: HunkCase, lines: Lines) -> None:
        """Count how a hunk was settled."""
        row = self._counts.setdefault(file_group(hunk.file.path).value, [0.0, 0.0, 0.0])
        row[_kind(hunk, _squeezed(lines))] += 1

    def bits(self, hunk: HunkCase, lines: Lines) -> float:
        """Return how much it tells that the attempt settled a hunk so: 0 where it always does."""
        row = self._counts.get(file_group(hunk.file.path).value, [0.0, 0.0, 0.0])
        return math.log2((sum(row) + 3 * _UNSEEN) / (row[_kind(hunk, _squeezed(lines))] + _UNSEEN))

    def as_json(self) -> dict[str, list[float]]:
        """Return the counts as JSON values."""
        return {group: list(row) for group, row in sorted(self._counts.items())}

    @classmethod
    def from_json(cls, document: Any) -> Self:
        """Read what `as_json` wrote.

        Raises:
            ValueError: when it is nothing of the kind.
        """
        taken = cls()
        try:
            taken._counts = {str(group): [float(count) for count in row] for group, row in document.items()}
        except (TypeError, AttributeError) as error:
            raise ValueError(f"no counts of what an attempt took: {error!r}") from error
        rows = taken._counts.values()
        if any(len(row) != 3 or not all(math.isfinite(count) and count >= 0 for count in row) for row in rows):
            raise ValueError("counts of what an attempt took that are none")
        return taken


def _kind(hunk: HunkCase, text: bytes) -> int:
    """Return which side's text it is: 0 for target's, 1 for source's, 2 for neither's."""
    sides = (_squeezed(hunk.ours), _squeezed(hunk.theirs))
    return sides.index(text) if text in sides else 2


def _squeezed(lines: Lines) -> bytes:
    return b"".join(b"".join(lines).split())


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one attempt answered."""

    commit: CommitId
    """The commit whose files are its answers."""
    answers: Recorded
    taken: Taken = field(default_factory=Taken, compare=False)


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
    support: float
    """How much the other attempts tell that gave it, in bits."""
    opposition: float
    """How much those tell that answered otherwise, in bits."""

    @property
    def contested(self) -> bool:
        """Whether those against it tell more than those for it, by a bit: more than between two even choices."""
        return self.opposition > self.support + 1


@dataclass(frozen=True, slots=True)
class Attempted:
    """The attempts, the newest first."""

    attempts: Sequence[Attempt] = ()

    def lookup(self, hunk: HunkCase) -> list[Tried]:
        """Return the answers that a conflict was given, each once, the newest first."""
        by_text: dict[bytes, list[_Said]] = {}
        for attempt in self.attempts:
            found = attempt.answers.lookup(hunk)
            if found is not None:
                said = _Said(found, attempt.commit, attempt.taken.bits(hunk, found.lines))
                by_text.setdefault(_squeezed(found.lines), []).append(said)
        return [_tried(said, by_text.values()) for said in by_text.values()]

    def as_json(self) -> list[dict[str, Any]]:
        """Return it as JSON values."""
        return [
            {"commit": one.commit, "answers": one.answers.as_json(), "taken": one.taken.as_json()}
            for one in self.attempts
        ]

    @classmethod
    def from_json(cls, document: Any) -> Self:
        """Read what `as_json` wrote.

        Raises:
            ValueError: when it is nothing of the kind.
        """
        try:
            return cls(
                [
                    Attempt(
                        CommitId(str(one["commit"])),
                        Recorded.from_json(one["answers"]),
                        Taken.from_json(one.get("taken", {})),
                    )
                    for one in document
                ]
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no attempts: {error!r}") from error


@dataclass(frozen=True, slots=True)
class _Said:
    """What one attempt answered, and how much that tells."""

    found: Found
    commit: CommitId
    bits: float


def _tried(said: Sequence[_Said], everything: Iterable[Sequence[_Said]]) -> Tried:
    others = [one for answer in everything if answer is not said for one in answer]
    return Tried(
        said[0].found,
        said[0].commit,
        times=len(said),
        others=len(others),
        support=sum(one.bits for one in said[1:]),
        opposition=sum(one.bits for one in others),
    )

"""Conflicts that were settled before, and how: a store of answers, one for each lane. Pure.

Two conflicts are the same when base, ours and theirs are, white space apart; more surely so when the lines around
are the same too. Source: over 32 repositories the two sides alone are not enough (79 % right, in one lane 39 %);
on the lane that made the record, a hunk that came again was answered alike 108 of 108 times. So a store is never
shared between lanes, and an answer that was contradicted once is no answer any more.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from syncline.errors import SynclineError
from syncline.git import CommitId
from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.hunks import Hunk, Lines, split_lines
from syncline.merge.model import Side
from syncline.merge.text.layout_key import same_layout

_MOST_TEXT = 64 * 1024
"""Bytes of an answer that is kept as text; a longer one is not recorded."""
_FORMAT = 1
_HUNK = "hunk-"
"""What the keys begin with by which each distinct hunk is counted once."""


class Sameness(StrEnum):
    """In what two conflicts agree; the surest first."""

    CONTEXT = "exact-context"
    """Base, ours, theirs, and the nearest lines above and below that are not blank."""
    HUNK = "same-hunk"
    """Base, ours and theirs."""
    SIDES = "same-sides-only"
    """Ours and theirs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a conflict was settled."""

    side: Side | None
    """OURS or THEIRS where that side's lines were taken, NEITHER where none were, None for another text."""
    text: bytes
    """That other text; empty otherwise."""
    layout: str
    """The digest of the sides with their white space: a text is laid out for these; empty if unknown."""
    commit: CommitId | None
    """Where it was settled last; None when it is not committed yet."""
    seen: int
    """How often it was settled so."""
    path: bytes = b""
    """In which file it was settled last."""


@dataclass(frozen=True, slots=True)
class Found:
    """A recorded answer that fits a conflict."""

    same: Sameness
    answer: Answer
    lines: Lines
    """The answer in this conflict's own layout."""
    to_the_byte: bool
    """Whether the conflict that was settled had the same base, and the same white space."""


class Recorded:
    """The answers of one lane, or of the files of one merge that are done already."""

    def __init__(self) -> None:
        self._answers: dict[str, Answer | None] = {}  # None: contradicted

    def __len__(self) -> int:
        return len(self._answers)

    def add(self, case: FileCase, answers: Sequence[Lines | None], commit: CommitId | None = None) -> None:
        """Record how the hunks of a file were settled; None for one whose answer cannot be told.

        Hunks of one merge that stand in several places count once for each.
        """
        for hunk, lines in zip(case.hunks, answers, strict=True):
            answer = None if lines is None else _answer(hunk, lines, commit, case.path)
            if answer is not None:
                for key in _keys(hunk).values():
                    self._remember(key, answer)

    def lookup(self, hunk: HunkCase) -> Found | None:
        """Return how a conflict was settled before; None when it never was, or not always alike."""
        for same, key in _keys(hunk).items():
            if key not in self._answers:
                continue
            answer = self._answers[key]
            lines = None if answer is None else _lines(hunk, answer)
            if answer is None or lines is None:
                return None
            exact = same is not Sameness.SIDES and answer.layout == _layout(hunk)
            return Found(same, answer, lines, to_the_byte=exact)
        return None

    def forget(self, hunk: HunkCase) -> None:
        """Take back what is recorded of a conflict; it is not looked up again."""
        for key in _keys(hunk).values():
            if key in self._answers:
                self._answers[key] = None

    def answers(self) -> list[Answer]:
        """Return each recorded resolution that stands, once for each distinct hunk."""
        return [answer for key, answer in sorted(self._answers.items()) if answer and key.startswith(_HUNK)]

    @property
    def contradicted(self) -> int:
        """How many distinct hunks have no answer any more: they were not always settled alike."""
        return sum(1 for key, answer in self._answers.items() if answer is None and key.startswith(_HUNK))

    def _remember(self, key: str, new: Answer) -> None:
        old = self._answers.get(key, new)
        if old is None or (old.side, _squeezed(old.text)) != (new.side, _squeezed(new.text)):
            self._answers[key] = None
        else:
            self._answers[key] = new if old is new else replace(new, seen=old.seen + 1)

    def as_json(self) -> dict[str, Any]:
        """Return the store as JSON values, the same for the same content."""
        rows = {key: None if answer is None else _row(answer) for key, answer in sorted(self._answers.items())}
        return {"format": _FORMAT, "answers": rows}

    @classmethod
    def from_json(cls, document: Any) -> "Recorded":
        """Read what `as_json` wrote.

        Raises:
            SynclineError: when it is something else.
        """
        store = cls()
        try:
            store._answers = _read(document)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SynclineError(
                f"recorded resolutions of format {_FORMAT} were expected: {error}",
                hint="remove the file; `syncline learn` writes it again",
            ) from error
        return store


def _answer(hunk: HunkCase, lines: Lines, commit: CommitId | None, path: bytes) -> Answer | None:
    text = b"".join(lines)
    squeezed_text = _squeezed(text)
    for side, own in ((Side.OURS, hunk.ours), (Side.THEIRS, hunk.theirs)):
        # White space that may mean something is part of what people wrote.
        if squeezed_text == _squeezed(b"".join(own)) and same_layout(lines, own, path):
            return Answer(side, b"", _layout(hunk), commit, 1, path)
    if not squeezed_text:
        return Answer(Side.NEITHER, b"", _layout(hunk), commit, 1, path)
    return Answer(None, text, _layout(hunk), commit, 1, path) if len(text) <= _MOST_TEXT else None


def _lines(hunk: HunkCase, answer: Answer) -> Lines | None:
    match answer.side:
        case Side.OURS:
            return hunk.ours
        case Side.THEIRS:
            return hunk.theirs
        case Side.NEITHER:
            return ()
        case _:
            return tuple(split_lines(answer.text)) if answer.layout == _layout(hunk) else None


def _keys(hunk: HunkCase) -> dict[Sameness, str]:
    base, ours, theirs = (_squeezed(b"".join(lines)) for lines in (hunk.base, hunk.ours, hunk.theirs))
    above, below = _around(hunk)
    return {
        Sameness.CONTEXT: _digest(b"context", base, ours, theirs, above, below),
        Sameness.HUNK: _HUNK + _digest(b"hunk", base, ours, theirs),
        Sameness.SIDES: _digest(b"sides", ours, theirs),
    }


def _around(hunk: HunkCase) -> tuple[bytes, bytes]:
    """Return the nearest merged lines above and below a hunk that are not blank, without their white space."""
    parts = hunk.file.cut.parts
    place = [at for at, part in enumerate(parts) if isinstance(part, Hunk)][hunk.index]
    before = parts[place - 1] if place else ()
    after = parts[place + 1] if place + 1 < len(parts) else ()
    above = () if isinstance(before, Hunk) else reversed(before)
    below = () if isinstance(after, Hunk) else after
    return next(filter(None, map(squeezed, above)), b""), next(filter(None, map(squeezed, below)), b"")


def _layout(hunk: HunkCase) -> str:
    return _digest(b"layout", b"".join(hunk.ours), b"".join(hunk.theirs))


def _squeezed(text: bytes) -> bytes:
    return b"".join(text.split())


def _digest(*parts: bytes) -> str:
    framed = b"".join(b"%d:%s," % (len(part), part) for part in parts)
    return hashlib.sha256(framed).hexdigest()[:32]


def _row(answer: Answer) -> dict[str, str | int]:
    row: dict[str, str | int] = {"seen": answer.seen, "path": answer.path.decode("utf-8", "surrogateescape")}
    if answer.commit:
        row["commit"] = answer.commit
    if answer.layout:
        row["layout"] = answer.layout
    if answer.side is not None:
        return row | {"side": answer.side.value}
    return row | {"text": answer.text.decode("utf-8", "surrogateescape")}


def _read(read: Any) -> dict[str, Answer | None]:
    if read["format"] != _FORMAT:
        raise ValueError(f"format {read['format']!r}")
    return {str(key): None if row is None else _of_row(row) for key, row in read["answers"].items()}


def _of_row(row: dict[str, str | int]) -> Answer:
    side = Side(row["side"]) if "side" in row else None
    commit = CommitId(str(row["commit"])) if "commit" in row else None
    text = str(row["text"]).encode("utf-8", "surrogateescape") if side is None else b""
    layout = str(row["layout"] if side is None else row.get("layout", ""))
    path = str(row["path"]).encode("utf-8", "surrogateescape")
    return Answer(side, text, layout, commit, int(row["seen"]), path)

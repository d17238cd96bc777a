"""What an agent answers, and reading it strictly: nonsense is told in words, and nothing is guessed. Pure."""

import base64
import binascii
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from syncline.errors import SynclineError

VERSION = 1
_MOST_FAULTS = 3
_REASON = 4000
"""Characters of a reason that are kept."""


class NoAnswerError(SynclineError):
    """What an agent said is no answer."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer took. None where that is not known."""

    seconds: float = 0.0
    turns: int | None = None
    tokens: int | None = None
    money: float | None = None

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.seconds + other.seconds,
            _sum(self.turns, other.turns),
            _sum(self.tokens, other.tokens),
            _sum(self.money, other.money),
        )

    def as_json(self) -> dict[str, float | int | None]:
        """Return the numbers."""
        return {
            "seconds": round(self.seconds, 3),
            "turns": self.turns,
            "tokens": self.tokens,
            "money": self.money,
        }


_Number = TypeVar("_Number", int, float)


def _sum(one: _Number | None, other: _Number | None) -> _Number | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


@dataclass(frozen=True, slots=True)
class Edit:
    """What becomes of one file: exactly one of the three is set."""

    path: str
    """As the task names it."""
    content: bytes | None = None
    """The whole file."""
    hunks: tuple[tuple[int, bytes], ...] = ()
    """Texts for its open hunks, by their index."""
    delete: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent answers. Nothing in it was judged yet."""

    edits: tuple[Edit, ...]
    reason: str
    cost: Cost = field(default_factory=Cost)
    in_room: bool = False
    """Whether the edits are to be read from the room."""


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


_Count = Annotated[int, Field(ge=0, le=10**15)]
_Amount = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]


class SaidCost(_Said):
    """The cost, as an agent says it."""

    seconds: _Amount | None = None
    turns: _Count | None = None
    tokens: _Count | None = None
    money: _Amount | None = None


class SaidHunk(_Said):
    """The text for one hunk."""

    index: Annotated[int, Field(ge=0, le=1_000_000)]
    text: str | None = None
    base64: str | None = None

    @model_validator(mode="after")
    def _one_text(self) -> Self:
        if (self.text is None) == (self.base64 is None):
            raise ValueError("a hunk has either text or base64")
        return self


class SaidEdit(_Said):
    """An edit: the whole content, texts for hunks, or the wish to delete."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    content: str | None = None
    base64: str | None = None
    hunks: list[SaidHunk] | None = None
    delete: Literal[True] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        given = [name for name in ("content", "base64", "hunks", "delete") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("an edit has exactly one of content, base64, hunks and delete")
        if self.hunks is not None and len({hunk.index for hunk in self.hunks}) != len(self.hunks):
            raise ValueError("a hunk is answered twice")
        return self


class SaidAnswer(_Said):
    """The document that a command prints and a model fills in."""

    version: Literal[1] = 1
    reason: str
    edits: list[SaidEdit] | None = None
    """Absent: the files in the room are the answer."""
    cost: SaidCost | None = None

    @model_validator(mode="after")
    def _each_path_once(self) -> Self:
        paths = [edit.path for edit in self.edits or ()]
        if len(set(paths)) != len(paths):
            raise ValueError("a path is edited twice")
        return self


def read_answer(document: bytes) -> Answer:
    """Read an answer as a command prints it: one JSON document and nothing beside it.

    Raises:
        NoAnswerError: it is not that; the message never repeats what was said.
    """
    if not document.strip():
        raise NoAnswerError("it printed nothing; one JSON document was wanted")
    try:
        return answer_of(SaidAnswer.model_validate_json(document))
    except ValidationError as error:
        raise NoAnswerError(f"what it printed is no answer: {_faults(error)}", hint="docs/agents.md") from None


def answer_of(said: SaidAnswer) -> Answer:
    """Return what was said as plain values.

    Raises:
        NoAnswerError: base64 that is none, or text that no file can hold.
    """
    cost = said.cost or SaidCost()
    return Answer(
        tuple(_edit(edit) for edit in said.edits or ()),
        said.reason[:_REASON],
        Cost(cost.seconds or 0.0, cost.turns, cost.tokens, cost.money),
        in_room=said.edits is None,
    )


def _edit(said: SaidEdit) -> Edit:
    if said.delete:
        return Edit(said.path, delete=True)
    if said.hunks is not None:
        return Edit(said.path, hunks=tuple((hunk.index, _bytes(hunk.text, hunk.base64)) for hunk in said.hunks))
    return Edit(said.path, _bytes(said.content, said.base64))


def _bytes(text: str | None, coded: str | None) -> bytes:
    try:
        return text.encode() if text is not None else base64.b64decode(coded or "", validate=True)
    except UnicodeEncodeError as error:
        raise NoAnswerError(
            "what it printed is no answer: a text holds half a character", hint="use base64"
        ) from error
    except (binascii.Error, ValueError) as error:
        raise NoAnswerError("what it printed is no answer: its base64 is none") from error


def _faults(error: ValidationError) -> str:
    """Return the first faults in words; what was found there is left out, for it may be anything."""
    faults: list[dict[str, Any]] = [dict(one) for one in error.errors(include_url=False, include_input=False)]
    told = []
    for fault in faults[:_MOST_FAULTS]:
        place = ".".join(str(part)[:40] for part in fault["loc"])
        told.append(f"{place}: {fault['msg']}" if place else str(fault["msg"]))
    more = f" and {len(faults) - _MOST_FAULTS} more" if len(faults) > _MOST_FAULTS else ""
    words = "; ".join(told) + more
    return words.encode("ascii", "backslashreplace").decode("ascii")


def answer_as_json(answer: Answer) -> dict[str, Any]:
    """Return an answer as the document that `read_answer` reads."""
    edits = [
        {"path": edit.path}
        | (
            {"delete": True}
            if edit.delete
            else _coded("content", edit.content)
            if edit.content is not None
            else {"hunks": [{"index": index} | _coded("text", text) for index, text in edit.hunks]}
        )
        for edit in answer.edits
    ]
    cost = {name: value for name, value in answer.cost.as_json().items() if value is not None}
    document: dict[str, Any] = {"version": VERSION, "reason": answer.reason, "cost": cost}
    return document if answer.in_room else document | {"edits": edits}


def _coded(key: str, content: bytes) -> dict[str, Any]:
    try:
        return {key: content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}

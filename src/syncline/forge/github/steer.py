"""People steer a proposal by comments: orders are read, answered, and done once.

Who orders must be able to write to the repository; bots never order. A comment counts as it is first seen, and
only if it was not edited before: GitHub does not tell by whom. What is edited later neither adds an order nor
changes one; it takes back those that are not answered yet.

What was seen and answered is kept in one living comment of the proposal, which shows the last answers to people.
So is what every machine must know of the answers: that the lane is held, and what was kept with an order. It
counts only where a program wrote it, or somebody who may write to the repository. Reactions (eyes: seen, +1: done,
confused: not done) are for people alone: anybody may add one, and several accounts may step a lane. A caller
killed between doing and answering gets the order again, with the same `key` and what it noted by `begin`.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field, replace
from typing import Any

from syncline.forge.github import comments
from syncline.forge.github import marker as markers
from syncline.forge.github.client import Client
from syncline.forge.github.commands import HELP, Command, Misread, parse
from syncline.forge.github.insiders import may_write
from syncline.forge.github.trouble import RefusedError, UnknownError
from syncline.forge.orders import Kept, Kind, Order, Orders, Pause
from syncline.forge.protocol import Comment
from syncline.markup.plain_text import one_line

MARKER = "orders"
"""The living comment's."""

_MOST_KEPT = 500
_MOST_SHOWN = 20
_MOST_IN_ONE = 20
"""Orders of one comment that are read."""
_MOST_TEXT = 20_000
"""Characters of what is kept with orders, as JSON: the living comment has room for so much."""
_WORDS_LIMIT = 500
_RECORD = re.compile(r"^<!-- syncline:orders (?P<json>\{.*\}) -->$", re.MULTILINE)
_HOLDS = {Kind.PAUSE: True, Kind.RESUME: False}


@dataclass(slots=True)
class _Seen:
    """What is known of a comment: a digest of its orders, and which of them are open."""

    digest: str
    open: list[int]


@dataclass(frozen=True, slots=True, order=True)
class _Hold:
    """The newest order that holds the lane, or lets it go on: a later one counts, in whatever order they come."""

    comment: int = 0
    index: int = 0
    on: bool = False
    who: str = ""
    since: str = ""


@dataclass(slots=True)
class _Record:
    """What the living comment holds. Comments numbered `before` or less are forgotten: none of them counts."""

    before: int = 0
    seen: dict[int, _Seen] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    """Lines for people, oldest first."""
    help: bool = False
    hold: _Hold = field(default_factory=_Hold)
    begun: dict[str, str] = field(default_factory=dict)
    """What was noted beside orders that somebody began to carry out."""
    kept: dict[str, str] = field(default_factory=dict)

    def add(self, other: "_Record") -> None:
        """Know what `other` knows too. Nothing that was answered is open again, whichever is older."""
        self.before = max(self.before, other.before)
        self.help |= other.help
        self.hold = max(self.hold, other.hold)
        self.begun = other.begun | self.begun
        self.kept = other.kept | self.kept
        for key, theirs in other.seen.items():
            mine = self.seen.setdefault(key, _Seen(theirs.digest, theirs.open))
            mine.open = [index for index in mine.open if index in theirs.open]
        self.shown += [line for line in other.shown if line not in self.shown]

    def forget(self) -> None:
        """Keep the newest only, and of what was begun that which is not answered."""
        for key in sorted(self.seen)[:-_MOST_KEPT]:
            self.before = max(self.before, key)
            del self.seen[key]
        waiting = {f"{comment}.{index}" for comment, seen in self.seen.items() for index in seen.open}
        self.begun = {key: note for key, note in self.begun.items() if key in waiting}
        for key in list(self.kept)[:-1]:
            if len(_hidden(self.kept)) > _MOST_TEXT:
                del self.kept[key]


class Steering:
    """Reads and answers orders. What one process wrote it remembers: GitHub's lists may lag behind."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._known: dict[int, tuple[_Record, Comment]] = {}
        self._noted: set[int] = set()
        """Proposals whose comments this process has noted."""

    def read(self, number: int) -> Orders:
        """The orders of a proposal that wait to be carried out, and what follows from those that were.

        Raises:
            ForgeError: GitHub refuses; also where the token may not ask who may write to the repository.
        """
        items, record = self._read(number)
        new = list(_new(items, record))
        # Strangers who go on and on must not keep a lane busy: what they write now is noted by the next process.
        by_whom = [_look(self._client, record, comment, given, quiet=True) for comment, given in new]
        waiting = [one for comment, given in _with_orders(items) for one in _open(record, number, comment, given)]
        hold = record.hold
        return Orders(
            # Whoever may write may have touched the record; and rights may have been taken back since.
            open=tuple(one for one in waiting if may_write(self._client, one.who)),
            unnoted=any(by_whom) or (bool(new) and number not in self._noted),
            pause=Pause(hold.who, number, hold.since) if hold.on else None,
            kept=tuple(Kept(*one) for one in record.kept.items()),
        )

    def note(self, number: int) -> None:
        """Note the comments that are new, and answer help and what cannot be understood.

        Raises:
            ForgeError: GitHub refuses.
        """
        items, record = self._read(number)
        new = list(_new(items, record))
        for comment, given in new:
            _look(self._client, record, comment, given, quiet=False)
        if new:
            self._write(number, record)
        self._noted.add(number)

    def begin(self, order: Order, note: str) -> str:
        """Note beside an order by what it is known later to be done; give the note that is there already.

        Empty where the order has been answered meanwhile.

        Raises:
            ForgeError: GitHub refuses.
        """
        _, record = self._read(order.proposal)
        if not _waits(record, order):
            return ""
        if order.key not in record.begun:
            record.begun[order.key] = note
            self._write(order.proposal, record)
        return record.begun[order.key]

    def answer(self, order: Order, *, done: bool, words: str, keep: str = "") -> None:
        """Say what became of an order; it is not read again. The same answer again changes nothing.

        Raises:
            ForgeError: GitHub refuses.
        """
        _, record = self._read(order.proposal)
        if _waits(record, order):
            record.seen[order.comment_id].open.remove(order.index)
            record.shown.append(_row(order.who, str(order), "done" if done else "not done", words))
            if done and order.kind in _HOLDS:
                on = _HOLDS[order.kind]
                record.hold = max(record.hold, _Hold(order.comment_id, order.index, on, order.who, order.given))
            if done and keep:
                record.kept[order.key] = keep
            self._write(order.proposal, record)
        _react(self._client, order.comment_id, "+1" if done else "confused")

    def _read(self, number: int) -> tuple[list[Any], _Record]:
        """All comments of a proposal, and what is known of them."""
        items = comments.every(self._client, number)
        # Two machines may have begun a record each at the same moment: both count.
        record = _Record()
        for item in items:
            one = comments.marked(self._client, number, item)
            if one is not None and one.marker == MARKER:
                record.add(_parsed(one.body))
        if number in self._known:
            record.add(self._known[number][0])
        return items, record

    def _write(self, number: int, record: _Record) -> None:
        record.forget()
        known = self._known.get(number)
        body = _shown(record)
        mine = known[1] if known is not None else None
        written = comments.write(self._client, number, MARKER, body, mine)
        self._known[number] = _parsed(body), written


def _with_orders(items: list[Any]) -> Iterator[tuple[Any, tuple[Command | Misread, ...]]]:
    return ((item, given) for item in items if (given := _orders_of(item)))


def _new(items: list[Any], record: _Record) -> Iterator[tuple[Any, tuple[Command | Misread, ...]]]:
    """The comments with orders that were not noted yet."""
    for item, given in _with_orders(items):
        if item["id"] > record.before and item["id"] not in record.seen:
            yield item, given


def _waits(record: _Record, order: Order) -> bool:
    seen = record.seen.get(order.comment_id)
    return seen is not None and order.index in seen.open


def _orders_of(comment: Any) -> tuple[Command | Misread, ...]:
    """What a comment says to us; nothing, if a program wrote it."""
    body, user = comment.get("body") or "", comment.get("user") or {}
    if user.get("type") != "User" or markers.read_comment(body) is not None:
        return ()
    return parse(body)[:_MOST_IN_ONE]


def _look(
    client: Client, record: _Record, comment: Any, given: tuple[Command | Misread, ...], *, quiet: bool
) -> bool:
    """Note a comment that was not seen before, answer what needs nothing done; whether its author may write."""
    who = comment["user"]["login"]
    seen = record.seen[comment["id"]] = _Seen(_digest(given), [])
    insider = may_write(client, who)
    if not insider:
        # Nothing is shown of it: strangers shall not push out what others were answered.
        reactions = ["confused"]
    elif comment["created_at"] != comment["updated_at"]:
        why = "the comment was edited before it was read: write a new one"
        record.shown += [_row(who, _words_of(one), "not done", why) for one in given]
        reactions = ["confused"]
    else:
        reactions = ["eyes"]
        for index, one in enumerate(given):
            match one:
                case Misread(_, why):
                    record.shown.append(_row(who, one.line, "not understood", why))
                    reactions.append("confused")
                case Command(Kind.HELP):
                    record.help = True
                    reactions.append("+1")
                case _:
                    seen.open.append(index)
    if not quiet:
        for content in dict.fromkeys(reactions):
            _react(client, comment["id"], content)
    return insider


def _open(record: _Record, number: int, comment: Any, given: tuple[Command | Misread, ...]) -> Iterator[Order]:
    seen = record.seen.get(comment["id"])
    if seen is None or seen.digest != _digest(given):
        return
    for index, one in enumerate(given):
        if index in seen.open and isinstance(one, Command):
            order = Order(
                one.kind, one.args, comment["user"]["login"], comment["id"], number, index, comment["created_at"]
            )
            yield replace(order, begun=record.begun.get(order.key, ""))


def _react(client: Client, comment: int, content: str) -> None:
    try:
        client.post(f"issues/comments/{comment}/reactions", {"content": content})  # once for each account
    except UnknownError:
        return  # what counts is the record
    except RefusedError as error:
        if error.status not in {403, 404, 410, 422}:  # deleted, or its author has blocked us: nobody to tell
            raise


def _digest(given: tuple[Command | Misread, ...]) -> str:
    words = [[one.kind.value, *one.args] if isinstance(one, Command) else [one.line] for one in given]
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:12]


def _words_of(one: Command | Misread) -> str:
    return str(Order(one.kind, one.args, "", 0, 0)) if isinstance(one, Command) else one.line


# The living comment.


def _parsed(body: str) -> _Record:
    found = _RECORD.search(body)
    try:
        kept = json.loads(found["json"]) if found is not None else {}
        comment, index, on, who, since = kept.get("hold", (0, 0, 0, "", ""))
        record = _Record(
            before=int(kept.get("before", 0)), help=bool(kept.get("help")),
            seen={int(key): _Seen(str(digest), list(map(int, left))) for key, (digest, left) in
                  kept.get("seen", {}).items()},
            hold=_Hold(int(comment), int(index), bool(on), str(who), str(since)),
            begun=_texts(kept.get("begun", {})), kept=_texts(kept.get("kept", {})),
        )  # fmt: skip
    except (ValueError, TypeError, AttributeError, RecursionError):
        record = _Record()
    record.shown = [line for line in body.split("\n") if line.startswith("| `@")]
    return record


def _texts(table: Any) -> dict[str, str]:
    return {str(key): str(text) for key, text in table.items()}


def _shown(record: _Record) -> str:
    kept = {
        "before": record.before,
        "seen": {key: [one.digest, one.open] for key, one in sorted(record.seen.items())},
        **({"help": 1} if record.help else {}),
        **({"hold": list(astuple(record.hold))} if record.hold.comment else {}),
        **({"begun": record.begun} if record.begun else {}),
        **({"kept": record.kept} if record.kept else {}),
    }
    lines = [f"<!-- syncline:orders {_hidden(kept)} -->"]
    if record.hold.on:
        held = f"The lane is held by {_span(f'@{record.hold.who}')} since {_span(record.hold.since)}."
        lines += [f"**Paused.** {held} `/syncline resume` lets it go on.", ""]
    if record.shown:
        lines += ["| Who | Order | Answer |", "| --- | --- | --- |", *record.shown[-_MOST_SHOWN:], ""]
    if record.help:
        lines.append(HELP)
    elif record.shown:
        lines.append("`/syncline help` lists what can be ordered here.")
    else:
        lines.append("Orders were seen; their answers will stand here.")
    return "\n".join(lines)


def _hidden(words: object) -> str:
    """JSON in which nobody's words end the HTML comment that hides it."""
    return json.dumps(words, separators=(",", ":")).replace(">", "\\u003e").replace("<", "\\u003c")


def _row(who: str, order: str, result: str, words: str) -> str:
    said = f": {_span(words)}" if words.strip() else ""
    return f"| {_span(f'@{who}')} | {_span(order)} | {result}{said} |"


def _span(words: str) -> str:
    """Words as a code span in a table: no markup, no mention, whatever is in them."""
    line = one_line(" ".join(words.split())).replace("`", "'").replace("|", "\\|")
    return f"`{line[:_WORDS_LIMIT]}`" if line else ""

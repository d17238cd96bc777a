"""People steer a proposal by comments: orders are read, answered, and done once.

Who orders must be able to write to the repository; bots never order. A comment counts as it is first seen, and
only if it was not edited before: GitHub does not tell by whom. What is edited later neither adds an order nor
changes one; it takes back those that are not answered yet.

What was seen and answered is kept in one living comment of the proposal, which shows the last answers to people.
Reactions (eyes: seen, +1: done, confused: not done) are for people alone: anybody may add one, and several
accounts may step a lane. A caller killed between doing and answering gets the order again, with the same `key`;
the orders are such that doing one twice does no harm.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from syncline.forge.github import comments
from syncline.forge.github import marker as markers
from syncline.forge.github.client import Client
from syncline.forge.github.commands import HELP, Command, Kind, Misread, parse
from syncline.forge.github.trouble import RefusedError, UnknownError
from syncline.forge.protocol import Comment

MARKER = "orders"
"""The living comment's."""

_MOST_KEPT = 500
_MOST_SHOWN = 20
_MOST_IN_ONE = 20
"""Orders of one comment that are read."""
_WORDS_LIMIT = 500
_RECORD = re.compile(r"^<!-- syncline:orders (?P<json>\{.*\}) -->$", re.MULTILINE)
_MAY = frozenset({"admin", "maintain", "write"})


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody wants done. `args` as in `commands.Command`; `index` counts the orders of one comment."""

    kind: Kind
    args: tuple[str, ...]
    who: str
    comment_id: int
    proposal: int
    index: int = 0

    @property
    def key(self) -> str:
        """Names it for ever, for a journal."""
        return f"{self.comment_id}.{self.index}"

    def __str__(self) -> str:
        words = {Kind.WAIVE: " because "}.get(self.kind, " ").join(self.args)
        return f"/syncline {self.kind} {words}".rstrip()


@dataclass(slots=True)
class _Seen:
    """What is known of a comment: a digest of its orders, and which of them are open."""

    digest: str
    open: list[int]


@dataclass(slots=True)
class _Record:
    """What the living comment holds. Comments numbered `before` or less are forgotten: none of them counts."""

    before: int = 0
    seen: dict[int, _Seen] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    """Lines for people, oldest first."""
    help: bool = False

    def add(self, other: "_Record") -> None:
        """Know what `other` knows too. Nothing that was answered is open again, whichever is older."""
        self.before = max(self.before, other.before)
        self.help |= other.help
        for key, theirs in other.seen.items():
            mine = self.seen.setdefault(key, _Seen(theirs.digest, theirs.open))
            mine.open = [index for index in mine.open if index in theirs.open]
        self.shown += [line for line in other.shown if line not in self.shown]

    def forget(self) -> None:
        """Keep the newest only."""
        for key in sorted(self.seen)[:-_MOST_KEPT]:
            self.before = max(self.before, key)
            del self.seen[key]


class Steering:
    """Reads and answers orders. What one process wrote it remembers: GitHub's lists may lag behind."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._known: dict[int, tuple[_Record, Comment]] = {}

    def read_orders(self, number: int, *, quiet: bool = False) -> tuple[Order, ...]:
        """The orders of a proposal that wait to be carried out, oldest first.

        Help and what cannot be understood are answered here; the rest is for `answer`.

        Args:
            number: the proposal's.
            quiet: write nothing: no reaction, no answer, nothing noted.

        Raises:
            ForgeError: GitHub refuses; also where the token may not ask who may write to the repository.
        """
        record = self._read(number)
        found: list[Order] = []
        changed = False
        for comment in sorted(self._client.pages(f"issues/{number}/comments"), key=lambda one: one["id"]):
            given = _orders_of(comment)
            if not given or comment["id"] <= record.before:
                continue
            if comment["id"] not in record.seen:
                changed = True
                _look(self._client, record, comment, given, quiet=quiet)
            found += [
                # Whoever may write may have touched the record; and rights may have been taken back since.
                one
                for one in _still_open(record, number, comment, given)
                if _may_write(self._client, one.who)
            ]
        if changed and not quiet:
            self._write(number, record)
        return tuple(found)

    def answer(self, order: Order, *, done: bool, words: str) -> None:
        """Say what became of an order; it is not read again. The same answer again changes nothing.

        Raises:
            ForgeError: GitHub refuses.
        """
        record = self._read(order.proposal)
        seen = record.seen.get(order.comment_id)
        if seen is not None and order.index in seen.open:
            seen.open.remove(order.index)
            record.shown.append(_row(order.who, str(order), "done" if done else "not done", words))
            self._write(order.proposal, record)
        _react(self._client, order.comment_id, "+1" if done else "confused")

    def _read(self, number: int) -> _Record:
        listed = comments.listed(self._client, number)
        record = _parsed(next((one.body for one in listed if one.marker == MARKER), ""))
        if number in self._known:
            record.add(self._known[number][0])
        return record

    def _write(self, number: int, record: _Record) -> None:
        record.forget()
        known = self._known.get(number)
        body = _shown(record)
        written = comments.write(self._client, number, MARKER, body, known[1] if known is not None else None)
        self._known[number] = _parsed(body), written


def _orders_of(comment: Any) -> tuple[Command | Misread, ...]:
    """What a comment says to us; nothing, if a program wrote it."""
    body, user = comment.get("body") or "", comment.get("user") or {}
    if user.get("type") != "User" or markers.read_comment(body) is not None:
        return ()
    return parse(body)[:_MOST_IN_ONE]


def _look(
    client: Client, record: _Record, comment: Any, given: tuple[Command | Misread, ...], *, quiet: bool
) -> None:
    """Note a comment that was not seen before, and answer what needs nothing done."""
    who = comment["user"]["login"]
    seen = record.seen[comment["id"]] = _Seen(_digest(given), [])
    if not _may_write(client, who):
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


def _still_open(
    record: _Record, number: int, comment: Any, given: tuple[Command | Misread, ...]
) -> Iterator[Order]:
    seen = record.seen[comment["id"]]
    if seen.digest != _digest(given):
        return
    for index, one in enumerate(given):
        if index in seen.open and isinstance(one, Command):
            yield Order(one.kind, one.args, comment["user"]["login"], comment["id"], number, index)


def _may_write(client: Client, login: str) -> bool:
    answer = client.find(f"collaborators/{quote(login, safe='')}/permission")
    return (answer or {}).get("permission") in _MAY


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
        record = _Record(
            before=int(kept.get("before", 0)), help=bool(kept.get("help")),
            seen={int(key): _Seen(str(digest), list(map(int, left))) for key, (digest, left) in
                  kept.get("seen", {}).items()},
        )  # fmt: skip
    except (ValueError, TypeError, AttributeError, RecursionError):
        record = _Record()
    record.shown = [line for line in body.split("\n") if line.startswith("| `@")]
    return record


def _shown(record: _Record) -> str:
    kept = {
        "before": record.before,
        "seen": {key: [one.digest, one.open] for key, one in sorted(record.seen.items())},
        **({"help": 1} if record.help else {}),
    }
    lines = [f"<!-- syncline:orders {json.dumps(kept, separators=(',', ':'))} -->"]
    if record.shown:
        lines += ["| Who | Order | Answer |", "| --- | --- | --- |", *record.shown[-_MOST_SHOWN:], ""]
    if record.help:
        lines.append(HELP)
    elif record.shown:
        lines.append("`/syncline help` lists what can be ordered here.")
    else:
        lines.append("Orders were seen; their answers will stand here.")
    return "\n".join(lines)


def _row(who: str, order: str, result: str, words: str) -> str:
    said = f": {_span(words)}" if words.strip() else ""
    return f"| {_span(f'@{who}')} | {_span(order)} | {result}{said} |"


def _span(words: str) -> str:
    """Words as a code span in a table: no markup, no mention, whatever is in them."""
    line = " ".join(words.split()).replace("`", "'").replace("|", "\\|")
    return f"`{line[:_WORDS_LIMIT]}`" if line else ""

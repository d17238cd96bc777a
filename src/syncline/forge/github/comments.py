"""Comments that carry a marker: each marker once on a proposal, edited in place.

Whoever may write to the repository, or is a program, may have written it: a lane is stepped by several
accounts (a person, a workflow, an App), and each must see what the others did. A marker that anybody else
pastes is passed over.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from syncline.errors import ForgeError
from syncline.forge.github import marker as markers
from syncline.forge.github.client import Client
from syncline.forge.github.fit import BODY_LIMIT, fit
from syncline.forge.github.trouble import NotFoundError, UnknownError
from syncline.forge.protocol import Comment

_INSIDERS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


def listed(client: Client, number: int) -> tuple[Comment, ...]:
    """The marked comments of a proposal, oldest first; of two with one marker the older.

    Raises:
        ForgeError: there is no proposal of that number.
    """
    try:
        marked = list(_marked(client, number))
    except NotFoundError as error:
        raise ForgeError(
            f"there is no proposal {number} in {client.settings.repository}", hint=error.hint
        ) from None
    found: dict[str, Comment] = {}
    for comment in sorted(marked, key=lambda one: one.number):
        found.setdefault(comment.marker, comment)
    return tuple(found.values())


def write(client: Client, number: int, marker: str, body: str, known: Comment | None = None) -> Comment:
    """Write the comment `marker`, or give the one there is this body.

    Args:
        client: of the repository.
        number: the proposal's.
        marker: the comment's name.
        body: its text.
        known: the comment as this process wrote it before; GitHub's list may lag behind that.

    Raises:
        ForgeError: GitHub refuses; or whether it was written is not known, and it cannot be found.
    """
    text = fit(markers.write_comment(marker, body.replace("\r\n", "\n")), BODY_LIMIT)
    if text is None:
        raise ForgeError(f"a comment of one line is longer than the {BODY_LIMIT} characters GitHub takes")
    there = _find(client, number, marker)
    if there is None and known is not None:
        # GitHub's list lags behind, or somebody deleted it: its own address tells.
        found = client.find(f"issues/comments/{known.number}")
        there = _comment(number, found) if found is not None else None
    if there is None:
        try:
            return _comment(number, client.post(f"issues/{number}/comments", {"body": text}))
        except UnknownError:
            there = _find(client, number, marker)
            if there is None:
                raise
    if markers.write_comment(marker, there.body) == text:
        return there
    return _comment(number, client.patch(f"issues/comments/{there.number}", {"body": text}))


def _find(client: Client, number: int, marker: str) -> Comment | None:
    return next((comment for comment in listed(client, number) if comment.marker == marker), None)


def _marked(client: Client, number: int) -> Iterator[Comment]:
    for item in client.pages(f"issues/{number}/comments"):
        user = item.get("user") or {}
        ours = item.get("author_association") in _INSIDERS or user.get("type") == "Bot"
        if ours and markers.read_comment(item.get("body") or "") is not None:
            yield _comment(number, item)


def _comment(proposal: int, item: Any) -> Comment:
    read = markers.read_comment(item["body"])
    if read is None:
        raise ForgeError(f"GitHub changed the comment {item['id']} while it was written", hint="run again")
    marker, body = read
    return Comment(item["id"], proposal, marker, body, datetime.fromisoformat(item["created_at"]))

"""Comments that carry a marker: each marker once on a proposal, edited in place.

Whoever may write to the repository, or is a program, may have written it: a lane is stepped by several
accounts (a person, a workflow, an App), and each must see what the others did. A marker that anybody else
pastes is passed over.
"""

from datetime import datetime
from typing import Any

from syncline.errors import ForgeError
from syncline.forge.github import marker as markers
from syncline.forge.github.client import Client
from syncline.forge.github.fit import BODY_LIMIT, fit
from syncline.forge.github.insiders import believed
from syncline.forge.github.trouble import NotFoundError, UnknownError
from syncline.forge.protocol import Comment


def listed(client: Client, number: int) -> tuple[Comment, ...]:
    """The marked comments of a proposal, oldest first; of two with one marker the older.

    Raises:
        ForgeError: there is no proposal of that number.
    """
    found: dict[str, Comment] = {}
    for comment in (one for item in every(client, number) if (one := marked(client, number, item)) is not None):
        found.setdefault(comment.marker, comment)
    return tuple(found.values())


def every(client: Client, number: int) -> list[Any]:
    """All comments of a proposal as GitHub tells them, whoever wrote them, oldest first.

    Raises:
        ForgeError: there is no proposal of that number.
    """
    try:
        return sorted(client.pages(f"issues/{number}/comments"), key=lambda item: item["id"])
    except NotFoundError as error:
        raise ForgeError(
            f"there is no proposal {number} in {client.settings.repository}", hint=error.hint
        ) from None


def marked(client: Client, number: int, item: Any) -> Comment | None:
    """A comment that carries a marker which counts; None for any other."""
    if markers.read_comment(item.get("body") or "") is None:
        return None
    ours = believed(client, item.get("user"), str(item.get("author_association")))
    return _comment(number, item) if ours else None


def write(
    client: Client,
    number: int,
    marker: str,
    body: str,
    known: Comment | None = None,
) -> Comment:
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
    return next((one for one in listed(client, number) if one.marker == marker), None)


def _comment(proposal: int, item: Any) -> Comment:
    read = markers.read_comment(item["body"])
    if read is None:
        raise ForgeError(f"GitHub changed the comment {item['id']} while it was written", hint="run again")
    marker, body = read
    return Comment(item["id"], proposal, marker, body, datetime.fromisoformat(item["created_at"]))

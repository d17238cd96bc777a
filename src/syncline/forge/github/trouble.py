"""What GitHub says when it refuses, as errors a caller can tell apart and a person can act on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from syncline.errors import ForgeError

_LONGEST = 500


class RefusedError(ForgeError):
    """GitHub answered, and it was no. `status` is HTTP's; `words` GitHub's own, in one line."""

    def __init__(self, message: str, *, status: int, words: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.words = words


class NotFoundError(RefusedError):
    """There is no such thing, or it may not be seen by whom we act as."""


class UnknownError(ForgeError):
    """No answer came to a change that may not be repeated blindly: it may be done or not."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was wanted, for messages: `method` and `path` as sent, without parameters."""

    method: str
    path: str
    repository: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def words_of(content: Any) -> str:
    """GitHub's own words in an error's JSON: the message, and what it says of single fields."""
    if not isinstance(content, Mapping):
        return ""
    parts = [str(content.get("message", "")).strip()]
    errors = content.get("errors")
    for one in errors if isinstance(errors, list) else ():
        if isinstance(one, str):
            parts.append(one)
        elif isinstance(one, Mapping):
            said = one.get("message") or " ".join(
                str(one[key]) for key in ("resource", "field", "code", "value") if one.get(key) is not None
            )
            parts.append(str(said))
    return " ".join("; ".join(part for part in parts if part).split())[:_LONGEST]


def refused(asked: Asked, status: int, words: str) -> RefusedError:
    """The error for an answer with an error's status."""
    said = f": {words}" if words else ""
    kind = NotFoundError if status in {404, 410} else RefusedError
    return kind(
        f"GitHub refused {asked} for {asked.repository} with {status}{said}",
        status=status,
        words=words,
        hint=_hint(asked, status, words),
    )


def _hint(asked: Asked, status: int, words: str) -> str:
    low = words.casefold()
    if status == 401:
        return "the token is wrong or has ended: make a new one"
    if "saml" in low or "sso" in low.split():
        return "authorise the token for the organisation's single sign-on"
    if "archived" in low:
        return f"{asked.repository} is archived: nothing can be written there until it is unarchived"
    if "not accessible by" in low or (status == 403 and "resource" in low):
        return "the token lacks a permission: see docs/github.md for those that are needed"
    if status in {404, 410}:
        return "check `repository`, and that the token may read it (private repositories look like missing ones)"
    if status == 403:
        return "the token may not do this: see docs/github.md for the permissions needed"
    if status == 422:
        return "GitHub found the request wrong; its words say why"
    return "try again later; https://www.githubstatus.com tells whether GitHub has trouble"

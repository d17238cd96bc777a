"""Webhooks: deliveries checked and read into small values. No server, no I/O.

They only say where to look sooner: polling remains the truth, so what is lost, late or out of order does no harm.
https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from syncline.errors import ForgeError

MOST_REMEMBERED = 10_000
"""Deliveries remembered; GitHub redelivers those of the last three days, by hand."""


class SignatureError(ForgeError):
    """The delivery is not signed with our secret."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something happened at `repository` (`OWNER/NAME`), to what the other fields name as far as is known.

    `kind` is GitHub's name of the event; `number` a pull request's; `sha` the commit that is concerned; `branch`
    without `refs/heads/`. A deleted branch has no `sha`.
    """

    kind: str
    repository: str
    number: int | None = None
    sha: str = ""
    branch: str = ""


class Deliveries:
    """Which deliveries have come, by their ids. Of more than `most` the oldest are forgotten."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._seen: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self._seen)

    def is_new(self, delivery: str) -> bool:
        """Whether it comes for the first time; from now on it is known."""
        if delivery in self._seen:
            return False
        self._seen[delivery] = None
        if len(self._seen) > self._most:
            del self._seen[next(iter(self._seen))]
        return True


def receive(secret: str, headers: Mapping[str, str], body: bytes, deliveries: Deliveries) -> Event | None:
    """Read one delivery; None: it came before, or is nothing to us.

    Args:
        secret: that of the webhook.
        headers: of the request, in any case.
        body: as it came, byte for byte.
        deliveries: those known.

    Raises:
        SignatureError: the signature is missing or wrong; nothing of the delivery was looked at.
    """
    by_name = {name.casefold(): value for name, value in headers.items()}
    if not is_signed(secret, body, by_name.get("x-hub-signature-256")):
        raise SignatureError(
            "a delivery is not signed with the webhook's secret", hint="compare the secret at GitHub with ours"
        )
    delivery = by_name.get("x-github-delivery", "")
    if delivery and not deliveries.is_new(delivery):
        return None
    return read(by_name.get("x-github-event", ""), body)


def is_signed(secret: str, body: bytes, signature: str | None) -> bool:
    """Whether `signature` (`sha256=HEX`) is that of `body`; compared in constant time. No secret signs nothing."""
    if not secret or signature is None:
        return False
    wanted = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(wanted.encode(), signature.strip().encode(errors="backslashreplace"))


def read(kind: str, body: bytes) -> Event | None:
    """The event in a delivery's body, as JSON or as a form; None: unknown, incomplete, or no concern of ours."""
    reader = _READERS.get(kind)
    if reader is None:
        return None
    try:
        payload = json.loads(_json_of(body))
        repository = payload["repository"]["full_name"]
        found = reader(payload)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if found is None or not isinstance(repository, str):
        return None
    number, sha, branch = found
    event = Event(kind, repository, number, sha or "", branch or "")
    return event if _is_sound(event) else None


def _is_sound(event: Event) -> bool:
    number = event.number is None or (isinstance(event.number, int) and not isinstance(event.number, bool))
    named = event.number is not None or bool(event.sha) or bool(event.branch)
    return number and named and isinstance(event.sha, str) and isinstance(event.branch, str)


def _json_of(body: bytes) -> str:
    """What GitHub sends is JSON, or with the content type its form proposes first, a form with `payload`."""
    text = body.decode()
    return parse_qs(text, strict_parsing=True)["payload"][0] if text.startswith("payload=") else text


_Found = tuple[int | None, str | None, str | None]


def _pull(payload: Any) -> _Found:
    head = payload["pull_request"]["head"]
    return payload["pull_request"]["number"], head["sha"], head["ref"]


def _comment(payload: Any) -> _Found | None:
    issue = payload["issue"]
    return (issue["number"], None, None) if "pull_request" in issue else None


def _suite(payload: Any) -> _Found:
    return _check(payload["check_suite"], payload["check_suite"]["head_branch"])


def _check_run(payload: Any) -> _Found:
    run = payload["check_run"]
    return _check(run, (run.get("check_suite") or {}).get("head_branch"))


def _run(payload: Any) -> _Found:
    return _check(payload["workflow_run"], payload["workflow_run"]["head_branch"])


def _job(payload: Any) -> _Found:
    return None, payload["workflow_job"]["head_sha"], payload["workflow_job"].get("head_branch")


def _check(thing: Any, branch: str | None) -> _Found:
    # Several pull requests may have this head; none are told of forks. The commit names them all.
    pulls = thing.get("pull_requests") or []
    return (pulls[0]["number"] if len(pulls) == 1 else None), thing["head_sha"], branch


def _status(payload: Any) -> _Found:
    branches = payload.get("branches") or []
    return None, payload["sha"], branches[0]["name"] if len(branches) == 1 else None


def _push(payload: Any) -> _Found | None:
    ref, after = payload["ref"], payload["after"]
    if not ref.startswith("refs/heads/"):
        return None
    return None, "" if not after.strip("0") else after, ref.removeprefix("refs/heads/")


_READERS: Mapping[str, Callable[[Any], _Found | None]] = {
    "check_run": _check_run,
    "check_suite": _suite,
    "issue_comment": _comment,
    "pull_request": _pull,
    "pull_request_review": _pull,
    "push": _push,
    "status": _status,
    "workflow_job": _job,
    "workflow_run": _run,
}

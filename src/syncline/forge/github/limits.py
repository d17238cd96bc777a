"""GitHub's rate limits: whether an answer is one, and how long to wait. Pure.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
"""

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

SECONDARY_SECONDS = 60.0
"""What GitHub asks to wait at least where it says nothing; doubled each time after."""
LONGEST_WAIT = 3_900.0
"""Seconds that one request may wait for limits in all: a primary limit is full again within the hour."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause that is about to begin: for how many seconds, and why, in words for a person."""

    seconds: float
    why: str


def limit_wait(status: int, headers: Mapping[str, str], words: str, *, now: float, again: int) -> Wait | None:
    """How long to wait before the same request may be sent again; None when this is no rate limit.

    Args:
        status: of the answer; 200 for one of GraphQL that says it by an error.
        headers: of the answer, by lower-case names.
        words: GitHub's own words.
        now: seconds since the epoch, used where the answer has no date of its own.
        again: how many limits this request has met before.
    """
    secondary = "secondary rate limit" in words or "abuse detection" in words
    empty = headers.get("x-ratelimit-remaining") == "0"
    after = _seconds_after(headers, now)
    if status not in {200, 403, 429} or not (
        secondary or empty or status == 429 or (after is not None and status == 403)
    ):
        return None
    if after is not None and not (empty and after == 0):
        return Wait(after + 1, "GitHub asks to slow down (secondary rate limit)")
    reset = headers.get("x-ratelimit-reset", "")
    if empty and not secondary and reset.isdigit():
        seconds = max(0.0, float(reset) - _server_now(headers, now)) + 1
        return Wait(
            seconds, f"GitHub's rate limit of {headers.get('x-ratelimit-limit', 'this')} an hour is used up"
        )
    return Wait(SECONDARY_SECONDS * 2**again, "GitHub asks to slow down (secondary rate limit)")


def _seconds_after(headers: Mapping[str, str], now: float) -> float | None:
    text = headers.get("retry-after", "").strip()
    if text.isdigit():
        return float(text)
    date = _date(text)  # a proxy's way to say it
    return max(0.0, date - _server_now(headers, now)) if date is not None else None


def _server_now(headers: Mapping[str, str], now: float) -> float:
    """The time by GitHub's clock: ours may be wrong."""
    date = _date(headers.get("date", ""))
    return date if date is not None else now


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError):
        return None

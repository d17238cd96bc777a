"""What can go wrong between a client and GitHub, planned by tests request by request."""

import fnmatch
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Literal, TypeAlias

from testing.github.world import World

When = Literal["before", "after"]
"""Whether the effect of a disturbed request does not happen (`before`) or does (`after`)."""


@dataclass(frozen=True, slots=True)
class Fail:
    """An answer with this status instead of the right one."""

    status: int = 502
    when: When = "before"
    message: str = "Server Error"
    html: bool = False
    """Whether it is a page for people, as GitHub's front end sends it when nothing stands behind it."""

    @property
    def content(self) -> bytes:
        """What the client gets."""
        page = f"<!DOCTYPE html>\n<title>Unicorn! &middot; GitHub</title>\n<p>{self.message}</p>\n"
        return page.encode() if self.html else json.dumps({"message": self.message}).encode()

    @property
    def kind(self) -> str:
        """Its content type."""
        return "text/html; charset=utf-8" if self.html else "application/json; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Delay:
    """The right answer, but so many seconds late."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection breaks: in the middle of the answer when the effect happened, else before any of it."""

    when: When = "after"


@dataclass(frozen=True, slots=True)
class SecondaryLimit:
    """Too much at once. Without `retry_after` (seconds) GitHub leaves the waiting time to the client."""

    status: Literal[403, 429] = 403
    retry_after: int | None = 1


@dataclass(frozen=True, slots=True)
class PrimaryLimit:
    """Nothing left of this hour's requests; it begins again in `reset_in` seconds of the server's clock."""

    status: Literal[403, 429] = 403
    reset_in: int = 60


@dataclass(frozen=True, slots=True)
class Stale:
    """A read answered from what GitHub knew when the test made this value."""

    world: World


@dataclass(frozen=True, slots=True)
class Do:
    """Something that somebody else does just before the request, between two pages for example."""

    action: Callable[[], object]


Disturbance: TypeAlias = Fail | Delay | Reset | SecondaryLimit | PrimaryLimit | Stale | Do


@dataclass(slots=True)
class _Planned:
    method: str
    path: str
    what: Disturbance
    first: int
    times: int
    seen: int = 0


@dataclass(slots=True)
class Plan:
    """Which requests are disturbed, and how."""

    _planned: list[_Planned] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def add(self, method: str, path: str, what: Disturbance, *, nth: int = 1, times: int = 1) -> None:
        """Disturb requests with this method and path (`*`: anything), from the `nth` on, so many `times`.

        `path` is without `/api/v3`; GraphQL is `POST /graphql`.
        """
        self._planned.append(_Planned(method, path, what, nth, times))

    def of(self, method: str, path: str) -> list[Disturbance]:
        """Return what is planned for a request, and count it."""
        found = []
        with self._lock:
            for one in self._planned:
                if fnmatch.fnmatchcase(method, one.method) and fnmatch.fnmatchcase(path, one.path):
                    one.seen += 1
                    if one.first <= one.seen < one.first + one.times:
                        found.append(one.what)
        return found

    def outstanding(self) -> list[str]:
        """Return what was planned and has not happened (all of it), in words."""
        return [
            f"{one.method} {one.path}: {one.what}" for one in self._planned if one.seen < one.first + one.times - 1
        ]

    def clear(self) -> None:
        """Forget all that is planned."""
        self._planned.clear()

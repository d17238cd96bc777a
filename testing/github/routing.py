"""Which function answers which request. Values and a table, no network."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from testing.github.actors import Actor
    from testing.github.world import World

JSON = Any

REPO = "/repos/{owner}/{repo}"
_WITH_SLASHES = {"ref", "path", "branch", "basehead"}
"""Path parameters whose value may hold slashes."""


class RefusedError(Exception):
    """GitHub's answer to what it does not do: a status and a message."""

    def __init__(
        self, status: int, message: str, errors: JSON = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body: dict[str, JSON] = {"message": message, "documentation_url": "https://docs.github.com/rest"}
        if errors is not None:
            self.body["errors"] = errors
        self.headers = dict(headers or {})


def missing() -> RefusedError:
    """What GitHub says of what is not there, or not for this caller's eyes."""
    return RefusedError(404, "Not Found")


def invalid(resource: str, field_: str, message: str) -> RefusedError:
    """What GitHub says of a value that it cannot take."""
    errors = [{"resource": resource, "field": field_, "code": "custom", "message": message}]
    return RefusedError(422, "Validation Failed", errors)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back. `json` is sent as JSON, `raw` as it is; both None: an empty body."""

    json: JSON = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One request, as its handler sees it."""

    world: "World"
    actor: "Actor"
    path: Mapping[str, str]
    query: Mapping[str, JSON]
    body: dict[str, JSON]
    method: str
    url: str
    """The address asked for, without its query."""


Handler = Callable[[Call], Answer]


@dataclass(frozen=True)
class Route:
    """A method and a path template of GitHub's description, who may call it, and who answers."""

    method: str
    template: str
    needs: str
    """`PERMISSION:LEVEL` an App must have, as `checks:write`; empty: anybody."""
    role: str
    """The role in the repository that a person needs: `read`, `triage`, `write`, `admin`."""
    handler: Handler

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What the path of a request must match."""

        def part(found: re.Match[str]) -> str:
            return f"(?P<{found[1]}>{'.+' if found[1] in _WITH_SLASHES else '[^/]+'})"

        return re.compile(re.sub(r"\{(\w+)\}", part, self.template))


ROUTES: list[Route] = []


def route(method: str, template: str, *, needs: str = "", role: str = "") -> Callable[[Handler], Handler]:
    """Register a handler; persons need the role `write` for whatever writes, unless `role` says otherwise."""

    def register(handler: Handler) -> Handler:
        person = role or ("read" if method == "GET" else "write")
        ROUTES.append(Route(method, template, needs, person, handler))
        return handler

    return register


def find_route(method: str, path: str) -> tuple[Route, dict[str, str]] | None:
    """Return the route of a request, and the values in its path; the template with most segments wins."""
    found: tuple[Route, dict[str, str]] | None = None
    for one in ROUTES:
        match = one.pattern.fullmatch(path) if one.method == method else None
        if match and (found is None or one.template.count("/") > found[0].template.count("/")):
            found = one, {key: unquote(value) for key, value in match.groupdict().items()}
    return found


def page_of(call: Call, items: list[JSON]) -> tuple[list[JSON], dict[str, str]]:
    """Return the page that was asked for, and the `Link` header to the others."""
    size = min(int(call.query.get("per_page", 30)), 100)
    number = int(call.query.get("page", 1))
    last = max(1, -(-len(items) // size))
    kept = "&".join(f"{key}={_shown(value)}" for key, value in call.query.items() if key != "page")
    wanted = {"prev": number - 1, "next": number + 1, "last": last, "first": 1}
    links = [
        f'<{call.url}?{kept}{"&" if kept else ""}page={there}>; rel="{name}"'
        for name, there in wanted.items()
        if 1 <= there <= last and there != number
    ]
    return items[(number - 1) * size : number * size], {"Link": ", ".join(links)} if links else {}


def _shown(value: JSON) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def listed(call: Call, items: list[JSON]) -> Answer:
    """Return a page of a plain list."""
    page, headers = page_of(call, items)
    return Answer(page, headers=headers)


def counted(call: Call, name: str, items: list[JSON]) -> Answer:
    """Return a page of a list with its `total_count`."""
    page, headers = page_of(call, items)
    return Answer({"total_count": len(items), name: page}, headers=headers)

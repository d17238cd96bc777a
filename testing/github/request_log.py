"""What clients asked of the server, for tests to look at."""

import fnmatch
from dataclasses import dataclass, field
from typing import Any

JSON = Any


@dataclass(slots=True)
class Logged:
    """One request. `path` is without `/api/v3`; `status` 0 while it is not answered, or was cut off."""

    method: str
    path: str
    query: str
    body: JSON
    headers: dict[str, str]
    status: int = 0
    actor: str = ""


@dataclass(slots=True)
class RequestLog:
    """All requests, oldest first."""

    entries: list[Logged] = field(default_factory=list)

    def of(self, method: str, path: str = "*", *, status: int | None = None) -> list[Logged]:
        """Return the requests with this method and path (`*`: anything), and status when given."""
        return [
            one
            for one in list(self.entries)
            if fnmatch.fnmatchcase(one.method, method)
            and fnmatch.fnmatchcase(one.path, path)
            and status in {None, one.status}
        ]

    def count(self, method: str, path: str = "*", *, status: int | None = None) -> int:
        """Return how many there were."""
        return len(self.of(method, path, status=status))

    def mutations(self, name: str = "") -> list[Logged]:
        """Return the GraphQL requests that write, those that name this mutation."""
        found = self.of("POST", "/graphql")
        return [one for one in found if _is_mutation(one.body) and name in one.body["query"]]

    def writes(self) -> list[Logged]:
        """Return all requests that change something, GraphQL mutations among them."""
        rest = [one for one in self.entries if one.method != "GET" and one.path != "/graphql"]
        return rest + self.mutations()

    def clear(self) -> None:
        """Forget what was asked so far."""
        self.entries.clear()


def _is_mutation(body: JSON) -> bool:
    return isinstance(body, dict) and str(body.get("query", "")).lstrip().startswith("mutation")

"""The smallest client: for the server's own tests, and for tests that ask beside the client under test."""

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from testing.github.server import GitHubServer

JSON = Any


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; `json` is None when it was no JSON. `headers` have lower-case names."""

    status: int
    json: JSON
    content: bytes
    headers: Mapping[str, str]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object, **words: object) -> None:
        """A test wants to see the redirect itself."""


_OPENER = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler({}))


def ask(
    server: GitHubServer,
    method: str,
    path: str,
    body: JSON = None,
    *,
    token: str | None = None,
    headers: Mapping[str, str] | None = None,
    **query: str | int,
) -> Reply:
    """Make one request; `path` begins with `/` for the API, `~/` for its one repository, or is a whole address.

    The server's own `token` is sent unless another one is given; an empty one sends none.
    """
    if path.startswith("~"):
        path = f"/repos/{server.owner}/{server.name}{path[1:]}"
    url = server.graphql if path == "/graphql" else path if path.startswith("http") else server.api + path
    if query:
        url += "?" + urllib.parse.urlencode(query)
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, dict(headers or {}), method=method)  # noqa: S310 - loopback
    token = server.token if token is None else token
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        answer = _OPENER.open(request, timeout=10)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        received = answer.read()
        names = {key.lower(): value for key, value in answer.headers.items()}
        is_json = received and names.get("content-type", "").startswith("application/json")
        return Reply(answer.status or 0, json.loads(received) if is_json else None, received, names)


def ask_graphql(server: GitHubServer, query: str, *, token: str | None = None, **variables: JSON) -> JSON:
    """Run a GraphQL query and return the whole answer, `data` and `errors`."""
    return ask(server, "POST", "/graphql", {"query": query, "variables": variables}, token=token).json

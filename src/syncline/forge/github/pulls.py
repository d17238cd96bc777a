"""Pull requests as GitHub tells them. Lists are read by GraphQL: its pages do not shift while they are read."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from syncline.errors import ForgeError
from syncline.forge.github.client import Client
from syncline.forge.github.trouble import NotFoundError

_FIELDS = """
fragment pull on PullRequest {
  id number title body isDraft state headRefOid headRefName baseRefName isCrossRepository createdAt url
  mergeCommit { oid }
  author { __typename login } authorAssociation
  labels(first: 100) { nodes { name } }
}
"""
_ONE = (
    """
query Pull($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { ...pull } }
}
"""
    + _FIELDS
)
_LIST = (
    """
query Pulls(
  $owner: String!, $name: String!, $states: [PullRequestState!], $base: String, $head: String, $first: Int!,
  $after: String, $direction: OrderDirection!
) {
  repository(owner: $owner, name: $name) {
    pullRequests(
      states: $states, baseRefName: $base, headRefName: $head, first: $first, after: $after,
      orderBy: {field: CREATED_AT, direction: $direction}
    ) {
      nodes { ...pull }
      pageInfo { hasNextPage endCursor }
    }
  }
}
"""
    + _FIELDS
)
_PAGE = 50
"""Bodies may be long: pages of 100 are where GitHub gives up now and then."""

OPEN = ("OPEN",)
ENDED = ("CLOSED", "MERGED")
MERGED = ("MERGED",)


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull request. `state` is OPEN, CLOSED or MERGED; `foreign`: its branch is another repository's.

    `author` and `association` are GitHub's, as `insiders.believed` takes them.
    """

    id: str
    number: int
    title: str
    body: str
    draft: bool
    state: str
    head_sha: str
    branch: str
    base: str
    foreign: bool
    labels: tuple[str, ...]
    created: datetime
    url: str
    landed_as: str = ""
    """The commit by which it landed; empty where it did not."""
    author: Any = None
    association: str = ""


def read(client: Client, number: int) -> Pull:
    """One pull request.

    Raises:
        ForgeError: there is none of that number.
    """
    found = find(client, number)
    if found is None:
        raise ForgeError(
            f"there is no proposal {number} in {client.settings.repository}",
            hint="list them with `syncline proposals`",
        )
    return found


def find(client: Client, number: int) -> Pull | None:
    """One pull request; None where there is none of that number."""
    settings = client.settings
    variables = {"owner": settings.owner, "name": settings.name, "number": number}
    try:
        found = (client.graphql(_ONE, variables).get("repository") or {}).get("pullRequest")
    except NotFoundError:
        return None
    return pull_of(found) if found is not None else None


def listed(
    client: Client,
    *,
    states: tuple[str, ...],
    base: str | None = None,
    head: str | None = None,
    newest: int | None = None,
) -> Iterator[Pull]:
    """The pull requests in these states, oldest first; with `newest` only so many, the newest first.

    Args:
        client: of the repository.
        states: of `OPEN`, `ENDED` and `MERGED`.
        base: the branch they go to; None: any.
        head: the name of their branch; None: any.
        newest: how many at most.
    """
    variables: dict[str, Any] = {
        "owner": client.settings.owner, "name": client.settings.name, "states": states, "base": base, "head": head,
        "first": _PAGE if newest is None else min(_PAGE, newest),
        "direction": "ASC" if newest is None else "DESC",
    }  # fmt: skip
    left = newest
    seen: set[int] = set()
    while left is None or left > 0:
        repository = client.graphql(_LIST, variables).get("repository")
        if repository is None:
            raise ForgeError(
                f"GitHub knows no repository {client.settings.repository}", hint="check `repository` and the token"
            )
        page = repository["pullRequests"]
        for node in page["nodes"]:
            if node is not None and node["number"] not in seen:
                seen.add(node["number"])
                yield pull_of(node)
        if not page["pageInfo"]["hasNextPage"]:
            return
        variables["after"] = page["pageInfo"]["endCursor"]
        left = None if left is None else left - len(page["nodes"])


def pull_of(node: Any) -> Pull:
    """A pull request from the fields asked for."""
    return Pull(
        id=node["id"],
        number=node["number"],
        title=node["title"],
        body=node["body"] or "",
        draft=node["isDraft"],
        state=node["state"],
        head_sha=node["headRefOid"],
        branch=node["headRefName"],
        base=node["baseRefName"],
        foreign=node["isCrossRepository"],
        labels=tuple(label["name"] for label in (node["labels"] or {}).get("nodes") or () if label),
        created=datetime.fromisoformat(node["createdAt"]),
        url=node["url"],
        landed_as=(node.get("mergeCommit") or {}).get("oid") or "",
        author=node["author"],
        association=node["authorAssociation"],
    )

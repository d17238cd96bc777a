"""A list of things about one commit by GraphQL, all pages of it: whole, or an error. Never a part."""

from typing import Any

from syncline.errors import ForgeError
from syncline.forge.github.client import Client

_READS = 3
"""How often a list that changes while its pages are read is read anew."""


def all_nodes(client: Client, sha: str, query: str, *path: str) -> list[Any]:
    """The nodes of a connection of the commit `sha`, each once; none for a commit GitHub does not know.

    Args:
        client: of the repository.
        sha: the commit; pages are asked for by its id, so that no moved branch can mix them.
        query: takes `$owner`, `$name`, `$sha` and `$after`; asks for `id` of each node and for `totalCount`.
        path: the fields that lead from the commit to the connection.

    Raises:
        ForgeError: GitHub refuses, or the list changes each time.
    """
    seen = []
    for _ in range(_READS):
        nodes, total = _read(client, sha, query, path)
        if len(nodes) == total:
            return nodes
        seen.append(f"{len(nodes)} of {total}")
    raise ForgeError(
        f"the checks of {sha} changed each time they were read: {', '.join(seen)} were seen",
        hint="try again in a moment",
    )


def _read(client: Client, sha: str, query: str, path: tuple[str, ...]) -> tuple[list[Any], int]:
    variables: dict[str, Any] = {
        "owner": client.settings.owner, "name": client.settings.name, "sha": sha, "after": None,
    }  # fmt: skip
    nodes: dict[str, Any] = {}
    asked: set[object] = set()
    while variables["after"] not in asked:
        asked.add(variables["after"])
        page = _page(client, query, variables, path)
        if page is None:  # nothing yet, or a commit that was not pushed; after a first page: it changed
            return list(nodes.values()), 0
        nodes |= {node["id"]: node for node in page["nodes"] or () if node is not None}
        if not page["pageInfo"]["hasNextPage"]:
            return list(nodes.values()), page["totalCount"]
        variables["after"] = page["pageInfo"]["endCursor"]
    raise ForgeError(f"GitHub's list of the checks of {sha} does not end", hint="try again in a moment")


def _page(client: Client, query: str, variables: dict[str, Any], path: tuple[str, ...]) -> Any | None:
    repository = client.graphql(query, variables).get("repository")
    if repository is None:
        raise ForgeError(f"GitHub knows no repository {client.settings.repository}", hint="check `repository`")
    found = repository.get("object")
    for field in path:
        found = (found or {}).get(field)
    return found

"""Every result of a commit, by GraphQL's `statusCheckRollup`: check runs and statuses, all pages."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from syncline.checks.model import Rollup
from syncline.errors import ForgeError
from syncline.forge.github import runs
from syncline.forge.github.client import Client
from syncline.forge.github.normalise import Result, missing, ordered, result_of
from syncline.forge.github.required import Required
from syncline.forge.github.trouble import RefusedError

_READS = 3
"""How often a rollup that changes while its pages are read is read anew."""

_QUERY = """
query Rollup($owner: String!, $name: String!, $sha: GitObjectID!, $after: String) {
  repository(owner: $owner, name: $name) {
    object(oid: $sha) {
      ... on Commit {
        statusCheckRollup {
          contexts(first: 100, after: $after) {
            totalCount
            pageInfo { hasNextPage endCursor }
            nodes {
              __typename
              ... on CheckRun {
                id databaseId name status conclusion startedAt completedAt detailsUrl url title
                checkSuite {
                  app { databaseId slug name } workflowRun { databaseId event workflow { name } }
                }
              }
              ... on StatusContext {
                id context state description targetUrl createdAt creator { login }
              }
            }
          }
        }
      }
    }
  }
}
"""


def rollup(client: Client, sha: str, required: Iterable[Required] = ()) -> Rollup:
    """All results for a commit. What is required and has not reported is there as queued."""
    found, wanted = results(client, sha), tuple(required)
    return Rollup(sha, ordered(found, missing(wanted, found), sha, {want.name for want in wanted}))


def results(client: Client, sha: str) -> list[Result]:
    """All results for a commit, each once, as GitHub tells them; none for a commit it does not know."""
    return _newest_jobs(client, [result_of(node, sha) for node in _nodes(client, sha)])


def _nodes(client: Client, sha: str) -> list[Any]:
    seen = []
    for _ in range(_READS):
        nodes, total = _read(client, sha)
        if len(nodes) == total:
            return nodes
        seen.append(f"{len(nodes)} of {total}")
    raise ForgeError(
        f"the checks of {sha} changed each time they were read: {', '.join(seen)} were seen",
        hint="try again in a moment",
    )


def _read(client: Client, sha: str) -> tuple[list[Any], int]:
    variables: dict[str, Any] = {
        "owner": client.settings.owner, "name": client.settings.name, "sha": sha, "after": None,
    }  # fmt: skip
    nodes: dict[str, Any] = {}
    while True:
        repository = client.graphql(_QUERY, variables).get("repository")
        if repository is None:
            raise ForgeError(f"GitHub knows no repository {client.settings.repository}", hint="check `repository`")
        found = (repository.get("object") or {}).get("statusCheckRollup")
        if found is None:  # no check yet, or a commit that was not pushed
            return [], 0
        page = found["contexts"]
        nodes |= {node["id"]: node for node in page["nodes"] if node is not None}
        if not page["pageInfo"]["hasNextPage"]:
            return list(nodes.values()), page["totalCount"]
        variables["after"] = page["pageInfo"]["endCursor"]


def _newest_jobs(client: Client, found: Sequence[Result]) -> list[Result]:
    """Leave out jobs of older attempts at a workflow run, where jobs of one run share a name.

    GraphQL does not tell legs of a matrix that share a name from attempts at one job: the run's own list of
    the jobs of its newest attempt does.
    """
    same: dict[tuple[int, str], list[Result]] = defaultdict(list)
    for one in found:
        if one.run is not None:
            same[one.run, one.check.name].append(one)
    newest: dict[int, frozenset[int]] = {}
    for (run, _), several in same.items():
        if len(several) > 1 and run not in newest:
            try:
                newest[run] = runs.newest_jobs(client, run)
            except RefusedError:  # the token may not read Actions: then all of them count
                continue
    return [one for one in found if one.run not in newest or one.id in newest[one.run]]

"""Every result of a commit, by GraphQL's `statusCheckRollup`: check runs and statuses, all pages."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import quote

from syncline.checks.model import Rollup
from syncline.forge.github import runs, workflows
from syncline.forge.github.client import Client
from syncline.forge.github.normalise import Result, missing, ordered, result_of
from syncline.forge.github.pages import all_nodes
from syncline.forge.github.required import Required
from syncline.forge.github.trouble import RefusedError

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
                  app { databaseId slug name } workflowRun { databaseId event workflow { databaseId name } }
                }
              }
              ... on StatusContext {
                id context state description targetUrl createdAt creator { __typename login }
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
    wanted = tuple(required)
    found = _with_apps(client, results(client, sha), wanted)
    return Rollup(sha, ordered(found, missing(wanted, found), sha, {want.name for want in wanted}))


def results(client: Client, sha: str) -> list[Result]:
    """All results for a commit, each once, and its workflow runs that none of them tells of.

    None for a commit that GitHub does not know.
    """
    started = workflows.runs_of(client, sha)
    nodes = all_nodes(client, sha, _QUERY, "statusCheckRollup", "contexts")
    found = _newest_jobs(client, [result_of(node, sha) for node in nodes])
    at_work = lambda run, own: _at_work(client, run, own)  # noqa: E731 - short
    return [*found, *workflows.untold(started, found, sha, at_work=at_work)]


def _at_work(client: Client, run: int, own: frozenset[int]) -> bool:
    """Whether a run has not ended, though in its suite only the gate's own checks have not.

    Where one of these is a job of the run, nobody can tell: the gate must not wait for itself.
    """
    try:
        return not own & runs.newest_jobs(client, run) and runs.has_more_to_do(client, run)
    except RefusedError:
        return False


def _with_apps(client: Client, found: Sequence[Result], wanted: Sequence[Required]) -> list[Result]:
    """Say which App set a status, where it matters: GraphQL tells no more than the name of its account."""
    pinned = {want.name for want in wanted if want.app is not None}
    slugs = {one.app_slug for one in found if one.kind == "status" and one.check.name in pinned and one.app_slug}
    apps = {slug: _app(client, slug) for slug in sorted(slugs)}
    return [
        replace(one, app=apps[one.app_slug]) if one.kind == "status" and one.app_slug in apps else one
        for one in found
    ]


def _app(client: Client, slug: str) -> int | None:
    try:
        found = client.find(f"/apps/{quote(slug, safe='')}")
    except RefusedError:  # it stays unknown, and what must come from an App is waited for
        return None
    return found.get("id") if found is not None else None


def _newest_jobs(client: Client, found: Sequence[Result]) -> list[Result]:
    """Leave out jobs of older attempts at a workflow run, where jobs of one run share a name.

    GraphQL does not tell legs of a matrix that share a name from attempts at one job: the run's own list of
    the jobs of its newest attempt does. What is no job counts: a workflow's token may put check runs into the
    suite of any run.
    """
    same: dict[tuple[int, str], list[Result]] = defaultdict(list)
    for one in found:
        if one.run is not None:
            same[one.run, one.check.name].append(one)
    newest: dict[int, frozenset[int]] = {}
    older: set[int] = set()
    for (run, _), several in same.items():
        if len(several) < 2:
            continue
        if run not in newest:
            newest[run] = _jobs(client, run)
        older |= set(_before(newest[run], [one.id for one in several]))
    return [one for one in found if one.kind != "check" or one.id not in older]


def _jobs(client: Client, run: int) -> frozenset[int]:
    try:
        return runs.newest_jobs(client, run)
    except RefusedError:  # the token may not read Actions: then all of them count
        return frozenset()


def _before(newest: frozenset[int], ids: Sequence[int]) -> Iterator[int]:
    """Those made before the first job of the newest attempt among them; none where no job is."""
    first = min(newest.intersection(ids), default=0)
    return (one for one in ids if one < first)

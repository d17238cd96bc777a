"""Workflow runs of a commit that the rollup does not tell of: it has jobs alone, once they are made.

A job that waits for another is made when that has ended, and a run that cannot start has none at all. Between
two jobs, before the first and after a start that failed, all that the rollup lists may be green.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from syncline.checks.gate import OWN_CHECK
from syncline.checks.model import Check, CheckState, Conclusion
from syncline.forge.github.client import Client
from syncline.forge.github.normalise import Result, state_of
from syncline.forge.github.pages import all_nodes

_GOOD = frozenset({Conclusion.SUCCESS, Conclusion.NEUTRAL, Conclusion.SKIPPED})

_QUERY = """
query Workflows($owner: String!, $name: String!, $sha: GitObjectID!, $after: String) {
  repository(owner: $owner, name: $name) {
    object(oid: $sha) {
      ... on Commit {
        checkSuites(first: 100, after: $after) {
          totalCount
          pageInfo { hasNextPage endCursor }
          nodes {
            id status conclusion
            workflowRun { databaseId event url workflow { databaseId name } }
          }
        }
      }
    }
  }
}
"""


@dataclass(frozen=True, slots=True)
class Run:
    """A workflow run as its check suite tells it."""

    id: int
    workflow: int | str
    name: str
    event: str
    url: str
    state: CheckState
    conclusion: Conclusion | None


def runs_of(client: Client, sha: str) -> list[Run]:
    """The workflow runs for a commit. Ask before the rollup: what has ended by then has its results there."""
    nodes = all_nodes(client, sha, _QUERY, "checkSuites")
    return [run_of(node) for node in nodes if node.get("workflowRun") is not None]


def run_of(suite: Mapping[str, Any]) -> Run:
    """One suite of a workflow run."""
    run = suite["workflowRun"]
    workflow = run.get("workflow") or {}
    state, conclusion, _ = state_of(suite.get("status"), suite.get("conclusion"))
    name = str(workflow.get("name") or "")
    return Run(
        run.get("databaseId") or 0, workflow.get("databaseId") or name, name, str(run.get("event") or ""),
        str(run.get("url") or ""), state, conclusion,
    )  # fmt: skip


def untold(
    runs: Iterable[Run], results: Sequence[Result], sha: str, *, at_work: Callable[[int, frozenset[int]], bool]
) -> Iterator[Result]:
    """Give a result `workflow NAME` for each run that is at work, or ended badly, while no job of it says so.

    Of several runs of a workflow for one event only the newest is looked at.

    Args:
        runs: of the commit, asked for before the results.
        results: of the commit.
        sha: the commit.
        at_work: whether a run is, by its number and those of the gate's own checks in its suite; asked where
            only these are unfinished, so that the suite does not tell.
    """
    newest: dict[tuple[int | str, str], Run] = {}
    for run in sorted(runs, key=lambda run: run.id):
        newest[run.workflow, run.event] = run
    last = {run.workflow: run.id for run in sorted(newest.values(), key=lambda run: run.id)}
    for run in newest.values():
        mine = [one for one in results if one.run == run.id]
        if run.state is not CheckState.COMPLETED:
            unfinished = [one for one in mine if one.check.state is not CheckState.COMPLETED]
            own = frozenset(one.id for one in unfinished if one.check.name == OWN_CHECK)
            if not unfinished or (len(own) == len(unfinished) and at_work(run.id, own)):
                yield _result(run, sha)
        elif not mine and run.conclusion not in _GOOD:
            # A newer run, for another event, cancels an older one (`concurrency`).
            if run.conclusion is Conclusion.CANCELLED and run.id < last[run.workflow]:
                continue
            yield _result(run, sha)


def _result(run: Run, sha: str) -> Result:
    words = "has more to do" if run.conclusion is None else "ended without a job"
    check = Check(
        f"workflow {run.name}", sha, run.state, run.conclusion, order=run.id,
        summary=f"{run.event}: {words}", log=run.url,
    )  # fmt: skip
    return Result(check, id=run.id, kind="workflow", workflow=run.workflow, event=run.event)

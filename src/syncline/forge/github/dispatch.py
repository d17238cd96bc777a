"""Workflows that run when they are asked to (`workflow_dispatch`), and what came of them."""

from collections.abc import Mapping
from urllib.parse import quote

from syncline.checks.model import Check
from syncline.errors import ForgeError
from syncline.forge.github import runs
from syncline.forge.github.client import Client
from syncline.forge.github.limits import Wait
from syncline.forge.github.normalise import state_of

_LOOKS = 5
_PAUSE = 2.0
"""Seconds between looks for a run that GitHub has started and not told of."""


class GitHubDispatcher:
    """Starts workflows of one repository. See the Protocol for what each method promises."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def dispatch(self, workflow: str, branch: str, inputs: Mapping[str, str]) -> int:
        """Start a workflow; where a server does not tell the run, the new one of the workflow is looked for."""
        path = f"actions/workflows/{quote(workflow, safe='')}"
        before = self._runs(path, branch)
        body = {"ref": branch, "inputs": dict(inputs), "return_run_details": True}
        answer = self._client.post(f"{path}/dispatches", body)
        if isinstance(answer, Mapping) and isinstance(answer.get("workflow_run_id"), int):
            return answer["workflow_run_id"]
        for look in range(_LOOKS):
            if look:
                self._client.wait(Wait(_PAUSE, "for the run of a workflow that was started"))
            if found := self._runs(path, branch) - before:
                return min(found)
        raise ForgeError(
            f"{workflow} of {self._client.settings.repository} was started, but no run of it is to be seen",
            hint="look at it on GitHub",
        )

    def checks_of(self, run: int) -> tuple[Check, ...] | None:
        """The jobs of a run as checks; none where GitHub does not know it any more."""
        found = self._client.find(f"actions/runs/{run}")
        if found is None:
            return ()
        if found.get("status") != "completed":
            return None
        return tuple(_check(job, str(found["head_sha"])) for job in runs.jobs_of(self._client, run))

    def _runs(self, path: str, branch: str) -> set[int]:
        query = {"event": "workflow_dispatch", "branch": branch, "per_page": 30}
        return {one["id"] for one in self._client.get(f"{path}/runs", query)["workflow_runs"]}


def _check(job: runs.Job, sha: str) -> Check:
    state, conclusion, note = state_of(job.status.upper(), job.conclusion or None)
    return Check(job.name, sha, state, conclusion, order=job.id, summary=note, log=job.url)

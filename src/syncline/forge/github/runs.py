"""Workflow runs of GitHub Actions: their jobs, and running them again."""

from syncline.errors import ForgeError
from syncline.forge.github.client import Client
from syncline.forge.github.trouble import RefusedError


def newest_jobs(client: Client, run: int) -> frozenset[int]:
    """The ids of the jobs of a run's newest attempt; a job's id is that of its check run."""
    return frozenset(
        job["id"] for job in client.pages(f"actions/runs/{run}/jobs", {"filter": "latest"}, key="jobs")
    )


def rerun_failed(client: Client, run: int) -> None:
    """Run the failed jobs of a workflow run again, and those that depend on them.

    Raises:
        ForgeError: other jobs of the run are still at work: GitHub waits for all of them.
    """
    _post(client, f"actions/runs/{run}/rerun-failed-jobs", run)


def rerun_job(client: Client, run: int, job: int) -> None:
    """Run one job of a workflow run again, and those that depend on it.

    Raises:
        ForgeError: other jobs of the run are still at work: GitHub waits for all of them.
    """
    _post(client, f"actions/jobs/{job}/rerun", run)


def request_again(client: Client, check_run: int) -> None:
    """Ask the app that made a check run to make it again."""
    client.post(f"check-runs/{check_run}/rerequest")


def _post(client: Client, path: str, run: int) -> None:
    try:
        client.post(path)
    except RefusedError as error:
        if error.status != 403 or "already running" not in error.words.casefold():
            raise
        at_work = True
    else:
        at_work = False
    if at_work:
        raise ForgeError(
            f"workflow run {run} of {client.settings.repository} has not ended: GitHub runs jobs again only when"
            " all of its jobs have",
            hint="ask again when it has ended",
        )

"""Workflow runs of GitHub Actions: their jobs, and running them again."""

from syncline.forge.github.client import Client
from syncline.forge.github.trouble import RefusedError


def newest_jobs(client: Client, run: int) -> frozenset[int]:
    """The ids of the jobs of a run's newest attempt; a job's id is that of its check run."""
    return frozenset(
        job["id"] for job in client.pages(f"actions/runs/{run}/jobs", {"filter": "latest"}, key="jobs")
    )


def rerun_failed(client: Client, run: int) -> None:
    """Run the failed jobs of a workflow run again, and those that depend on them; one that runs is left alone."""
    try:
        client.post(f"actions/runs/{run}/rerun-failed-jobs")
    except RefusedError as error:
        # What GitHub says of a run that was started again already, by us before a crash or by a person.
        if error.status not in {403, 409} or "already running" not in error.words.casefold():
            raise


def rerun_job(client: Client, job: int) -> None:
    """Run one job again, and those that depend on it; in a run that is at work nothing is done."""
    try:
        client.post(f"actions/jobs/{job}/rerun")
    except RefusedError as error:
        if error.status not in {403, 409} or "already running" not in error.words.casefold():
            raise


def request_again(client: Client, check_run: int) -> None:
    """Ask the app that made a check run to make it again."""
    client.post(f"check-runs/{check_run}/rerequest")

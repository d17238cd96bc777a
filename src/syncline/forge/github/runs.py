"""Workflow runs of GitHub Actions: their jobs, logs and artifacts, and running them again."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from syncline.errors import ForgeError
from syncline.forge.github.client import Client
from syncline.forge.github.downloads import TooLargeError, download
from syncline.forge.github.trouble import NotFoundError, RefusedError

LOG_LIMIT = 8 << 20
"""Bytes kept of one log."""
ARCHIVE_LIMIT = 64 << 20
"""Bytes taken of one zip, and of what is in it."""
_CHUNK = 1 << 16
_JOB_PAGE = re.compile(r"/actions/runs/(?P<run>\d{1,18})/job/(?P<job>\d{1,18})(?:[?#].*)?$")


@dataclass(frozen=True, slots=True)
class WorkflowRun:
    """A run of a workflow. `status` and `conclusion` in GitHub's words; `conclusion` is empty until it ends."""

    id: int
    name: str
    event: str
    branch: str
    sha: str
    attempt: int
    status: str
    conclusion: str
    url: str


@dataclass(frozen=True, slots=True)
class Job:
    """A job of a workflow run's newest attempt, and the names of its steps that did not succeed."""

    id: int
    run: int
    name: str
    attempt: int
    status: str
    conclusion: str
    url: str
    failed_steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file that a workflow run left behind: a zip of `size` bytes."""

    id: int
    name: str
    size: int
    expired: bool


def of_commit(client: Client, sha: str) -> tuple[WorkflowRun, ...]:
    """The workflow runs for a commit, oldest first; the newest attempt of each."""
    found = client.pages("actions/runs", {"head_sha": sha}, key="workflow_runs")
    return tuple(sorted((_run(item) for item in found), key=lambda one: one.id))


def jobs_of(client: Client, run: int) -> tuple[Job, ...]:
    """The jobs of a run's newest attempt, oldest first."""
    found = client.pages(f"actions/runs/{run}/jobs", {"filter": "latest"}, key="jobs")
    return tuple(sorted((_job(item) for item in found), key=lambda one: one.id))


def artifacts_of(client: Client, run: int) -> tuple[Artifact, ...]:
    """What a run left behind, oldest first."""
    found = client.pages(f"actions/runs/{run}/artifacts", key="artifacts")
    made = (
        Artifact(item["id"], item["name"], item.get("size_in_bytes") or 0, bool(item.get("expired")))
        for item in found
    )
    return tuple(sorted(made, key=lambda one: one.id))


def job_at(address: str) -> int | None:
    """The id of the job whose page has this address; None for the page of anything else.

    https://docs.github.com/en/rest/actions/workflow-jobs: `html_url`
    """
    found = _JOB_PAGE.search(address)
    return int(found["job"]) if found is not None else None


def run_at(address: str) -> int | None:
    """The id of the workflow run whose job has its page at this address; None for the page of anything else."""
    found = _JOB_PAGE.search(address)
    return int(found["run"]) if found is not None else None


def job_log(client: Client, job: int, to: Path, *, limit: int = LOG_LIMIT) -> int | None:
    """Write a job's log to a file; of a longer one the first and the last half of `limit` bytes.

    Returns:
        How long the log is in bytes; None: there is none, as the job has not ended or its log is kept no more.
    """
    try:
        return download(client, f"actions/jobs/{job}/logs", to, limit=limit, shorten=True)
    except NotFoundError:
        return None


def run_logs(client: Client, run: int, to: Path, *, limit: int = ARCHIVE_LIMIT) -> int | None:
    """Write a zip with the logs of all jobs of a run to a file; None: there are none.

    Raises:
        TooLargeError: there is more than `limit`: ask for the log of each job.
    """
    try:
        return download(client, f"actions/runs/{run}/logs", to, limit=limit)
    except NotFoundError:
        return None


def download_artifact(client: Client, artifact: Artifact, to: Path, *, limit: int = ARCHIVE_LIMIT) -> int | None:
    """Write an artifact's zip to a file and give its size; None: it has expired.

    Raises:
        TooLargeError: it is larger than `limit`.
    """
    if artifact.expired:
        return None
    if artifact.size > limit:
        raise TooLargeError(
            f"the artifact {artifact.name!r} has {artifact.size} bytes; {limit} are taken",
            hint="look at it on GitHub",
        )
    try:
        return download(client, f"actions/artifacts/{artifact.id}/zip", to, limit=limit)
    except NotFoundError:
        return None


def unpack(archive: Path, folder: Path, *, limit: int = ARCHIVE_LIMIT) -> tuple[Path, ...]:
    """Unpack a zip into a folder, which is made; give the files in the order they have in it.

    Names that lead out of the folder are passed over, links become plain files.

    Raises:
        ForgeError: it is no zip, or is broken.
        TooLargeError: what is in it is more than `limit` bytes; those files that were written stay.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            return tuple(_unpacked(opened, folder, limit))
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise ForgeError(f"{archive} is no zip that can be read: {error}", hint="download it again") from error


def _unpacked(opened: zipfile.ZipFile, folder: Path, limit: int) -> Iterator[Path]:
    left = limit
    for info in opened.infolist():
        inside = PurePosixPath(info.filename.replace("\\", "/"))
        if info.is_dir() or inside.is_absolute() or ".." in inside.parts or not inside.parts:
            continue
        to = folder.joinpath(*inside.parts)
        to.parent.mkdir(parents=True, exist_ok=True)
        with opened.open(info) as source, to.open("wb") as file:
            left = _copied(source, file, left, opened.filename or "the zip")
        yield to


def _copied(source: IO[bytes], file: IO[bytes], left: int, archive: str) -> int:
    """Copy until the end; how much of `left` remains. What a zip says of its sizes is not to be trusted."""
    while chunk := source.read(_CHUNK):
        left -= len(chunk)
        if left < 0:
            raise TooLargeError(f"{archive} holds more than is taken", hint="look at it on GitHub")
        file.write(chunk)
    return left


def _run(item: Any) -> WorkflowRun:
    return WorkflowRun(
        id=item["id"], name=item.get("name") or "", event=item.get("event") or "",
        branch=item.get("head_branch") or "", sha=item["head_sha"], attempt=item.get("run_attempt") or 1,
        status=item.get("status") or "", conclusion=item.get("conclusion") or "", url=item.get("html_url") or "",
    )  # fmt: skip


def _job(item: Any) -> Job:
    good = {"success", "skipped", "neutral", None}
    return Job(
        id=item["id"], run=item["run_id"], name=item["name"], attempt=item.get("run_attempt") or 1,
        status=item.get("status") or "", conclusion=item.get("conclusion") or "", url=item.get("html_url") or "",
        failed_steps=tuple(one["name"] for one in item.get("steps") or () if one.get("conclusion") not in good),
    )  # fmt: skip


def newest_jobs(client: Client, run: int) -> frozenset[int]:
    """The ids of the jobs of a run's newest attempt; a job's id is that of its check run."""
    return frozenset(
        job["id"] for job in client.pages(f"actions/runs/{run}/jobs", {"filter": "latest"}, key="jobs")
    )


def has_more_to_do(client: Client, run: int) -> bool:
    """Whether a run has not ended."""
    return client.get(f"actions/runs/{run}").get("status") != "completed"


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

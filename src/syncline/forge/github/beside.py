"""What tells of a check on GitHub beside its log: annotations, and logs that its workflow run left as artifacts.

A job of many processes often prints no more than that one of them failed; what each wrote is in an artifact. And a
runner that was lost has no log at all: GitHub says so in an annotation.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from syncline.checks.model import Check
from syncline.errors import ForgeError
from syncline.forge.github import rollup, runs
from syncline.forge.github.client import Client
from syncline.forge.github.runs import Artifact, Job
from syncline.forge.protocol import Beside

MOST_ARTIFACTS = 10
"""So many are taken for one check."""
_MOST_ANNOTATIONS = 100
_LEAST = 3
"""Letters of a job's name by which an artifact may name it."""
_RUNNERS_OWN = ".github"
"""The path that GitHub gives what its runner says, which is in no file."""
_LEVELS = {"failure": "error", "warning": "warning"}


def beside(client: Client, check: Check, folder: Path, wanted: Callable[[str], bool]) -> Beside:
    """Return files in `folder` that tell of a check, and what could not be had.

    Args:
        client: of the repository.
        check: one that has ended.
        folder: an empty directory.
        wanted: whether an artifact of this name may hold logs.
    """
    files: list[Path] = []
    notes: list[str] = []
    job, run = runs.job_at(check.log), runs.run_at(check.log)
    for part in (
        lambda: _annotations(client, check, job, folder),
        lambda: _artifacts(client, run, job, folder, wanted, notes) if run and job else iter(()),
    ):
        try:
            files += part()
        except ForgeError as error:
            notes.append(f"not all that tells of {check.name} on {check.sha[:10]} could be read: {error}")
    return Beside(tuple(files), tuple(notes))


def owners(artifact: str, jobs: Sequence[Job]) -> frozenset[int]:
    """Return the jobs that an artifact is of: those it names best; where it names none, the only one that failed.

    An artifact belongs to a run and does not tell which job left it. Names are compared by letters and digits: of
    `cicd / unit (3.11, linux)` the whole, what follows the last ` / `, and what is in brackets.
    """
    name = _plain(artifact)
    best = {job.id: max((len(key) for key in _keys(job.name) if key in name), default=0) for job in jobs}
    most = max(best.values(), default=0)
    if most:
        return frozenset(job for job, size in best.items() if size == most)
    failed = [job.id for job in jobs if job.conclusion not in {"success", "skipped", "neutral"}]
    return frozenset(failed) if len(failed) == 1 else frozenset()


def _artifacts(
    client: Client, run: int, job: int, folder: Path, wanted: Callable[[str], bool], notes: list[str]
) -> Iterator[Path]:
    found = [one for one in runs.artifacts_of(client, run) if wanted(one.name)]
    if not found:
        return
    jobs = runs.jobs_of(client, run)
    mine = [one for one in found if job in owners(one.name, jobs)]
    if len(mine) > MOST_ARTIFACTS:
        notes.append(f"only {MOST_ARTIFACTS} of {len(mine)} artifacts of one job were read")
    for one in mine[:MOST_ARTIFACTS]:
        to = folder / f"{one.id}.zip"
        try:
            taken = runs.download_artifact(client, one, to)
        except ForgeError as error:
            notes.append(str(error))
            continue
        if taken is None:
            notes.append(_expired(one))
        else:
            yield to


def _expired(artifact: Artifact) -> str:
    return f"the artifact {artifact.name!r} is kept no more"


def _annotations(client: Client, check: Check, job: int | None, folder: Path) -> Iterator[Path]:
    number = job if job is not None else _number(client, check)
    if number is None:
        return
    lines: list[str] = []
    for count, one in enumerate(client.pages(f"check-runs/{number}/annotations")):
        if count >= _MOST_ANNOTATIONS:
            break
        lines += _lines(one)
    if lines:
        to = folder / "annotations.log"
        to.write_text("\n".join([*lines, ""]), encoding="utf-8", errors="replace")
        yield to


def _number(client: Client, check: Check) -> int | None:
    """The check run that a check is: the newest of those that look like it."""
    same = [
        one.id
        for one in rollup.results(client, check.sha)
        if one.kind == "check"
        and (one.check.name, one.check.log, one.check.conclusion) == (check.name, check.log, check.conclusion)
    ]
    return max(same, default=None)


def _lines(annotation: dict[str, object]) -> Iterator[str]:
    """An annotation as a log would have it, and what was added to it."""
    level = _LEVELS.get(str(annotation.get("annotation_level") or ""))
    if level is None:
        return
    first, *more = str(annotation.get("message") or "").splitlines() or [""]
    path, title = str(annotation.get("path") or ""), str(annotation.get("title") or "")
    if path in {"", _RUNNERS_OWN}:
        yield f"##[{level}]{first}"
    else:
        fields = {"file": path, "line": str(annotation.get("start_line") or ""), "title": title}
        told = ",".join(f"{key}={_escaped(value)}" for key, value in fields.items() if value)
        yield f"::{level} {told}::{first}"
    yield from more
    yield from str(annotation.get("raw_details") or "").splitlines()
    yield ""


def _escaped(text: str) -> str:
    """https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions."""
    for letter, escape in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        text = text.replace(letter, escape)
    return text


def _keys(job: str) -> set[str]:
    last = job.rpartition(" / ")[2]
    inside = re.search(r"\(([^()]*)\)$", last)
    keys = {_plain(job), _plain(last), _plain(inside[1]) if inside else ""}
    return {key for key in keys if len(key) >= _LEAST}


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()

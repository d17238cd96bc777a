"""Workflow runs, their jobs, logs and artifacts; running again; dispatching."""

import io
import zipfile
from datetime import datetime

from testing.github.actors import User
from testing.github.rest.checks import set_state, suite_for
from testing.github.rest.lookup import job_of, run_of, user_of
from testing.github.routing import JSON, REPO, Answer, Call, RefusedError, counted, missing, route
from testing.github.shown import actions
from testing.github.things import Artifact, CheckRun, Job, Workflow, WorkflowRun
from testing.github.world import World

_RUNS = f"{REPO}/actions/runs"
_RUN = f"{_RUNS}/{{run_id}}"
_JOB = f"{REPO}/actions/jobs/{{job_id}}"
_ARTIFACT = f"{REPO}/actions/artifacts/{{artifact_id}}"
_WORKFLOW = f"{REPO}/actions/workflows/{{workflow_id}}"


def new_run(
    world: World, name: str, sha: str, *, event: str, branch: str | None = None, actor: User | None = None
) -> WorkflowRun:
    """Start a run of the workflow with that name; it has no jobs yet."""
    workflow = world.workflows.get(name)
    if workflow is None:
        path = f".github/workflows/{name.lower().replace(' ', '-')}.yml"
        workflow = world.workflows[name] = Workflow(world.next_id(), name, path, world.clock.now)
    number = sum(run.workflow is workflow for run in world.runs.values()) + 1
    identity = world.next_id()
    suite = suite_for(world, "github-actions", sha, run=identity, branch=branch)
    made = WorkflowRun(
        identity, number, workflow, event, suite.branch, sha, suite.id, actor or world.actions.bot,
        world.clock.now, world.clock.now,
    )  # fmt: skip
    world.runs[identity] = made
    world.happened("workflow_run", "requested", made)
    return made


def new_job(world: World, run: WorkflowRun, name: str, leg: int = 0) -> Job:
    """Queue a job in the present attempt of a run."""
    check = CheckRun(
        world.next_id(), run.suite, world.actions, run.sha, name, "queued", None, world.clock.now, None, leg=leg
    )
    check.details_url = f"{world.web}/{world.full_name}/actions/runs/{run.id}/job/{check.id}"
    world.check_runs[check.id] = check
    made = world.jobs[check.id] = Job(check.id, run.id, run.attempt, name, leg)
    return made


def jobs_of(world: World, run: WorkflowRun, attempt: int | None = None) -> list[Job]:
    """The jobs of one attempt, or the newest of each name."""
    found = [job for job in world.jobs.values() if job.run == run.id]
    if attempt is not None:
        found = [job for job in found if job.attempt <= attempt]
    return list({(job.name, job.leg): job for job in found}.values())


@route("GET", _RUNS, needs="actions:read")
def runs(call: Call) -> Answer:
    """Answer with workflow runs, newest first."""
    return counted(call, "workflow_runs", _found(call, list(call.world.runs.values())))


def _found(call: Call, found: list[WorkflowRun]) -> list[JSON]:
    query, world = call.query, call.world
    shown = []
    for one in reversed(found):
        fits = (
            query.get("head_sha") in {None, one.sha}
            and query.get("branch") in {None, one.branch}
            and query.get("event") in {None, one.event}
            and query.get("actor") in {None, one.actor.login}
            and query.get("check_suite_id") in {None, one.suite}
            and query.get("status") in {None, *actions.run_state(world, one)}
            and _in_range(query.get("created"), one.created)
        )
        if fits:
            shown.append(actions.run(world, one))
    return shown


def _in_range(wanted: str | None, moment: datetime) -> bool:
    if wanted is None:
        return True
    if not wanted.startswith(">="):
        raise RefusedError(422, f"the test server knows `created` as >=DATE only, got {wanted}")
    earliest = datetime.fromisoformat(wanted[2:])
    return moment >= (earliest if earliest.tzinfo else earliest.replace(tzinfo=moment.tzinfo))


@route("GET", _RUN, needs="actions:read")
def run(call: Call) -> Answer:
    """Answer with one workflow run."""
    return Answer(actions.run(call.world, run_of(call)))


@route("GET", f"{_RUN}/jobs", needs="actions:read")
def jobs(call: Call) -> Answer:
    """Answer with the jobs of a run: the newest of each name, or all."""
    one = run_of(call)
    if call.query.get("filter", "latest") == "all":
        found = [job for job in call.world.jobs.values() if job.run == one.id]
    else:
        found = jobs_of(call.world, one)
    return counted(call, "jobs", [actions.job(call.world, job) for job in found])


@route("GET", f"{_RUN}/attempts/{{attempt_number}}/jobs", needs="actions:read")
def jobs_of_attempt(call: Call) -> Answer:
    """Answer with the jobs as they stood after an attempt."""
    one, attempt = run_of(call), int(call.path["attempt_number"])
    if not 1 <= attempt <= one.attempt:
        raise missing()
    return counted(call, "jobs", [actions.job(call.world, job) for job in jobs_of(call.world, one, attempt)])


@route("GET", _JOB, needs="actions:read")
def job(call: Call) -> Answer:
    """Answer with one job."""
    return Answer(actions.job(call.world, job_of(call)))


@route("GET", f"{_JOB}/logs", needs="actions:read", role="read")
def job_log(call: Call) -> Answer:
    """Redirect to the log, which is plain text and needs no token; 404 while the job runs, 410 when it is gone."""
    one = job_of(call)
    if call.actor.user is None:
        raise RefusedError(403, "Must have admin rights to Repository.")
    if call.world.check_runs[one.id].status != "completed":
        raise missing()
    if call.world.runs[one.run].logs_gone:
        raise RefusedError(410, "Server Error")
    return Answer(status=302, headers={"Location": f"{call.world.web}/_files/jobs/{one.id}.txt"})


@route("GET", f"{_RUN}/logs", needs="actions:read")
def run_log(call: Call) -> Answer:
    """Redirect to a zip with the logs of all jobs."""
    one = run_of(call)
    if one.logs_gone:
        raise RefusedError(410, "Server Error")
    return Answer(status=302, headers={"Location": f"{call.world.web}/_files/runs/{one.id}.zip"})


def stored_file(world: World, path: str) -> bytes | None:
    """The content behind a redirect; None: there is no such file."""
    kind, _, name = path.partition("/")
    identity = int(name.split(".")[0]) if name.split(".")[0].isdigit() else -1
    if kind == "jobs" and identity in world.jobs:
        return world.jobs[identity].log
    if kind == "artifacts" and identity in world.artifacts:
        return world.artifacts[identity].content
    if kind == "runs" and identity in world.runs:
        logs = jobs_of(world, world.runs[identity])
        return zipped({f"{number}_{one.name.replace('/', '_')}.txt": one.log for number, one in enumerate(logs)})
    return None


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip with these files."""
    place = io.BytesIO()
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return place.getvalue()


@route("GET", f"{_RUN}/artifacts", needs="actions:read")
def artifacts_of_run(call: Call) -> Answer:
    """Answer with the artifacts of a run."""
    one = run_of(call)
    return counted(call, "artifacts", _artifacts(call, [each for each in _all(call) if each.run == one.id]))


@route("GET", f"{REPO}/actions/artifacts", needs="actions:read")
def artifacts(call: Call) -> Answer:
    """Answer with all artifacts."""
    return counted(call, "artifacts", _artifacts(call, _all(call)))


def _all(call: Call) -> list[Artifact]:
    return list(call.world.artifacts.values())


def _artifacts(call: Call, found: list[Artifact]) -> list[JSON]:
    return [actions.artifact(call.world, one) for one in found if call.query.get("name") in {None, one.name}]


@route("GET", _ARTIFACT, needs="actions:read")
def artifact(call: Call) -> Answer:
    """Answer with one artifact."""
    return Answer(actions.artifact(call.world, _artifact(call)))


@route("GET", f"{_ARTIFACT}/{{archive_format}}", needs="actions:read")
def download(call: Call) -> Answer:
    """Redirect to the zip; 410 once it has expired."""
    one = _artifact(call)
    if one.expired:
        raise RefusedError(410, "Artifact has expired")
    return Answer(status=302, headers={"Location": f"{call.world.web}/_files/artifacts/{one.id}.zip"})


def _artifact(call: Call) -> Artifact:
    found = call.world.artifacts.get(int(call.path["artifact_id"]))
    if found is None:
        raise missing()
    return found


@route("POST", f"{_RUN}/rerun", needs="actions:write")
def rerun(call: Call) -> Answer:
    """Run all jobs of a run again."""
    one = run_of(call)
    _again(call, one, jobs_of(call.world, one))
    return Answer({}, 201)


@route("POST", f"{_RUN}/rerun-failed-jobs", needs="actions:write")
def rerun_failed(call: Call) -> Answer:
    """Run those jobs again that did not succeed."""
    one, world = run_of(call), call.world
    good = {"success", "neutral", "skipped"}
    _again(call, one, [job for job in jobs_of(world, one) if world.check_runs[job.id].conclusion not in good])
    return Answer({}, 201)


@route("POST", f"{_JOB}/rerun", needs="actions:write")
def rerun_job(call: Call) -> Answer:
    """Run one job again."""
    one = job_of(call)
    _again(call, call.world.runs[one.run], [one])
    return Answer({}, 201)


def _again(call: Call, one: WorkflowRun, again: list[Job]) -> None:
    if actions.run_state(call.world, one)[0] != "completed":
        raise RefusedError(403, "This workflow is already running")
    one.attempt += 1
    one.started = call.world.clock.now
    for each in again:
        new_job(call.world, one, each.name, each.leg)
    call.world.happened("workflow_run", "requested", one)


@route("POST", f"{_RUN}/cancel", needs="actions:write")
def cancel(call: Call) -> Answer:
    """Cancel what has not ended."""
    one, world = run_of(call), call.world
    ahead = [check for job in jobs_of(world, one) if (check := world.check_runs[job.id]).status != "completed"]
    if not ahead:
        raise RefusedError(409, "Cannot cancel a workflow run that is completed.")
    for check in ahead:
        set_state(world, check, "completed", "cancelled")
    return Answer({}, 202)


@route("GET", f"{REPO}/actions/workflows", needs="actions:read")
def workflows(call: Call) -> Answer:
    """Answer with all workflows."""
    return counted(call, "workflows", [actions.workflow(call.world, one) for one in call.world.workflows.values()])


def _workflow(call: Call) -> Workflow:
    wanted = call.path["workflow_id"]
    for one in call.world.workflows.values():
        if wanted in {str(one.id), one.path.rsplit("/", 1)[-1]}:
            return one
    raise missing()


@route("GET", _WORKFLOW, needs="actions:read")
def workflow(call: Call) -> Answer:
    """Answer with one workflow, by number or file name."""
    return Answer(actions.workflow(call.world, _workflow(call)))


@route("GET", f"{_WORKFLOW}/runs", needs="actions:read")
def runs_of_workflow(call: Call) -> Answer:
    """Answer with the runs of one workflow, newest first."""
    of = _workflow(call)
    return counted(
        call, "workflow_runs", _found(call, [one for one in call.world.runs.values() if one.workflow is of])
    )


@route("POST", f"{_WORKFLOW}/dispatches", needs="actions:write")
def dispatch(call: Call) -> Answer:
    """Start a workflow on a branch; its run has one queued job, named as the workflow is."""
    one, world, ref = _workflow(call), call.world, call.body["ref"].removeprefix("refs/heads/")
    tip = world.bare.tip(ref)
    if tip is None:
        raise RefusedError(422, f"No ref found for: {ref}")
    made = new_run(world, one.name, tip, event="workflow_dispatch", branch=ref, actor=user_of(call))
    made.inputs = dict(call.body.get("inputs") or {})
    new_job(world, made, one.name)
    if not call.body.get("return_run_details"):
        return Answer(status=204)
    shown = actions.run(world, made)
    return Answer({"workflow_run_id": made.id, "run_url": shown["url"], "html_url": shown["html_url"]})

"""Check runs, check suites and commit statuses."""

from datetime import datetime

from testing.github.rest.lookup import check_run_of, commit_of, suite_of, user_of
from testing.github.routing import JSON, REPO, Answer, Call, RefusedError, counted, listed, route
from testing.github.shown import checks, repository
from testing.github.things import CheckRun, Status, Suite
from testing.github.world import World

_RUN = f"{REPO}/check-runs/{{check_run_id}}"
_COMMIT = f"{REPO}/commits/{{ref}}"


@route("POST", f"{REPO}/check-runs", needs="checks:write")
def create_check_run(call: Call) -> Answer:
    """Create a check run; only an App may."""
    world, body = call.world, call.body
    if call.actor.app is None:
        raise RefusedError(403, "You must authenticate via a GitHub App.")
    sha = world.bare.commit(body["head_sha"])
    if sha is None or sha != body["head_sha"]:
        raise RefusedError(422, f"No commit found for SHA: {body['head_sha']}")
    made = CheckRun(
        world.next_id(), suite_for(world, call.actor.app.slug, sha).id, call.actor.app, sha, body["name"],
        "queued", None, world.clock.now, None,
    )  # fmt: skip
    world.check_runs[made.id] = made
    _change(world, made, body)
    world.happened("check_run", "created", made)
    return Answer(checks.check_run(world, made), 201)


def suite_for(world: World, app: str, sha: str, *, run: int | None = None, branch: str | None = None) -> Suite:
    """The suite of an App on a commit, or that of one workflow run; made when there is none."""
    owner = world.app(app)
    for found in world.suites.values():
        if (found.app, found.sha, found.run) == (owner, sha, run):
            return found
    if branch is None:
        branch = next((pull.head for pull in world.pulls.values() if pull.head_sha == sha), None)
        branch = branch or next((name for name, tip in world.bare.branches().items() if tip == sha), None)
    now = world.clock.now
    made = Suite(world.next_id(), owner, sha, branch, now, now, run)
    world.suites[made.id] = made
    return made


@route("PATCH", _RUN, needs="checks:write")
def update_check_run(call: Call) -> Answer:
    """Change a check run; only the App that made it may."""
    one = check_run_of(call)
    if call.actor.app is None:
        raise RefusedError(403, "You must authenticate via a GitHub App.")
    if call.actor.app is not one.app:
        words = "check run can only be modified by the GitHub App that created it."
        raise RefusedError(403, f"Invalid app_id `{call.actor.app.id}` - {words}")
    _change(call.world, one, call.body)
    call.world.happened("check_run", one.status, one)
    return Answer(checks.check_run(call.world, one))


def _change(world: World, one: CheckRun, body: dict[str, JSON]) -> None:
    one.name = body.get("name", one.name)
    one.details_url = body.get("details_url", one.details_url)
    one.external_id = body.get("external_id", one.external_id)
    output = body.get("output") or {}
    one.title, one.summary = output.get("title", one.title), output.get("summary", one.summary)
    one.text = output.get("text", one.text)
    one.annotations += output.get("annotations", [])
    started, completed = body.get("started_at"), body.get("completed_at")
    status = "completed" if body.get("conclusion") else body.get("status", one.status)
    set_state(world, one, status, body.get("conclusion") or (one.conclusion if status == "completed" else None))
    one.started = datetime.fromisoformat(started) if started else one.started
    one.completed = datetime.fromisoformat(completed) if completed else one.completed


def set_state(world: World, one: CheckRun, status: str, conclusion: str | None) -> None:
    """Move a check run to a state, at the present moment."""
    if (status == "completed") != (conclusion is not None):
        raise RefusedError(422, f"status {status} with conclusion {conclusion}")
    one.status, one.conclusion = status, conclusion
    if status == "in_progress":
        one.started = world.clock.now
    one.completed = world.clock.now if status == "completed" else None
    suite = world.suites[one.suite]
    suite.updated = world.clock.now


@route("GET", _RUN, needs="checks:read")
def check_run(call: Call) -> Answer:
    """Answer with one check run."""
    return Answer(checks.check_run(call.world, check_run_of(call)))


@route("GET", f"{_RUN}/annotations", needs="checks:read")
def annotations(call: Call) -> Answer:
    """Answer with the annotations of a check run."""
    one = check_run_of(call)
    defaults = {"start_column": None, "end_column": None, "title": None, "raw_details": None}
    href = f"{repository.url_of(call.world)}/contents?ref={one.sha}"
    return listed(call, [{**defaults, **each, "blob_href": href} for each in one.annotations])


@route("POST", f"{_RUN}/rerequest", needs="checks:write")
def rerequest(call: Call) -> Answer:
    """Ask the App of a check run to run it again."""
    call.world.happened("check_run", "rerequested", check_run_of(call))
    return Answer({}, 201)


@route("GET", f"{_COMMIT}/check-runs", needs="checks:read")
def check_runs(call: Call) -> Answer:
    """Answer with the check runs of a commit."""
    return counted(call, "check_runs", _runs(call, commit_of(call)))


def _runs(call: Call, sha: str, suite: int | None = None) -> list[JSON]:
    query, world = call.query, call.world
    return [
        checks.check_run(world, one)
        for one in world.checks_of(sha, newest=query.get("filter", "latest") == "latest")
        if query.get("check_name") in {None, one.name}
        and query.get("status") in {None, one.status}
        and query.get("app_id") in {None, one.app.id}
        and suite in {None, one.suite}
    ]


@route("GET", f"{_COMMIT}/check-suites", needs="checks:read")
def check_suites(call: Call) -> Answer:
    """Answer with the check suites of a commit."""
    sha, world = commit_of(call), call.world
    found = [
        one for one in world.suites.values() if one.sha == sha and call.query.get("app_id") in {None, one.app.id}
    ]
    return counted(call, "check_suites", [checks.suite(world, one) for one in found])


@route("GET", f"{REPO}/check-suites/{{check_suite_id}}", needs="checks:read")
def check_suite(call: Call) -> Answer:
    """Answer with one check suite."""
    return Answer(checks.suite(call.world, suite_of(call)))


@route("GET", f"{REPO}/check-suites/{{check_suite_id}}/check-runs", needs="checks:read")
def runs_of_suite(call: Call) -> Answer:
    """Answer with the check runs of a suite."""
    one = suite_of(call)
    return counted(call, "check_runs", _runs(call, one.sha, one.id))


@route("POST", f"{REPO}/check-suites/{{check_suite_id}}/rerequest", needs="checks:write")
def rerequest_suite(call: Call) -> Answer:
    """Ask the App of a suite to run it again."""
    call.world.happened("check_suite", "rerequested", suite_of(call))
    return Answer({}, 201)


@route("GET", f"{_COMMIT}/status", needs="statuses:read")
def combined(call: Call) -> Answer:
    """Answer with the newest status of each context, summed up."""
    sha, world = commit_of(call), call.world
    found = world.statuses_of(sha)
    url = f"{repository.url_of(world)}/commits/{sha}"
    page = listed(call, [checks.simple_status(world, one) for one in found])
    shown = {
        "state": checks.combined_state({one.state for one in found}), "statuses": page.json, "sha": sha,
        "total_count": len(found), "repository": repository.minimal(world), "commit_url": url,
        "url": f"{url}/status",
    }  # fmt: skip
    return Answer(shown, headers=page.headers)


@route("GET", f"{_COMMIT}/statuses", needs="statuses:read")
def statuses(call: Call) -> Answer:
    """Answer with all statuses of a commit, newest first."""
    found = call.world.statuses_of(commit_of(call), newest=False)
    return listed(call, [checks.status(call.world, one) for one in found])


@route("POST", f"{REPO}/statuses/{{sha}}", needs="statuses:write")
def create_status(call: Call) -> Answer:
    """Set a status."""
    world, body, sha = call.world, call.body, call.path["sha"]
    if world.bare.commit(sha) is None:
        raise RefusedError(422, f"No commit found for SHA: {sha}")
    made = Status(
        world.next_id(), sha, body.get("context", "default"), body["state"], user_of(call), world.clock.now,
        body.get("description"), body.get("target_url"),
    )  # fmt: skip
    world.statuses.append(made)
    world.happened("status", "", made)
    return Answer(checks.status(world, made), 201)

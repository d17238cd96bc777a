"""Check runs, suites and statuses in REST answers."""

from typing import Any

from testing.github.clock import iso
from testing.github.shown import accounts, pulls, repository
from testing.github.things import CheckRun, Status, Suite
from testing.github.world import World

JSON = Any


def check_run(world: World, one: CheckRun) -> JSON:
    """Return `check-run`."""
    url = f"{repository.url_of(world)}/check-runs/{one.id}"
    web = f"{world.web}/{world.full_name}/runs/{one.id}"
    return {
        "id": one.id, "node_id": f"CR_{one.id}", "head_sha": one.sha, "name": one.name, "url": url,
        "html_url": web, "details_url": one.details_url or web, "status": one.status,
        "conclusion": one.conclusion, "started_at": iso(one.started), "completed_at": iso(one.completed),
        "external_id": one.external_id, "check_suite": {"id": one.suite}, "app": accounts.app(world, one.app),
        "pull_requests": pulls_at(world, one.sha),
        "output": {
            "title": one.title, "summary": one.summary, "text": one.text,
            "annotations_count": len(one.annotations), "annotations_url": f"{url}/annotations",
        },
    }  # fmt: skip


def pulls_at(world: World, sha: str) -> JSON:
    """Return `pull-request-minimal` of each open pull request with this head."""
    return [
        pulls.minimal(world, pull)
        for pull in world.pulls.values()
        if pull.head_sha == sha and pull.state == "open"
    ]


def suite_state(world: World, one: Suite) -> tuple[str, str | None]:
    """Return status and conclusion of a suite, which come from its newest check runs, or from its workflow run."""
    waiting = world.runs[one.run].waiting if one.run is not None else None
    if waiting in {"action_required", "startup_failure", "cancelled"}:
        return "completed", waiting
    if waiting is not None:
        return waiting, None
    runs = [run for run in world.checks_of(one.sha) if run.suite == one.id]
    if not runs:
        return "queued", None
    if any(run.status != "completed" for run in runs):
        started = any(run.status != "queued" for run in runs)
        return ("in_progress" if started else "queued"), None
    ends = {run.conclusion for run in runs}
    bad = ("failure", "timed_out", "action_required", "cancelled", "stale", "startup_failure")
    worst = next((end for end in bad if end in ends), None)
    return "completed", worst or ("success" if "success" in ends else min(end or "" for end in ends))


def suite(world: World, one: Suite) -> JSON:
    """Return `check-suite`."""
    url = f"{repository.url_of(world)}/check-suites/{one.id}"
    status, conclusion = suite_state(world, one)
    parents = world.bare.about(one.sha)["parents"].split()
    return {
        "id": one.id, "node_id": f"CS_{one.id}", "head_branch": one.branch, "head_sha": one.sha,
        "status": status, "conclusion": conclusion, "url": url, "before": parents[0] if parents else None,
        "after": one.sha, "pull_requests": pulls_at(world, one.sha), "app": accounts.app(world, one.app),
        "repository": repository.minimal(world), "created_at": iso(one.created), "updated_at": iso(one.updated),
        "head_commit": repository.simple_commit(world, one.sha), "check_runs_url": f"{url}/check-runs",
        "latest_check_runs_count": sum(run.suite == one.id for run in world.checks_of(one.sha)),
    }  # fmt: skip


def simple_status(world: World, one: Status) -> JSON:
    """Return `simple-commit-status`, as the combined status has it."""
    return {
        "id": one.id, "node_id": f"SC_{one.id}", "state": one.state, "context": one.context,
        "description": one.description, "target_url": one.target_url,
        "avatar_url": f"{world.web}/avatars/{one.user.id}", "created_at": iso(one.created),
        "updated_at": iso(one.created), "url": f"{repository.url_of(world)}/statuses/{one.sha}",
    }  # fmt: skip


def status(world: World, one: Status) -> JSON:
    """Return `status`."""
    return {**simple_status(world, one), "creator": accounts.user(world, one.user)}


def combined_state(states: set[str]) -> str:
    """Return how GitHub sums up statuses: none at all is `pending`."""
    if states & {"error", "failure"}:
        return "failure"
    return "pending" if "pending" in states or not states else "success"

"""Workflow runs, jobs and artifacts in REST answers."""

from datetime import timedelta
from typing import Any

from testing.github.clock import iso
from testing.github.shown import accounts, checks, repository
from testing.github.things import Artifact, Job, Workflow, WorkflowRun
from testing.github.world import World

JSON = Any


def workflow(world: World, one: Workflow) -> JSON:
    """Return `workflow`."""
    web = f"{world.web}/{world.full_name}"
    return {
        "id": one.id, "node_id": f"W_{one.id}", "name": one.name, "path": one.path, "state": "active",
        "created_at": iso(one.created), "updated_at": iso(one.created),
        "url": f"{repository.url_of(world)}/actions/workflows/{one.id}", "html_url": f"{web}/blob/main/{one.path}",
        "badge_url": f"{web}/actions/workflows/{one.name}/badge.svg",
    }  # fmt: skip


def run_state(world: World, one: WorkflowRun) -> tuple[str, str | None]:
    """Return status and conclusion of a run."""
    return checks.suite_state(world, world.suites[one.suite])


def run(world: World, one: WorkflowRun) -> JSON:
    """Return `workflow-run`."""
    root = repository.url_of(world)
    url = f"{root}/actions/runs/{one.id}"
    status, conclusion = run_state(world, one)
    message = world.bare.about(one.sha)["message"].split("\n", 1)[0]
    before = f"{url}/attempts/{one.attempt - 1}" if one.attempt > 1 else None
    return {
        "id": one.id, "name": one.workflow.name, "node_id": f"WFR_{one.id}", "check_suite_id": one.suite,
        "check_suite_node_id": f"CS_{one.suite}", "head_branch": one.branch, "head_sha": one.sha,
        "path": one.workflow.path, "run_number": one.number, "run_attempt": one.attempt, "event": one.event,
        "status": status, "conclusion": conclusion, "workflow_id": one.workflow.id, "url": url,
        "html_url": f"{world.web}/{world.full_name}/actions/runs/{one.id}",
        "pull_requests": checks.pulls_at(world, one.sha), "created_at": iso(one.created),
        "updated_at": iso(one.started), "run_started_at": iso(one.started), "display_title": message,
        "actor": accounts.user(world, one.actor), "triggering_actor": accounts.user(world, one.actor),
        "jobs_url": f"{url}/jobs", "logs_url": f"{url}/logs", "artifacts_url": f"{url}/artifacts",
        "check_suite_url": f"{root}/check-suites/{one.suite}", "cancel_url": f"{url}/cancel",
        "rerun_url": f"{url}/rerun", "previous_attempt_url": before,
        "workflow_url": f"{root}/actions/workflows/{one.workflow.id}",
        "head_commit": repository.simple_commit(world, one.sha), "repository": repository.minimal(world),
        "head_repository": repository.minimal(world),
    }  # fmt: skip


def job(world: World, one: Job) -> JSON:
    """Return `job`."""
    of, check = world.runs[one.run], world.check_runs[one.id]
    root = repository.url_of(world)
    started = check.started or of.started
    return {
        "id": one.id, "node_id": f"CR_{one.id}", "run_id": one.run, "run_attempt": one.attempt,
        "run_url": f"{root}/actions/runs/{one.run}", "head_sha": check.sha, "head_branch": of.branch,
        "workflow_name": of.workflow.name, "name": one.name, "url": f"{root}/actions/jobs/{one.id}",
        "html_url": f"{world.web}/{world.full_name}/actions/runs/{one.run}/job/{one.id}",
        "status": check.status, "conclusion": check.conclusion, "created_at": iso(of.started),
        "started_at": iso(started), "completed_at": iso(check.completed), "steps": _steps(one),
        "check_run_url": f"{root}/check-runs/{one.id}", "labels": ["ubuntu-latest"], "runner_id": None,
        "runner_name": None, "runner_group_id": None, "runner_group_name": None,
    }  # fmt: skip


def _steps(one: Job) -> JSON:
    return [
        {"name": name, "status": "completed", "conclusion": conclusion, "number": number}
        for number, (name, conclusion) in enumerate(one.steps, 1)
    ]


def artifact(world: World, one: Artifact) -> JSON:
    """Return `artifact`."""
    url = f"{repository.url_of(world)}/actions/artifacts/{one.id}"
    of = world.runs[one.run]
    return {
        "id": one.id, "node_id": f"AF_{one.id}", "name": one.name, "size_in_bytes": len(one.content), "url": url,
        "archive_download_url": f"{url}/zip", "expired": one.expired, "created_at": iso(one.created),
        "updated_at": iso(one.created), "expires_at": iso(one.created + timedelta(days=90)),
        "workflow_run": {
            "id": one.run, "repository_id": world.id, "head_repository_id": world.id, "head_branch": of.branch,
            "head_sha": of.sha,
        },
    }  # fmt: skip

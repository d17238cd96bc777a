"""Finding what a path names, or answering 404."""

from testing.github.actors import User
from testing.github.routing import Call, missing
from testing.github.things import CheckRun, Comment, Job, Pull, Suite, WorkflowRun


def check_repository(call: Call) -> None:
    """404 unless the path names the one repository that there is."""
    if f"{call.path['owner']}/{call.path['repo']}".lower() != call.world.full_name.lower():
        raise missing()


def user_of(call: Call) -> User:
    """Who acts; routes that write are only reached with somebody."""
    assert call.actor.user is not None
    return call.actor.user


def pull_of(call: Call) -> Pull:
    """The pull request that the path names, as such or as an issue."""
    text = call.path.get("pull_number") or call.path["issue_number"]
    if not text.isdigit() or int(text) not in call.world.pulls:
        raise missing()
    return call.world.pulls[int(text)]


def comment_of(call: Call) -> Comment:
    """The comment that the path names."""
    found = call.world.comments.get(int(call.path["comment_id"]))
    if found is None:
        raise missing()
    return found


def commit_of(call: Call) -> str:
    """The commit that the path names by branch, tag or object id."""
    found = call.world.bare.commit(call.path["ref"])
    if found is None:
        raise missing()
    return found


def check_run_of(call: Call) -> CheckRun:
    """The check run that the path names."""
    found = call.world.check_runs.get(int(call.path["check_run_id"]))
    if found is None:
        raise missing()
    return found


def suite_of(call: Call) -> Suite:
    """The check suite that the path names."""
    found = call.world.suites.get(int(call.path["check_suite_id"]))
    if found is None:
        raise missing()
    return found


def run_of(call: Call) -> WorkflowRun:
    """The workflow run that the path names."""
    found = call.world.runs.get(int(call.path["run_id"]))
    if found is None:
        raise missing()
    return found


def job_of(call: Call) -> Job:
    """The job that the path names."""
    found = call.world.jobs.get(int(call.path["job_id"]))
    if found is None:
        raise missing()
    return found

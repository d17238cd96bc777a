"""Labels of the repository and of pull requests."""

from testing.github.rest.lookup import pull_of
from testing.github.routing import REPO, Answer, Call, RefusedError, listed, missing, route
from testing.github.shown import pulls
from testing.github.things import Label, Pull
from testing.github.world import World

_OF_ISSUE = f"{REPO}/issues/{{issue_number}}/labels"


@route("GET", f"{REPO}/labels", needs="issues:read")
def labels(call: Call) -> Answer:
    """Answer with all labels."""
    return listed(call, [pulls.label(call.world, one) for one in call.world.labels.values()])


@route("GET", f"{REPO}/labels/{{name}}", needs="issues:read")
def label(call: Call) -> Answer:
    """Answer with one label."""
    found = call.world.label(call.path["name"])
    if found is None:
        raise missing()
    return Answer(pulls.label(call.world, found))


@route("POST", f"{REPO}/labels", needs="issues:write")
def create_label(call: Call) -> Answer:
    """Create a label."""
    name = call.body["name"]
    if call.world.label(name) is not None:
        errors = [{"resource": "Label", "code": "already_exists", "field": "name"}]
        raise RefusedError(422, "Validation Failed", errors)
    made = new_label(call.world, name, call.body.get("color", "ededed"), call.body.get("description"))
    return Answer(pulls.label(call.world, made), 201)


def new_label(world: World, name: str, color: str = "ededed", description: str | None = None) -> Label:
    """Make a label, or find it."""
    found = world.label(name)
    if found is None:
        found = world.labels[name.lower()] = Label(world.next_id(), name, color, description)
    return found


def put_label(world: World, pull: Pull, name: str) -> None:
    """Put a label on a pull request; GitHub creates what is missing."""
    wanted = new_label(world, name)
    if wanted not in pull.labels:
        pull.labels.append(wanted)
        pull.updated = world.clock.now
        world.happened("pull_request", "labeled", pull)


@route("GET", _OF_ISSUE, needs="issues:read")
def labels_of(call: Call) -> Answer:
    """Answer with the labels of a pull request."""
    return listed(call, [pulls.label(call.world, one) for one in pull_of(call).labels])


@route("POST", _OF_ISSUE, needs="issues:write", role="triage")
def add_labels(call: Call) -> Answer:
    """Add labels to a pull request."""
    pull = pull_of(call)
    given = call.body["labels"] if isinstance(call.body, dict) else call.body
    for one in given:
        put_label(call.world, pull, one if isinstance(one, str) else one["name"])
    return Answer([pulls.label(call.world, one) for one in pull.labels])


@route("DELETE", f"{_OF_ISSUE}/{{name}}", needs="issues:write", role="triage")
def remove_label(call: Call) -> Answer:
    """Take one label off a pull request."""
    pull = pull_of(call)
    found = call.world.label(call.path["name"])
    if found is None or found not in pull.labels:
        raise RefusedError(404, "Label does not exist")
    pull.labels.remove(found)
    return Answer([pulls.label(call.world, one) for one in pull.labels])

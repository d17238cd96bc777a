"""Pull requests: finding, opening, changing and landing them."""

from testing.github.actors import User
from testing.github.landing import land
from testing.github.rest.comments import check_body
from testing.github.rest.labels import put_label
from testing.github.rest.lookup import pull_of, user_of
from testing.github.routing import REPO, Answer, Call, RefusedError, invalid, listed, missing, route
from testing.github.shown import pulls, repository
from testing.github.things import Pull
from testing.github.world import World

_ONE = f"{REPO}/pulls/{{pull_number}}"


@route("GET", f"{REPO}/pulls", needs="pull_requests:read")
def list_pulls(call: Call) -> Answer:
    """Answer with pull requests, newest first unless told otherwise."""
    state, head, base = call.query.get("state", "open"), call.query.get("head"), call.query.get("base")
    found = [
        pull
        for pull in call.world.pulls.values()
        if state in {"all", pull.state}
        and (head is None or head == pull.head_label(call.world.owner))
        and base in {None, pull.base}
    ]
    sort = call.query.get("sort", "created")
    found.sort(key=lambda pull: (pull.updated, pull.number) if sort == "updated" else (pull.created, pull.number))
    if call.query.get("direction", "desc" if sort == "created" else "asc") == "desc":
        found.reverse()
    return listed(call, [pulls.simple(call.world, pull) for pull in found])


@route("POST", f"{REPO}/pulls", needs="pull_requests:write", role="read")
def create_pull(call: Call) -> Answer:
    """Open a pull request from one branch of the repository into another."""
    body = call.body
    check_body("PullRequest", body.get("body"))
    if "title" not in body:
        raise invalid("PullRequest", "title", "title is missing")
    made = new_pull(
        call.world,
        user_of(call),
        body["head"],
        body["base"],
        body["title"],
        body.get("body"),
        draft=body.get("draft", False),
    )
    return Answer(pulls.full(call.world, made), 201)


def new_pull(world: World, user: User, head: str, base: str, title: str, body: str | None, *, draft: bool) -> Pull:
    """Open a pull request as somebody; RefusedError as GitHub does. `head` is `BRANCH` or `OWNER:BRANCH`."""
    login, _, head = head.rpartition(":")
    fork = None if login in {"", world.owner.login} else world.users.get(login)
    name = f"refs/forks/{login}/{head}" if fork else f"refs/heads/{head}"
    head_sha, base_sha = world.bare.ref(name), world.bare.tip(base)
    if head_sha is None:
        raise invalid("PullRequest", "head", "head is invalid")
    if base_sha is None:
        raise invalid("PullRequest", "base", "base is invalid")
    if world.bare.contains(base_sha, head_sha):
        raise invalid("PullRequest", "base", f"No commits between {base} and {head}")
    there = [pull for pull in world.pulls.values() if pull.state == "open"]
    if any((pull.head_ref, pull.base) == (name, base) for pull in there):
        message = f"A pull request already exists for {login or world.owner.login}:{head}."
        raise RefusedError(422, "Validation Failed", [{"resource": "PullRequest", "code": "custom",
                                                       "message": message}])  # fmt: skip
    now = world.clock.now
    number = max(world.pulls, default=0) + 1
    made = Pull(world.next_id(), number, user, title, body, head, base, head_sha, base_sha, now, now, draft=draft)
    world.next_id()  # the issue's own
    made.fork = fork
    made.unknown_for = world.slow_mergeability
    world.pulls[number] = made
    world.bare.point(f"refs/pull/{number}/head", head_sha)
    world.happened("pull_request", "opened", made)
    return made


@route("GET", _ONE, needs="pull_requests:read")
def pull(call: Call) -> Answer:
    """Answer with one pull request."""
    return Answer(pulls.full(call.world, pull_of(call)))


@route("PATCH", _ONE, needs="pull_requests:write", role="read")
def update_pull(call: Call) -> Answer:
    """Change title, body, base or state: one's own, or with the right to write any."""
    one = pull_of(call)
    if one.user is not call.actor.user and not call.actor.has_role("write"):
        raise RefusedError(403, "Must have admin rights to Repository.")
    change_pull(call.world, one, call.body)
    return Answer(pulls.full(call.world, one))


def change_pull(world: World, one: Pull, body: dict[str, object]) -> None:
    """Change what is given of a pull request."""
    text = body.get("body", one.body)
    check_body("PullRequest", text if isinstance(text, str) else None)
    if body.get("state") == "open" and one.state == "closed":
        reopen(world, one)
    edited = [key for key in ("title", "body", "base") if key in body]
    for key in edited:
        setattr(one, key, body[key])
    if edited:
        one.updated = world.clock.now
        world.happened("pull_request", "edited", one)
    if body.get("state") == "closed" and one.state == "open":
        world.close(one)


def set_draft(world: World, one: Pull, *, draft: bool) -> None:
    """Make a pull request a draft, or ready; nothing happens where it is so already."""
    if one.state != "open":
        raise RefusedError(422, "Pull request is closed")
    if one.draft != draft:
        one.draft, one.updated = draft, world.clock.now
        world.happened("pull_request", "converted_to_draft" if draft else "ready_for_review", one)


def reopen(world: World, one: Pull) -> None:
    """Reopen a pull request that was closed without merging."""
    head = world.bare.ref(one.head_ref)
    if one.merged or head is None:
        raise invalid("PullRequest", "state", "state cannot be changed. The pull request cannot be reopened.")
    if not world.bare.contains(head, one.head_sha):
        message = f"state cannot be changed. The {one.head} branch was force-pushed or recreated."
        raise invalid("PullRequest", "state", message)
    one.state, one.closed, one.updated = "open", None, world.clock.now
    world.happened("pull_request", "reopened", one)


@route("GET", f"{_ONE}/commits", needs="pull_requests:read")
def commits(call: Call) -> Answer:
    """Answer with the commits of a pull request, oldest first; GitHub shows 250 of them."""
    one = pull_of(call)
    found = call.world.bare.commits(one.base_sha, one.head_sha)[:250]
    page = listed(call, found)
    return Answer([repository.commit(call.world, sha) for sha in page.json], headers=page.headers)


@route("GET", f"{_ONE}/files", needs="pull_requests:read")
def files(call: Call) -> Answer:
    """Answer with the files that a pull request changes; GitHub shows 3,000 of them."""
    one = pull_of(call)
    base = call.world.bare.merge_base(one.base_sha, one.head_sha)
    found = call.world.bare.changes(base, one.head_sha)[:3000] if base else []
    return listed(call, [repository.entry(call.world, one.head_sha, each) for each in found])


@route("GET", f"{_ONE}/merge", needs="pull_requests:read")
def is_merged(call: Call) -> Answer:
    """204 if it is merged."""
    if pull_of(call).merged is None:
        raise missing()
    return Answer(status=204)


@route("PUT", f"{_ONE}/merge", needs="contents:write")
def merge(call: Call) -> Answer:
    """Land a pull request."""
    body = call.body or {}
    commit = land(
        call.world, pull_of(call), method=body.get("merge_method", "merge"), by=user_of(call), sha=body.get("sha"),
        title=body.get("commit_title"), message=body.get("commit_message"),
    )  # fmt: skip
    return Answer({"sha": commit, "merged": True, "message": "Pull Request successfully merged"})


@route("PUT", f"{_ONE}/update-branch", needs="pull_requests:write")
def update_branch(call: Call) -> Answer:
    """Merge the base branch into the head branch."""
    one, bare = pull_of(call), call.world.bare
    wanted = (call.body or {}).get("expected_head_sha")
    if wanted not in {None, one.head_sha}:
        raise RefusedError(422, "expected head sha didn't match current head ref.")
    tree = bare.merged_tree(one.head_sha, one.base_sha)
    if tree is None:
        raise RefusedError(422, "merge conflict between base and head")
    message = f"Merge branch '{one.base}' into {one.head}"
    bare.point(one.head_ref, bare.new_commit(tree, [one.head_sha, one.base_sha], message))
    return Answer({"message": "Updating pull request branch.", "url": call.url.rsplit("/", 1)[0]}, 202)


@route("GET", f"{REPO}/issues", needs="issues:read")
def issues(call: Call) -> Answer:
    """Answer with all pull requests as issues, newest first; there are no others."""
    state = call.query.get("state", "open")
    wanted = {name.lower() for name in call.query.get("labels", "").split(",") if name}
    creator = call.query.get("creator")
    found = [
        one
        for one in call.world.pulls.values()
        if state in {"all", one.state}
        and wanted <= {label.name.lower() for label in one.labels}
        and creator in {None, one.user.login}
    ]
    return listed(call, [pulls.issue(call.world, one) for one in reversed(found)])


@route("GET", f"{REPO}/issues/{{issue_number}}", needs="issues:read")
def issue(call: Call) -> Answer:
    """Answer with a pull request as an issue."""
    return Answer(pulls.issue(call.world, pull_of(call)))


@route("PATCH", f"{REPO}/issues/{{issue_number}}", needs="issues:write", role="read")
def update_issue(call: Call) -> Answer:
    """Change a pull request as an issue; with `labels` these replace all that it has."""
    one = pull_of(call)
    if one.user is not call.actor.user and not call.actor.has_role("triage"):
        raise RefusedError(403, "Must have admin rights to Repository.")
    change_pull(call.world, one, {key: call.body[key] for key in ("title", "body", "state") if key in call.body})
    if "labels" in call.body:
        one.labels.clear()
        for name in call.body["labels"]:
            put_label(call.world, one, name if isinstance(name, str) else name["name"])
    if "assignees" in call.body:
        one.assignees = [call.world.users[login] for login in call.body["assignees"] if login in call.world.users]
    return Answer(pulls.issue(call.world, one))

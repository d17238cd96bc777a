"""Comments on pull requests, and reactions to them."""

from datetime import datetime

from testing.github.actors import User
from testing.github.rest.lookup import comment_of, pull_of, user_of
from testing.github.routing import REPO, Answer, Call, RefusedError, invalid, listed, missing, route
from testing.github.shown import pulls
from testing.github.things import Comment, Reaction
from testing.github.world import World

MOST = 65_536
"""How many characters a body may have: https://github.com/dead-claudia/github-limits and GitHub's own message."""
_OF_ISSUE = f"{REPO}/issues/{{issue_number}}/comments"
_ONE = f"{REPO}/issues/comments/{{comment_id}}"


def check_body(resource: str, body: str | None) -> None:
    """422 when a text is longer than GitHub takes."""
    if body is not None and len(body) > MOST:
        raise invalid(resource, "body", f"body is too long (maximum is {MOST} characters)")


@route("GET", _OF_ISSUE, needs="issues:read")
def comments(call: Call) -> Answer:
    """Answer with the comments of a pull request, oldest first."""
    return listed(call, _shown(call, call.world.comments_of(pull_of(call).number)))


@route("GET", f"{REPO}/issues/comments", needs="issues:read")
def all_comments(call: Call) -> Answer:
    """Answer with the comments of all pull requests."""
    return listed(call, _shown(call, list(call.world.comments.values())))


def _shown(call: Call, found: list[Comment]) -> list[object]:
    since = call.query.get("since")
    earliest = datetime.fromisoformat(since) if since else None
    if call.query.get("sort") == "updated":
        found = sorted(found, key=lambda one: one.updated)
    if call.query.get("direction") == "desc":
        found = found[::-1]
    return [pulls.comment(call.world, one) for one in found if earliest is None or one.updated >= earliest]


@route("POST", _OF_ISSUE, needs="issues:write", role="read")
def create_comment(call: Call) -> Answer:
    """Write a comment."""
    pull = pull_of(call)
    check_body("IssueComment", call.body["body"])
    if not call.body["body"].strip():
        raise RefusedError(422, "Validation Failed", [{"resource": "IssueComment", "code": "missing_field",
                                                       "field": "body"}])  # fmt: skip
    made = new_comment(call.world, pull.number, user_of(call), call.body["body"])
    made.app = call.actor.app
    return Answer(pulls.comment(call.world, made), 201)


def new_comment(world: World, number: int, user: User, body: str) -> Comment:
    """Write a comment as somebody."""
    now = world.clock.now
    made = Comment(world.next_id(), number, user, body, now, now)
    world.comments[made.id] = made
    world.pulls[number].updated = now
    world.happened("issue_comment", "created", made)
    return made


@route("GET", _ONE, needs="issues:read")
def comment(call: Call) -> Answer:
    """Answer with one comment."""
    return Answer(pulls.comment(call.world, comment_of(call)))


@route("PATCH", _ONE, needs="issues:write", role="read")
def edit_comment(call: Call) -> Answer:
    """Change a comment: one's own, or with the right to write any."""
    one = comment_of(call)
    if one.user is not call.actor.user and not call.actor.has_role("write"):
        raise RefusedError(403, "Must have admin rights to Repository.")
    check_body("IssueComment", call.body["body"])
    one.body, one.updated = call.body["body"], call.world.clock.now
    call.world.happened("issue_comment", "edited", one)
    return Answer(pulls.comment(call.world, one))


@route("DELETE", _ONE, needs="issues:write")
def delete_comment(call: Call) -> Answer:
    """Delete a comment."""
    del call.world.comments[comment_of(call).id]
    return Answer(status=204)


@route("GET", f"{_ONE}/reactions", needs="issues:read")
def reactions(call: Call) -> Answer:
    """Answer with the reactions to a comment."""
    wanted = call.query.get("content")
    found = [one for one in comment_of(call).reactions if wanted in {None, one.content}]
    return listed(call, [pulls.reaction(call.world, one) for one in found])


@route("POST", f"{_ONE}/reactions", needs="issues:write", role="read")
def react(call: Call) -> Answer:
    """React to a comment; the same reaction of the same person again changes nothing."""
    one, user, content = comment_of(call), user_of(call), call.body["content"]
    before = len(one.reactions)
    made = new_reaction(call.world, one, user, content)
    return Answer(pulls.reaction(call.world, made), 201 if len(one.reactions) > before else 200)


def new_reaction(world: World, one: Comment, user: User, content: str) -> Reaction:
    """React as somebody, or find the same reaction."""
    for there in one.reactions:
        if (there.user, there.content) == (user, content):
            return there
    made = Reaction(world.next_id(), user, content, world.clock.now)
    one.reactions.append(made)
    return made


@route("DELETE", f"{_ONE}/reactions/{{reaction_id}}", needs="issues:write", role="read")
def unreact(call: Call) -> Answer:
    """Take a reaction back."""
    one = comment_of(call)
    found = [there for there in one.reactions if str(there.id) == call.path["reaction_id"]]
    if not found:
        raise missing()
    one.reactions.remove(found[0])
    return Answer(status=204)

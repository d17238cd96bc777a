"""Reviews, and who is asked for one."""

from testing.github.actors import User
from testing.github.rest.lookup import pull_of, user_of
from testing.github.routing import REPO, Answer, Call, RefusedError, listed, route
from testing.github.shown import accounts, pulls
from testing.github.things import Pull, Review
from testing.github.world import World

_ASKED = f"{REPO}/pulls/{{pull_number}}/requested_reviewers"
_REVIEWS = f"{REPO}/pulls/{{pull_number}}/reviews"


@route("GET", _ASKED, needs="pull_requests:read")
def requested(call: Call) -> Answer:
    """Answer with who was asked and has not reviewed yet."""
    pull, world = pull_of(call), call.world
    return Answer({
        "users": [accounts.user(world, one) for one in pull.reviewers],
        "teams": [pulls.whole_team(world, one) for one in pull.teams],
    })  # fmt: skip


@route("POST", _ASKED, needs="pull_requests:write")
def request_reviews(call: Call) -> Answer:
    """Ask people; all of them must be collaborators, and none may be the author."""
    pull, world = pull_of(call), call.world
    found = []
    for login in call.body.get("reviewers", []):
        user = world.users.get(login)
        if user is pull.user:
            raise RefusedError(422, "Review cannot be requested from pull request author.")
        if user is None or user.role == "none":
            words = "Reviews may only be requested from collaborators. One or more of the users or teams you "
            raise RefusedError(422, f"{words}specified is not a collaborator of the {world.full_name} repository.")
        found.append(user)
    ask(world, pull, found, call.body.get("team_reviewers", []))
    return Answer(pulls.simple(world, pull), 201)


def ask(world: World, pull: Pull, people: list[User], teams: list[str]) -> None:
    """Ask people and teams for a review, those who were not asked yet."""
    pull.reviewers += [one for one in people if one not in pull.reviewers]
    pull.teams += [one for one in teams if one not in pull.teams]
    world.happened("pull_request", "review_requested", pull)


@route("DELETE", _ASKED, needs="pull_requests:write")
def unrequest(call: Call) -> Answer:
    """Take requests back."""
    pull = pull_of(call)
    pull.reviewers = [one for one in pull.reviewers if one.login not in call.body["reviewers"]]
    pull.teams = [one for one in pull.teams if one not in call.body.get("team_reviewers", [])]
    return Answer(pulls.simple(call.world, pull))


@route("GET", _REVIEWS, needs="pull_requests:read")
def reviews(call: Call) -> Answer:
    """Answer with the reviews, oldest first."""
    pull = pull_of(call)
    return listed(call, [pulls.review(call.world, pull, one) for one in pull.reviews])


@route("POST", _REVIEWS, needs="pull_requests:write", role="read")
def create_review(call: Call) -> Answer:
    """Review; pending reviews are not served."""
    pull, event = pull_of(call), call.body.get("event")
    states = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
    if event not in states:
        raise RefusedError(422, "the test server has no pending reviews: give an event")
    user = user_of(call)
    if user is pull.user and event != "COMMENT":
        raise RefusedError(422, f"Can not {event.lower().replace('_', ' ')} your own pull request")
    made = new_review(call.world, pull, user, states[event], call.body.get("body", ""))
    return Answer(pulls.review(call.world, pull, made))


def new_review(world: World, pull: Pull, user: User, state: str, body: str) -> Review:
    """Review as somebody, who is then no longer asked for it."""
    made = Review(world.next_id(), user, state, body, pull.head_sha, world.clock.now)
    pull.reviews.append(made)
    if user in pull.reviewers:
        pull.reviewers.remove(user)
    world.happened("pull_request_review", "submitted", (pull, made))
    return made


@route("GET", f"{REPO}/pulls/{{pull_number}}/comments", needs="pull_requests:read")
def review_comments(call: Call) -> Answer:
    """Answer with the comments on lines."""
    pull = pull_of(call)
    return listed(call, [pulls.review_comment(call.world, pull, one) for one in pull.review_comments])

"""Who one is, and how many requests are left."""

from testing.github.routing import Answer, Call, RefusedError, missing, route
from testing.github.shown import accounts


@route("GET", "/rate_limit")
def rate_limit(call: Call) -> Answer:
    """Answer with what is left; this request itself does not count."""
    rate = call.world.rate.shown(call.world.clock.now)
    names = ("core", "graphql", "search", "integration_manifest")
    return Answer({"rate": rate, "resources": dict.fromkeys(names, rate)})


@route("GET", "/user")
def current_user(call: Call) -> Answer:
    """Answer with the person; an App's installation is none."""
    if call.actor.user is None:
        raise RefusedError(401, "Requires authentication")
    if call.actor.app is not None:
        raise RefusedError(403, "Resource not accessible by integration")
    return Answer(accounts.profile(call.world, call.actor.user))


@route("GET", "/users/{username}")
def user(call: Call) -> Answer:
    """Answer with an account."""
    found = call.world.users.get(call.path["username"])
    if found is None:
        raise missing()
    return Answer(accounts.profile(call.world, found))

"""GitHub Apps: their installations, and the tokens for these."""

from datetime import timedelta

from testing.github.actors import Installation, Token
from testing.github.clock import iso
from testing.github.rest.lookup import check_repository
from testing.github.routing import REPO, Answer, Call, RefusedError, listed, missing, route
from testing.github.shown import accounts, repository


def _require_app(call: Call) -> None:
    if not call.actor.as_app:
        raise RefusedError(401, "A JSON web token could not be decoded")


def _mine(call: Call) -> list[Installation]:
    return [one for one in call.world.installations.values() if one.app is call.actor.app]


@route("GET", "/app")
def app(call: Call) -> Answer:
    """Answer with the App itself."""
    _require_app(call)
    assert call.actor.app is not None
    return Answer(accounts.app(call.world, call.actor.app))


@route("GET", "/apps/{app_slug}")
def app_by_slug(call: Call) -> Answer:
    """Answer with an App; anybody who is signed in may ask."""
    found = call.world.apps.get(call.path["app_slug"])
    if found is None:
        raise missing()
    return Answer(accounts.app(call.world, found))


@route("GET", "/app/installations")
def installations(call: Call) -> Answer:
    """Answer with where the App is installed."""
    _require_app(call)
    return listed(call, [accounts.installation(call.world, one) for one in _mine(call)])


@route("GET", "/app/installations/{installation_id}")
def installation(call: Call) -> Answer:
    """Answer with one installation."""
    return Answer(accounts.installation(call.world, _installation(call)))


@route("GET", f"{REPO}/installation")
def repository_installation(call: Call) -> Answer:
    """Answer with the App's installation that this repository belongs to."""
    _require_app(call)
    check_repository(call)
    mine = _mine(call)
    if not mine:
        raise missing()
    return Answer(accounts.installation(call.world, mine[0]))


@route("POST", "/app/installations/{installation_id}/access_tokens")
def access_token(call: Call) -> Answer:
    """Make a token that lasts an hour."""
    one = _installation(call)
    if one.suspended:
        raise RefusedError(403, "This installation has been suspended")
    granted = dict(call.body.get("permissions") or one.app.permissions)
    for name, level in granted.items():
        if one.app.permissions.get(name) not in {level, "write"}:
            raise RefusedError(422, f"The permissions requested are not granted to this installation: {name}")
    expires = call.world.clock.now + timedelta(hours=1)
    token = f"ghs_{call.world.next_id()}"
    call.world.tokens[token] = Token(one.app.bot, one.app, granted, expires)
    shown = {
        "token": token, "expires_at": iso(expires), "permissions": granted, "repository_selection": "selected",
    }  # fmt: skip
    return Answer(shown, 201)


@route("GET", "/installation/repositories")
def repositories(call: Call) -> Answer:
    """Answer with what the installation token reaches."""
    if call.actor.app is None or call.actor.as_app:
        raise RefusedError(403, "You must authenticate with an installation access token")
    return Answer({"total_count": 1, "repositories": [repository.plain(call.world)]})


def _installation(call: Call) -> Installation:
    _require_app(call)
    found = call.world.installations.get(int(call.path["installation_id"]))
    if found is None or found.app is not call.actor.app:
        raise missing()
    return found

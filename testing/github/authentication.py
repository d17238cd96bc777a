"""Who makes a request: by token, by an App's signed JWT, or nobody."""

from typing import Any

import jwt

from testing.github.actors import Actor, App
from testing.github.routing import RefusedError, missing
from testing.github.world import World

JSON = Any
_LEEWAY = 300
"""Seconds by which the clocks of an App and the server may differ. GitHub gives less; this clock stands still."""
_LONGEST = 600
"""Seconds that a JWT may be valid for."""


def actor_of(world: World, header: str | None) -> Actor:
    """Return who an `Authorization` header stands for; RefusedError (401) as GitHub answers."""
    if not header:
        return Actor()
    scheme, _, token = header.partition(" ")
    if scheme.lower() not in {"bearer", "token"}:
        raise RefusedError(401, "Bad credentials")
    if token.count(".") == 2:
        return Actor(app=_app_of(world, token), as_app=True)
    found = world.tokens.get(token)
    if found is None or (found.expires is not None and found.expires <= world.clock.now):
        raise RefusedError(401, "Bad credentials")
    return Actor(found.user, found.app, found.permissions)


def _app_of(world: World, token: str) -> App:
    try:
        issuer = str(jwt.decode(token, options={"verify_signature": False}).get("iss"))
        app = next(app for app in world.apps.values() if str(app.id) == issuer and app.public_key)
        claims: JSON = jwt.decode(
            token, app.public_key, algorithms=["RS256"], options={"verify_exp": False, "verify_iat": False}
        )
    except (jwt.InvalidTokenError, StopIteration):
        raise RefusedError(401, "A JSON web token could not be decoded") from None
    now = world.clock.now.timestamp()
    if not isinstance(claims.get("exp"), int) or claims["exp"] <= now - _LEEWAY:
        raise RefusedError(
            401, "'Expiration time' claim ('exp') must be a numeric value representing the future time"
        )
    if claims["exp"] > now + _LONGEST + _LEEWAY:
        raise RefusedError(401, "'Expiration time' claim ('exp') is too far in the future")
    if claims.get("iat", now) > now + _LEEWAY:
        raise RefusedError(401, "'Issued at' claim ('iat') must be an Integer representing the time that the "
                           "assertion was issued")  # fmt: skip
    return app


def check_rights(actor: Actor, method: str, needs: str, role: str) -> None:
    """401, 403 or 404 as GitHub answers who may not do this."""
    if actor.as_app:
        return  # what an App itself can ask checks that itself
    if actor.user is None:
        if method != "GET" or role not in {"read", ""}:
            raise RefusedError(401, "Requires authentication")
        return
    if actor.permissions is not None:
        if needs and not actor.permitted(needs):
            raise RefusedError(403, "Resource not accessible by integration")
        return
    if not actor.has_role(role):
        # What is for administrators to see is not there for others.
        raise missing() if method == "GET" else RefusedError(403, "Must have admin rights to Repository.")

"""Accounts and Apps in REST answers."""

from typing import Any

from testing.github.actors import ROLES, App, Installation, User
from testing.github.clock import iso
from testing.github.world import World

JSON = Any

_OF_USER = {
    "events_url": "/events{/privacy}", "followers_url": "/followers", "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}", "organizations_url": "/orgs", "received_events_url": "/received_events",
    "repos_url": "/repos", "starred_url": "/starred{/owner}{/repo}", "subscriptions_url": "/subscriptions",
}  # fmt: skip


def user(world: World, one: User) -> JSON:
    """Return `simple-user`."""
    url = f"{world.api}/users/{one.login}"
    return {
        "login": one.login, "id": one.id, "node_id": f"U_{one.id}", "gravatar_id": "", "url": url,
        "avatar_url": f"{world.web}/avatars/{one.id}", "html_url": f"{world.web}/{one.login}",
        "type": one.kind, "site_admin": False, **{key: url + path for key, path in _OF_USER.items()},
    }  # fmt: skip


def profile(world: World, one: User) -> JSON:
    """Return `public-user`."""
    counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
    words = dict.fromkeys(("name", "company", "location", "email", "hireable", "bio"))
    made = iso(world.clock.now)
    return {
        **user(world, one),
        **counts,
        **words,
        "blog": "",
        "user_view_type": "public",
        "created_at": made,
        "updated_at": made,
    }


def app(world: World, one: App) -> JSON:
    """Return `integration`."""
    made = iso(world.clock.now)
    return {
        "id": one.id, "slug": one.slug, "node_id": f"A_{one.id}", "owner": user(world, world.owner),
        "name": one.slug, "description": None, "external_url": f"{world.web}/apps/{one.slug}",
        "html_url": f"{world.web}/apps/{one.slug}", "created_at": made, "updated_at": made,
        "permissions": dict(one.permissions), "events": [],
    }  # fmt: skip


def installation(world: World, one: Installation) -> JSON:
    """Return `installation`."""
    made = iso(world.clock.now)
    return {
        "id": one.id, "app_id": one.app.id, "app_slug": one.app.slug, "target_id": world.owner.id,
        "target_type": "Organization", "single_file_name": None, "repository_selection": "selected",
        "access_tokens_url": f"{world.api}/app/installations/{one.id}/access_tokens",
        "html_url": f"{world.web}/organizations/{world.owner.login}/settings/installations/{one.id}",
        "repositories_url": f"{world.api}/installation/repositories", "events": [],
        "account": user(world, world.owner), "permissions": dict(one.app.permissions), "created_at": made,
        "updated_at": made, "suspended_by": None, "suspended_at": made if one.suspended else None,
    }  # fmt: skip


def rights(one: User) -> dict[str, bool]:
    """Return what a role allows, by the five words that REST has for it."""
    place = ROLES.index(one.role)
    names = {"pull": "read", "triage": "triage", "push": "write", "maintain": "maintain", "admin": "admin"}
    return {name: place >= ROLES.index(role) for name, role in names.items()}  # type: ignore[arg-type]


def association(world: World, one: User) -> str:
    """Return `author_association`."""
    if one.association:
        return one.association
    if one.kind == "Bot" or one.role == "read":
        return "NONE" if one.kind == "Bot" else "CONTRIBUTOR"
    return "OWNER" if one is world.owner else "COLLABORATOR"

"""Accounts, labels and reactions as GraphQL has them: what names nothing else."""

from typing import Any

from testing.github.actors import App, User
from testing.github.clock import iso
from testing.github.things import Label, Reaction
from testing.github.world import World

JSON = Any
_REACTIONS = {"+1": "THUMBS_UP", "-1": "THUMBS_DOWN"}


def account(world: World, one: User | None) -> JSON:
    """Return `Actor`."""
    if one is None:
        return None
    # GraphQL calls a bot by its name alone.
    login = one.login.removesuffix("[bot]") if one.kind == "Bot" else one.login
    return {
        "__typename": one.kind, "id": f"U_{one.id}", "databaseId": one.id, "login": login,
        "url": f"{world.web}/{login}", "avatarUrl": f"{world.web}/avatars/{one.id}", "resourcePath": f"/{login}",
    }  # fmt: skip


def app(one: App) -> JSON:
    """Return `App`."""
    return {"__typename": "App", "id": f"A_{one.id}", "databaseId": one.id, "slug": one.slug, "name": one.slug}


def label(one: Label) -> JSON:
    """Return `Label`."""
    return {
        "__typename": "Label", "id": f"LA_{one.id}", "name": one.name, "color": one.color,
        "description": one.description,
    }  # fmt: skip


def reaction(world: World, one: Reaction) -> JSON:
    """Return `Reaction`."""
    return {
        "__typename": "Reaction", "id": f"REA_{one.id}", "databaseId": one.id, "createdAt": iso(one.created),
        "content": reaction_name(one), "user": account(world, one.user),
    }  # fmt: skip


def reaction_name(one: Reaction) -> str:
    """Return what GraphQL calls a reaction."""
    return _REACTIONS.get(one.content, one.content.upper())


def rest_reaction(name: str) -> str:
    """Return what REST calls a reaction of GraphQL."""
    return {value: key for key, value in _REACTIONS.items()}.get(name, name.lower())

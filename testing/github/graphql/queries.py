"""What a GraphQL query can begin with."""

from typing import Any

from testing.github.actors import Actor
from testing.github.clock import iso
from testing.github.graphql import leaves, nodes
from testing.github.routing import RefusedError
from testing.github.world import World

JSON = Any


def root(world: World, actor: Actor) -> dict[str, JSON]:
    """Return the fields of `Query`."""

    def repository(owner: str, name: str, followRenames: bool = True) -> JSON:  # noqa: N803, FBT001, FBT002
        del followRenames
        if f"{owner}/{name}".lower() != world.full_name.lower():
            raise RefusedError(404, f"Could not resolve to a Repository with the name '{owner}/{name}'.")
        return nodes.repository(world, actor)

    def rate(dryRun: bool = False) -> JSON:  # noqa: N803, FBT001, FBT002
        del dryRun
        shown = world.rate.shown(world.clock.now)
        return {
            "cost": 1, "nodeCount": 0, "resetAt": iso(world.rate.reset or world.clock.now),
            **{key: shown[key] for key in ("limit", "remaining", "used")},
        }  # fmt: skip

    return {
        "viewer": lambda: leaves.account(world, actor.user), "repository": repository, "rateLimit": rate,
        "node": lambda id: node(world, actor, id),  # noqa: A006 - GitHub's name
    }  # fmt: skip


def node(world: World, actor: Actor, name: str) -> JSON:
    """Return what a global id names; RefusedError when it names nothing."""
    kind, _, rest = name.partition("_")
    number = int(rest) if rest.isdigit() else 0
    match kind:
        case "PR" if number in world.pulls:
            return nodes.pull(world, actor, world.pulls[number])
        case "IC" if number in world.comments:
            return nodes.comment(world, actor, world.comments[number])
        case "CR" if number in world.check_runs:
            return nodes.check_run(world, actor, world.check_runs[number])
        case "CS" if number in world.suites:
            return nodes.suite(world, actor, world.suites[number])
        case "R" if number == world.id:
            return nodes.repository(world, actor)
        case "C" if (sha := world.bare.commit(rest)) is not None:
            return nodes.commit(world, actor, sha)
        case _:
            raise RefusedError(404, f"Could not resolve to a node with the global id of '{name}'")

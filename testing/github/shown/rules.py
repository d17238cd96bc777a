"""Branch protection and rulesets in REST answers."""

from typing import Any

from testing.github.clock import iso
from testing.github.shown import repository
from testing.github.things import Protection, Ruleset
from testing.github.world import World

JSON = Any


def checks(world: World, branch: str, one: Protection) -> JSON:
    """Return `status-check-policy`."""
    url = f"{repository.url_of(world)}/branches/{branch}/protection/required_status_checks"
    wanted = one.checks or []
    return {
        "url": url, "strict": one.strict, "contexts": [context for context, _ in wanted],
        "checks": [{"context": context, "app_id": app} for context, app in wanted],
        "contexts_url": f"{url}/contexts",
    }  # fmt: skip


def protection(world: World, branch: str, one: Protection) -> JSON:
    """Return `branch-protection`."""
    url = f"{repository.url_of(world)}/branches/{branch}/protection"
    shown: JSON = {
        "url": url, "enforce_admins": {"url": f"{url}/enforce_admins", "enabled": one.enforce_admins},
        "required_linear_history": {"enabled": one.linear_history}, "allow_force_pushes": {"enabled": False},
        "allow_deletions": {"enabled": False}, "block_creations": {"enabled": False},
        "required_conversation_resolution": {"enabled": False}, "lock_branch": {"enabled": False},
        "allow_fork_syncing": {"enabled": False},
        "required_signatures": {"url": f"{url}/required_signatures", "enabled": one.signatures},
    }  # fmt: skip
    # GitHub leaves out what is not switched on.
    if one.checks is not None:
        shown["required_status_checks"] = checks(world, branch, one)
    if one.approvals or one.code_owners or one.dismiss_stale:
        shown["required_pull_request_reviews"] = {
            "url": f"{url}/required_pull_request_reviews", "dismiss_stale_reviews": one.dismiss_stale,
            "require_code_owner_reviews": one.code_owners, "required_approving_review_count": one.approvals,
            "require_last_push_approval": False,
        }  # fmt: skip
    return shown


def branch_protection(world: World, branch: str) -> JSON:
    """Return `branch-protection` as a branch itself shows it to every reader: the required checks alone."""
    found = world.protections.get(branch)
    level = "off" if found is None or found.checks is None else "non_admins"
    if found is not None and found.enforce_admins and level != "off":
        level = "everyone"
    wanted = (found.checks or []) if found else []
    return {
        "enabled": found is not None,
        "required_status_checks": {
            "enforcement_level": level, "contexts": [context for context, _ in wanted],
            "checks": [{"context": context, "app_id": app} for context, app in wanted],
        },
    }  # fmt: skip


def rule(world: World, ruleset: Ruleset, one: JSON) -> JSON:
    """Return `repository-rule-detailed`."""
    of = {"ruleset_source_type": "Repository", "ruleset_source": world.full_name, "ruleset_id": ruleset.id}
    return {**one, **of}


def ruleset(world: World, one: Ruleset, *, whole: bool) -> JSON:
    """Return `repository-ruleset`; lists have it without conditions and rules."""
    shown: JSON = {
        "id": one.id, "name": one.name, "target": "branch", "source_type": "Repository",
        "source": world.full_name, "enforcement": one.enforcement, "node_id": f"RRS_{one.id}",
        "created_at": iso(one.created), "updated_at": iso(one.created),
        "_links": {"self": {"href": f"{repository.url_of(world)}/rulesets/{one.id}"}},
    }  # fmt: skip
    if whole:
        shown["conditions"] = {"ref_name": {"include": one.include, "exclude": []}}
        shown["rules"] = one.rules
    return shown

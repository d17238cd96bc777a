"""What must hold before something lands on a branch: protection and rulesets."""

from testing.github.routing import REPO, Answer, Call, RefusedError, listed, missing, route
from testing.github.shown import rules
from testing.github.things import Protection

_BRANCH = f"{REPO}/branches/{{branch}}/protection"


def _protection(call: Call) -> Protection:
    name = call.path["branch"]
    if call.world.bare.tip(name) is None:
        raise RefusedError(404, "Branch not found")
    found = call.world.protections.get(name)
    if found is None:
        raise RefusedError(404, "Branch not protected")
    return found


@route("GET", _BRANCH, needs="administration:read", role="admin")
def protection(call: Call) -> Answer:
    """Answer with the protection; GitHub tells it to administrators alone."""
    return Answer(rules.protection(call.world, call.path["branch"], _protection(call)))


@route("GET", f"{_BRANCH}/required_status_checks", needs="administration:read", role="admin")
def required_checks(call: Call) -> Answer:
    """Answer with the required checks."""
    found = _protection(call)
    if found.checks is None:
        raise RefusedError(404, "Required status checks not enabled")
    return Answer(rules.checks(call.world, call.path["branch"], found))


@route("GET", f"{REPO}/rules/branches/{{branch}}", needs="metadata:read")
def branch_rules(call: Call) -> Answer:
    """Answer with the rules of all rulesets that hold for a branch; readers may see them."""
    found = call.world.rules_of(call.path["branch"])
    return listed(call, [rules.rule(call.world, ruleset, one) for ruleset, one in found])


@route("GET", f"{REPO}/rulesets", needs="metadata:read")
def rulesets(call: Call) -> Answer:
    """Answer with all rulesets."""
    return listed(call, [rules.ruleset(call.world, one, whole=False) for one in call.world.rulesets.values()])


@route("GET", f"{REPO}/rulesets/{{ruleset_id}}", needs="metadata:read")
def ruleset(call: Call) -> Answer:
    """Answer with one ruleset."""
    found = call.world.rulesets.get(int(call.path["ruleset_id"]))
    if found is None:
        raise missing()
    return Answer(rules.ruleset(call.world, found, whole=True))

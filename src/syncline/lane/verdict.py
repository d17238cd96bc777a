"""The gate's verdict for a lane: a result of what was configured before says nothing about what is now."""

from syncline.checks.gate import OWN_CHECK, Verdict, Why, evaluate
from syncline.checks.model import Rollup
from syncline.checks.present import awaited
from syncline.config.models import Lane
from syncline.forge.spec_digest import spec_digest


def spec_digests(lane: Lane) -> dict[str, str]:
    """Return what is run now under the name of each check."""
    return {check.name: spec_digest(check) for check in lane.checks}


def verdict_of(lane: Lane, rollup: Rollup, head: str) -> Verdict:
    """Return the verdict for the commit `head`; a check that was configured anew is waited for."""
    others = Rollup(rollup.sha, tuple(check for check in rollup.checks if check.name != OWN_CHECK))
    return evaluate(lane.gate, awaited(others, spec_digests(lane)), head)


def failed_checks(verdict: Verdict) -> tuple[str, ...]:
    """Return the names of the checks that failed, or did not run though they must: what `retry` runs again."""
    return tuple(sorted({one.check for one in verdict.reasons if one.why in {Why.FAILED, Why.NOT_RUN}}))

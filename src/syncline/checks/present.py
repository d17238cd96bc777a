"""Results of the present configuration: those of a check that has been configured anew do not count any more.

Pure. `digests` says, for each check the lane runs itself, what is run under its name now; checks of other
names (another system's) are left alone. A result that does not say what was run (`spec` is empty) is another.
"""

from collections.abc import Mapping
from dataclasses import replace

from syncline.checks.model import Check, CheckState, Rollup


def present(rollup: Rollup, digests: Mapping[str, str]) -> Rollup:
    """The rollup without completed results of another spec, and without what is older than those.

    What is older goes too, though it may be of the present spec: it must not become the newest again.
    """
    last = {name: check.order for name, check in _outdated(rollup, digests).items()}
    kept = tuple(check for check in rollup.checks if check.name not in last or check.order > last[check.name])
    return Rollup(rollup.sha, kept)


def awaited(rollup: Rollup, digests: Mapping[str, str]) -> Rollup:
    """The same for the gate: what was left out and has no newer result stands as queued, since it will run.

    Just left out, a check that no pattern of the rule requires would not be waited for at all, and a red
    gate would become green by an edit of the configuration.
    """
    kept = present(rollup, digests)
    named = {check.name for check in kept.checks}
    waiting = tuple(
        replace(
            check, state=CheckState.QUEUED, conclusion=None, summary="configured anew since it ran", log="",
            seconds=None, spec=digests[name],
        )
        for name, check in _outdated(rollup, digests).items()
        if name not in named
    )  # fmt: skip
    return Rollup(kept.sha, kept.checks + waiting)


def _outdated(rollup: Rollup, digests: Mapping[str, str]) -> dict[str, Check]:
    """The newest completed result of another spec, by name."""
    found: dict[str, Check] = {}
    for check in rollup.checks:
        other = check.name in digests and check.spec != digests[check.name]
        if not other or check.state is not CheckState.COMPLETED:
            continue
        if check.name not in found or check.order > found[check.name].order:
            found[check.name] = check
    return found

"""What is recorded of both parents: results that a forge has of their commits, and of proposals that landed."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from syncline.checks.model import Check
from syncline.checks.present import present
from syncline.checks.triage.cause import Saw, Witness
from syncline.checks.triage.saw import saw_of, untold
from syncline.checks.triage.stand import OWN_CI
from syncline.errors import ForgeError
from syncline.forge.protocol import Forge, Landed
from syncline.git import CommitId
from syncline.lane.triage.red import Logs

LANDED_LOOKED_AT = 5
"""How many proposals that landed on target are asked."""
SAYS_NOTHING = "no log tells how"


@dataclass(frozen=True, slots=True)
class Parent:
    """One parent of a merge."""

    name: str
    """`target` or `source`."""
    sha: CommitId
    here: bool = True
    """Whether the forge's repository is where it lives: else that forge cannot tell what its CI ran."""


def of_parents(
    forge: Forge, logs: Logs, parents: Sequence[Parent], names: Collection[str], digests: Mapping[str, str]
) -> list[Witness]:
    """Return what the forge knows of named checks on the parents' own commits.

    A check without a result is a witness too, of not having been run: but only where the forge would know.

    Args:
        forge: where the checks live.
        logs: reads their logs.
        parents: whose commits.
        names: of the checks.
        digests: what is run now under the name of each check that the lane runs itself.
    """
    found: list[Witness] = []
    for parent in parents:
        try:
            checks = present(forge.rollup(parent.sha), digests).checks
        except ForgeError as error:
            logs.notes.append(f"what is known of {parent.name} {parent.sha.short} could not be read: {error}")
            continue
        for name in sorted(names):
            mine = [check for check in checks if check.name == name and check.reported]
            found += _witnesses(logs, parent.name, mine, by=OWN_CI, exact=True)
            # A local forge that never ran anything there is not that commit's CI.
            knows = bool(checks) or (parent.here and forge.name != "local")
            if not mine and knows:
                found.append(Witness(parent.name, parent.sha, Saw.NOT_RUN, by=OWN_CI, check=name))
    return found


def of_landed(
    forge: Forge,
    logs: Logs,
    branch: str,
    names: Collection[str],
    digests: Mapping[str, str],
    *,
    holds: Callable[[Landed], bool],
) -> list[Witness]:
    """Return what became of named checks on the heads of proposals that landed on target last.

    Args:
        forge: where they live.
        logs: reads their logs.
        branch: target's.
        names: of the checks.
        digests: as for `of_parents`.
        holds: whether target's commit contains it: what landed later says nothing of that commit.
    """
    found: list[Witness] = []
    try:
        landed = [one for one in forge.landed(branch, LANDED_LOOKED_AT) if holds(one)]
        for one in landed:
            checks = present(forge.rollup(one.head_sha), digests).checks
            for name in sorted(names):
                mine = [check for check in checks if check.name == name and check.reported]
                found += _witnesses(logs, "target", mine, by=f"proposal {one.number}", exact=False)
    except ForgeError as error:
        logs.notes.append(f"proposals that landed on {branch} could not be read: {error}")
    return found


def _witnesses(logs: Logs, parent: str, checks: Sequence[Check], *, by: str, exact: bool) -> Iterator[Witness]:
    for check in checks:
        saw = saw_of(check)
        failures = logs.failures(check) if saw is Saw.FAILED else ()
        saw = saw_of(check, failures)
        # Of what was run here the summary is the last words; elsewhere it only names who ran it.
        told = failures or ((untold(check),) if saw is Saw.FAILED and check.spec else ())
        yield Witness(
            parent, check.sha, saw, frozenset(one.signature for one in told), by, check.name, exact,
            SAYS_NOTHING if saw is Saw.FAILED and not told else "",
        )  # fmt: skip

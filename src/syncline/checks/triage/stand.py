"""What all witnesses of one parent say together of one fault. Pure.

Check by check, and of witnesses on the parent's very commit first:

- failed the same way and passed there as well: it comes and goes (`BOTH_WAYS`);
- failed the same way: `ALIKE`; where the parent's own CI never ran the check, nor passed it on a proposal that
  landed there: `EXPOSED`;
- passed: `PASSED`. Only the parent's own commit counts: a merged proposal that passed says nothing of its tip;
- failed otherwise: `DIFFERENT`. The other failure may hide this one, so nothing is known of it;
- a proposal that landed there failed the same way: `ALIKE` or `EXPOSED`, less sure;
- cut off, or never run: `UNKNOWN`.

"The same way" is: all signatures by which the check fails in the merge are among those of the parent.

Over all checks of the fault: one that failed the same way tells, unless another one passed there: then the
fault is more than what the parent has (`MIXED`), and neither is true. Else one that passed tells.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from syncline.checks.triage.cause import Cluster, Saw, Witness

OWN_CI = "ci"
"""`Witness.by` of what the parent's own CI ran."""


class Stand(StrEnum):
    """How a fault stands on one parent."""

    PASSED = "passed"
    ALIKE = "fails the same way"
    EXPOSED = "fails the same way, and its own CI never ran it"
    BOTH_WAYS = "passed and failed the same way"
    MIXED = "fails the same way in one check, passed in another"
    DIFFERENT = "fails otherwise"
    ABSENT = "has not what fails"
    """The failing file is not there, but on the other parent: it cannot fail there."""
    UNKNOWN = "unknown"

    @property
    def inherits(self) -> bool:
        """Whether the fault is there too."""
        return self in {Stand.ALIKE, Stand.EXPOSED}


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether what fails (the test's file, or the file at fault) is there on each parent; None: nobody knows."""

    target: bool | None = None
    source: bool | None = None

    def absent(self, parent: str) -> bool:
        """Whether it is known to be on the other parent and not on this one."""
        here, there = (self.target, self.source) if parent == "target" else (self.source, self.target)
        return here is False and there is True


@dataclass(frozen=True, slots=True)
class Standing:
    """How a fault stands on a parent, and who says so."""

    parent: str
    stand: Stand
    by: tuple[Witness, ...] = ()
    """The witnesses it rests on."""
    exact: bool = True
    """False: they speak of a commit that landed on the parent, not of its tip."""


_SEEN_THERE = frozenset({Stand.ALIKE, Stand.EXPOSED, Stand.BOTH_WAYS, Stand.MIXED})
"""Whatever the trees say: it failed there."""


def standing(cluster: Cluster, parent: str, witnesses: Sequence[Witness], presence: Presence) -> Standing:
    """Return how a fault stands on a parent."""
    mine = [one for one in witnesses if one.parent == parent]
    each = [
        _in_check(parent, cluster.in_check(check).signatures, [one for one in mine if one.check == check])
        for check in cluster.checks
    ]
    found = _over_all(parent, each)
    if presence.absent(parent) and found.stand not in _SEEN_THERE:
        return Standing(parent, Stand.ABSENT, found.by)
    return found


def _over_all(parent: str, each: Sequence[Standing]) -> Standing:
    for wanted in (Stand.BOTH_WAYS, Stand.ALIKE, Stand.EXPOSED):
        found = _those(each, wanted)
        if not found:
            continue
        if wanted is not Stand.BOTH_WAYS and (others := _those(each, Stand.PASSED)):
            return _joined(parent, Stand.MIXED, [*found, *others])
        return _joined(parent, wanted, found)
    for wanted in (Stand.PASSED, Stand.DIFFERENT):
        if found := _those(each, wanted):
            return _joined(parent, wanted, found)
    return _joined(parent, Stand.UNKNOWN, each)


def _those(each: Iterable[Standing], stand: Stand) -> list[Standing]:
    return [one for one in each if one.stand is stand]


def _joined(parent: str, stand: Stand, several: Sequence[Standing]) -> Standing:
    by = tuple(witness for one in several for witness in one.by)
    return Standing(parent, stand, by, any(one.exact for one in several))


def _in_check(parent: str, signatures: frozenset[str], witnesses: Sequence[Witness]) -> Standing:
    exact = [one for one in witnesses if one.exact]
    alike = [one for one in exact if fails_alike(one, signatures)]
    passed = [one for one in exact if one.saw is Saw.PASSED]
    unheard = _never_ran_there(witnesses)
    inherits = Stand.EXPOSED if unheard else Stand.ALIKE
    if alike and {one.sha for one in alike} & {one.sha for one in passed}:
        return Standing(parent, Stand.BOTH_WAYS, (*alike, *passed))
    if alike:
        return Standing(parent, inherits, (*alike, *unheard))
    if passed:
        return Standing(parent, Stand.PASSED, tuple(passed))
    if different := [one for one in exact if one.saw is Saw.FAILED]:
        return Standing(parent, Stand.DIFFERENT, tuple(different))
    if landed := [one for one in witnesses if not one.exact and fails_alike(one, signatures)]:
        return Standing(parent, inherits, (*landed, *unheard), exact=False)
    return Standing(parent, Stand.UNKNOWN, tuple(witnesses))


def fails_alike(witness: Witness, signatures: frozenset[str]) -> bool:
    """Whether a check failed on the parent by all of these signatures."""
    return witness.saw is Saw.FAILED and bool(signatures) and signatures <= witness.signatures


def _never_ran_there(witnesses: Sequence[Witness]) -> list[Witness]:
    """The word of the parent's own CI that it never ran a check; none where it did, or nobody knows."""
    if any(one.saw is Saw.PASSED for one in witnesses if not one.exact):
        return []  # it did run where what is there now was proposed
    own = [one for one in witnesses if one.by == OWN_CI and one.exact]
    return own if own and all(one.saw is Saw.NOT_RUN for one in own) else []

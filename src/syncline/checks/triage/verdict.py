"""The cause of a fault, from what its parents, other attempts, known signatures and the sync itself say. Pure.

The first rule that holds tells. The number is the confidence: how likely the cause is right, as a judgement that
is stated here and is the same for the same facts (it is no frequency that was measured).

| # | what is known | cause | confidence |
|---|---|---|---|
| 1 | a check that fails by it passed on the same commit, before or after | `flaky` | 0.9; another check by the same fault failed again: 0.6 |
| 2 | a parent passed and failed the same way on one commit | `flaky` | 0.8 |
| 3 | it bears a known transient signature | what the signature says | 0.85; a parent fails alike: 0.9; both parents passed, or it failed again: 0.6 |
|   | the same, but it failed again and both parents passed | not believed: rule 6, at 0.6 | |
| 4 | fails the same way on both parents | `both`; `exposed` where neither's own CI ran it | 0.95 |
| 5 | fails the same way on one parent | `target`/`source`; `exposed` where its own CI never ran it | other one passed: 0.95, has not what fails: 0.9, else 0.85 |
| 6 | passed on both parents | `sync` | 0.9; a finding or decision names the file: 0.95 |
| 7 | passed on one; the other has not the file that fails | `sync` | 0.8; named by a finding or decision: 0.9 |
| 8 | passed on one; of the other nothing is known, and a finding or decision of the sync names the file | `sync` | 0.6 |
| 9 | nothing is known of either, and a finding names both the file and what is missed | `sync` | 0.6 |
| 10 | anything else | `unknown` | 0 |

Rules 4 and 5 are at most 0.7 where only a proposal that landed on the parent is known to fail so, and at most 0.6
where the failure says no more than an exit code. How each parent stands is told in `stand`; "nothing is known"
is: never run, cut off, or failed otherwise (which may hide this fault). A fault that fails alike on a parent in one
check and passed there in another is more than what that parent has: `unknown`.

Why rule 8 wants more than one passing parent: the fault may be in what the other parent brings, where nobody
ran it. The parent that passed has the failing file (else rule 7 holds the other way round, or nothing is known),
so it acquits itself and not the other one. Why rule 7 wants no more: what is not there cannot fail there. And
where the file is missing on the parent that passed, its passing says nothing.
"""  # noqa: E501 - a table

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from syncline.checks.triage.cause import Cause, Cluster, Evidence, Saw, Verdict, Witness
from syncline.checks.triage.cluster import is_bare
from syncline.checks.triage.stand import Presence, Stand, Standing, fails_alike, standing
from syncline.checks.triage.suspect import Pointed, Sort, Suspect, pointed
from syncline.checks.triage.transient import Signature, find

_MOST_SHOWN = 5
_NOTHING = Presence()


@dataclass(frozen=True, slots=True)
class Attempt:
    """Another result of a check on the same commit."""

    check: str
    passed: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """All that is known around a fault."""

    witnesses: tuple[Witness, ...] = ()
    """Of both parents."""
    attempts: tuple[Attempt, ...] = ()
    """Other results on the same commit, of any check."""
    suspects: tuple[Suspect, ...] = ()
    presence: Presence = _NOTHING
    signatures: tuple[Signature, ...] = ()
    """Of transient faults; see `transient.merged`."""


def judge(cluster: Cluster, facts: Facts) -> Verdict:
    """Return the cause of a fault, with the evidence for it; the order of the facts does not matter."""
    heard = tuple(sorted((one for one in facts.witnesses if one.check in cluster.checks), key=_place))
    target, source = (standing(cluster, parent, heard, facts.presence) for parent in ("target", "source"))
    # Rules 1 to 5 need no suspects, but these are shown with every cause they may explain.
    named = pointed(cluster.first, facts.suspects)
    case = _Case(cluster, target, source, named, facts)
    cause, confidence, evidence = (
        case.flaky() or case.transient() or case.inherited() or case.by_the_sync() or case.unknown()
    )
    return Verdict(cause, confidence, _without_twice(evidence), heard)


_Answer = tuple[Cause, float, list[Evidence]]


@dataclass(frozen=True, slots=True)
class _Case:
    """One fault and what is known of it. Each rule answers, or has nothing to say."""

    cluster: Cluster
    target: Standing
    source: Standing
    named: tuple[Pointed, ...]
    facts: Facts

    @property
    def _stands(self) -> tuple[Stand, Stand]:
        return self.target.stand, self.source.stand

    @property
    def _both_passed(self) -> bool:
        return self._stands == (Stand.PASSED, Stand.PASSED)

    def _checks(self, *, passed: bool) -> list[str]:
        """The checks of this fault with another result on the same commit, sorted."""
        return sorted(
            {one.check for one in self.facts.attempts if one.passed is passed and one.check in self.cluster.checks}
        )

    @property
    def _failed_again(self) -> list[str]:
        passed = self._checks(passed=True)
        return [check for check in self._checks(passed=False) if check not in passed]

    def flaky(self) -> _Answer | None:
        """Rules 1 and 2."""
        if passed := self._checks(passed=True):
            told = [Evidence(f"{check} passed on the same commit in another attempt") for check in passed]
            told += [Evidence(f"{check} failed again on the same commit") for check in self._failed_again]
            told += self._transient_words()
            return Cause.FLAKY, 0.6 if self._failed_again else 0.9, told
        for one in (self.target, self.source):
            if one.stand is Stand.BOTH_WAYS:
                return Cause.FLAKY, 0.8, [*self._told(one), *self._transient_words()]
        return None

    def transient(self) -> _Answer | None:
        """Rule 3."""
        found = find(self.cluster.first, self.facts.signatures)
        if found is None or (self._failed_again and self._both_passed):
            return None
        confidence = 0.85
        if self.target.stand.inherits or self.source.stand.inherits:
            confidence = 0.9
        elif self._both_passed or self._failed_again:
            confidence = 0.6
        told = self._transient_words()
        told += [Evidence(f"{check} failed again on the same commit") for check in self._failed_again]
        return found.cause, confidence, [*told, *self._told(self.target), *self._told(self.source)]

    def inherited(self) -> _Answer | None:
        """Rules 4 and 5."""
        alike = [one for one in (self.target, self.source) if one.stand.inherits]
        if not alike:
            return None
        exposed = all(one.stand is Stand.EXPOSED for one in alike)
        if len(alike) == 2:
            cause, confidence = Cause.BOTH, 0.95
        else:
            cause = Cause.TARGET if alike[0] is self.target else Cause.SOURCE
            other = self.source if alike[0] is self.target else self.target
            confidence = {Stand.PASSED: 0.95, Stand.ABSENT: 0.9}.get(other.stand, 0.85)
        if not all(one.exact for one in alike):
            confidence = min(confidence, 0.7)
        if is_bare(self.cluster.first):
            confidence = min(confidence, 0.6)
        told = [*self._told(self.target), *self._told(self.source)]
        return Cause.EXPOSED if exposed else cause, confidence, told

    def by_the_sync(self) -> _Answer | None:
        """Rules 6 to 9."""
        if Stand.MIXED in self._stands:
            return None
        counts = any(one.counts for one in self.named)
        confidence = 0.0
        if self._both_passed:
            confidence = 0.95 if counts else 0.9
        elif set(self._stands) == {Stand.PASSED, Stand.ABSENT}:
            confidence = 0.9 if counts else 0.8
        elif (Stand.PASSED in self._stands and counts) or any(one.strong for one in self.named):
            confidence = 0.6
        if not confidence:
            return None
        told: list[Evidence] = []
        if find(self.cluster.first, self.facts.signatures) is not None:
            confidence = 0.6
            told = [Evidence("it looks like a passing fault, but failed again while both parents passed")]
        told += [*self._told(self.target), *self._told(self.source), *_shown(self.named)]
        return Cause.SYNC, confidence, told

    def unknown(self) -> _Answer:
        """Rule 10: what is known, and what would have to be run."""
        told = [*self._told(self.target), *self._told(self.source), *_shown(self.named)]
        return Cause.UNKNOWN, 0.0, told

    def _transient_words(self) -> list[Evidence]:
        found = find(self.cluster.first, self.facts.signatures)
        return [] if found is None else [Evidence(f"it looks like a passing fault: {found.says} ({found.origin})")]

    def _told(self, one: Standing) -> list[Evidence]:
        """What is said of a parent, and by whom."""
        if one.stand is Stand.ABSENT:
            return [Evidence(f"{one.parent} does not have the file that fails")]
        if not one.by:
            return [Evidence(f"nobody ran it on {one.parent}")]
        return [Evidence(f"{w.check} {self._said(w)} {w.parent} ({_by(w)})", w.sha) for w in one.by]

    def _said(self, witness: Witness) -> str:
        match witness.saw:
            case Saw.PASSED:
                said = "passed on"
            case Saw.UNFINISHED:
                said = "was cut off on"
            case Saw.NOT_RUN:
                said = "was never run on"
            case Saw.FAILED if fails_alike(witness, self.cluster.in_check(witness.check).signatures):
                said = "fails the same way on"
            case Saw.FAILED:
                said = "fails otherwise on" if witness.signatures else "failed, nobody can tell how, on"
        return said if witness.exact else f"{said} what landed on"


def _by(witness: Witness) -> str:
    return ", ".join(part for part in (witness.by or "recorded", witness.words) if part)


def _shown(named: Sequence[Pointed]) -> list[Evidence]:
    """The suspects a failure points to; a commit of a side only where the file is meant."""
    worth = [
        one for one in named if one.suspect.sort is not Sort.COMMIT or one.counts or one.by != "the same name"
    ]
    return [Evidence(f"{one.suspect.words} ({one.by})", one.suspect.sha) for one in worth[:_MOST_SHOWN]]


def _without_twice(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(evidence))[: 4 * _MOST_SHOWN]


def _place(witness: Witness) -> tuple[Any, ...]:
    return (
        witness.parent, witness.check, not witness.exact, witness.by, witness.sha, witness.saw, witness.words,
        sorted(witness.signatures),
    )  # fmt: skip

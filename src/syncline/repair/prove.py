"""Proving mends: after each, what complained is asked again on the new tree.

A mend stands only if its finding is gone then, no finding is there that was not there before, and no part of the
audit failed that did not fail before. All are tried together first; where that fails, halves are, so that a bad
one costs some audits, and not the others their place.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from syncline.audit.finding import Finding
from syncline.audit.task import NotRun, Task
from syncline.git import Repository, TreeId
from syncline.git.paths import json_path
from syncline.repair.known import WORTH, known_mends
from syncline.repair.mend import Mend, apply, compatible

_PASSES = 4
"""How often what is left is looked through: a mend may bring to light what it had hidden, or have failed."""
_LAST_PASSES = 2
"""How often for the mends that are only tried after all others."""
_SHOWN = 2


@dataclass(frozen=True, slots=True)
class Looked:
    """What is to be said of a tree."""

    task: Task
    findings: tuple[Finding, ...]
    """Those that count: waived ones and those in files that wait for people do not."""
    not_run: tuple[NotRun, ...]

    @property
    def left(self) -> int:
        """How many findings are worth a mend, known or not."""
        return sum(finding.severity in WORTH for finding in self.findings)


Look = Callable[[TreeId], Looked]
"""Audits a tree in the place of the merge's."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A mend that was not made, and why."""

    mend: Mend
    why: str


@dataclass(frozen=True, slots=True)
class Mended:
    """A tree with what could be mended."""

    tree: TreeId
    done: tuple[Mend, ...]
    refused: tuple[Refused, ...]
    left: int
    """How many findings of severity stop or fix are left."""


@dataclass
class _Work:
    repository: Repository
    look: Look
    deadline: float
    refused: list[Refused] = field(default_factory=list)

    def prove(
        self, tree: TreeId, before: Looked, proven: list[Mend], trial: Sequence[Mend]
    ) -> tuple[list[Mend], Looked]:
        """Return the mends of `trial` that hold beside those `proven`, these included, and the state with them.

        Args:
            tree: what the edits of all of them are of.
            before: what is to be said of the tree with `proven` made.
            proven: mends that hold.
            trial: mends to be proven.
        """
        if time.monotonic() >= self.deadline:
            self.refused += [Refused(mend, "there was no time left to prove it") for mend in trial]
            return proven, before
        try:
            after = self.look(apply(self.repository, tree, [*proven, *trial]))
            why = fault(before, after, trial)
        except ValueError as error:
            after, why = before, f"it does not fit: {error}"
        if why is None:
            return [*proven, *trial], after
        if len(trial) == 1:
            self.refused.append(Refused(trial[0], why))
            return proven, before
        middle = len(trial) // 2
        proven, before = self.prove(tree, before, proven, trial[:middle])
        return self.prove(tree, before, proven, trial[middle:])


def mend_tree(repository: Repository, tree: TreeId, look: Look, *, seconds: float) -> Mended:
    """Mend what is mechanical in a tree, each mend proven.

    Args:
        repository: where the tree is, and what is written goes.
        tree: the merge's tree, or that of a commit above it.
        look: audits a tree.
        seconds: after that no further mend is tried.

    Raises:
        SynclineError: an audit cannot be done at all.
    """
    work = _Work(repository, look, time.monotonic() + seconds)
    state = look(tree)
    done: list[Mend] = []
    tried: set[tuple[str, str]] = set()
    for last, passes in ((False, _PASSES), (True, _LAST_PASSES)):
        for _ in range(passes):
            trial, out = compatible(_next_ones(state, tried, last=last))
            tried |= {_name(mend) for mend in trial}
            if not trial:
                work.refused += [Refused(mend, f"another one stands against it: {one.words}") for mend, one in out]
                break
            proven, after = work.prove(tree, state, [], trial)
            if proven:
                tree, state = apply(repository, tree, proven), after
                done += proven
            if time.monotonic() >= work.deadline:
                break
    mended = {_key(mend.finding) for mend in done}
    refused = [one for one in work.refused if _key(one.mend.finding) not in mended]
    return Mended(tree, tuple(done), tuple(refused), state.left)


def _next_ones(state: Looked, tried: set[tuple[str, str]], *, last: bool) -> Iterable[Mend]:
    """Yield of each finding the best mend that was not tried yet, of those to be tried last or of the others."""
    for mends in known_mends(state.task, state.findings):
        fresh = next((mend for mend in mends if mend.last is last and _name(mend) not in tried), None)
        if fresh is not None:
            yield fresh


def _name(mend: Mend) -> tuple[str, str]:
    return mend.finding.id, repr((mend.edits, mend.entries))


def _key(finding: Finding) -> str:
    """Return what a finding is called before and after: of several alike, the number changes when one goes."""
    return replace(finding, nth=0).id


def fault(before: Looked, after: Looked, trial: Sequence[Mend] = ()) -> str | None:
    """Return why a change does not hold; None when it does.

    Args:
        before: what is to be said of the tree without it.
        after: with it.
        trial: the mends that it is made of, whose findings must be gone.
    """
    broken = [one for one in after.not_run if one not in before.not_run]
    if broken:
        return f"it could not be proven: {broken[0].name} did not run ({broken[0].why})"
    had, has = (Counter(_key(one) for one in state.findings) for state in (before, after))
    for mend in trial:
        if has[_key(mend.finding)] >= had[_key(mend.finding)]:
            return f"the finding it was to take away is still there: {mend.finding.message}"
    if new := new_findings(before, after):
        told = "; ".join(f"{json_path(one.path)}: {one.message}" for one in new[:_SHOWN])
        return f"it brings what was not there before: {told}"
    return None


def new_findings(before: Looked, after: Looked) -> list[Finding]:
    """Return the findings that are worth a mend and were not there before."""
    had, has = (Counter(_key(one) for one in state.findings if one.severity in WORTH) for state in (before, after))
    return [one for one in after.findings if one.severity in WORTH and has[_key(one)] > had[_key(one)]]

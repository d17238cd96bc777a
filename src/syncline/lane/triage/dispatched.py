"""Has a forge's own CI run red checks on both parents, where the lane names a workflow for it.

The workflow gets a commit, a check and the failing tests, and says by its end whether they pass there. It is
waited for as long as parents may take; one that takes longer is remembered and asked for the next time, and none
is started twice for the same.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from syncline.checks.logs.failure import Weight
from syncline.checks.model import Check
from syncline.checks.triage.cause import Saw, Witness
from syncline.checks.triage.saw import saw_of, untold
from syncline.errors import ForgeError
from syncline.forge.protocol import Dispatcher
from syncline.lane.context import LaneContext
from syncline.lane.triage import remembered
from syncline.lane.triage.on_parents import Running
from syncline.lane.triage.presence import Trees
from syncline.lane.triage.recorded import Parent
from syncline.lane.triage.red import Logs, RedCheck
from syncline.lane.triage.remembered import Told
from syncline.lane.triage.selection import safe_tests

BY = "dispatched"
"""`Witness.by` of what such a workflow said."""
MOST = 10
"""So many runs are started for one commit: each costs machines."""
PAUSE = 15.0
"""Seconds between two looks at runs that are at work."""
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class _Asked:
    """One check on one parent."""

    check: str
    parent: Parent
    tests: tuple[str, ...]
    file: Path

    def witness(self, told: Told) -> Witness:
        words = "narrowed to the failing tests" if self.tests else ""
        return Witness(self.parent.name, self.parent.sha, told.saw, told.signatures, BY, self.check, words=words)


def run_dispatched(
    context: LaneContext,
    red: Sequence[RedCheck],
    parents: Sequence[Parent],
    known: Sequence[Witness],
    running: Running | None,
    logs: Logs,
) -> list[Witness]:
    """Return what red checks do on the parents by the lane's workflow, where nothing recorded tells yet.

    Args:
        context: the lane; without such a workflow, or on a forge that has none, nothing is asked.
        red: the red checks.
        parents: on which to run them.
        known: what is recorded.
        running: how long to wait; None: nothing is started, and only what has ended is told.
        logs: reads the logs of its jobs, and gets notes of what could not be run.
    """
    workflow, forge = context.lane.triage.dispatch, context.forge.dispatcher
    if not workflow or forge is None:
        return []
    said = {(one.parent, one.check) for one in known if one.exact and one.saw in {Saw.PASSED, Saw.FAILED}}
    trees = Trees(context.repository)
    found: list[Witness] = []
    at_work: dict[int, _Asked] = {}
    wanted: list[_Asked] = []
    heard: dict[str, set[str]] = {parent.name: set() for parent in parents}
    # What is known of costs nothing, so it comes first, and spares what fails by the same.
    for one, parent in sorted(product(red, parents), key=lambda pair: (pair[1].name, pair[0].name) not in said):
        mine = _signatures(one)
        if (parent.name, one.name) in said or mine <= heard[parent.name]:
            heard[parent.name] |= mine
            continue
        heard[parent.name] |= mine
        tests = tuple(test for test in one.tests if trees.has_test(parent.sha, test))
        if one.tests and not tests:
            words = "it has none of the failing tests"
            found.append(Witness(parent.name, parent.sha, Saw.NOT_RUN, by=BY, check=one.name, words=words))
            continue
        asked = _asked(context, workflow, one.name, parent, safe_tests(tests))
        told = remembered.read(asked.file)
        if told is None:
            wanted.append(asked)
        elif told.run:
            at_work[told.run] = asked
        else:
            found.append(asked.witness(told))
    if running is not None:
        at_work |= _start(context, forge, wanted, running, logs)
    return [*found, *_ended(forge, at_work, {one.name for one in red}, running, logs)]


def _signatures(red: RedCheck) -> set[str]:
    """What a check fails by; what only follows from an error counts where there is none."""
    causal = {one.signature for one in red.failures if one.weight is Weight.CAUSE}
    return causal or {f"{red.name}: {one.signature}" for one in red.failures}


def _asked(context: LaneContext, workflow: str, check: str, parent: Parent, tests: tuple[str, ...]) -> _Asked:
    words = [BY, _FORMAT, workflow, check, tests]
    return _Asked(check, parent, tests, remembered.place_of(context.repository, parent.sha, words))


def _start(
    context: LaneContext, forge: Dispatcher, wanted: Sequence[_Asked], running: Running, logs: Logs
) -> dict[int, _Asked]:
    lane = context.lane
    workflow = lane.triage.dispatch
    if len(wanted) > MOST:
        _note(logs, f"only {MOST} of {len(wanted)} runs of {workflow} were started")
    started: dict[int, _Asked] = {}
    for asked in wanted[:MOST]:
        if running.cancelled.is_set():
            break
        parent = asked.parent
        running.tell(f"has {workflow} run {asked.check} on {parent.name} {parent.sha.short}")
        inputs = {"sha": str(parent.sha), "check": asked.check, "tests": "\n".join(asked.tests)}
        try:
            run = forge.dispatch(workflow, lane.target, inputs)
        except ForgeError as error:
            _note(logs, f"{workflow} could not be started for {asked.check} on {parent.name}: {error}")
            continue
        remembered.store(asked.file, Told(Saw.UNFINISHED, run=run))
        started[run] = asked
    return started


def _ended(
    forge: Dispatcher, at_work: dict[int, _Asked], names: set[str], running: Running | None, logs: Logs
) -> list[Witness]:
    """Wait for runs as long as may be; one that has not ended is a witness of nothing."""
    deadline = time.monotonic() + (running.seconds if running is not None else 0)
    found: list[Witness] = []
    left = dict(at_work)
    while left:
        for run, asked in list(left.items()):
            try:
                checks = forge.checks_of(run)
            except ForgeError as error:
                _note(logs, f"run {run}, of {asked.check} on {asked.parent.name}, could not be read: {error}")
                del left[run]
                continue
            if checks is not None:
                del left[run]
                told = _told(checks, names, logs, asked)
                if told is not None:
                    _remember(asked, told)
                    found.append(asked.witness(told))
        wait = min(PAUSE, deadline - time.monotonic())
        if not left or running is None or wait <= 0 or running.cancelled.wait(wait):
            break
    for run, asked in left.items():
        _note(logs, f"run {run}, of {asked.check} on {asked.parent.name}, has not ended; ask again later")
        found.append(asked.witness(Told(Saw.UNFINISHED)))
    return found


def _remember(asked: _Asked, told: Told) -> None:
    if told.saw is Saw.UNFINISHED:
        asked.file.unlink(missing_ok=True)  # it was cut off, and is worth another run
    else:
        remembered.store(asked.file, told)


def _told(checks: Sequence[Check], names: set[str], logs: Logs, asked: _Asked) -> Told | None:
    """What the jobs of a run say together: failed where one did, passed where all did that were run."""
    if same := sorted(names & {one.name for one in checks}):
        # Its result would be taken for one of the commit that the workflow was started on.
        _note(logs, f"a job of the dispatched workflow is called {same[0]} like a check; give it another name")
        return None
    saws: set[Saw] = set()
    signatures: set[str] = set()
    for one in checks:
        failures = logs.failures(one) if saw_of(one) is Saw.FAILED else ()
        saw = saw_of(one, failures)
        saws.add(saw)
        if saw is Saw.FAILED:
            signatures |= {failure.signature for failure in failures or (untold(one),)}
    for saw in (Saw.UNFINISHED, Saw.FAILED, Saw.PASSED):
        if saw in saws:
            return Told(saw, frozenset(signatures) if saw is Saw.FAILED else frozenset())
    _note(logs, f"the run for {asked.check} on {asked.parent.name} had no job that ran")
    return Told(Saw.NOT_RUN)


def _note(logs: Logs, words: str) -> None:
    if words not in logs.notes:
        logs.notes.append(words)

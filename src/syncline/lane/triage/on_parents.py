"""Runs red checks on both parents, each in a clean check-out of its own, and remembers what came of it.

A result belongs to a commit, to what was run and to the tests it was narrowed to, so it is kept as long as the
git directory: the second time it costs nothing. What was cut off is no result and is tried again, but for a
check that used up its own time limit.
"""

import os
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from syncline.checks.logs.read_log import read_log
from syncline.checks.model import Check, CheckState, Conclusion
from syncline.checks.triage.cause import Saw, Witness
from syncline.checks.triage.saw import saw_of, untold
from syncline.config.models import LocalCheck
from syncline.errors import SynclineError
from syncline.forge.local.environment import environment
from syncline.forge.spec_digest import spec_digest
from syncline.git.checkout import checkout
from syncline.lane.context import LaneContext
from syncline.lane.triage import remembered
from syncline.lane.triage.presence import Trees
from syncline.lane.triage.recorded import Parent
from syncline.lane.triage.red import RedCheck
from syncline.lane.triage.remembered import Told
from syncline.lane.triage.selection import Selection, select
from syncline.programs.logfile import BoundedLog
from syncline.programs.process import Command, Ended, run

BY = "syncline"
"""`Witness.by` of what was run here."""
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Running:
    """How parents are run. `seconds` in all; `tell` gets a line before each check; `cancelled` stops."""

    seconds: float
    tell: Callable[[str], None]
    cancelled: Event


def run_on_parents(
    context: LaneContext,
    red: Sequence[RedCheck],
    parents: Sequence[Parent],
    known: Sequence[Witness],
    running: Running | None,
    notes: list[str],
) -> list[Witness]:
    """Return what red checks of the lane do on the parents, where nothing recorded at the forge tells yet.

    Args:
        context: the lane.
        red: the red checks; those that the lane does not run itself are passed over.
        parents: where to run them.
        known: what is recorded.
        running: how; None: nothing is run, and only what came of earlier runs is told.
        notes: gets what could not be run, and why.
    """
    specs = {check.name: check for check in context.lane.checks}
    said = {(one.parent, one.check) for one in known if one.exact and one.saw in {Saw.PASSED, Saw.FAILED}}
    if running is not None and (elsewhere := [one.name for one in red if one.name not in specs]):
        more = f" and {len(elsewhere) - 1} more" if len(elsewhere) > 1 else ""
        notes.append(f"the lane does not run {elsewhere[0]}{more} itself, so it was not run on the parents")
    trees = Trees(context.repository)
    deadline = time.monotonic() + (running.seconds if running is not None else 0)
    found: list[Witness] = []
    for one in red:
        for parent in parents:
            if one.name not in specs or (parent.name, one.name) in said:
                continue
            witness = _witness(context, specs[one.name], one, parent, trees, deadline, running)
            if witness is None and running is None:
                continue
            if witness is None:
                notes.append(f"{one.name} was not run on {parent.name}: the time for running parents is over")
            else:
                found.append(witness)
    return found


def _witness(
    context: LaneContext,
    spec: LocalCheck,
    red: RedCheck,
    parent: Parent,
    trees: Trees,
    deadline: float,
    running: Running | None,
) -> Witness | None:
    selection = select(spec, red.tests, lambda test: trees.has_test(parent.sha, test))
    if selection is None:
        words = "it has none of the failing tests"
        return Witness(parent.name, parent.sha, Saw.NOT_RUN, by=BY, check=spec.name, words=words)
    file = _file(context, spec, parent, selection)
    told = remembered.read(file)
    if told is None:
        left = deadline - time.monotonic()
        if running is None or left <= 0 or running.cancelled.is_set():
            return None
        narrowed = f", {len(selection.tests)} of its tests" if selection.tests else ""
        running.tell(f"runs {spec.name} on {parent.name} {parent.sha.short}{narrowed}")
        told = _run(context, spec, parent, selection, file, min(left, spec.timeout), running.cancelled)
        if told.saw is not Saw.UNFINISHED or (told.timed_out and left >= spec.timeout):
            remembered.store(file, told)
    words = "narrowed to the failing tests" if selection.tests else ""
    return Witness(parent.name, parent.sha, told.saw, told.signatures, BY, spec.name, words=words)


def _run(
    context: LaneContext,
    spec: LocalCheck,
    parent: Parent,
    selection: Selection,
    file: Path,
    seconds: float,
    cancelled: Event,
) -> Told:
    """Run a command on a parent to its end; its log stays beside the result."""
    token = uuid.uuid4().hex
    log = file.with_suffix(".log")
    with BoundedLog(log) as output, TemporaryDirectory() as left:
        env = environment(
            os.environ, dict(spec.env), sha=parent.sha, lane=context.lane.name, artifacts=left, token=token
        )
        try:
            with checkout(context.repository, parent.sha) as place:
                command = Command(selection.command, place, env, token, seconds)
                ended = run(command, output, started=lambda _pid: None, stop=cancelled.is_set)
        except (SynclineError, OSError) as error:
            output.note(f"could not be run: {error}")
            ended = Ended(Conclusion.STARTUP_FAILURE, f"could not be run: {error}")
    check = Check(spec.name, parent.sha, CheckState.COMPLETED, ended.conclusion, summary=ended.summary)
    failures = read_log(log).failures if saw_of(check) is Saw.FAILED else ()
    saw = saw_of(check, failures)
    if saw is Saw.FAILED and not failures:
        failures = (untold(check),)
    return Told(saw, frozenset(one.signature for one in failures), ended.conclusion is Conclusion.TIMED_OUT)


def _file(context: LaneContext, spec: LocalCheck, parent: Parent, selection: Selection) -> Path:
    words = [_FORMAT, spec_digest(spec), spec.name, selection.command, selection.tests]
    return remembered.place_of(context.repository, parent.sha, words)

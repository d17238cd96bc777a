"""Which red checks may say what is expected from now on, and what came of looking at them; once for each head."""

import json
import re
from pathlib import Path

from syncline.checks.triage.cause import Cause
from syncline.config.models import GoldenFiles
from syncline.git import CommitId
from syncline.lane.context import LaneContext
from syncline.lane.repair_commit import held
from syncline.lane.shape import Shape
from syncline.lane.triaged import Triage
from syncline.whole_file import written_beside

_KEPT = 100
"""Heads that are remembered, the newest ones."""


def golden_due(context: LaneContext, shape: Shape, triage: Triage) -> tuple[str, ...]:
    """Return the red checks whose values are to be taken over, by name; none where that was tried at this head.

    Only what is the sync's own doing alone: to expect what a parent or a broken machine gets wrong would hide it.
    """
    told, lane = triage.told, context.lane
    if not (lane.repair.golden and lane.repair.mechanical) or told is None or triage.due or triage.later:
        return ()
    by_check: dict[str, set[Cause]] = {}
    for fault in told.faults:
        for check in fault.checks:
            by_check.setdefault(check, set()).add(fault.cause)
    names = tuple(
        sorted(name for name, causes in by_check.items() if causes == {Cause.SYNC} and rules_for(context, name))
    )
    if not names or _note(context, shape.head) is not None:
        return ()
    from syncline.lane.mended import why_over  # noqa: PLC0415 - not where nothing is to be taken over

    over = why_over(
        lane, held(context.repository, shape).left, shape,
        checked_out=context.branches.checked_out(shape.branch),
    )  # fmt: skip
    return () if over else names


def rules_for(context: LaneContext, check: str) -> tuple[GoldenFiles, ...]:
    """Return the lane's tables of expected values that a check speaks of."""
    return tuple(one for one in context.lane.repair.golden if re.match(one.check, check, re.IGNORECASE))


def not_refreshed(context: LaneContext, head: CommitId) -> tuple[str, ...]:
    """Return why values of a head's checks were not taken over, a line each."""
    return (_note(context, head) or ()) if context.lane.repair.golden else ()


def note_refreshed(context: LaneContext, head: CommitId, refused: tuple[str, ...], *, for_good: bool) -> None:
    """Keep that a head was looked at, and what was refused: for this process, or for good."""
    context.refreshed[head] = refused
    if not for_good:
        return
    place = _place(context, head)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(place, json.dumps(refused).encode(), mode=0o644) as beside:
            beside.replace(place)
        kept = sorted(place.parent.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        for old in kept[_KEPT:]:
            old.unlink(missing_ok=True)
    except OSError:
        return


def _note(context: LaneContext, head: CommitId) -> tuple[str, ...] | None:
    if head in context.refreshed:
        return context.refreshed[head]
    try:
        return tuple(str(line) for line in json.loads(_place(context, head).read_bytes()))
    except (OSError, ValueError, TypeError, RecursionError):
        return None  # nobody has looked at it yet, or what was kept is no use


def _place(context: LaneContext, head: CommitId) -> Path:
    return context.repository.state_dir / "cache" / "golden" / f"{context.lane.name}-{head}.json"

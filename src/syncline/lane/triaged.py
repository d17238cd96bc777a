"""What triage said of a run's red checks: found once for each state of its results, and kept in the git directory.

Reading logs and asking about parents takes long, so it is an action of its own; whoever observes only reads what
it left. Another machine, or this one without its files, finds it out again: nothing depends on it but words, and
which checks are run once more.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Event

from syncline import __version__
from syncline.checks.gate import GateState
from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.model import Check, CheckState
from syncline.checks.triage.cause import Cause, Cluster, Triaged, Verdict
from syncline.checks.triage.retry import Limits, retry_plan
from syncline.checks.triage.saw import is_red
from syncline.forge.protocol import Proposal
from syncline.git import CommitId
from syncline.lane.context import LaneContext
from syncline.whole_file import written_beside

_FORMAT = 1
_KEPT = 60
"""Results kept, the newest ones."""
_SHOWN = 3
"""Causes told in one sentence."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: which checks fail by it, whose doing it is, and how sure that is."""

    checks: tuple[str, ...]
    cause: Cause
    confidence: float
    words: str
    """What it says and where, on one line."""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """What triage said."""

    faults: tuple[Fault, ...] = ()
    section: str = ""
    """For the proposal's body, as Markdown."""
    seen: float = 0.0
    """When these results were first seen here, seconds since the epoch: what waiting is counted from."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Checks that the forge would not run again, and why."""


@dataclass(frozen=True, slots=True)
class Triage:
    """How the red checks of a head stand."""

    key: str = ""
    """Names the results; empty where no check is red, and none was before it passed."""
    told: Told | None = None
    """None: nobody has looked here yet."""
    due: tuple[str, ...] = ()
    """Checks to be run again now."""
    later: str = ""
    """What will be run again, and when; empty where nothing will."""

    @property
    def causes(self) -> str:
        """The faults in a sentence."""
        faults = self.told.faults if self.told is not None else ()
        more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        return "; ".join(one.words for one in faults[:_SHOWN]) + more


def triage_key(context: LaneContext, head: CommitId) -> str:
    """Name the results of a head that triage has to explain; empty where there are none, or some are to come."""
    verdict = context.verdict(head)
    if verdict.state is GateState.WAITING or any(reason.waits for reason in verdict.reasons):
        return ""
    counted = {check.name for check in verdict.counted}
    results = [check for check in context.results(head).checks if check.name in counted]
    red = {check.name for check in results if is_red(check)}
    if not red:
        return ""
    settings = context.lane.triage.model_dump_json()
    words = [str(_FORMAT), __version__, head, settings]
    words += sorted(_words(check) for check in results if check.name in red)
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _words(check: Check) -> str:
    return f"{check.name}\1{check.order}\1{check.conclusion}"


def read_triage(context: LaneContext, head: CommitId, now: float) -> Triage:
    """Return how the red checks of a head stand. Reads what is kept, and asks nobody."""
    key = triage_key(context, head)
    told = _read(context, key) if key else None
    if told is None:
        return Triage(key)
    return _planned(context, head, Triage(key, told), now)


def _planned(context: LaneContext, head: CommitId, triage: Triage, now: float) -> Triage:
    told, settings = triage.told, context.lane.triage
    if told is None or not settings.retries or context.verdict(head).green:
        return triage
    checks = context.results(head).checks
    limits = Limits(most=settings.retries, first_wait=settings.retry_after)
    faults = [_as_triaged(one) for one in told.faults]
    # Results that are equally new (jobs of one name) are one check.
    ended = {check.name: told.seen for check in checks if check.state is CheckState.COMPLETED}
    again = [
        one
        for one in retry_plan(head, checks, faults, ended=ended, now=now, limits=limits).again
        if one.check not in told.refused
    ]
    due = tuple(one.check for one in again if one.wait <= 0)
    later = [f"{one.check} in {one.wait:.0f} s ({one.why})" for one in again if one.wait > 0]
    return replace(triage, due=due, later=f"to be run again: {', '.join(later[:_SHOWN])}" if later else "")


def _as_triaged(fault: Fault) -> Triaged:
    first = LogFailure("", "", "", Weight.CAUSE, 0)
    return Triaged(Cluster("", first, fault.checks), Verdict(fault.cause, fault.confidence, ()))


def find_causes(
    context: LaneContext, proposal: Proposal, head: CommitId, *, tell: Callable[[str], None], cancelled: Event
) -> str:
    """Read the logs of a head's red checks, ask about both parents, keep what that says; return it in a sentence.

    Raises:
        ForgeError: logs or results cannot be had.
    """
    from syncline.lane.triage.on_parents import Running  # noqa: PLC0415 - not where nothing is red
    from syncline.lane.triage.triage import triage_proposal  # noqa: PLC0415
    from syncline.propose.triage_table import triage_section  # noqa: PLC0415

    key = triage_key(context, head)
    settings = context.lane.triage
    running = Running(settings.run_parents_for, tell, cancelled) if settings.run_parents else None
    report = triage_proposal(context, proposal, running=running)
    told = Told(tuple(map(_fault, report.faults)), triage_section(report), time.time())
    if key:
        _keep(context, key, told)
    return Triage(key, told).causes or "no fault stands"


def _fault(one: Triaged) -> Fault:
    first = one.cluster.first
    place = f" at {first.path}" + (f":{first.line}" if first.line is not None else "") if first.path else ""
    sure = f" ({one.verdict.confidence:.2f})" if one.verdict.confidence else ""
    words = " ".join(f"{one.verdict.cause.value}{sure}: {first.kind}: {first.message}"[:160].split())
    return Fault(
        one.cluster.checks, one.verdict.cause, one.verdict.confidence, words + place, one.cluster.signature
    )


def refuse_retry(context: LaneContext, head: CommitId, names: tuple[str, ...], why: str) -> None:
    """Note that the forge runs some checks not again, so that it is not asked for ever."""
    key = triage_key(context, head)
    told = _read(context, key) if key else None
    if told is not None:
        _keep(context, key, replace(told, refused={**told.refused, **dict.fromkeys(names, why)}))


# --- what is kept ---------------------------------------------------------------------------------------------


def _place(context: LaneContext, key: str) -> Path:
    return context.repository.state_dir / "cache" / "triage" / f"{key}.json"


def _read(context: LaneContext, key: str) -> Told | None:
    if key in context.triages:
        return context.triages[key]
    try:
        document = json.loads(_place(context, key).read_bytes())
        faults = tuple(
            Fault(
                tuple(one["checks"]),
                Cause(one["cause"]),
                float(one["confidence"]),
                str(one["words"]),
                str(one["signature"]),
            )
            for one in document["faults"]
        )
        refused = {str(name): str(why) for name, why in document["refused"].items()}
        return Told(faults, str(document["section"]), float(document["seen"]), refused)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None  # nobody has looked here yet, or what was kept is no use


def _keep(context: LaneContext, key: str, told: Told) -> None:
    """Keep what was said; on a disk that refuses, for this process."""
    context.triages[key] = told
    place = _place(context, key)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(place, json.dumps(asdict(told)).encode(), mode=0o644) as beside:
            beside.replace(place)
        kept = sorted(place.parent.glob("*.json"), key=lambda file: file.stat().st_mtime, reverse=True)
        for old in kept[_KEPT:]:
            old.unlink(missing_ok=True)
    except OSError:
        return

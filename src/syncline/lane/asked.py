"""What agents are asked before people are: open conflicts, then the sync's own failures. Off until a lane has any.

Each question is asked once: an accepted answer is on the branch; of one that was refused it is noted why, in the
git directory. Another machine may ask once more, and nothing else depends on that note.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from syncline.audit.finding import Finding, Severity
from syncline.checks.gate import GateState
from syncline.checks.triage.cause import Cause
from syncline.lane.context import LaneContext
from syncline.lane.repair_commit import answered_rounds
from syncline.lane.settled import answered_before
from syncline.lane.state import State
from syncline.lane.triaged import Triage
from syncline.merge.model import Decision
from syncline.whole_file import written_beside

_FORMAT = 1
MOST = 20
"""Questions of one action: what is accepted by then is pushed before more is asked."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something an agent can be asked about."""

    key: str
    """The same as long as the question and the lane's agents are the same."""
    decision: Decision | None = None
    """The open conflict, where it is one."""
    signature: str = ""
    """The fault's, where a check found it."""
    finding: Finding | None = None
    """What stops the proposal, where an audit found it."""


def questions(context: LaneContext, state: State, triage: Triage) -> tuple[Question, ...]:
    """Return what there is to ask, whether it was asked before or not; none where the lane has no agents."""
    if not context.lane.agents.ask:
        return ()
    return tuple(_questions(context, state, triage))


def _questions(context: LaneContext, state: State, triage: Triage) -> Iterator[Question]:
    before = answered_before(context.repository, state.shape, state.unresolved)
    for decision in state.unresolved:
        if decision.path not in before:  # it is open because somebody took the answer back
            yield of_conflict(context, decision)
    if not state.unresolved and answered_rounds(context.repository, state.shape) < context.lane.agents.rounds:
        # The same fault at another head is another question: something was done meanwhile.
        yield from failures(context, state, triage)


def of_conflict(context: LaneContext, decision: Decision) -> Question:
    """Return the question of an open conflict."""
    stages = decision.conflict.stages if decision.conflict is not None else None
    entries = (stages.base, stages.ours, stages.theirs) if stages is not None else ()
    told = [decision.path.hex(), *(entry.oid if entry is not None else "-" for entry in entries)]
    return Question(_key(context, "conflict", told), decision=decision)


def failures(context: LaneContext, state: State, triage: Triage) -> Iterator[Question]:
    """Yield what fails by the sync's own doing: the faults of its checks, else what its audits stop it for."""
    told = triage.told
    faults = [one for one in told.faults if one.cause is Cause.SYNC] if told is not None else []
    for fault in faults:
        key = _key(context, "failure", [fault.signature, state.shape.head])
        yield Question(key, signature=fault.signature)
    if faults or triage.due or context.verdict(state.shape.head).state is GateState.WAITING:
        return
    for finding in state.audit.findings:
        if finding.severity is Severity.STOP:
            yield Question(_key(context, "finding", [finding.id, state.shape.head]), finding=finding)


def _key(context: LaneContext, kind: str, told: Sequence[str]) -> str:
    settings = context.lane.agents.model_dump_json()
    words = "\0".join((str(_FORMAT), kind, settings, *told))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def unasked(context: LaneContext, asked: Sequence[Question]) -> tuple[str, ...]:
    """Return the keys of the questions to be put now: those that nobody was asked, as far as the budget goes."""
    if context.spent.over(context.lane.agents):
        return ()
    known = {*_read(context), *context.answered}
    return tuple(question.key for question in asked if question.key not in known)[:MOST]


def refusals(context: LaneContext, asked: Sequence[Question]) -> Mapping[str, str]:
    """Return why no answer was taken, by question, as far as that is noted here."""
    known = _read(context)
    return {question.key: known[question.key] for question in asked if question.key in known}


def note(context: LaneContext, refused: Mapping[str, str]) -> None:
    """Keep why answers were refused; on a disk that refuses, for this process."""
    known = {**_read(context), **refused}
    context.refused.update(refused)
    place = _place(context)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(place, json.dumps(known).encode(), mode=0o644) as beside:
            beside.replace(place)
    except OSError:
        return


def _place(context: LaneContext) -> Path:
    return context.repository.state_dir / "cache" / "agents" / f"{context.lane.name}.json"


def _read(context: LaneContext) -> dict[str, str]:
    try:
        document = json.loads(_place(context).read_bytes())
        kept = {str(key): str(why) for key, why in document.items()}
    except (OSError, ValueError, AttributeError, RecursionError):
        kept = {}  # nobody was asked yet, or what was kept is no use
    return {**kept, **context.refused}

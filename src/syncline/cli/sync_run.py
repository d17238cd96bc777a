"""What `syncline sync` and `syncline tick` do."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from threading import Event
from typing import Any

from syncline.cli.options import Common
from syncline.cli.output import (
    plan_as_json,
    print_writes,
    proposal_as_json,
    verdict_as_json,
    writes_as_json,
)
from syncline.cli.progress import progress_for
from syncline.cli.session import open_dry_run, open_lane
from syncline.cli.text import one_line, path_line, print_json, say
from syncline.forge.landing import By
from syncline.forge.protocol import Proposal
from syncline.git.paths import json_path
from syncline.lane.actions import Outcome, Rest
from syncline.lane.asking import Asking, asking
from syncline.lane.context import LaneContext
from syncline.lane.landing import obstacle
from syncline.lane.lock import hold_lane
from syncline.lane.observe import observed_state
from syncline.lane.reconcile import Step, Wishes, sync, tick
from syncline.lane.state import State

_MOST_OPEN = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asked for."""

    restart: bool = False
    retry: bool = False
    once: bool = False
    """One step only."""
    dry_run: bool = False


def run(options: Common, lane_name: str | None, asked: Asked, *, wait: float) -> int:
    """Step a lane, print where it stands, and return the exit code."""
    if asked.dry_run:
        return _run_dry(options, lane_name, asked)
    with open_lane(options, lane_name) as context:
        state_dir = context.repository.state_dir
        with hold_lane(state_dir, context.lane.name, wait=wait):
            step = reconcile(context, asked)
            report = Standing.of(context, step)
        if options.as_json:
            print_json(report.as_json())
        else:
            report.print()
        return report.exit_code


def _run_dry(options: Common, lane_name: str | None, asked: Asked) -> int:
    """The same with no effect: print every write, and where the lane would stand."""
    with open_dry_run(options, lane_name) as dry:
        report = Standing.of(dry.context, reconcile(dry.context, asked))
        writes = dry.writes()
        if options.as_json:
            print_json({**report.as_json(), **writes_as_json(writes)})
        else:
            print_writes(writes)
            report.print()
        return report.exit_code


def reconcile(context: LaneContext, asked: Asked = Asked()) -> Step:
    """Step a lane once or until it rests, with progress on stderr; the caller holds the lane."""
    newest = max((proposal.number for proposal in context.forge.proposals(context.lane.name)), default=0)
    wishes = Wishes(restart_after=newest if asked.restart else -1, retry=asked.retry)
    go = tick if asked.once else sync
    cancelled = Event()
    with progress_for(context.lane, dry_run=context.dry_run) as progress:
        try:
            return go(context, progress, clock=lambda: datetime.now(UTC), cancelled=cancelled, wishes=wishes)
        finally:
            cancelled.set()


class Standing:
    """Where a lane stands after a step, for people and as JSON."""

    def __init__(self, context: LaneContext, step: Step, proposal: Proposal | None, state: State | None) -> None:
        self._context = context
        self._step = step
        self._proposal = proposal
        self._state = state

    @classmethod
    def of(cls, context: LaneContext, step: Step) -> "Standing":
        """Look at the lane's newest proposal after `step`."""
        proposals = context.forge.proposals(context.lane.name)
        proposal = proposals[-1] if proposals else None
        # What was observed, and not what the branch has become since: that is for the next step to judge.
        return cls(context, step, proposal, observed_state(context, step.seen))

    @property
    def _outcome(self) -> Outcome | None:
        return self._step.action.outcome if isinstance(self._step.action, Rest) else None

    @property
    def exit_code(self) -> int:
        """0 when nobody has to act, 1 when somebody has; a single step that did something is fine."""
        outcome = self._outcome
        return 0 if outcome is None or outcome.fine else 1

    @property
    def proposal_number(self) -> int | None:
        """The newest proposal's number."""
        return self._proposal.number if self._proposal is not None else None

    @property
    def report(self) -> str | None:
        """Where the HTML report lies."""
        if self._state is None or self._context.dry_run:
            return None
        place = self._context.reports / self._state.shape.run / "report.html"
        return str(place) if place.is_file() else None

    def _asking(self, state: State) -> Asking:
        return asking(state, self._context.reports / state.shape.run)

    def as_json(self) -> dict[str, Any]:
        """Return the document of `sync --json` and `tick --json`."""
        step, state = self._step, self._state
        document: dict[str, Any] = {
            "lane": self._context.lane.name,
            "outcome": self._outcome.value if self._outcome else None,
            "why": step.done,
            "action": type(step.action).__name__,
            "details": {key: value for key, value in asdict(step.action).items() if value is not None},
            "plan": plan_as_json(step.seen.plan),
            "proposal": proposal_as_json(self._proposal) if self._proposal else None,
            "report": self.report,
            "landing": {"by": self._landing_by, "obstacle": obstacle(self._context) or None},
        }
        if state is not None:
            head = state.shape.head
            verdict = self._context.verdict(head)
            asked = self._asking(state)
            kinds = {decision.path: decision.kind for decision in state.unresolved}
            document |= {
                "run": state.shape.run,
                "merge": state.shape.merge.oid,
                "repair": state.shape.repair,
                "head": head,
                "people": list(state.shape.people),
                "conflicts": len(state.result.conflicts),
                "unresolved": [
                    {"path": json_path(one.path), "kind": kinds[one.path], "speaks_for": one.speaks_for}
                    for one in asked.paths
                ],
                "from_answers": {
                    "paths": [json_path(path) for path in asked.settled],
                    "patch": str(asked.patch) if asked.patch else None,
                    "message": str(asked.message) if asked.message else None,
                },
                "settled": [
                    {"path": json_path(one.path), "sha": one.commit, "how": one.how, "agents": list(one.agents)}
                    for one in state.settled
                ],
                "findings": [finding.as_json() for finding in state.findings],
                "not_audited": [{"name": left.name, "why": left.why} for left in state.audit.not_run],
                "gate": verdict_as_json(verdict),
            }
        return document

    @property
    def _landing_by(self) -> str:
        lander = self._context.forge.lander
        return lander.by.value if lander is not None else By.PEOPLE.value

    def print(self) -> None:
        """Print it for people."""
        step, state, proposal = self._step, self._state, self._proposal
        head = self._outcome.value if self._outcome else "stepped"
        say(f"{'in the end ' if self._context.dry_run else ''}{head}: {step.done}")
        if proposal is None or state is None:
            return
        draft = " (draft)" if proposal.draft else ""
        say(f"  proposal   {proposal.number}{draft}: {proposal.title}")
        say(f"  branch     {proposal.branch} at {state.shape.head.short}")
        conflicts, open_still = len(state.result.conflicts), len(state.unresolved)
        say(f"  conflicts  {conflicts}: {state.counts}, {open_still} open")
        self._print_open(state, proposal.number)
        for finding in state.findings[:10]:
            line = f":{finding.line}" if finding.line else ""
            say(f"  {finding.severity.value:10} {path_line(finding.path)}{line} {one_line(finding.message)}")
        if len(state.findings) > 10:
            say(f"             ... and {len(state.findings) - 10} more (syncline audit {state.shape.branch})")
        for left in state.audit.not_run:
            say(f"  not audited: {one_line(left.name)}: {one_line(left.why)}")
        if self.report:
            say(f"  report     {self.report}")
        if why := obstacle(self._context):
            say(f"  landing    must be a merge commit, and cannot: {one_line(why)}")
        self._print_next()

    def _print_open(self, state: State, number: int) -> None:
        asked = self._asking(state)
        kinds = {decision.path: decision.kind for decision in state.unresolved}
        for one in asked.paths[:_MOST_OPEN]:
            tells = f", its answer speaks for {one.speaks_for} more" if one.speaks_for else ""
            say(f"             open: {path_line(one.path)} [{kinds[one.path]}]{tells}")
        if len(asked.paths) > _MOST_OPEN:
            say(f"             ... and {len(asked.paths) - _MOST_OPEN} more (syncline show {number})")
        if asked.settled:
            more = f"{len(asked.settled)} more can be settled from yours"
            say(f"  answers    {more}: syncline show {number} tells how")

    def _print_next(self) -> None:
        lane, proposal = self._context.lane, self._proposal
        assert proposal is not None  # noqa: S101 - the caller looked
        if self._outcome is Outcome.READY and self._landing_by == By.PEOPLE:
            head = proposal.head_sha[:10]
            say(f"  next       land {head}: merge it into {lane.target} (a fast-forward will do); never squash it")
        elif self._outcome is Outcome.NEEDS_PEOPLE:
            say(f"  next       settle what is open on {proposal.branch}, commit, then: syncline sync {lane.name}")
        elif self._outcome is Outcome.CHECKS_FAILED:
            say(f"  next       mend it on {proposal.branch}, or --retry a flake: syncline sync {lane.name}")

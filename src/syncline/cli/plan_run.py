"""What `syncline plan` does."""

from typing import Any

from syncline.cli.options import Common
from syncline.cli.output import path_line, plan_as_json, print_json, proposal_as_json, say
from syncline.cli.session import open_lane
from syncline.forge.protocol import Proposal, ProposalState
from syncline.git.commit import read_commit
from syncline.git.history import Touch, last_touches
from syncline.lane.context import LaneContext
from syncline.lane.ends import read_ends
from syncline.lane.run import inputs_of, run_inputs
from syncline.merge.as_json import json_path
from syncline.merge.model import Decision, MergeResult
from syncline.plan.make_plan import make_plan
from syncline.plan.model import Plan


def run(options: Common, lane_name: str | None) -> int:
    """Print the plan and return the exit code: 1 when conflicts will be left to people."""
    with open_lane(options, lane_name) as context:
        ends = read_ends(context.repository, context.lane)
        plan = make_plan(context.repository, source=ends.source, target=ends.target, slice_size=context.lane.slice)
        opened = context.forge.proposals(context.lane.name, state=ProposalState.OPEN)
        if plan.slice is None:
            if options.as_json:
                print_json(plan_as_json(plan) | {"lane": context.lane.name, "conflicts": [], "superseded": []})
            else:
                _print_head(context, plan)
                say("nothing to do: target contains all of source")
            return 0
        result = context.merge(plan.target, plan.slice.tip)
        inputs = run_inputs(context.lane, target=plan.target, source=plan.slice.tip)
        superseded = [proposal for proposal in opened if inputs_of(proposal.run) != inputs]
        paths = [decision.path for decision in result.decisions if decision.conflict]
        behind = (
            last_touches(context.repository, plan.bases, plan.target, paths),
            last_touches(context.repository, plan.bases, plan.slice.tip, paths),
        )
        if options.as_json:
            print_json(_document(context, plan, result, behind, superseded))
        else:
            _print_head(context, plan)
            _print_slice(context, plan)
            _print_conflicts(result, behind)
            for proposal in superseded:
                say(f"open proposal {proposal.number} ({proposal.branch}) was made from other commits or policy")
        return 0 if result.clean else 1


def _document(
    context: LaneContext,
    plan: Plan,
    result: MergeResult,
    behind: tuple[dict[bytes, Touch], dict[bytes, Touch]],
    superseded: list[Proposal],
) -> dict[str, Any]:
    ours, theirs = behind
    return plan_as_json(plan) | {
        "lane": context.lane.name,
        "conflicts": [
            {
                "path": json_path(decision.path),
                "kind": decision.kind,
                "status": decision.status.value,
                "resolver": decision.resolver or None,
                "ours": _touch(ours.get(decision.path)),
                "theirs": _touch(theirs.get(decision.path)),
            }
            for decision in result.decisions
            if decision.conflict
        ],
        "superseded": [proposal_as_json(proposal) for proposal in superseded],
    }


def _touch(touch: Touch | None) -> dict[str, str] | None:
    return None if touch is None else {"sha": touch.commit, "author": touch.author, "subject": touch.subject}


def _print_head(context: LaneContext, plan: Plan) -> None:
    lane = context.lane
    say(f"lane    {lane.name}: {lane.source} -> {lane.target}")
    say(f"source  {plan.source.short}, {plan.behind} commits that {lane.target} has not")
    say(f"target  {plan.target.short}, {plan.ahead} commits that {lane.source} has not")
    bases = ", ".join(base.short for base in plan.bases)
    say(f"base    {bases}" + ("  (several merge bases: the branches crossed)" if len(plan.bases) > 1 else ""))


def _print_slice(context: LaneContext, plan: Plan) -> None:
    part = plan.slice
    assert part is not None  # noqa: S101 - the caller looked
    tip = read_commit(context.repository, part.tip)
    say(f"slice   {len(part.commits)} commits of the first-parent line ({part.imported} in all)")
    say(f"        up to {tip.oid.short} {tip.subject}")
    if part.boundary is not None:
        out = read_commit(context.repository, part.boundary)
        number = len(part.commits) + 1
        say(f"        commit {number} ({out.oid.short} {out.subject}) is excluded; {part.left} left for later")


def _print_conflicts(result: MergeResult, behind: tuple[dict[bytes, Touch], dict[bytes, Touch]]) -> None:
    decisions = [decision for decision in result.decisions if decision.conflict]
    say(f"\nconflicts to expect: {len(decisions)}, of which {len(result.unresolved)} are left to people")
    for decision in decisions:
        say(f"  {path_line(decision.path)}  [{decision.kind}]  {_outcome(decision)}")
        for side, touches in zip(("target", "source"), behind, strict=True):
            touch = touches.get(decision.path)
            if touch is not None:
                say(f"      {side}: {touch.commit.short} {touch.author}: {touch.subject}")


def _outcome(decision: Decision) -> str:
    return str(decision.evidence[0]) if decision.resolver else "unresolved"

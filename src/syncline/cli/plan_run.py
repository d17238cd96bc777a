"""What `syncline plan` does."""

from typing import TYPE_CHECKING, Any

from syncline.cli.options import Common
from syncline.cli.session import find_config, open_forge, read_config
from syncline.cli.text import path_line, print_json, say
from syncline.config.peek import peek
from syncline.git import Repository
from syncline.git.commit import read_commit
from syncline.git.history import Touch
from syncline.git.paths import json_path
from syncline.merge.model import Decision
from syncline.plan.forecast import Early, Forecast, forecast, start_early

if TYPE_CHECKING:
    from syncline.config.models import Lane
    from syncline.forge.protocol import Proposal


def run(options: Common, lane_name: str | None) -> int:
    """Print the plan and return the exit code: 1 when conflicts will be left to people."""
    with Repository.open(options.directory) as repository:
        early = _start_early(options, repository, lane_name)
        # While git merges: models and database take a third of a second to import.
        from syncline.cli import output  # noqa: F401, PLC0415 - used below, imported while git works
        from syncline.lane.ends import read_ends  # noqa: PLC0415

        lane = read_config(options, repository).lane(lane_name)
        ends = read_ends(repository, lane)
        seen = forecast(repository, lane, source=ends.source, target=ends.target, early=early)
        superseded = _outdated(lane, seen, _open_proposals(repository, lane))
        if options.as_json:
            print_json(_document(lane, seen, superseded))
        else:
            _print(repository, lane, seen, superseded)
    return 0 if seen.result is None or seen.result.clean else 1


def _open_proposals(repository: Repository, lane: "Lane") -> "tuple[Proposal, ...]":
    if not repository.state_dir.is_dir():
        return ()  # nothing was ever proposed here: the database need not even be imported
    from syncline.forge.protocol import ProposalState  # noqa: PLC0415

    with open_forge(repository) as forge:
        return forge.proposals(lane.name, state=ProposalState.OPEN)


def _start_early(options: Common, repository: Repository, lane_name: str | None) -> Early | None:
    path = find_config(options, repository)
    glimpse = peek(path, lane_name) if path is not None else None
    return start_early(repository, glimpse) if glimpse is not None else None


def _outdated(lane: "Lane", seen: Forecast, opened: "tuple[Proposal, ...]") -> "list[Proposal]":
    """Return the open proposals that were made from other commits, or under another policy, than a sync now."""
    from syncline.lane.run_name import inputs_of, run_inputs  # noqa: PLC0415 - after the models

    if seen.plan.slice is None:
        return list(opened)
    inputs = run_inputs(lane, target=seen.plan.target, source=seen.plan.slice.tip)
    return [proposal for proposal in opened if inputs_of(proposal.run) != inputs]


def _document(lane: "Lane", seen: Forecast, superseded: "list[Proposal]") -> dict[str, Any]:
    from syncline.cli.output import plan_as_json, proposal_as_json  # noqa: PLC0415 - after the models

    return plan_as_json(seen.plan) | {
        "lane": lane.name,
        "conflicts": [
            {
                "path": json_path(decision.path),
                "kind": decision.kind,
                "status": decision.status.value,
                "resolver": decision.resolver or None,
                "ours": _touch(seen.behind_ours.get(decision.path)),
                "theirs": _touch(seen.behind_theirs.get(decision.path)),
            }
            for decision in seen.conflicts
        ],
        "superseded": [proposal_as_json(proposal) for proposal in superseded],
    }


def _touch(touch: Touch | None) -> dict[str, str] | None:
    return None if touch is None else {"sha": touch.commit, "author": touch.author, "subject": touch.subject}


def _print(repository: Repository, lane: "Lane", seen: Forecast, superseded: "list[Proposal]") -> None:
    plan = seen.plan
    say(f"lane    {lane.name}: {lane.source} -> {lane.target}")
    say(f"source  {plan.source.short}, {plan.behind} commits that {lane.target} has not")
    say(f"target  {plan.target.short}, {plan.ahead} commits that {lane.source} has not")
    bases = ", ".join(base.short for base in plan.bases)
    say(f"base    {bases}" + ("  (several merge bases: the branches crossed)" if len(plan.bases) > 1 else ""))
    _print_slice(repository, seen)
    for proposal in superseded:
        say(f"open proposal {proposal.number} ({proposal.branch}) was made from other commits or policy")


def _print_slice(repository: Repository, seen: Forecast) -> None:
    part = seen.plan.slice
    if part is None or seen.result is None:
        say("nothing to do: target contains all of source")
        return
    tip = read_commit(repository, part.tip)
    say(f"slice   {len(part.commits)} commits of the first-parent line ({part.imported} in all)")
    say(f"        up to {tip.oid.short} {tip.subject}")
    if part.boundary is not None:
        out = read_commit(repository, part.boundary)
        number = len(part.commits) + 1
        say(f"        commit {number} ({out.oid.short} {out.subject}) is excluded; {part.left} left for later")
    say(f"\nconflicts to expect: {len(seen.conflicts)}, of which {len(seen.result.unresolved)} are left to people")
    for decision in seen.conflicts:
        say(f"  {path_line(decision.path)}  [{decision.kind}]  {_outcome(decision)}")
        for side, touches in (("target", seen.behind_ours), ("source", seen.behind_theirs)):
            touch = touches.get(decision.path)
            if touch is not None:
                say(f"      {side}: {touch.commit.short} {touch.author}: {touch.subject}")


def _outcome(decision: Decision) -> str:
    return str(decision.evidence[0]) if decision.resolver else "unresolved"

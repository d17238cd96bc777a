"""What `syncline status` does."""

from datetime import UTC, datetime
from typing import Any

from syncline.cli.options import Common
from syncline.cli.output import plan_as_json, proposal_as_json
from syncline.cli.progress import plan_line, stage_of
from syncline.cli.session import open_forge_of, read_config
from syncline.cli.text import print_json, say
from syncline.config.models import Lane
from syncline.errors import SynclineError
from syncline.git import Repository
from syncline.lane.actions import Rest
from syncline.lane.context import LaneContext
from syncline.lane.decide import decide
from syncline.lane.observe import observe


def run(options: Common, lane_name: str | None) -> int:
    """Print how each lane stands; 1 when somebody has to act on one, 2 when one cannot be looked at."""
    with Repository.open(options.directory) as repository:
        config = read_config(options, repository)
        lanes = [config.lane(lane_name)] if lane_name is not None else list(config.lanes.values())
        rows = [_row(repository, lane) for lane in lanes]
    if options.as_json:
        print_json({"lanes": [document for document, _, _ in rows]})
    else:
        for _, text, _ in rows:
            say(text)
    return max((code for _, _, code in rows), default=0)


def _row(repository: Repository, lane: Lane) -> tuple[dict[str, Any], str, int]:
    name = lane.name
    try:
        with open_forge_of(repository, lane) as forge:
            seen = observe(LaneContext.of(repository, lane, forge), datetime.now(UTC))
    except SynclineError as error:
        # One lane in trouble must not hide the others.
        document = {"lane": name, "error": error.message, "hint": error.hint or None}
        return document, f"{name}: error: {error}", error.exit_code
    action = decide(seen)
    proposal = seen.open_proposals[-1] if seen.open_proposals else None
    if isinstance(action, Rest):
        state, next_step, code = action.outcome.value, action.why, 0 if action.outcome.fine else 1
    else:
        state, next_step, code = "in-progress", f"next step: {stage_of(action)}", 0
    document = {
        "lane": name,
        "state": state,
        "next": next_step,
        "plan": plan_as_json(seen.plan),
        "proposal": proposal_as_json(proposal) if proposal else None,
        "unresolved": seen.current.unresolved if seen.current else None,
    }
    words = [f"{name}: {state}: {next_step}", f"  {plan_line(seen)}"]
    if proposal is not None:
        draft = "draft" if proposal.draft else "ready"
        words.append(f"  proposal {proposal.number} ({draft}) on {proposal.branch}")
    return document, "\n".join(words), code

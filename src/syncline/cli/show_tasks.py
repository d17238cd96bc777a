"""What `syncline show --tasks` does: each open conflict as a file that an agent or a person can work from."""

import json
from pathlib import Path

from syncline.cli.options import Common
from syncline.cli.session import open_forge_for, open_lane
from syncline.cli.text import print_json, say
from syncline.errors import SynclineError
from syncline.git import Repository
from syncline.git.paths import json_path
from syncline.lane.open_tasks import open_tasks
from syncline.repair.agents.agent import Limits
from syncline.repair.agents.document import as_json
from syncline.whole_file import written_beside


def run(options: Common, number: int, lane_name: str | None, place: Path) -> int:
    """Write the tasks and tell which conflict is in which file; 1 where something is open."""
    with Repository.open(options.directory) as repository, open_forge_for(options, repository, lane_name) as forge:
        proposal = forge.proposal(number)
    told: list[dict[str, str | None]] = []
    with open_lane(options, lane_name or proposal.lane) as context:
        limits = Limits.of(context.lane.agents)
        for decision, task in open_tasks(context, proposal):
            where = {"path": json_path(decision.path), "kind": decision.kind}
            if isinstance(task, str):
                told.append(where | {"task": None, "file": None, "why": task})
            else:
                file = place / f"{task.id}.json"
                document = json.dumps(as_json(task, limits), indent=1) + "\n"
                _write(file, document.encode())
                told.append(where | {"task": task.id, "file": str(file), "why": None})
    if options.as_json:
        print_json({"proposal": number, "tasks": told})
    else:
        for row in told:
            say(f"{row['path']} ({row['kind']}): {row['file'] or 'for people: ' + str(row['why'])}")
        if not told:
            say(f"proposal {number} has no open conflict")
    return 1 if told else 0


def _write(file: Path, content: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(file, content, mode=0o644) as beside:
            beside.replace(file)
    except OSError as error:
        raise SynclineError(
            f"the task {file} cannot be written: {error.strerror}", hint="name another directory with --tasks"
        ) from error

"""What `syncline show --tasks` does: what is open or fails, as files that an agent or a person can work from."""

import json
from datetime import UTC, datetime
from pathlib import Path

from syncline.cli.options import Common
from syncline.cli.session import open_forge_for, open_lane
from syncline.cli.text import one_line, print_json, say
from syncline.errors import SynclineError
from syncline.git import Repository
from syncline.git.paths import json_path
from syncline.lane.open_tasks import open_tasks
from syncline.repair.agents.agent import Limits
from syncline.repair.agents.document import as_json
from syncline.whole_file import written_beside


def run(options: Common, number: int, lane_name: str | None, place: Path) -> int:
    """Write the tasks and tell which is in which file; 1 where there are any."""
    with Repository.open(options.directory) as repository, open_forge_for(options, repository, lane_name) as forge:
        proposal = forge.proposal(number)
    told: list[dict[str, str | None]] = []
    with open_lane(options, lane_name or proposal.lane) as context:
        limits = Limits.of(context.lane.agents)
        for one in open_tasks(context, proposal, datetime.now(UTC)):
            task, where = one.task, {"path": json_path(one.path), "about": one.about, "kind": one.kind}
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
            where = row["file"] or f"for people: {row['why']}"
            say(f"{one_line(str(row['about']))} ({row['kind']}): {where}")
        if not told:
            say(f"proposal {number} has no open conflict, and no failure that is known for the sync's own")
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

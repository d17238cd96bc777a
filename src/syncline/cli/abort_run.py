"""What `syncline abort` does."""

from syncline.cli.options import Common
from syncline.cli.output import print_writes, writes_as_json
from syncline.cli.session import open_dry_run, open_lane
from syncline.cli.text import print_json, say
from syncline.lane.abort import abort
from syncline.lane.lock import hold_lane


def run(options: Common, lane_name: str | None, because: str, *, wait: float, dry_run: bool) -> int:
    """End the lane's open run, print what was done, and return the exit code."""
    if dry_run:
        return _run_dry(options, lane_name, because)
    with (
        open_lane(options, lane_name) as opened,
        hold_lane(opened.repository.state_dir, opened.lane.name, wait=wait),
    ):
        done = abort(opened, because)
    if options.as_json:
        print_json({"lane": opened.lane.name, "done": done})
    else:
        say("\n".join(done) if done else "nothing to abort")
    return 0


def _run_dry(options: Common, lane_name: str | None, because: str) -> int:
    with open_dry_run(options, lane_name) as dry:
        abort(dry.context, because)
        writes = dry.writes()
    if options.as_json:
        print_json({"lane": dry.context.lane.name, **writes_as_json(writes)})
    else:
        print_writes(writes)
    return 0

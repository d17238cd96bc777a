"""What `syncline triage PROPOSAL` does."""

import sys
from threading import Event

from syncline.checks.triage.report import Report, as_json
from syncline.cli.options import Common
from syncline.cli.session import open_forge_for, open_forge_of, read_config
from syncline.cli.text import print_json
from syncline.cli.triage_show import show
from syncline.config.models import Config, Lane
from syncline.forge.protocol import Proposal
from syncline.git import Repository
from syncline.lane.context import LaneContext
from syncline.lane.triage.on_parents import Running
from syncline.lane.triage.triage import triage_proposal


def run(options: Common, number: int, lane_name: str | None, *, run_parents: bool) -> int:
    """Print why a proposal's checks are red; 0 only when none is."""
    with Repository.open(options.directory) as repository:
        with open_forge_for(options, repository, lane_name) as forge:
            proposal = forge.proposal(number)
        lane = _lane(read_config(options, repository), lane_name, proposal)
        with open_forge_of(repository, lane) as forge:
            running = None
            if run_parents or lane.triage.run_parents:
                running = Running(lane.triage.run_parents_for, _tell, Event())
            report = triage_proposal(LaneContext.of(repository, lane, forge), proposal, running=running)
    if options.as_json:
        print_json({"lane": lane.name, "proposal": number, **as_json(report)})
    else:
        show(report, f"proposal {number}")
    return 1 if _red(report) else 0


def _red(report: Report) -> bool:
    return any(row.merge != "success" for row in report.rows)


def _lane(config: Config, lane_name: str | None, proposal: Proposal) -> Lane:
    """Return the lane a proposal belongs to: the named one, its own, or the only one."""
    return config.lane(lane_name or (proposal.lane if proposal.lane in config.lanes else None))


def _tell(words: str) -> None:
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()

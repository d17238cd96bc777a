"""What `syncline gate` does."""

from syncline.checks.model import Rollup, is_commit_id
from syncline.cli.options import Common
from syncline.cli.output import verdict_as_json
from syncline.cli.session import open_forge_for, open_forge_of, read_config
from syncline.cli.text import print_json, say
from syncline.config.models import Config, Lane
from syncline.forge.protocol import Forge, Proposal
from syncline.git import Repository
from syncline.git.refs import resolve_commit
from syncline.lane.verdict import verdict_of


def run(options: Common, subject: str, lane_name: str | None) -> int:
    """Print the verdict; 0 only when it is green."""
    with Repository.open(options.directory) as repository, open_forge_for(options, repository, lane_name) as forge:
        config = read_config(options, repository)
        proposal = _proposal(forge, subject)
        lane = _lane(config, lane_name, proposal)
        sha = proposal.head_sha if proposal is not None else _commit(repository, forge, subject)
        verdict = verdict_of(lane, _rollup(repository, forge, lane, proposal, sha), sha)
    if options.as_json:
        print_json(verdict_as_json(verdict) | {"lane": lane.name})
    else:
        say(f"{verdict.state.value}: {sha}")
        for line in verdict.explain():
            say(f"  {line}")
    return 0 if verdict.green else 1


def _proposal(forge: Forge, subject: str) -> Proposal | None:
    """Return the proposal of a number, whoever made it; digits alone are one, but for a long commit id."""
    # No abbreviated commit id is taken for a proposal: numbers are short.
    return forge.proposal(int(subject)) if subject.isdecimal() and len(subject) < 7 else None


def _lane(config: Config, lane_name: str | None, proposal: Proposal | None) -> Lane:
    """Return the lane whose gate judges: the named one, the proposal's, or the only one."""
    known = proposal is not None and proposal.lane in config.lanes
    return config.lane(lane_name or (proposal.lane if proposal is not None and known else None))


def _commit(repository: Repository, forge: Forge, subject: str) -> str:
    # A commit that others pushed to a forge elsewhere need not be here.
    if forge.name != "local" and is_commit_id(subject):
        return subject
    return resolve_commit(repository, subject)


def _rollup(repository: Repository, forge: Forge, lane: Lane, proposal: Proposal | None, sha: str) -> Rollup:
    """Return the results, with what the branch requires that the proposal goes to."""
    if forge.name == "local" or proposal is None or proposal.target == lane.target:
        return forge.rollup(sha)
    with open_forge_of(repository, lane, target=proposal.target) as other:
        return other.rollup(sha)

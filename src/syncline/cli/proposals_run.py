"""What `syncline proposals` lists."""

from syncline.cli.options import Common
from syncline.cli.session import find_config, one_of_each_forge, open_forge, open_forge_of, read_config
from syncline.forge.protocol import Proposal, ProposalState
from syncline.git import Repository


def find(options: Common, lane_name: str | None, *, everything: bool) -> list[Proposal]:
    """Return the proposals of a lane, or of all lanes' forges; without `everything` only the open ones."""
    state = None if everything else ProposalState.OPEN
    with Repository.open(options.directory) as repository:
        if find_config(options, repository) is None:
            with open_forge(repository) as forge:
                return list(forge.proposals(lane_name, state=state))
        config = read_config(options, repository)
        if lane_name is not None and lane_name in config.lanes:
            lanes = [config.lanes[lane_name]]
        else:
            lanes = one_of_each_forge(repository, config)
        found: list[Proposal] = []
        for lane in lanes:
            with open_forge_of(repository, lane) as forge:
                found += forge.proposals(lane_name, state=state)
        return found

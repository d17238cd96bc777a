"""`syncline proposals`: the proposals of all lanes, wherever they live."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def proposals(
    context: typer.Context,
    lane: Annotated[str | None, typer.Option("--lane", help="Only this lane's.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Ended ones too.")] = False,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """List open proposals."""
    from syncline.cli.output import proposal_as_json  # noqa: PLC0415 - keeps --help fast
    from syncline.cli.proposals_run import find  # noqa: PLC0415
    from syncline.cli.text import print_json, say  # noqa: PLC0415
    from syncline.forge.protocol import ProposalState  # noqa: PLC0415

    options = common(context, directory, config, as_json=as_json)
    found = find(options, lane, everything=everything)
    if options.as_json:
        print_json({"proposals": [proposal_as_json(proposal) for proposal in found]})
        return
    for proposal in found:
        state = "draft" if proposal.draft and proposal.state is ProposalState.OPEN else proposal.state.value
        if state == "open":
            state = "ready"
        say(f"{proposal.number:>4}  {state:<10}  {proposal.lane}  {proposal.branch}  {proposal.title}")
    if not found:
        say("no open proposals" if not everything else "no proposals")

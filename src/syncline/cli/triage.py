"""`syncline triage PROPOSAL`: why checks are red, and whose doing it is."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def triage(
    context: typer.Context,
    proposal: Annotated[int, typer.Argument(metavar="PROPOSAL", min=1, help="A proposal's number.")],
    lane: Annotated[str | None, typer.Option("--lane", help="The lane the proposal belongs to.")] = None,
    run_parents: Annotated[
        bool,
        typer.Option("--run-parents", help="Run red checks on both parents too, where this machine runs them."),
    ] = False,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Tell why checks are red: each fault once, with its cause, how sure that is, and the evidence.

    Exit 0 when nothing is red, 1 when something is, 2 when that could not be found out.
    """
    from syncline.cli.triage_proposal_run import run  # noqa: PLC0415 - keeps --help fast

    options = common(context, directory, config, as_json=as_json)
    raise typer.Exit(run(options, proposal, lane, run_parents=run_parents))

"""`syncline abort [LANE]`: end the open run."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, DryRunFlag, JsonOutput, LaneName, RepositoryDir, WaitSeconds, common


def abort(
    context: typer.Context,
    lane: LaneName = None,
    because: Annotated[str, typer.Option("--because", help="Said on the proposal.")] = "somebody asked for it",
    dry_run: DryRunFlag = False,
    wait: WaitSeconds = 0,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Close the lane's open proposal and drop its run. Branches that hold commits by people stay."""
    from syncline.cli.abort_run import run  # noqa: PLC0415 - keeps --help fast

    options = common(context, directory, config, as_json=as_json)
    raise typer.Exit(run(options, lane, because, wait=wait, dry_run=dry_run))

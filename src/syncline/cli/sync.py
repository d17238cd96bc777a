"""`syncline sync [LANE]`: the main job."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, DryRunFlag, JsonOutput, LaneName, RepositoryDir, WaitSeconds, common


def sync(
    context: typer.Context,
    lane: LaneName = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Begin a new run; the open proposal is superseded.")
    ] = False,
    retry: Annotated[
        bool, typer.Option("--retry", help="Run failed checks of the present head again, once.")
    ] = False,
    dry_run: DryRunFlag = False,
    wait: WaitSeconds = 0,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Take a lane from plan to a proposal that is ready, or as far as it goes without people."""
    from syncline.cli.sync_run import Asked, run  # noqa: PLC0415 - keeps --help fast

    options = common(context, directory, config, as_json=as_json)
    asked = Asked(restart=restart, retry=retry, once=False, dry_run=dry_run)
    raise typer.Exit(run(options, lane, asked, wait=wait))

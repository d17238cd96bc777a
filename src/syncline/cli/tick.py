"""`syncline tick [LANE]`: one step of a sync."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, DryRunFlag, JsonOutput, LaneName, RepositoryDir, WaitSeconds, common


def tick(
    context: typer.Context,
    lane: LaneName = None,
    restart: Annotated[bool, typer.Option("--restart", help="Step towards a new run.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Queue failed checks again.")] = False,
    dry_run: DryRunFlag = False,
    wait: WaitSeconds = 0,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Look at a lane, decide on one action, do it. Safe to run at any time and as often as you like."""
    from syncline.cli.sync_run import Asked, run  # noqa: PLC0415 - keeps --help fast

    options = common(context, directory, config, as_json=as_json)
    asked = Asked(restart=restart, retry=retry, once=True, dry_run=dry_run)
    raise typer.Exit(run(options, lane, asked, wait=wait))

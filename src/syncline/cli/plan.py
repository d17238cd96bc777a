"""`syncline plan [LANE]`: what the next sync would import."""

import typer

from syncline.cli.options import ConfigFile, JsonOutput, LaneName, RepositoryDir, common


def plan(
    context: typer.Context,
    lane: LaneName = None,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Show ahead and behind, the slice, the conflicts to expect and who stands behind them. Changes nothing."""
    from syncline.cli.plan_run import run  # noqa: PLC0415 - keeps --help fast

    raise typer.Exit(run(common(context, directory, config, as_json=as_json), lane))

"""`syncline status`: where every lane stands."""

import typer

from syncline.cli.options import ConfigFile, JsonOutput, LaneName, RepositoryDir, common


def status(
    context: typer.Context,
    lane: LaneName = None,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Say where every lane stands and what its next step would be. Changes nothing."""
    from syncline.cli.status_run import run  # noqa: PLC0415 - keeps --help fast

    raise typer.Exit(run(common(context, directory, config, as_json=as_json), lane))

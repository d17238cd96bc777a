"""`syncline waive ID --because WHY`: let a finding pass."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def waive(
    context: typer.Context,
    finding: Annotated[str, typer.Argument(metavar="ID", help="The finding's id, as `audit` shows it.")],
    because: Annotated[str, typer.Option("--because", metavar="WHY", help="Why it may pass, in a line.")],
    merge: Annotated[
        str | None,
        typer.Option(
            "--merge", metavar="REV", help="The merge it is from; default: HEAD, or an open proposal's branch."
        ),
    ] = None,
    lane: Annotated[str | None, typer.Option("--lane", help="The lane that lets it pass.")] = None,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Let a finding of the audit pass, for as long as its code stays the same: written into syncline.toml."""
    from syncline.cli.waive_run import run  # noqa: PLC0415 - keeps --help fast

    options = common(context, directory, config, as_json=as_json)
    raise typer.Exit(run(options, finding=finding, because=because, merge=merge, lane_name=lane))

"""`syncline show NUMBER`: one proposal."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def show(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help="The proposal's number.")],
    log: Annotated[str | None, typer.Option("--log", metavar="CHECK", help="Print the log of this check.")] = None,
    lane: Annotated[str | None, typer.Option("--lane", help="At this lane's forge.")] = None,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Show a proposal: state, checks, body, comments; or the log of one of its checks."""
    from syncline.cli.show_run import run  # noqa: PLC0415 - keeps --help fast

    raise typer.Exit(run(common(context, directory, config, as_json=as_json), number, log, lane))

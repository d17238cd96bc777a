"""`syncline show NUMBER`: one proposal."""

from pathlib import Path
from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def show(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help="The proposal's number.")],
    log: Annotated[str | None, typer.Option("--log", metavar="CHECK", help="Print the log of this check.")] = None,
    tasks: Annotated[
        Path | None,
        typer.Option(
            "--tasks", metavar="DIR", help="Write the task of each open conflict (else: failure) to DIR."
        ),
    ] = None,
    lane: Annotated[str | None, typer.Option("--lane", help="At this lane's forge.")] = None,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Show a proposal: state, checks, body, comments; the log of one of its checks; or write its open tasks."""
    options = common(context, directory, config, as_json=as_json)
    if tasks is not None:
        from syncline.cli import show_tasks  # noqa: PLC0415 - keeps --help fast

        if log is not None:
            raise typer.BadParameter("--log and --tasks were both given", param_hint="'--tasks'")
        raise typer.Exit(show_tasks.run(options, number, lane, tasks))
    from syncline.cli.show_run import run  # noqa: PLC0415 - keeps --help fast

    raise typer.Exit(run(options, number, log, lane))

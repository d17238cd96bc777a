"""`syncline gate PROPOSAL|SHA`: the verdict and what it waits for."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def gate(
    context: typer.Context,
    subject: Annotated[str, typer.Argument(metavar="PROPOSAL|SHA", help="A proposal's number, or a commit.")],
    lane: Annotated[str | None, typer.Option("--lane", help="Judge by this lane's gate.")] = None,
    post: Annotated[
        bool, typer.Option("--post", help="Show the verdict on GitHub too: the commit's check syncline/gate.")
    ] = False,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Judge the checks of a proposal's head or of a commit.

    Exit 0 only when the gate is green, 1 when it waits or is red, 2 when that could not be found out.
    """
    from syncline.cli.gate_run import run  # noqa: PLC0415 - keeps --help fast

    raise typer.Exit(run(common(context, directory, config, as_json=as_json), subject, lane, post=post))

"""`syncline demo [DIR]`: a whole sync on a small repository."""

from pathlib import Path
from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def demo(
    context: typer.Context,
    place: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Where to build it; default: a new temporary directory.")
    ] = None,
    agent: Annotated[
        bool, typer.Option("--agent", help="A scripted agent settles what is open, in the place of an engineer.")
    ] = False,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Build a realistic diverged repository and take a sync from plan to ready on the local forge."""
    from syncline.cli.demo_run import run  # noqa: PLC0415 - keeps --help fast

    raise typer.Exit(run(common(context, directory, config, as_json=as_json), place, agent=agent))

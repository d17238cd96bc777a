"""`syncline init`: look at the repository and write a commented `syncline.toml`."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def init(
    context: typer.Context,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="BRANCH", help="The branch commits come from; default: guessed."),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", metavar="BRANCH", help="The branch they go to; default: guessed.")
    ] = None,
    remote: Annotated[
        str | None,
        typer.Option(
            "--remote", metavar="NAME", help='The remote where both live; "." for branches of this repository.'
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file that is there.")] = False,
    print_only: Annotated[bool, typer.Option("--print", help="Print the file, write nothing.")] = False,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Look at the repository and write a commented syncline.toml: the lane, and rules for files found."""
    from syncline.cli.init_run import run  # noqa: PLC0415 - keeps --help fast

    options = common(context, directory, config, as_json=as_json)
    raise typer.Exit(run(options, source=source, target=target, remote=remote, force=force, print_only=print_only))

"""`syncline init`: look at the repository and write a commented `syncline.toml`, and a workflow for GitHub."""

from enum import StrEnum
from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


class ForgeName(StrEnum):
    """Where proposals and checks live."""

    LOCAL = "local"
    GITHUB = "github"


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
    forge: Annotated[
        ForgeName,
        typer.Option(
            "--forge",
            help="Where proposals live. github: also write .github/workflows/syncline.yml, which syncs every"
            " night; beside a syncline.toml that is there already, only that.",
        ),
    ] = ForgeName.LOCAL,
    force: Annotated[bool, typer.Option("--force", help="Replace the syncline.toml that is there.")] = False,
    print_only: Annotated[
        bool, typer.Option("--print", help="Print what would be written, write nothing.")
    ] = False,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Look at the repository and write a commented syncline.toml: the lane, and rules for files found."""
    from syncline.cli.init_run import Wish, run  # noqa: PLC0415 - keeps --help fast

    options = common(context, directory, config, as_json=as_json)
    wish = Wish(source, target, remote)
    raise typer.Exit(run(options, wish, github=forge is ForgeName.GITHUB, force=force, print_only=print_only))

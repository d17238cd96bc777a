"""`syncline verify [MERGE]`: the hard invariants of a merge commit."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def verify(
    context: typer.Context,
    merge: Annotated[str, typer.Argument(help="A merge commit, or a branch that has one below its tip.")] = "HEAD",
    lane: Annotated[str | None, typer.Option("--lane", help="Verify what this lane's policy promises.")] = None,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Look at the hard invariants: protected paths, coupled files, topology, signature, markers, compiling."""
    from syncline.cli.verify_run import run  # noqa: PLC0415 - keeps --help fast

    raise typer.Exit(run(common(context, directory, config, as_json=as_json), merge, lane))

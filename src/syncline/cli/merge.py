"""`syncline merge OURS THEIRS`: merge in memory and say what became of every path."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def merge(
    context: typer.Context,
    ours: Annotated[str, typer.Argument(help="The target side: a branch, tag or commit.")],
    theirs: Annotated[str, typer.Argument(help="The source side.")],
    lane: Annotated[str | None, typer.Option("--lane", help="Merge under this lane's policy.")] = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Show what evidence says of open conflicts; implied by --lane.")
    ] = False,
    commit: Annotated[bool, typer.Option("--commit", help="Write the merge commit; no branch moves.")] = False,
    message: Annotated[str | None, typer.Option("-m", "--message", help="The message of --commit.")] = None,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Merge two commits in memory: tree, decisions, what is unresolved. Touches no ref and no work tree."""
    from syncline.cli.merge_run import run  # noqa: PLC0415 - keeps --help fast

    options = common(context, directory, config, as_json=as_json)
    raise typer.Exit(run(options, ours, theirs, lane_name=lane, evidence=evidence, commit=commit, message=message))

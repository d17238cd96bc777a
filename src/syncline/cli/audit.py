"""`syncline audit [MERGE]`: what a merge dropped, broke or made up."""

from enum import StrEnum
from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


class Format(StrEnum):
    """How the result is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    SARIF = "sarif"
    HTML = "html"


def audit(
    context: typer.Context,
    merge: Annotated[
        str | None,
        typer.Argument(help="A merge commit, or a sync's branch that has one below its tip; default: HEAD."),
    ] = None,
    ours: Annotated[
        str | None, typer.Option("--ours", metavar="REV", help="The target side, instead of MERGE.")
    ] = None,
    theirs: Annotated[str | None, typer.Option("--theirs", metavar="REV", help="The source side.")] = None,
    merged: Annotated[
        str | None, typer.Option("--merged", metavar="REV", help="What was made of them: a commit or a tree.")
    ] = None,
    lane: Annotated[str | None, typer.Option("--lane", help="Audit by this lane's policy.")] = None,
    only: Annotated[str | None, typer.Option("--only", metavar="NAME,...", help="Run only these audits.")] = None,
    output: Annotated[Format, typer.Option("--format", help="How the result is written.")] = Format.TEXT,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="All evidence, whole texts, what is waived and why.")
    ] = False,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Look at what a merge dropped, broke or made up, whoever made it. Changes nothing."""
    from syncline.cli.audit_run import Request, run  # noqa: PLC0415 - keeps --help fast

    names = tuple(name.strip() for name in only.split(",") if name.strip()) if only is not None else None
    request = Request(merge, ours, theirs, merged, lane, names, output, verbose)
    raise typer.Exit(run(common(context, directory, config, as_json=as_json), request))

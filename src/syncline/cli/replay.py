"""`syncline replay`: merge past merges again and score the answers against what people committed."""

import math
from pathlib import Path
from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def replay(
    context: typer.Context,
    last: Annotated[
        int | None, typer.Option("--last", metavar="N", min=1, help="The newest N merges of the target branch.")
    ] = None,
    dataset: Annotated[
        list[Path] | None, typer.Option("--dataset", metavar="FILE", help="Merges listed in a file; repeatable.")
    ] = None,
    revision: Annotated[
        str, typer.Option("--branch", metavar="REV", help="Whose merges --last takes; default: HEAD.")
    ] = "HEAD",
    lane: Annotated[
        str | None, typer.Option("--lane", help="Put this lane's path rules and coupled sets in force.")
    ] = None,
    precision: Annotated[
        float,
        typer.Option("--precision", metavar="P", min=0.5, max=0.999, help="How often answers are to be right."),
    ] = 0.95,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=64, help="Processes that merge.")] = 1,
    history: Annotated[
        bool, typer.Option("--history/--no-history", help="Seek evidence in both sides' commits, too.")
    ] = True,
    weights: Annotated[
        Path | None, typer.Option("--weights", metavar="FILE", help="Instead of the shipped weights.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="DIR", help="Write the pages to this directory.")
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", metavar="CMD", help="Ask this command (or, with --lane, this agent of it) about the rest."
        ),
    ] = None,
    agent_most: Annotated[
        int, typer.Option("--agent-most", metavar="N", min=1, help="Questions asked of --agent at most.")
    ] = 20,
    attempts: Annotated[
        list[str] | None,
        typer.Option(
            "--attempts", metavar="PATTERN", help="Branches on which syncs were attempted before; repeatable."
        ),
    ] = None,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Replay past merges: what syncline would have settled, and how often people did the same."""
    from syncline.cli.replay_run import Request, run  # noqa: PLC0415 - keeps --help fast

    if math.isnan(precision):  # lies within any bounds
        raise typer.BadParameter("nan is no number", param_hint="'--precision'")
    options = common(context, directory, config, as_json=as_json)
    request = Request(
        last,
        tuple(dataset or ()),
        revision,
        lane,
        precision,
        jobs,
        history,
        weights,
        html,
        agent,
        agent_most,
        tuple(attempts or ()),
    )
    raise typer.Exit(run(options, request))

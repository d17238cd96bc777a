"""`syncline learn [LANE]`: what a lane's past syncs teach."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, LaneName, RepositoryDir, common


def learn(
    context: typer.Context,
    lane: LaneName = None,
    last: Annotated[
        int, typer.Option("--last", metavar="N", min=1, help="Learn from the newest N syncs of the lane.")
    ] = 100,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=64, help="Processes that merge.")] = 1,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Only list the resolutions that are recorded; learn nothing.")
    ] = False,
    forget: Annotated[
        list[str] | None,
        typer.Option("--forget", metavar="SHA", help="Never learn from this merge (any more); repeatable."),
    ] = None,
    remember: Annotated[
        list[str] | None, typer.Option("--remember", metavar="SHA", help="Take a --forget back; repeatable.")
    ] = None,
    anew: Annotated[
        bool,
        typer.Option("--anew", help="Go on though a damaged record does not tell what was revoked in it."),
    ] = False,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Replay a lane's past syncs: how sure is sure enough there, and which path rules they speak for."""
    from syncline.cli.learn_run import Request, run  # noqa: PLC0415 - keeps --help fast

    options = common(context, directory, config, as_json=as_json)
    request = Request(lane, last, jobs, recorded, tuple(forget or ()), tuple(remember or ()), anew)
    raise typer.Exit(run(options, request))

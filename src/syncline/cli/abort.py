"""`syncline abort [LANE]`: end the open run."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, LaneName, RepositoryDir, WaitSeconds, common


def abort(
    context: typer.Context,
    lane: LaneName = None,
    because: Annotated[str, typer.Option("--because", help="Said on the proposal.")] = "somebody asked for it",
    wait: WaitSeconds = 0,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Close the lane's open proposal and drop its run. Branches that hold commits by people stay."""
    from syncline.cli.session import open_lane  # noqa: PLC0415
    from syncline.cli.text import print_json, say  # noqa: PLC0415 - keeps --help fast
    from syncline.lane.abort import abort as end_run  # noqa: PLC0415
    from syncline.lane.lock import hold_lane  # noqa: PLC0415

    options = common(context, directory, config, as_json=as_json)
    with open_lane(options, lane) as opened, hold_lane(opened.repository.state_dir, opened.lane.name, wait=wait):
        done = end_run(opened, because)
    if options.as_json:
        print_json({"lane": opened.lane.name, "done": done})
    else:
        say("\n".join(done) if done else "nothing to abort")

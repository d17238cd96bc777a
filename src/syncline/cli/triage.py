"""`syncline triage PROPOSAL|--log FILE...`: why checks are red, and whose doing it is."""

from typing import Annotated

import typer

from syncline.cli.options import ConfigFile, JsonOutput, RepositoryDir, common


def triage(
    context: typer.Context,
    subjects: Annotated[
        list[str], typer.Argument(metavar="PROPOSAL|FILE...", help="A proposal's number; after --log: more logs.")
    ] = [],  # noqa: B006 - typer copies it
    logs: Annotated[
        list[str],
        typer.Option(
            "--log",
            metavar="FILE",
            help="Read logs instead: text, .gz, a .zip of logs, a directory, - for stdin. Needs no repository.",
        ),
    ] = [],  # noqa: B006
    lane: Annotated[str | None, typer.Option("--lane", help="The lane the proposal belongs to.")] = None,
    run_parents: Annotated[
        bool,
        typer.Option("--run-parents", help="Run red checks on both parents too, where this machine runs them."),
    ] = False,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
) -> None:
    """Tell why checks are red: each fault once, with its cause, how sure that is, and the evidence.

    Exit 0 when nothing is red, 1 when something is, 2 when that could not be found out.
    """
    options = common(context, directory, config, as_json=as_json)
    if logs:
        from syncline.cli.triage_logs_run import run as run_logs  # noqa: PLC0415 - keeps --help fast

        raise typer.Exit(run_logs(options, [*logs, *subjects]))
    from syncline.cli.triage_proposal_run import run  # noqa: PLC0415

    raise typer.Exit(run(options, _proposal(subjects), lane, run_parents=run_parents))


def _proposal(subjects: list[str]) -> int:
    """Return the number of the one proposal that is named."""
    if len(subjects) == 1 and subjects[0].isascii() and subjects[0].isdecimal() and int(subjects[0][:18]) > 0:
        return int(subjects[0][:18])
    found = " ".join(subjects) or "nothing"
    raise typer.BadParameter(
        f"wanted the number of a proposal, or --log FILE; found {found}", param_hint="PROPOSAL|FILE..."
    )

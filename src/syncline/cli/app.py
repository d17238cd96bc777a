"""The command line: one application, its commands in the order people need them."""

import typer

from syncline.cli import (
    abort,
    audit,
    demo,
    gate,
    init,
    learn,
    merge,
    plan,
    proposals,
    replay,
    show,
    status,
    sync,
    tick,
    triage,
    verify,
    waive,
)
from syncline.cli.options import ConfigFile, Globals, JsonOutput, RepositoryDir

app = typer.Typer(
    name="syncline",
    help="Keep a long-lived branch in step with another one.",
    no_args_is_help=True,
    add_completion=False,
    # Plain help: rich would double the time `--help` takes.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(value: bool) -> None:
    if value:
        from syncline import __version__  # noqa: PLC0415

        typer.echo(f"syncline {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    directory: RepositoryDir = None,
    config: ConfigFile = None,
    as_json: JsonOutput = False,
    _version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Keep a long-lived branch in step with another one."""
    context.obj = Globals(directory, config, as_json)


app.command("demo")(demo.demo)
app.command("init")(init.init)
app.command("plan")(plan.plan)
app.command("merge")(merge.merge)
app.command("sync")(sync.sync)
app.command("tick")(tick.tick)
app.command("status")(status.status)
app.command("abort")(abort.abort)
app.command("proposals")(proposals.proposals)
app.command("show")(show.show)
app.command("gate")(gate.gate)
app.command("triage")(triage.triage)
app.command("audit")(audit.audit)
app.command("waive")(waive.waive)
app.command("verify")(verify.verify)
app.command("replay")(replay.replay)
app.command("learn")(learn.learn)

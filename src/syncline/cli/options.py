"""Options that every command takes, before or after the command's name; what is said after it wins."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

RepositoryDir = Annotated[
    Path | None, typer.Option("-C", metavar="DIR", help="The repository; default: the current directory.")
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Instead of the repository's syncline.toml.")
]
JsonOutput = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, nothing else.")]
LaneName = Annotated[
    str | None, typer.Argument(metavar="[LANE]", help="The lane; may be left out when there is one.")
]
WaitSeconds = Annotated[
    float, typer.Option("--wait", metavar="SECONDS", min=0, help="Wait so long for another syncline on this lane.")
]
DryRunFlag = Annotated[
    bool, typer.Option("--dry-run", help="Print every write instead of doing it; change nothing anywhere.")
]


@dataclass(frozen=True, slots=True)
class Globals:
    """What was said before the command's name."""

    directory: Path | None
    config: Path | None
    as_json: bool


@dataclass(frozen=True, slots=True)
class Common:
    """What holds for this command."""

    directory: Path
    config: Path | None
    as_json: bool


def common(context: typer.Context, directory: Path | None, config: Path | None, *, as_json: bool) -> Common:
    """Join what was said before and after the command's name."""
    before: Globals = context.obj
    return Common(directory or before.directory or Path(), config or before.config, as_json or before.as_json)

"""Opening what a command works on: repository, configuration, lane, forge."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from syncline.cli.options import Common
from syncline.config.find import find
from syncline.errors import ConfigError
from syncline.git import Repository

if TYPE_CHECKING:
    from syncline.config.models import Config, Lane
    from syncline.forge.github.settings import GitHubSettings
    from syncline.forge.local.forge import LocalForge
    from syncline.forge.protocol import Forge
    from syncline.lane.context import LaneContext
    from syncline.lane.dry_run import DryRun


def read_config(options: Common, repository: Repository) -> "Config":
    """Return the configuration that holds for a repository.

    Raises:
        ConfigError: there is none, or it says what it must not.
    """
    # They import the models, which not every command needs.
    from syncline.config.load import load  # noqa: PLC0415
    from syncline.config.own_file import protect_own_file  # noqa: PLC0415

    path = find(explicit=options.config, work_tree=repository.work_tree, git_dir=repository.common_dir)
    return protect_own_file(load(path), path, repository.work_tree)


def find_config(options: Common, repository: Repository) -> Path | None:
    """Return where the configuration is; None when none was named and there is none.

    Raises:
        ConfigError: one was named that is not there.
    """
    try:
        return find(explicit=options.config, work_tree=repository.work_tree, git_dir=repository.common_dir)
    except ConfigError:
        if options.config is not None:
            raise
        return None


def optional_lane(options: Common, repository: Repository, name: str | None) -> "Lane | None":
    """Return the lane where a configuration was named, or is there; None without any.

    Raises:
        ConfigError: there is one, but no such lane; several lanes and none was named.
    """
    path = find_config(options, repository)
    if path is None and name is None:
        return None
    return read_config(options, repository).lane(name)


@contextmanager
def open_forge(repository: Repository) -> "Generator[LocalForge]":
    """Yield the embedded forge of a repository."""
    from syncline.forge.local.forge import LocalForge  # noqa: PLC0415 - not every command has one

    with LocalForge(repository.state_dir, str(repository.common_dir)) as forge:
        yield forge


@contextmanager
def open_forge_of(
    repository: Repository, lane: "Lane", *, target: str | None = None, writes: bool = True
) -> "Generator[Forge]":
    """Yield the forge a lane's proposals live at; pauses and what could not be done are told on stderr.

    Args:
        repository: where.
        lane: of the forge.
        target: the branch whose rules say what is required; None: the lane's.
        writes: whether anything may be changed at GitHub.

    Raises:
        ConfigError: it is GitHub, and neither the lane nor its remote says which repository.
        ForgeError: there is no token.
    """
    if lane.forge == "local":
        with open_forge(repository) as forge:
            yield forge
        return
    # They import an HTTP client, which other lanes do not need.
    from syncline.forge.github.client import Client  # noqa: PLC0415
    from syncline.forge.github.forge import GitHubForge  # noqa: PLC0415
    from syncline.forge.landing import By  # noqa: PLC0415

    settings = _github_settings(repository, lane)
    client = Client(
        settings, on_wait=lambda wait: _note(f"{wait.why}: waiting {wait.seconds:.0f} s"), writes=writes
    )
    land = By(lane.github.land) if lane.github is not None else By.PEOPLE
    with GitHubForge(client, {lane.name: target or lane.target}, tell=_note, land=land) as forge:
        yield forge


@contextmanager
def open_forge_for(options: Common, repository: Repository, lane_name: str | None) -> "Generator[Forge]":
    """Yield the forge at which a proposal's number is meant: the named lane's, or that of all lanes.

    Raises:
        ConfigError: no lane was named, and the lanes live at several forges.
    """
    if lane_name is None and find_config(options, repository) is None:
        with open_forge(repository) as forge:
            yield forge
        return
    config = read_config(options, repository)
    if lane_name is not None:
        lanes = [config.lane(lane_name)]
    else:
        lanes = one_of_each_forge(repository, config)
        if len(lanes) > 1:
            names = ", ".join(config.lanes)
            raise ConfigError(
                "proposals have the same numbers at several forges, and the lanes live at more than one",
                hint=f"name a lane with --lane: {names}",
            )
    with open_forge_of(repository, lanes[0]) as forge:
        yield forge


def one_of_each_forge(repository: Repository, config: "Config") -> "list[Lane]":
    """Return for each forge the lanes live at the first of its lanes."""
    found: dict[object, Lane] = {}
    for lane in config.lanes.values():
        place: object = lane.forge
        if lane.forge != "local":
            settings = _github_settings(repository, lane)
            place = (settings.api, settings.repository.casefold())
        found.setdefault(place, lane)
    return list(found.values())


def _note(words: str) -> None:
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()


def _github_settings(repository: Repository, lane: "Lane") -> "GitHubSettings":
    from syncline.config.models import GitHubTable  # noqa: PLC0415 - slow to import
    from syncline.forge.github.settings import AppSettings, make_settings  # noqa: PLC0415
    from syncline.git.remote_url import remote_url  # noqa: PLC0415

    table, remote = lane.github or GitHubTable(), lane.target_at
    assert remote is not None  # noqa: S101 - the configuration demands one
    app = None
    if table.app_id is not None:
        app = AppSettings(table.app_id, table.app_key_file or "", table.app_key_env or "", table.installation)
    return make_settings(
        repository=table.repository, api=table.api, remote=remote,
        remote_url=lambda: remote_url(repository, remote),
        token_env=table.token_env, app=app, reviewers=table.reviewers,
    )  # fmt: skip


@contextmanager
def open_lane(options: Common, name: str | None) -> "Generator[LaneContext]":
    """Yield the context of a lane; its processes and connections end with the block."""
    from syncline.lane.context import LaneContext  # noqa: PLC0415 - not every command steps a lane

    with Repository.open(options.directory) as repository:
        lane = read_config(options, repository).lane(name)
        with open_forge_of(repository, lane) as forge:
            yield LaneContext.of(repository, lane, forge)


@contextmanager
def open_dry_run(options: Common, name: str | None) -> "Generator[DryRun]":
    """Yield a lane on which nothing has an effect; in case of an error, what was told before is printed."""
    from syncline.cli.output import print_writes  # noqa: PLC0415 - only here
    from syncline.lane.dry_run import dry_run  # noqa: PLC0415

    with Repository.open(options.directory) as repository:
        lane = read_config(options, repository).lane(name)
        with open_forge_of(repository, lane, writes=False) as forge, dry_run(repository, lane, forge) as opened:
            try:
                yield opened
            except Exception:
                if not options.as_json:
                    print_writes(opened.writes())
                raise

"""The workflow file that `syncline init --forge github` writes beside the policy."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from syncline import __version__
from syncline.config.models import GitHubTable, Lane
from syncline.config.starter.places import remote_names
from syncline.config.starter.workflow import PLACE, Stepped, workflow_text
from syncline.config.starter.write import write_whole
from syncline.errors import ConfigError
from syncline.forge.github.settings import place_of
from syncline.git import Repository
from syncline.git.remote_url import remote_url

_PLAIN = re.compile(r"[\w./ -]+")


def github_remote(repository: Repository, wished: str | None) -> str:
    """Return the remote that is a GitHub repository: the wished one, else `origin`, else the only one there is.

    Raises:
        ConfigError: there is none, or several and none is called origin.
    """
    names = [wished] if wished is not None else remote_names(repository)
    found = [name for name in names if place_of(remote_url(repository, name) or "") is not None]
    if len(found) == 1:
        return found[0]
    if "origin" in found:
        return "origin"
    if found:
        raise ConfigError(
            f"several remotes are GitHub repositories by their URLs: {', '.join(found)}",
            hint="say with --remote NAME where the branches live",
        )
    what = f"the remote {wished!r} is no GitHub repository" if wished else "no remote is a GitHub repository"
    raise ConfigError(
        f"{what} by its URL, which must be like https://HOST/OWNER/NAME or git@HOST:OWNER/NAME",
        hint="git remote -v shows the URLs; git remote add NAME URL adds one",
    )


def workflow_place(repository: Repository) -> Path:
    """Return where the file goes, where nothing is yet.

    Raises:
        ConfigError: there is one, or there is no work tree, or a link leads out of it.
    """
    if repository.work_tree is None:
        raise ConfigError(
            f"a workflow file belongs into a work tree, and {repository.common_dir} has none",
            hint="run it in a clone with a work tree, or with --print",
        )
    path = repository.work_tree / PLACE
    if not path.parent.resolve().is_relative_to(repository.work_tree.resolve()):
        raise ConfigError(f"{path.parent} leads out of the repository by a link", hint="remove the link")
    for above in (path.parent.parent, path.parent):
        if os.path.lexists(above) and not above.is_dir():
            raise ConfigError(f"{above} is no directory, so no workflow can lie there", hint="move it away")
    if os.path.lexists(path):
        raise _exists(path)
    return path


def workflow_for(lanes: Iterable[Lane], repository: Repository, config: Path | None) -> str:
    """Return the text of the file for those of `lanes` that live at GitHub.

    Args:
        lanes: of the policy.
        repository: where the policy lies.
        config: the policy's file where it was named.

    Raises:
        ConfigError: none lives there; the policy lies where the workflow has no way to it.
    """
    stepped = [_stepped(lane) for lane in lanes if lane.forge == "github"]
    if not stepped:
        raise ConfigError(
            "no lane of the policy lives at GitHub, so a workflow has nothing to do",
            hint='write forge = "github" into a lane, or begin anew with --force',
        )
    return workflow_text(stepped, version=__version__, config=_from_top(repository, config))


def write_workflow(path: Path, text: str) -> None:
    """Write the file where there is none.

    Raises:
        ConfigError: there is one by now; or nothing can be written there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{path.parent} cannot be made: {error.strerror}") from None
    if os.path.lexists(path):
        raise _exists(path)
    write_whole(path, text, replace=False)


def _exists(path: Path) -> ConfigError:
    return ConfigError(
        f"there is a workflow already: {path}",
        hint="it is never replaced: --print shows what init would write; remove or rename it to have a new one",
    )


def _stepped(lane: Lane) -> Stepped:
    table = lane.github or GitHubTable()
    if table.app_key_file is not None:
        raise ConfigError(
            f"lane {lane.name!r} reads the key of its App from the file {table.app_key_file}, which no machine of"
            " GitHub's has",
            hint="put the key into a secret of the repository, and its name into app_key_env",
        )
    return Stepped(
        lane.name, lane.schedule, lane.time_zone, lane.identity is not None, table.gate_check, table.token_env,
        table.app_key_env,
    )  # fmt: skip


def _from_top(repository: Repository, config: Path | None) -> str | None:
    if config is None or repository.work_tree is None:
        return None
    path, top = config.resolve(), repository.work_tree.resolve()
    if not path.is_relative_to(top):
        raise ConfigError(
            f"{config} lies outside of the repository, where the workflow does not see it",
            hint=f"keep the policy in {top}",
        )
    name = path.relative_to(top).as_posix()
    if not _PLAIN.fullmatch(name):
        raise ConfigError(
            f"{config}: its name does not go into a workflow", hint="use letters, digits and . _ - /"
        )
    return name

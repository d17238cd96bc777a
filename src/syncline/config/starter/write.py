"""Putting the file where it belongs: whole or not at all, and over an existing one only when told so."""

import os
from pathlib import Path

from syncline.config.find import FILE_NAME, find
from syncline.errors import ConfigError
from syncline.git import Repository
from syncline.whole_file import write_new, written_beside


def destination(repository: Repository, explicit: Path | None) -> Path:
    """Return where the file goes: where it was said, else the top of the work tree, else the git directory."""
    return explicit if explicit is not None else (repository.work_tree or repository.common_dir) / FILE_NAME


def refuse_existing(repository: Repository, explicit: Path | None) -> None:
    """Refuse when there is a configuration that the new file would replace or hide.

    Raises:
        ConfigError: there is one; the message says where.
    """
    path = destination(repository, explicit)
    if os.path.lexists(path):
        raise _exists(path)
    if explicit is None:
        try:
            there = find(explicit=None, work_tree=repository.work_tree, git_dir=repository.common_dir)
        except ConfigError:
            return
        raise _exists(there)


def _exists(path: Path) -> ConfigError:
    return ConfigError(
        f"there is a configuration already: {path}",
        hint="--print shows what init would write; --force writes it all the same",
    )


def write_whole(path: Path, text: str, *, replace: bool) -> None:
    """Write a file atomically. A symbolic link at `path` is replaced, never followed.

    Raises:
        ConfigError: `path` exists and `replace` is not set; or nothing can be written there.
    """
    try:
        with written_beside(path, text.encode()) as beside:
            if replace:
                beside.replace(path)
            else:
                _link(beside, path)
    except FileExistsError:
        raise _exists(path) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(
            f"{path} cannot be written: {reason}", hint="name another place with --config FILE"
        ) from None


def _link(beside: Path, path: Path) -> None:
    """Give the file its name unless anything has it; renaming would replace that."""
    try:
        path.hardlink_to(beside)
    except FileExistsError:
        raise
    except OSError:  # no hard links on this file system: claim the name, then replace our own claim
        write_new(path, b"")
        beside.replace(path)

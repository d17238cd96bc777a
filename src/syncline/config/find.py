"""Where `syncline.toml` is. Imports nothing heavy: git can be at work before the models are loaded."""

from pathlib import Path

from syncline.config.file import not_a_file
from syncline.errors import ConfigError, SynclineError

FILE_NAME = "syncline.toml"
INIT_HINT = "`syncline init` writes a commented one"


def find(*, explicit: Path | None, work_tree: Path | None, git_dir: Path) -> Path:
    """Where the configuration is: the given file, else in the work tree, else in the git directory.

    Raises:
        ConfigError: it is at none of these places; the message lists them.
        SynclineError: what is there is no file. Not a ConfigError: to go on without any would be wrong.
    """
    if explicit is not None:
        if not _exists(explicit):
            raise ConfigError(f"there is no configuration file {explicit}", hint=INIT_HINT)
        return explicit
    places = [place / FILE_NAME for place in (work_tree, git_dir) if place is not None]
    for place in places:
        if _exists(place):
            return place
    raise ConfigError(f"there is no {FILE_NAME}; looked for {' and '.join(map(str, places))}", hint=INIT_HINT)


def _exists(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # a name no file system accepts, or a directory that may not be entered
        return False
    refused = not_a_file(path, mode)
    if refused is not None:
        raise SynclineError(refused[0], hint=refused[1])
    return True

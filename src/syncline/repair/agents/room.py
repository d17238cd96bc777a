"""The room: a directory that holds the files of one task and nothing else. No git directory, no credentials.

It lies apart from all other temporary directories of syncline, and is thrown away with what an agent put there.
"""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from syncline.git.scratch import Scratch
from syncline.programs.read_inside import NotTheFileError, read_inside
from syncline.repair.agents.agent import AgentError, Limits
from syncline.repair.agents.task import AgentTask


@contextmanager
def opened(task: AgentTask) -> Generator[Path]:
    """Yield a new room with the files of a task, as it has them merged; it is removed at the end.

    Raises:
        AgentError: a path cannot be made here.
    """
    scratch = Scratch.make()
    try:
        place = scratch.path / "room"
        place.mkdir()
        for file in task.files:
            if file.merged is not None:
                _put(place, file.path, file.merged)
        yield place
    finally:
        scratch.remove()


def _put(place: Path, path: bytes, content: bytes) -> None:
    # A tree may hold any name, though git itself would not check such a one out.
    if {b"", b".", b"..", b".git"} & {part.lower() for part in path.split(b"/")} or b"\0" in path:
        raise AgentError(f"its room cannot hold {_shown(path)}, which is no safe path")
    file = place / os.fsdecode(path)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    except OSError as error:
        raise AgentError(f"its room cannot hold {_shown(path)}: {error.strerror}") from error


def read_back(room: Path, task: AgentTask, limits: Limits) -> dict[bytes, bytes | None]:
    """Return what an agent left of each file of its task; None for one that is gone.

    Raises:
        AgentError: there is something else, or not a regular file where one was, or more bytes than allowed.
    """
    root = _open(room)
    try:
        _no_strangers(root, task)
        found: dict[bytes, bytes | None] = {}
        left = limits.bytes + sum(len(file.merged or b"") for file in task.files)
        for file in task.files:
            if not _is_there(root, file.path):
                found[file.path] = None
                continue
            try:
                content = read_inside(root, file.path, largest=left)
            except NotTheFileError as error:
                raise AgentError(f"it left {file.name} in a way that cannot be taken: it {error}") from error
            left -= len(content)
            found[file.path] = content
        return found
    finally:
        os.close(root)


def _open(room: Path) -> int:
    try:
        return os.open(room, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise AgentError("it put something else in place of its room") from error


def _is_there(root: int, path: bytes) -> bool:
    try:
        os.stat(path, dir_fd=root, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise AgentError(f"it left its room so that it cannot be read: {error.strerror}") from error
    return True


def _no_strangers(root: int, task: AgentTask) -> None:
    """Refuse whatever is neither a file of the task nor a directory on the way to one.

    Raises:
        AgentError: there is such a thing.
    """
    files = {file.path for file in task.files}
    above = {b"/".join(parts[:n]) for parts in (path.split(b"/") for path in files) for n in range(1, len(parts))}
    waiting = [b""]
    while waiting:
        here = waiting.pop()
        try:
            handle = os.open(here or b".", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=root)
        except OSError as error:
            raise AgentError(f"it left a directory that cannot be read: {error.strerror}") from error
        try:
            names = [os.fsencode(name) for name in os.listdir(handle)]  # noqa: PTH208 - of a handle
            for name in names:
                path = here + b"/" + name if here else name
                mode = os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode
                if path in above and stat.S_ISDIR(mode):
                    waiting.append(path)
                elif path in above and stat.S_ISLNK(mode):
                    raise AgentError(f"it put a symbolic link in place of the directory {_shown(path)}")
                elif path not in files:
                    raise AgentError(f"it left {_shown(path)} in its room, which is not of its task")
        finally:
            os.close(handle)


def _shown(path: bytes) -> str:
    return ascii(path[:200])[2:-1]

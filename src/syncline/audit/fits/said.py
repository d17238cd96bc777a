"""Runs one checker on one tree, and keeps what it said: the same files give the same answer."""

import hashlib
import json
import os
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from syncline.audit.fits.diagnostic import Diagnostic
from syncline.audit.fits.formats import UnreadableError, read
from syncline.audit.fits.room import Files, Room
from syncline.audit.fits.tool import BESIDE, TREE, Tool
from syncline.checks.model import Conclusion
from syncline.git import Repository
from syncline.programs.logfile import BoundedLog
from syncline.programs.read_inside import NotTheFileError, read_inside
from syncline.programs.sealed import run_sealed
from syncline.whole_file import written_beside

MOST_KEPT = 40
"""Answers that are kept, the newest ones."""
MOST_PRINTED = 128 * 1024 * 1024
"""Bytes of output beyond which a checker is stopped."""
_LOG = 256 * 1024
_REVISION = 1
"""Raised whenever the same output would be read in another way."""


class CheckerError(Exception):
    """A checker did not do its work on a tree; the words say why."""


class Answers:
    """Asks checkers, or the memory of what they said, about files of one repository. Made by `about`."""

    def __init__(self, repository: Repository, room: Room) -> None:
        self.repository = repository
        self._room = room
        """Where what is built in runs; it leaves nothing behind there."""

    @classmethod
    @contextmanager
    def about(cls, repository: Repository) -> Generator[Self]:
        """Yield one, with a directory to work in."""
        shelf = repository.state_dir / "cache" / "checker-room"
        with repository.temporary_directory("checkers") as aside, Room.kept(repository, shelf, aside) as room:
            yield cls(repository, room)

    def of(self, tool: Tool, files: Files) -> list[Diagnostic]:
        """Return what a checker says of a tree with these files, of the rules that count.

        Raises:
            CheckerError: it is missing, crashed, took too long, or printed what cannot be read.
            GitError: a blob is missing.
        """
        if not any(tool.reads(path) for path, _ in files):
            return []  # some take an empty tree for a mistake
        config = None if tool.config is None else tool.config([path for path, _ in files])
        key = _key(tool, files, config)
        known = self._recall(key)
        if known is None:
            known = self._run(tool, files, config)
            self._remember(key, known)
        return known

    def _run(self, tool: Tool, files: Files, config: tuple[str, str] | None) -> list[Diagnostic]:
        with self.repository.temporary_directory("checker") as aside:
            home, printed = aside / "home", aside / "printed"
            home.mkdir()
            # What people configured may leave anything behind.
            room = Room(self.repository, aside / "tree") if tool.needs_all else self._room
            place = room.holding(files)
            try:
                if config is not None:
                    (place / config[0]).write_text(config[1], encoding="utf-8")
                if tool.prepare is not None:
                    tool.prepare(place, [path for path, _ in files], place.with_name(BESIDE))
            except OSError as error:  # the tree has a directory where the configuration should be, for one
                raise CheckerError(f"what it needs cannot be written: {error.strerror}") from error
            variables = {"GIT_CEILING_DIRECTORIES": str(aside)}
            if tool.own_home:
                variables |= {"HOME": str(home)}
            with BoundedLog(aside / "log", limit=_LOG, head=0) as log:
                ended = run_sealed(
                    [word.replace(TREE, str(place)) for word in tool.command], place, tool.timeout, log,
                    variables=variables, output=printed, stop=lambda: _size(printed) > MOST_PRINTED,
                )  # fmt: skip
            if ended.conclusion is Conclusion.CANCELLED:
                raise CheckerError(f"printed more than {MOST_PRINTED >> 20} MiB")
            if ended.status is None or (tool.statuses is not None and ended.status not in tool.statuses):
                raise CheckerError(ended.summary)
            try:
                found = read(tool.form, _printed(printed), place)
            except UnreadableError as error:
                more = "" if ended.conclusion is Conclusion.SUCCESS else f" ({ended.summary})"
                raise CheckerError(f"{error}{more}") from error
        names = {path for path, _ in files}
        inside = [diagnostic for diagnostic in found if diagnostic.path in names]
        if not inside and (found or (ended.status and tool.statuses is None)):
            raise CheckerError(f"named no file of the tree: {ended.summary}".rstrip(": "))
        return [diagnostic for diagnostic in inside if tool.counts(diagnostic.rule)]

    # --- memory -----------------------------------------------------------------------------------------------

    @property
    def _shelf(self) -> Path:
        return self.repository.state_dir / "cache" / "checks"

    def _recall(self, key: str) -> list[Diagnostic] | None:
        """Return what was kept; None for nothing, and for what is damaged."""
        path = self._shelf / key
        try:
            rows = json.loads(zlib.decompress(path.read_bytes()))
            found = [Diagnostic(os.fsencode(row[0]), int(row[1]), str(row[2]), str(row[3])) for row in rows]
        except (OSError, zlib.error, ValueError, TypeError, LookupError, RecursionError):
            return None
        try:
            os.utime(path)  # so that what is asked for is not what goes
        except OSError:
            return found
        return found

    def _remember(self, key: str, found: list[Diagnostic]) -> None:
        """Keep an answer. A directory that cannot be written to only costs time."""
        rows = [(os.fsdecode(one.path), one.line, one.rule, one.message) for one in found]
        path = self._shelf / key
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with written_beside(path, zlib.compress(json.dumps(rows).encode(), 1)) as new:
                new.replace(path)
            kept = sorted(self._shelf.glob("[0-9a-f]*"), key=lambda one: one.stat().st_mtime, reverse=True)
            for old in kept[MOST_KEPT:]:
                old.unlink(missing_ok=True)
        except OSError:
            return


def _key(tool: Tool, files: Files, config: tuple[str, str] | None) -> str:
    told = repr((_REVISION, tool.name, tool.identity, tool.command, tool.form, config))
    digest = hashlib.sha256(told.encode("utf-8", "surrogateescape"))
    for path, entry in files:
        digest.update(b"%s %s %s\0" % (entry.mode.encode(), entry.oid.encode(), path))
    return digest.hexdigest()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # not begun


def _printed(file: Path) -> bytes:
    """Return what a checker printed, if its file is still one: it may have put something else in its place."""
    root = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return read_inside(root, os.fsencode(file.name), largest=MOST_PRINTED)
    except NotTheFileError as error:
        raise CheckerError(f"what it printed {error}") from error
    finally:
        os.close(root)

"""Merge drivers: programs that people configured to merge files, as they would for git (gitattributes, `merge`).

A driver is asked for each conflicted file it matches. It works on copies in a temporary directory, sealed like
formatters and checks, and what it makes of the file is only offered: the ladder weighs it like any other answer.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from syncline.checks.model import Conclusion
from syncline.config.models import Driver
from syncline.errors import ConfigError
from syncline.git import Repository
from syncline.merge.alignment import regions
from syncline.merge.case import FileCase
from syncline.merge.hunks import split_lines
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.resolvers.patterns import matches
from syncline.programs.logfile import BoundedLog
from syncline.programs.read_inside import NotTheFileError, read_inside
from syncline.programs.sealed import run_sealed

LARGEST = 16 * 1024 * 1024
"""Bytes in a driver's directory, its result included: four times the largest file it is asked for."""

_LOG = 256 * 1024
"""Bytes of its output that are kept while it runs, for a message."""
_MARKER_SIZE = "7"
_PLACEHOLDER = re.compile(r"%([OABLPSXY%])")
_SUFFIX = re.compile(rb"\.[A-Za-z0-9]{1,16}$")


@dataclass
class Drivers:
    """The drivers of a lane during one merge."""

    repository: Repository
    drivers: Sequence[Driver]
    slow: set[str] = field(default_factory=set, init=False)
    """Those that once took too long; they are not asked again, so that a merge has a bound."""

    def __call__(self, case: FileCase) -> Iterator[Proposal]:
        """Yield what the drivers that match a file make of its hunks.

        Raises:
            ConfigError: a driver cannot be started. Whatever else goes wrong, it only has no answer.
        """
        for driver in self.drivers:
            if driver.name in self.slow or not matches(driver.match, case.path):
                continue
            content = self._ask(driver, case)
            if content is None:
                continue
            evidence = (Evidence(f"merge driver {driver.name} (`{driver.command[0]}`) merged the file cleanly"),)
            for hunk, lines in zip(case.hunks, regions(case.cut, split_lines(content), key=bytes), strict=True):
                if lines is not None:
                    yield Proposal(hunk.index, lines, f"driver:{driver.name}", evidence)

    def _ask(self, driver: Driver, case: FileCase) -> bytes | None:
        """Return the file as a driver merged it; None where it did not."""
        with self.repository.temporary_directory("driver") as place, _log(place) as log:
            room = place / "files"
            room.mkdir()
            # Some drivers tell the language by the suffix.
            found = _SUFFIX.search(case.path)
            suffix = found[0].decode() if found else ""
            names = {letter: f"{name}{suffix}" for letter, name in (("O", "base"), ("A", "ours"), ("B", "theirs"))}
            for letter, content in (("O", case.base), ("A", case.ours), ("B", case.theirs)):
                (room / names[letter]).write_bytes(content)
            labels = {"S": "base", "X": "ours", "Y": "theirs"}
            words = names | labels | {"L": _MARKER_SIZE, "P": os.fsdecode(case.path), "%": "%"}
            ended = run_sealed(
                _filled(driver.command, words), room, driver.timeout, log,
                # Where temporary files lie in a work tree, git must not take that for the driver's repository.
                variables={"GIT_CEILING_DIRECTORIES": str(place)},
                stop=lambda: _size(room) > LARGEST,
            )  # fmt: skip
            if ended.conclusion is Conclusion.STARTUP_FAILURE:
                raise ConfigError(
                    f"{driver.file}:{driver.line}: merge driver {driver.name!r} (`{' '.join(driver.command)}`) "
                    f"{ended.summary}",
                    hint="install it where syncline runs, or take it out of the lane",
                )
            if ended.conclusion is Conclusion.TIMED_OUT:
                self.slow.add(driver.name)
            return _result(room, names["A"]) if ended.conclusion is Conclusion.SUCCESS else None


def _log(place: Path) -> BoundedLog:
    return BoundedLog(place / "output", limit=_LOG, head=0)


def _filled(command: Sequence[str], words: dict[str, str]) -> list[str]:
    """Return a command with git's placeholders replaced (gitattributes, "Defining a custom merge driver")."""
    return [_PLACEHOLDER.sub(lambda found: words[found[1]], part) for part in command]


def _size(room: Path) -> int:
    """Return how many bytes lie in a directory and below."""
    total = 0
    for place, _, files in os.walk(room):
        for name in files:
            try:
                total += os.lstat(Path(place, name)).st_size
            except OSError:
                continue  # it is gone already
    return total


def _result(room: Path, name: str) -> bytes | None:
    root = os.open(room, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return read_inside(root, name.encode(), largest=LARGEST)
    except NotTheFileError:
        return None
    finally:
        os.close(root)

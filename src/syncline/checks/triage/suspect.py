"""What the sync itself did that may be behind a fault: findings, decisions, imported commits. Pure.

The caller gives them as plain values, since this room knows nothing of merging.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from syncline.checks.logs.failure import LogFailure


class Sort(StrEnum):
    """What a suspect is, the one that weighs most first."""

    FINDING = "finding"
    """An audit judged it against both parents, and found it in the merge alone."""
    DECISION = "decision"
    """A conflict in the file was settled, or is open."""
    COMMIT = "commit"
    """A commit of one side changed the file. It tells where to look, and decides nothing."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """One thing that may be behind a fault."""

    path: str
    symbol: str
    """Empty where it concerns the file as a whole."""
    words: str
    """What was done, for people."""
    sha: str = ""
    """The commit it speaks of; empty where it speaks of none."""
    sort: Sort = Sort.DECISION


class Points(StrEnum):
    """How exactly a suspect points to a failure."""

    BOTH = "the same file and name"
    SYMBOL = "the same name"
    PATH = "the same file"


@dataclass(frozen=True, slots=True)
class Pointed:
    """A suspect that a failure points to."""

    suspect: Suspect
    by: Points

    @property
    def strong(self) -> bool:
        """Whether it speaks for itself: an audit found in the merge what the failure complains of."""
        return self.suspect.sort is Sort.FINDING and self.by is Points.BOTH

    @property
    def counts(self) -> bool:
        """Whether it may tip the scales where one parent is known to be well."""
        return self.suspect.sort is not Sort.COMMIT and (self.by is not Points.SYMBOL)


_ORDER = (Points.BOTH, Points.PATH, Points.SYMBOL)


def pointed(failure: LogFailure, suspects: Iterable[Suspect]) -> tuple[Pointed, ...]:
    """Return the suspects that a failure points to: those that weigh most first."""
    found = [Pointed(one, by) for one in suspects if (by := _points(failure, one)) is not None]
    sorts = tuple(Sort)
    return tuple(
        sorted(
            found,
            key=lambda one: (
                sorts.index(one.suspect.sort),
                _ORDER.index(one.by),
                one.suspect.path,
                one.suspect.symbol,
                one.suspect.words,
                one.suspect.sha,
            ),
        )
    )


def same_file(one: str, other: str) -> bool:
    """Whether two paths mean one file: a log may have it with directories before, or from a directory below."""
    if not one or not other:
        return False
    short, long = sorted((one.removeprefix("./"), other.removeprefix("./")), key=len)
    # A bare name (`utils.py`) is that of many files.
    return long == short or ("/" in short and long.endswith("/" + short))


def _points(failure: LogFailure, suspect: Suspect) -> Points | None:
    file = any(same_file(path, suspect.path) for path in (failure.path, _file_of(failure.test), *failure.chain))
    symbol = _names(failure, suspect.symbol)
    if symbol and (file or _module_named(failure, suspect.path)):
        return Points.BOTH
    if symbol:
        return Points.SYMBOL
    return Points.PATH if file else None


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def _names(failure: LogFailure, symbol: str) -> bool:
    name = symbol.rpartition(".")[2]
    if not name:
        return False
    if name == failure.symbol.rpartition(".")[2]:
        return True
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", failure.message) is not None


def _module_named(failure: LogFailure, path: str) -> bool:
    """Whether the message names the module or file: `cannot import name 'x' from 'package.module'`."""
    stem = path.rpartition(".")[0] or path
    if stem.endswith("/__init__"):
        stem = stem.removesuffix("/__init__")
    parts = [part for part in stem.split("/") if part]
    if not parts:
        return False
    dotted = ".".join(parts[-2:])
    return path in failure.message or re.search(rf"(?<!\w){re.escape(dotted)}(?!\w)", failure.message) is not None

"""A checker as this audit runs it: built in, or configured."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from syncline.audit.fits.formats import Format
from syncline.config.models import Checker
from syncline.merge.resolvers.patterns import matches
from syncline.search_path import clean_path

TREE = "{tree}"
"""Stands for the directory in a command."""
BESIDE = "beside"
"""The name of a directory next to that of the tree, for what is no part of it."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A program, what it reads, and which of its words count."""

    name: str
    command: tuple[str, ...]
    form: Format
    reads: Callable[[bytes], bool]
    """Whether it reads a path: without a change in one of these nothing new can be wrong."""
    counts: Callable[[str], bool]
    """Whether a rule is one that tells of what does not fit together."""
    timeout: float
    needs_all: bool = False
    """Whether it is given the whole tree, not only what it reads."""
    config: Callable[[Sequence[bytes]], tuple[str, str]] | None = None
    """The name of its configuration at the top of the tree, and what stands in it, for a tree with these paths."""
    prepare: Callable[[Path, Sequence[bytes], Path], None] | None = None
    """Makes what it needs beside a tree with these paths, in the directory `BESIDE`. May raise OSError."""
    own_home: bool = False
    """Whether it runs with an empty home directory, so that no configuration of the user counts."""
    statuses: frozenset[int] | None = None
    """The exit statuses of a run that was complete; None for what nobody told."""
    identity: str = field(default="")
    """What tells this version of the program from others."""


def find_program(name: str) -> str | None:
    """Return where a program is: beside the Python that runs syncline, where extras are installed, or on PATH."""
    beside = Path(sys.executable).with_name(name)
    if beside.is_file() and os.access(beside, os.X_OK):
        return str(beside)
    return shutil.which(name, path=_path())


def _path() -> str:
    """Return where programs are looked for: never in a directory that a repository could be."""
    return clean_path(os.environ.get("PATH", os.defpath))


def configured(checker: Checker) -> Tool:
    """Return a checker that people configured."""
    rules = tuple(re.compile(rule, re.IGNORECASE) for rule in checker.rules)
    return Tool(
        checker.name,
        checker.command,
        checker.format,
        lambda path: matches(checker.match, path),
        lambda rule: not rules or any(wanted.fullmatch(rule) for wanted in rules),
        checker.timeout,
        needs_all=True,
        identity=stamp(checker.command[0]) + repr(checker.rules),
    )


def stamp(program: str) -> str:
    """Return what changes when a program is replaced by another version, which costs less than asking for it."""
    found = shutil.which(program, path=_path())
    if found is None:
        return program
    about = Path(found).resolve().stat()
    return f"{found} {about.st_size} {about.st_mtime_ns}"

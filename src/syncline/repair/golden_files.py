"""Files of expected values in what a check left, and which files of the tree they belong to.

What comes from a check is data of whoever wrote the proposal: archives are read as streams within bounds, no name
in them is used as a path, and no link is followed.
"""

import os
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from syncline.config.models import GoldenFiles, Lane
from syncline.git import Entry, Repository, TreeId
from syncline.git.extract import files_of
from syncline.git.paths import json_path
from syncline.merge.resolvers.path_rule import first_rule
from syncline.merge.resolvers.patterns import matches
from syncline.repair.golden_values import objection

MOST_FILES = 5000
LARGEST = 32 << 20
"""Bytes of one file of values, unpacked."""
MOST_BYTES = 256 << 20
"""Bytes of all files of one artifact, unpacked."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_CHUNK = 1 << 16


class RefusedError(Exception):
    """What a check left cannot be taken; the text says why."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """Files with new values."""

    entries: Mapping[bytes, Entry]
    """What differs, by path."""
    found: int
    """For how many files of the tree the check left one."""


def refreshed(
    repository: Repository, lane: Lane, tree: TreeId, rule: GoldenFiles, left: Sequence[Path]
) -> Refreshed:
    """Return the files of a rule with the values that a check left.

    Args:
        repository: where the tree is; contents are written there.
        lane: what its rules settle in any case is left alone.
        tree: the tree with the old values.
        rule: which files they are.
        left: what the check left: zip archives, directories, files.

    Raises:
        RefusedError: there is something wrong with one of them, so that none is to be believed.
    """
    golden = {
        path: entry for path, entry in files_of(repository, tree)
        if entry.mode.is_file and matches(rule.match, path) and not _always(lane, path)
    }  # fmt: skip
    names = Counter(path.rpartition(b"/")[2] for path in golden)
    new: dict[bytes, tuple[bytes, bytes]] = {}
    for name, content in _contents(left):
        path = _belongs(name, golden, names)
        if path is None:
            continue
        if path in new and new[path][1] != content:
            raise RefusedError(f"two files are {json_path(path)}: {json_path(new[path][0])} and {json_path(name)}")
        new[path] = name, content
    entries = {}
    for path, (_, content) in sorted(new.items()):
        old = repository.blob(golden[path].oid)
        if old == content:
            continue
        if why := objection(json_path(path), old, content):
            raise RefusedError(f"{json_path(path)}: {why}")
        entries[path] = Entry(golden[path].mode, repository.write_blob(content))
    return Refreshed(entries, len(new))


def _always(lane: Lane, path: bytes) -> bool:
    rule = first_rule(lane.paths, [path])
    return rule is not None and rule.when == "always"


def _belongs(name: bytes, golden: Mapping[bytes, Entry], names: Mapping[bytes, int]) -> bytes | None:
    """Return the file of the tree that a name stands for: by its path as far as it goes, else by its last part."""
    if name in golden:
        return name
    ends = [path for path in golden if path.endswith(b"/" + name) or name.endswith(b"/" + path)]
    if len(ends) == 1:
        return ends[0]
    own = name.rpartition(b"/")[2]
    if not ends and names.get(own) == 1:
        return next(path for path in golden if path.rpartition(b"/")[2] == own)
    return None


def _contents(left: Sequence[Path]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the content of each file.

    Raises:
        RefusedError: there are too many, they are too large, broken, or their names lead elsewhere.
    """
    budget = _Budget()
    for place in left:
        if place.is_symlink():
            continue
        if place.is_dir():
            for path in sorted(place.rglob("*")):
                if path.is_file() and not path.is_symlink():
                    with path.open("rb") as file:
                        yield os.fsencode(path.relative_to(place.parent).as_posix()), budget.read(path.name, file)
        elif place.suffix == ".zip":
            yield from _in_zip(place, budget)
        elif place.is_file():
            with place.open("rb") as file:
                yield os.fsencode(place.name), budget.read(place.name, file)


def _in_zip(place: Path, budget: "_Budget") -> Iterator[tuple[bytes, bytes]]:
    try:
        with zipfile.ZipFile(place) as archive:
            for one in archive.infolist():
                mode = one.external_attr >> 16
                if one.is_dir() or (stat.S_IFMT(mode) not in {0, stat.S_IFREG}):
                    continue
                name = one.filename.encode("utf-8", "surrogateescape")
                if name.startswith(b"/") or b"\\" in name or {b"", b".", b".."} & set(name.split(b"/")):
                    raise RefusedError(f"{json_path(name)} in it is no path inside of it")
                with archive.open(one) as file:
                    yield name, budget.read(json_path(name), file)
    except _BROKEN as error:
        raise RefusedError(f"it is broken: {str(error) or type(error).__name__}") from error


class _Budget:
    """How much is read of what one check left."""

    def __init__(self) -> None:
        self._files = 0
        self._bytes = MOST_BYTES

    def read(self, name: str, file: IO[bytes]) -> bytes:
        """Return the content of a file.

        Raises:
            RefusedError: it is too large, or there are too many.
        """
        self._files += 1
        if self._files > MOST_FILES:
            raise RefusedError(f"it holds more than {MOST_FILES} files")
        parts: list[bytes] = []
        size = 0
        while part := file.read(_CHUNK):
            parts.append(part)
            size += len(part)
            if size > min(LARGEST, self._bytes):
                raise RefusedError(
                    f"{name} is larger than values are: more than {min(LARGEST, self._bytes):,} bytes"
                )
        self._bytes -= size
        return b"".join(parts)

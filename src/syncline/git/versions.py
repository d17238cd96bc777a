"""Which versions of a file a side had since it parted from the other one."""

import os
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from syncline.git.background import Background
from syncline.git.oid import BlobId, CommitId
from syncline.git.repository import Repository

MOST_COMMITS = 20_000
"""How far back a walk goes: the newest so many commits of the range, by date. A fork may be a million behind."""
MOST_VERSIONS = 40
"""How many versions of one path are told, the newest ones."""
_MOST_PATHS = 64
"""Git compares each path with each entry of each tree; a walk for more is cheaper with all paths in its output."""


@dataclass(frozen=True, slots=True)
class Version:
    """What a commit made of a path."""

    blob: BlobId
    commit: CommitId
    date: str
    """When it was committed, ISO 8601."""
    author: str
    subject: str


class RangeWalk:
    """The commits that `tip` has and `other` has not: the walk for the versions of some of their paths.

    Made before the paths are known (while git merges, say), it finds out meanwhile how long the range is.
    """

    def __init__(
        self, repository: Repository, tip: CommitId, other: CommitId, *, most_commits: int = MOST_COMMITS
    ) -> None:
        self._repository = repository
        self._range = (tip, f"^{other}")
        words = ("rev-list", "--max-count=1", f"--skip={most_commits}", "--no-commit-header", "--format=%ct")
        self._horizon = Background(repository, (*words, *self._range))

    def start(self, paths: Collection[bytes]) -> "RunningVersions":
        """Start looking for versions of `paths` (exact names, files)."""
        status, printed, complaint = self._horizon.finish()
        if status:
            raise self._horizon.failure(status, complaint)
        # A count would be one of commits that touch the paths; what has to be bounded is the walk.
        bound = (f"--since={int(printed)}",) if printed else ()
        return RunningVersions(self._repository, (*bound, *self._range), paths)


_HEADER = b"//"
"""No path in git begins so."""
_FORMAT = f"--format={_HEADER.decode()}%H%x00%cI%x00%an%x00%s%x00"


class RunningVersions:
    """The walk itself: one, however many paths there are."""

    def __init__(self, repository: Repository, commits: tuple[str, ...], paths: Collection[bytes]) -> None:
        self._paths = frozenset(paths)
        # Renames are not looked for: who asks names both paths. -c: a merge tells what it settled itself.
        words = ("log", "-z", "-c", "--raw", "--no-renames", "--no-abbrev", _FORMAT, *commits, "--")
        limit = sorted(self._paths) if len(self._paths) <= _MOST_PATHS else ()
        self._git = Background(repository, words + tuple(map(os.fsdecode, limit))) if self._paths else None

    def finish(self) -> dict[bytes, tuple[Version, ...]]:
        """Wait, and return the versions of each path that has any, newest first.

        Raises:
            GitError: missing objects.
        """
        if self._git is None:
            return {}
        status, printed, complaint = self._git.finish()
        if status:
            raise self._git.failure(status, complaint)
        found: dict[bytes, list[Version]] = defaultdict(list)
        for path, version in parse_versions(printed, self._paths):
            if len(found[path]) < MOST_VERSIONS:
                found[path].append(version)
        return {path: tuple(versions) for path, versions in found.items()}


def parse_versions(printed: bytes, paths: Collection[bytes]) -> Iterator[tuple[bytes, Version]]:
    """Read what `log -z -c --raw` printed: every version of one of `paths`, in git's order.

    A record is `:modes oids status`, in a merge with a colon for each parent; the new id is the last one
    (https://git-scm.com/docs/diff-format, "Raw output format" and "diff format for merges").
    """
    fields = printed.split(b"\0")
    position = 0
    while position < len(fields) and fields[position].startswith(_HEADER):
        header = fields[position : position + 4]
        commit = None
        position += 5  # an empty field ends the header
        while position + 1 < len(fields) and not fields[position].startswith(_HEADER):
            record = fields[position].lstrip(b"\n")  # git parts the header from the first record with one
            if not record.startswith(b":"):
                position += 1  # git ends the records of a merge with an empty field
                continue
            path = fields[position + 1]
            position += 2
            if path not in paths:
                continue
            *before, oid, _ = record.split(b" ")
            parents = len(before) // 2
            if oid.strip(b"0") and before[parents].startswith(b"100"):
                commit = commit or _commit(header)
                yield path, Version(BlobId.printed(oid.decode()), *commit)


def _commit(header: list[bytes]) -> tuple[CommitId, str, str, str]:
    oid, date, author, subject = header
    return (
        CommitId.from_bytes(oid.removeprefix(_HEADER)),
        date.decode("utf-8", "replace"),
        author.decode("utf-8", "replace"),
        subject.decode("utf-8", "replace"),
    )

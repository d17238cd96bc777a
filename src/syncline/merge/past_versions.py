"""What resolvers may know of history: the versions a conflicted file had on either side since the merge base."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.git.versions import RangeWalk, RunningVersions, Version
from syncline.merge.model import Conflict, Side
from syncline.merge.old_names import old_names

_FILE_BYTES = 16 * 1024 * 1024
"""How much is read for one file, the newest versions first; all of both sides of a file of 200 KB."""
_MERGE_BYTES = 256 * 1024 * 1024
"""How much is read for all files of a merge."""


@dataclass(frozen=True, slots=True)
class RunningHistory:
    """Both sides' walks, begun; made as soon as the conflicts are known."""

    repository: Repository
    groups: Mapping[bytes, tuple[bytes, ...]]
    ours: RunningVersions
    theirs: RunningVersions

    def finish(self) -> "PastVersions":
        """Wait for git.

        Raises:
            GitError: missing objects.
        """
        return PastVersions(self.repository, self.groups, self.ours.finish(), self.theirs.finish())


class HistoryWalks:
    """The walks over both sides' own commits; made when the merge is started."""

    def __init__(self, repository: Repository, ours: CommitId, theirs: CommitId) -> None:
        self._repository = repository
        self._ends = ours, theirs
        self._ours = RangeWalk(repository, ours, theirs)
        self._theirs = RangeWalk(repository, theirs, ours)

    def start(self, conflicts: Iterable[Conflict]) -> RunningHistory:
        """Start looking for the versions of the conflicted files, under all names their conflicts tie together.

        Raises:
            GitError: missing objects.
        """
        known = tuple(conflicts)
        renamed = old_names(self._repository, *self._ends, known)
        groups = {conflict.path: (*conflict.group, *renamed.get(conflict.path, ())) for conflict in known}
        paths = {path for group in groups.values() for path in group} | groups.keys()
        return RunningHistory(self._repository, groups, self._ours.start(paths), self._theirs.start(paths))


class PastVersions:
    """The versions of the files of one merge; their texts are read when they are asked for, within bounds."""

    def __init__(
        self,
        repository: Repository,
        groups: Mapping[bytes, tuple[bytes, ...]],
        ours: Mapping[bytes, Sequence[Version]],
        theirs: Mapping[bytes, Sequence[Version]],
    ) -> None:
        self._repository = repository
        self._groups = groups
        self._sides = {Side.OURS: ours, Side.THEIRS: theirs}
        self._left = _MERGE_BYTES

    def versions(self, path: bytes, side: Side) -> list[Version]:
        """Return the versions of a conflicted file on a side, newest first; the first is what the side has now."""
        known = self._sides[side]
        names = dict.fromkeys((path, *self._groups.get(path, ())))
        lists = [known[name] for name in names if name in known]
        if len(lists) < 2:
            return list(lists[0]) if lists else []
        # ISO dates of different time zones do not sort as texts; git's own order within a name is kept.
        return sorted((version for one in lists for version in one), key=_moment, reverse=True)

    def texts(self, path: bytes, side: Side) -> Iterator[tuple[Version, bytes]]:
        """Yield the versions of a file with their contents, until what may be read is used up or missing."""
        versions = self.versions(path, side)
        left = _FILE_BYTES // 2
        contents = self._repository.blobs(version.blob for version in versions)
        for version in versions:
            try:
                content = next(contents)
            except (GitError, StopIteration):  # a partial clone
                return
            left -= len(content)
            self._left -= len(content)
            if left < 0 or self._left < 0:
                return
            yield version, content


def _moment(version: Version) -> float:
    from datetime import datetime  # noqa: PLC0415 - only for files that were renamed

    try:
        return datetime.fromisoformat(version.date).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0

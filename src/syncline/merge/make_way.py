"""A file and a directory cannot stand at one path: who makes way for whom, and that it is told.

Decisions are made path by path, so one of them may put a file where another one, or git's own merge, has a
directory. A protected path always stays, then one of a coupled set; else the upper path wins. What has to go
gets a decision of its own.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from syncline.git import Entry, Mode, Repository, TreeId
from syncline.git.paths import json_path
from syncline.merge.model import Decision, Evidence, Side, Status

PROTECTED, COUPLED, FREE = range(3)
"""How firmly a path stands."""

Edits = dict[bytes, Entry | None]
Decisions = dict[bytes, Decision]


def make_way(
    repository: Repository,
    git_tree: TreeId,
    edits: Mapping[bytes, Entry | None],
    decisions: Mapping[bytes, Decision],
    rank: Callable[[bytes], int],
) -> tuple[Edits, Decisions]:
    """Return edits that fit together on `git_tree`, and the decisions with all that had to go.

    Args:
        repository: where the trees are.
        git_tree: git's own merge.
        edits: what is to stand at a path; None removes it.
        decisions: what was decided, by path.
        rank: `PROTECTED`, `COUPLED` or `FREE`, for each path.
    """
    room = _Room(repository, git_tree, dict(edits), dict(decisions))
    wanted = [path for path, entry in edits.items() if entry is not None]
    for path in sorted(wanted, key=lambda path: (rank(path), path)):
        in_the_way = room.in_the_way_of(path)
        guarded = (other for other in in_the_way if rank(other) <= rank(path) and rank(other) != FREE)
        rival = room.rival_of(path) or next(guarded, None)
        if rival is not None:
            room.drop(path, rival)
            continue
        room.stand(path)
        for other in in_the_way:
            room.displace(other, path)
    return room.edits, room.decisions


class _Room:
    """The tree as it takes shape: files that stand, and the directories they need."""

    def __init__(self, repository: Repository, git_tree: TreeId, edits: Edits, decisions: Decisions) -> None:
        self._repository = repository
        self._git_tree = git_tree
        self.edits = edits
        self.decisions = decisions
        self._standing: set[bytes] = set()
        self._directories: dict[bytes, bytes] = {}

    def stand(self, path: bytes) -> None:
        self._standing.add(path)
        for above in _above(path):
            self._directories.setdefault(above, path)

    def rival_of(self, path: bytes) -> bytes | None:
        """The file that stands where `path` needs a directory, or needs one where `path` is."""
        file_above = next((above for above in _above(path) if above in self._standing), None)
        return file_above or self._directories.get(path)

    def in_the_way_of(self, path: bytes) -> list[bytes]:
        """The files of git's tree above or below `path` that nothing else removes."""
        found = [above for above in _above(path) if self._is_file(above)]
        here = self._repository.entry(self._git_tree, path)
        if here is not None and here.mode is Mode.DIRECTORY:
            found += _files_below(self._repository, TreeId(here.oid), path + b"/")
        return [other for other in found if other not in self.edits]

    def drop(self, path: bytes, rival: bytes) -> None:
        """`path` cannot be what was decided for it."""
        if self._is_file(path):
            self.edits[path] = None
        else:
            del self.edits[path]
        self.decisions[path] = _open(self.decisions[path], rival)

    def displace(self, path: bytes, by: bytes) -> None:
        """A file of git's own merge goes: as a consequence of the decision for `by`, or against its own one."""
        self.edits[path] = None
        cause = self.decisions.get(by)
        if path in self.decisions:
            self.decisions[path] = _open(self.decisions[path], by)
        elif cause is not None:
            evidence = (*cause.evidence, _no_room(by))
            self.decisions[path] = replace(cause, path=path, conflict=None, evidence=evidence, result=None)

    def _is_file(self, path: bytes) -> bool:
        entry = self._repository.entry(self._git_tree, path)
        return entry is not None and entry.mode is not Mode.DIRECTORY


def _open(decision: Decision, rival: bytes) -> Decision:
    return replace(
        decision,
        status=Status.UNRESOLVED,
        side=Side.NEITHER,
        resolver="",
        confidence=None,
        evidence=(_no_room(rival),),
        result=None,
    )


def _no_room(rival: bytes) -> Evidence:
    return Evidence(f"{json_path(rival)} is a file in the merged tree and leaves no room for it")


def _above(path: bytes) -> Iterator[bytes]:
    """Yield the directories a path lies in, the uppermost first."""
    at = path.find(b"/")
    while at >= 0:
        yield path[:at]
        at = path.find(b"/", at + 1)


def _files_below(repository: Repository, tree: TreeId, prefix: bytes) -> Iterator[bytes]:
    for name, entry in repository.tree(tree).items():
        if entry.mode is Mode.DIRECTORY:
            yield from _files_below(repository, TreeId(entry.oid), prefix + name + b"/")
        else:
            yield prefix + name

"""What people did with the conflicts of a merge: the answers a replay is scored against.

The rules are DESIGN's "How replay scores". A hunk's answer is the region of the committed file between the
unconflicted lines around it; where the committed file is one side's, that side is the answer of all its hunks.
"""

from dataclasses import dataclass
from enum import StrEnum

from syncline.git import Entry, Repository, TreeId
from syncline.git.commit import read_commit
from syncline.git.merge_tree import start_merge_tree
from syncline.merge.alignment import regions
from syncline.merge.case import FileCase
from syncline.merge.conflicts import conflicts_of
from syncline.merge.hunks import Lines, split_lines
from syncline.merge.model import Conflict, Side
from syncline.merge.read_cases import read_cases
from syncline.merge.side_version import file_at
from syncline.replay.past import PastMerge


class LeftOut(StrEnum):
    """Why a past merge is not scored."""

    ONE_SIDE = "its tree is a parent's"
    MARKERS = "files with conflict markers were committed"
    CLEAN = "it has no conflict"
    UNRELATED = "its sides have no common ancestor"
    INCOMPLETE = "objects or history are missing"

    def said_of(self, count: int) -> str:
        """Return the reason as it is said of so many merges."""
        return self.value if count == 1 else _OF_MANY.get(self, self.value)


_OF_MANY = {
    LeftOut.ONE_SIDE: "their trees are a parent's",
    LeftOut.CLEAN: "they have no conflict",
    LeftOut.UNRELATED: "their sides have no common ancestor",
}


@dataclass(frozen=True)
class PastConflict:
    """A conflict of a past merge and what people made of it."""

    conflict: Conflict
    case: FileCase | None
    """None where it has no text between markers: it counts as one hunk."""
    committed: Entry | None
    """What was committed at its path; None when nothing was."""
    side: Side | None
    """The side whose file was committed whole; None when neither's."""
    answers: tuple[Lines | None, ...]
    """For each hunk the committed lines; None where they cannot be told."""

    @property
    def hunks(self) -> int:
        """How many hunks it counts."""
        return len(self.answers)


@dataclass(frozen=True)
class Replayed:
    """A past merge, merged again."""

    past: PastMerge
    left_out: LeftOut | None
    conflicts: tuple[PastConflict, ...]


def replay(repository: Repository, past: PastMerge) -> Replayed:
    """Merge a past merge's parents again, and read what people committed.

    Raises:
        GitError: missing objects, unrelated histories.
    """
    running = start_merge_tree(repository, past.ours, past.theirs)
    committed, ours, theirs = (
        read_commit(repository, commit).tree for commit in (past.merge, past.ours, past.theirs)
    )
    merged = running.finish()
    if committed in {ours, theirs}:
        return Replayed(past, LeftOut.ONE_SIDE, ())
    conflicts = conflicts_of(merged, ours=past.ours, theirs=past.theirs)
    found = []
    for conflict, case in read_cases(repository, merged.tree, conflicts, past.ours, past.theirs):
        outcome = past_conflict(repository, conflict, case, committed)
        if outcome is None:
            return Replayed(past, LeftOut.MARKERS, ())
        found.append(outcome)
    return Replayed(past, None if found else LeftOut.CLEAN, tuple(found))


def past_conflict(
    repository: Repository, conflict: Conflict, case: FileCase | None, committed: TreeId
) -> PastConflict | None:
    """Return what people made of one conflict; None when they committed its markers."""
    entry = file_at(repository, committed, conflict.path)
    stages = conflict.stages
    side = None
    if entry is not None or case is None:
        oid = entry.oid if entry else None
        if oid == (stages.ours.oid if stages.ours else None):
            side = Side.OURS
        elif oid == (stages.theirs.oid if stages.theirs else None):
            side = Side.THEIRS
    if case is None:
        return PastConflict(conflict, None, entry, side, (None,))
    hunks = case.cut.hunks
    if side is not None:
        lines = tuple(hunk.ours if side is Side.OURS else hunk.theirs for hunk in hunks)
        return PastConflict(conflict, case, entry, side, lines)
    if entry is None or not entry.mode.is_file:
        return PastConflict(conflict, case, entry, None, (None,) * len(hunks))
    content = repository.blob(entry.oid)
    if has_markers(content):
        return None
    return PastConflict(conflict, case, entry, None, regions(case.cut, split_lines(content)))


def has_markers(content: bytes) -> bool:
    """Whether a file holds conflict markers, an opening one and its end."""
    lines = content.split(b"\n")
    return any(line.startswith(b"<<<<<<< ") for line in lines) and any(
        line.startswith(b">>>>>>> ") for line in lines
    )

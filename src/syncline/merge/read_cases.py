"""Read the text conflicts of a merge as cases for the resolvers."""

from collections.abc import Iterable, Iterator

from syncline.git import CommitId, Entry, Repository, TreeId
from syncline.merge.case import FileCase
from syncline.merge.hunks import parse_conflicted
from syncline.merge.model import Conflict, ConflictKind


def has_text(conflict: Conflict, merged: Entry | None) -> bool:
    """Whether a conflict is between two texts, of which git left `merged` with its markers."""
    sides = (conflict.stages.ours, conflict.stages.theirs)
    if merged is None or not merged.mode.is_file or conflict.kind is ConflictKind.BINARY:
        return False
    return all(side is not None and side.mode.is_file for side in sides)


def read_cases(
    repository: Repository, git_tree: TreeId, conflicts: Iterable[Conflict], ours: CommitId, theirs: CommitId
) -> Iterator[tuple[Conflict, FileCase | None]]:
    """Yield every conflict with its case, None where no text stands between markers; one file in memory at a time.

    Args:
        repository: where the objects are.
        git_tree: what git's merge left, conflicted files with their markers.
        conflicts: the conflicts of that merge.
        ours: target's commit, under which git labelled its side.
        theirs: source's commit.
    """
    for conflict in conflicts:
        merged = repository.entry(git_tree, conflict.path)
        yield conflict, read_case(repository, conflict, merged, ours, theirs)


def read_case(
    repository: Repository, conflict: Conflict, merged: Entry | None, ours: CommitId, theirs: CommitId
) -> FileCase | None:
    """Return the case of one conflict; None where there is no text between markers."""
    base_entry, our_entry, their_entry = conflict.stages.base, conflict.stages.ours, conflict.stages.theirs
    if merged is None or our_entry is None or their_entry is None or not has_text(conflict, merged):
        return None
    wanted = [merged.oid, our_entry.oid, their_entry.oid]
    has_base = base_entry is not None and base_entry.mode.is_file
    if base_entry is not None and has_base:
        wanted.append(base_entry.oid)
    content, our_text, their_text, *base = repository.blobs(wanted)
    cut = parse_conflicted(content, ours=our_text, theirs=their_text, ours_label=ours, theirs_label=theirs)
    if not cut.hunks:
        return None
    return FileCase(
        conflict.path, conflict.kind, base[0] if base else b"", our_text, their_text, cut, has_base=has_base
    )

"""What a side has at a conflicted path."""

from syncline.git import Entry, Mode, Repository, TreeId
from syncline.merge.model import Conflict


def side_version(repository: Repository, tree: TreeId, conflict: Conflict, staged: Entry | None) -> Entry | None:
    """Return one side's version of a conflicted path; None when it has no file there.

    Args:
        repository: where the objects are.
        tree: the side's own tree.
        conflict: the conflict.
        staged: what git staged of this side.

    What the side has at the path itself counts. Git stages something else there when renames collide: a text
    that is merged already and may hold conflict markers (merge-ort.c, `process_renames`). Where the other side
    renamed the file, the side has it at another path, and what git staged is it.
    """
    here = file_at(repository, tree, conflict.path)
    if here is not None or staged is None:
        return here
    elsewhere = [file_at(repository, tree, path) for path in conflict.group if path != conflict.path]
    genuine = [entry for entry in elsewhere if entry is not None]
    return staged if not genuine or staged in genuine else genuine[0]


def file_at(repository: Repository, tree: TreeId, path: bytes) -> Entry | None:
    """Return the file, link or submodule at `path`; None when nothing, or a directory, is there."""
    entry = repository.entry(tree, path)
    return None if entry is None or entry.mode is Mode.DIRECTORY else entry

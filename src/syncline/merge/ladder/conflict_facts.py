"""The facts of a conflict without text between markers: modified here and deleted there, binary files, modes."""

from syncline.git import Repository
from syncline.merge.hunks import split_lines
from syncline.merge.ladder.facts import Facts, facts_of_conflict
from syncline.merge.model import Conflict
from syncline.merge.text.diff import similarity

MAX_BYTES = 1_000_000
"""Longer files are not compared."""


def conflict_facts(repository: Repository, conflict: Conflict) -> Facts:
    """Return them; where one side is left beside base, how much it resembles it counts.

    Raises:
        GitError: missing objects.
    """
    stages = conflict.stages
    present = [entry for entry in (stages.base, stages.ours, stages.theirs) if entry is not None]
    if stages.base is None or len(present) != 2 or not all(entry.mode.is_file for entry in present):
        return facts_of_conflict(conflict, (0, 0, 0), 0.0)
    base, left = repository.blobs(entry.oid for entry in present)
    sizes = (len(base), len(left) if stages.ours else 0, len(left) if stages.theirs else 0)
    if max(sizes) > MAX_BYTES:
        return facts_of_conflict(conflict, sizes, 0.0)
    return facts_of_conflict(conflict, sizes, similarity(split_lines(base), split_lines(left)))

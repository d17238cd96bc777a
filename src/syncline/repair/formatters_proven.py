"""What formatters made, as far as the audits find nothing new in it."""

from dataclasses import dataclass

from syncline.git import Repository, TreeId
from syncline.git.diff import changes
from syncline.git.paths import json_path
from syncline.repair.formatters import Formatted
from syncline.repair.prove import Look, fault, new_findings

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Kept:
    """The tree that is kept."""

    tree: TreeId
    repairs: tuple[str, ...]
    """What formatters did, a line each."""
    left_out: tuple[str, ...]
    """What is left out of it, and why."""
    left: int
    """How many findings are worth a mend in it."""


def without_what_is_worse(repository: Repository, tree: TreeId, formatted: Formatted, look: Look) -> Kept:
    """Leave out the files in which formatters made something worse; where that does not help, all they made.

    Sorting imports anew can do so: modules that load each other may only load in the order that they had.

    Args:
        repository: where the trees are.
        tree: the tree that was formatted.
        formatted: what became of it.
        look: audits a tree.

    Raises:
        SynclineError: an audit cannot be done at all.
    """
    before, after = look(tree), look(formatted.tree)
    worse = fault(before, after)
    if worse is None:
        return Kept(formatted.tree, formatted.repairs, (), after.left)
    done = {change.path: change.old for change in changes(repository, tree, formatted.tree)}
    at_fault = sorted(done.keys() & {one.path for one in new_findings(before, after)})
    if at_fault and len(at_fault) < len(done):
        others = repository.edit_tree(formatted.tree, {path: done[path] for path in at_fault})
        kept = look(others)
        if fault(before, kept) is None:
            names = ", ".join(map(json_path, at_fault[:_SHOWN]))
            more = f" and {len(at_fault) - _SHOWN} more" if len(at_fault) > _SHOWN else ""
            return Kept(others, formatted.repairs, (f"without formatters in {names}{more}: {worse}",), kept.left)
    return Kept(tree, (), (f"without formatters ({', '.join(formatted.repairs)}): {worse}",), before.left)

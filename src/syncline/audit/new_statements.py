"""What is new in the Python files of a merge, told once for all audits that ask."""

from weakref import WeakKeyDictionary

from syncline.audit.four_trees import Contents, FourTrees, Versions
from syncline.audit.pieces import New, new_in

_KNOWN: WeakKeyDictionary[FourTrees, dict[bytes, New]] = WeakKeyDictionary()


def new_of(trees: FourTrees, file: Versions, contents: Contents) -> New:
    """Return the statements of a merged Python file that neither side has."""
    known = _KNOWN.setdefault(trees, {})
    if file.path not in known:
        known[file.path] = new_in(contents.merged, contents.ours, contents.theirs)
    return known[file.path]

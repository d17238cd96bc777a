"""The words in the imports of a Python file: whether it may import something, told without reading its imports."""

import re
from weakref import WeakKeyDictionary

from syncline.audit.four_trees import LARGEST, FourTrees
from syncline.git import Entry
from syncline.git.oid import Oid

_WORD = re.compile(rb"\w+")
_KNOWN: WeakKeyDictionary[FourTrees, dict[Oid, frozenset[bytes]]] = WeakKeyDictionary()
"""More than one audit asks."""


def words_imported(trees: FourTrees, entry: Entry) -> frozenset[bytes]:
    """Return `import_words` of a Python file; none for one that is larger than people write."""
    known = _KNOWN.setdefault(trees, {})
    if entry.oid not in known:
        content = trees.text(entry)
        known[entry.oid] = import_words(content) if len(content) <= LARGEST else frozenset()
    return known[entry.oid]


def import_words(content: bytes) -> frozenset[bytes]:
    """Return all words in the import statements of Python, and perhaps some beside them."""
    found: set[bytes] = set()
    at = content.find(b"import")
    while at >= 0:
        start = content.rfind(b"\n", 0, at) + 1
        end = _line_end(content, at)
        if content[start:end].lstrip(b" \t").startswith((b"from", b"import")):
            if b"(" in content[start:end]:
                end = max(end, content.find(b")", start))
            found.update(_WORD.findall(content, start, end))
        at = content.find(b"import", end)
    return frozenset(found)


def _line_end(content: bytes, at: int) -> int:
    """Return where a line ends that may go on behind a backslash."""
    end = content.find(b"\n", at)
    while end > 0 and content[max(0, end - 2) : end].rstrip(b"\r").endswith(b"\\"):
        end = content.find(b"\n", end + 1)
    return end if end >= 0 else len(content)

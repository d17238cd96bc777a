"""Where names stand in the whole merge, files that nobody changed included: git itself reads them fastest."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from syncline.audit.four_trees import FourTrees
from syncline.merge.file_group import FileGroup, file_group

_NO_CODE = (":(exclude)*.json", ":(exclude)*.lock", ":(exclude)*.png", ":(exclude)*.csv")
"""What takes much of many trees and is never source code: git need not read it."""


def mentions(trees: FourTrees, names: Iterable[bytes]) -> Mapping[bytes, list[tuple[bytes, int, bytes]]]:
    """Return the lines of the merge's source code that mention a name: (path, 1-based number, line) by name.

    Args:
        trees: the merge.
        names: whole words, at least one.
    """
    wanted = sorted(names)
    arguments = ("grep", "-n", "-z", "-w", "-I", "-F", "--no-color", "--full-name", "-f", "-", trees.merged_tree)
    printed = trees.repository.sealed(
        *arguments, "--", *_NO_CODE,
        input=b"".join(name + b"\n" for name in wanted), accept=(0, 1), extra={"GIT_LITERAL_PATHSPECS": "0"},
    ).stdout  # fmt: skip
    any_name = re.compile(rb"(?<!\w)(?:" + b"|".join(map(re.escape, wanted)) + rb")(?!\w)")
    found: dict[bytes, list[tuple[bytes, int, bytes]]] = defaultdict(list)
    # With -z: tree:path NUL number NUL line LF.
    for record in printed.split(b"\n"):
        place, _, rest = record.partition(b"\0")
        number, _, line = rest.partition(b"\0")
        path = place.partition(b":")[2]
        if number.isdigit() and file_group(path) is FileGroup.CODE:
            for name in set(any_name.findall(line)):
                found[name].append((path, int(number), line))
    return found

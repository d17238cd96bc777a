"""Files that ort put beside their path, because a directory or something else than a file stands there.

Git's tree has them as `path~NAME`, where NAME is what merge-tree was called with (merge-ort.c, `unique_path`).
Nobody has such a path: the conflict is about the path itself. Pure.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from syncline.git.merge_tree import Stages


def asides(paths: Iterable[bytes], names: Iterable[str]) -> dict[bytes, bytes]:
    """Return which of `paths` are asides, with the path each belongs to."""
    alternatives = b"|".join(re.escape(name.encode()) for name in names)
    pattern = re.compile(rb"(.+)~(?:%s)(?:_\d+)?" % alternatives, re.DOTALL)
    matches = ((path, pattern.fullmatch(path)) for path in paths)
    return {path: match[1] for path, match in matches if match}


def joined(stages: Mapping[bytes, Stages], moved: Mapping[bytes, bytes]) -> dict[bytes, Stages]:
    """Return the stages by the path they are about: those of asides join those of their path."""
    found: dict[bytes, Stages] = {}
    for path, sides in stages.items():
        place = moved.get(path, path)
        known = found.get(place, Stages())
        found[place] = replace(
            known,
            base=known.base or sides.base,
            ours=known.ours or sides.ours,
            theirs=known.theirs or sides.theirs,
        )
    return found

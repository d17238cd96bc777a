"""What a conflict case is, and the words git has for conflicts.

The types are the stable strings of `git merge-tree -z`: git-merge-tree(1), section OUTPUT, and
`type_short_descriptions` in git's merge-ort.c.
"""

from dataclasses import dataclass
from typing import Literal

from testing.conflict_cases.stories import Build

Kind = Literal[
    "content",
    "add_add",
    "modify_delete",
    "rename_rename",
    "rename_add",
    "rename_delete",
    "directory_rename",
    "file_directory",
    "submodule",
    "symlink",
    "mode",
    "binary",
]

CONTENTS = "CONFLICT (contents)"
BINARY = "CONFLICT (binary)"
FILE_DIRECTORY = "CONFLICT (file/directory)"
DISTINCT_MODES = "CONFLICT (distinct modes)"
MODIFY_DELETE = "CONFLICT (modify/delete)"
RENAME_RENAME = "CONFLICT (rename/rename)"
RENAME_COLLIDES = "CONFLICT (rename involved in collision)"
RENAME_DELETE = "CONFLICT (rename/delete)"
DIRECTORY_RENAME_SUGGESTED = "CONFLICT (directory rename suggested)"
DIRECTORY_RENAME_IN_WAY = "CONFLICT (file in way of directory rename)"
# Git itself leaves out the blank in these two.
DIRECTORY_RENAME_COLLISION = "CONFLICT(directory rename collision)"
DIRECTORY_RENAME_SPLIT = "CONFLICT(directory rename unclear split)"
SUBMODULE = "CONFLICT (submodule)"
SUBMODULE_POSSIBLE = "CONFLICT (submodule with possible resolution)"
SUBMODULE_NOT_INITIALIZED = "CONFLICT (submodule not initialized)"
SUBMODULE_NO_HISTORY = "CONFLICT (submodule history not available)"
SUBMODULE_REWINDS = "CONFLICT (submodule may have rewinds)"
SUBMODULE_NO_BASE = "CONFLICT (submodule lacks merge base)"

ALL_TYPES = frozenset(
    {
        CONTENTS,
        BINARY,
        FILE_DIRECTORY,
        DISTINCT_MODES,
        MODIFY_DELETE,
        RENAME_RENAME,
        RENAME_COLLIDES,
        RENAME_DELETE,
        DIRECTORY_RENAME_SUGGESTED,
        DIRECTORY_RENAME_IN_WAY,
        DIRECTORY_RENAME_COLLISION,
        DIRECTORY_RENAME_SPLIT,
        SUBMODULE,
        SUBMODULE_POSSIBLE,
        SUBMODULE_NOT_INITIALIZED,
        SUBMODULE_NO_HISTORY,
        SUBMODULE_REWINDS,
        SUBMODULE_NO_BASE,
    }
)


@dataclass(frozen=True, slots=True)
class ConflictCase:
    """A history whose branches `ours` and `theirs` conflict.

    `kind` is what a person would call it. `paths` are those git leaves in conflict, sorted; a conflict about
    a renamed directory may have none at all. `types` are git's words for it.
    """

    name: str
    kind: Kind
    build: Build
    paths: tuple[bytes, ...]
    types: frozenset[str]


def case(name: str, kind: Kind, build: Build, paths: tuple[bytes, ...], *types: str) -> ConflictCase:
    """A case as a row of a table."""
    return ConflictCase(name, kind, build, paths, frozenset(types))

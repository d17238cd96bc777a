"""Every kind of conflict git's ort knows, each as the shortest history that provokes it.

All types git has for conflicts are here, with the paths and types as git 2.39 reports them.
"""

from testing.conflict_cases.case import ALL_TYPES, ConflictCase, Kind
from testing.conflict_cases.contents import CONTENT_CASES
from testing.conflict_cases.directories import DIRECTORY_CASES
from testing.conflict_cases.links import LINK_CASES
from testing.conflict_cases.renames import RENAME_CASES
from testing.conflict_cases.submodules import SUBMODULE_CASES

__all__ = ["ALL_TYPES", "CONFLICT_CASES", "ConflictCase", "Kind"]

CONFLICT_CASES: tuple[ConflictCase, ...] = (
    *CONTENT_CASES,
    *RENAME_CASES,
    *DIRECTORY_CASES,
    *LINK_CASES,
    *SUBMODULE_CASES,
)

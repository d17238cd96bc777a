from pathlib import Path

import pytest

from testing.conflicts import ALL_TYPES, CONFLICT_CASES, ConflictCase
from testing.merge_tree import merge_tree
from testing.sealed import git

# Paths and types are recorded as this version reports them; others may word or place them differently.
RECORDED_WITH = "git version 2.39."


@pytest.mark.parametrize("case", CONFLICT_CASES, ids=lambda case: case.name)
def test_every_case_conflicts_as_recorded(case: ConflictCase, tmp_path: Path) -> None:
    merged = merge_tree(case.build(tmp_path))
    assert not merged.clean
    assert merged.conflict_types
    if git(tmp_path, "version").decode().startswith(RECORDED_WITH):
        assert (merged.paths, merged.conflict_types) == (case.paths, case.types)


def test_the_cases_cover_every_type_git_has() -> None:
    assert frozenset().union(*(case.types for case in CONFLICT_CASES)) == ALL_TYPES


def test_names_tell_cases_apart() -> None:
    assert len({case.name for case in CONFLICT_CASES}) == len(CONFLICT_CASES)

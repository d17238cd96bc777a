"""A merge that evidence settles to the last conflict is looked at by somebody, or is very sure."""

from dataclasses import dataclass
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.git import CommitId, Entry, Repository
from syncline.merge.ladder.settler import Settlement, Settler
from syncline.merge.ladder.whole_merge import WHOLE, least_sure
from syncline.merge.merge import merge
from syncline.merge.model import Conflict, Evidence, HunkDecision, MergeResult, Side, Status
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from tests.merge.merging import Unresolved, holds_what_it_says, lane, rule

CHANCE = st.floats(0.01, 1.0)


@given(st.lists(CHANCE, min_size=1, max_size=6))
def test_the_least_sure_of_all_is_left_where_all_together_are_not_sure(chances: list[float]) -> None:
    together = 1.0
    for chance in chances:
        together *= chance
    place = least_sure(chances)
    if together >= WHOLE:
        assert place is None
    else:
        assert place is not None
        assert chances[place] == min(chances)


@given(st.lists(CHANCE, max_size=6))
def test_somebody_looks_already_where_anything_is_open(chances: list[float]) -> None:
    assert least_sure([*chances, None]) is None


def test_a_merge_without_conflicts_needs_nobody() -> None:
    assert least_sure([]) is None


@dataclass
class Sure:
    """Settles every conflict with target's side, as sure as it is told for each path."""

    chances: dict[bytes, float]

    def prepare(self, conflicts: list[Conflict]) -> None:
        """Nothing to prepare."""

    def settle(self, conflict: Conflict, merged: Entry | None) -> Settlement:
        """Return target's side."""
        assert merged is not None
        chance = self.chances[conflict.path]
        said = (Evidence("told so"),)
        hunk = HunkDecision(0, Status.RESOLVED, "told", chance, said, ())
        return Settlement((hunk,), Side.THEIRS, None, "told", chance, said, whole=True)


@pytest.fixture
def two(builder: RepositoryBuilder) -> BuiltRepository:
    """`a` and `b` in conflict."""
    ours = builder.branch("ours")
    ours.commit("start", {"a": "a\n", "b": "b\n"})
    theirs = ours.branch("theirs")
    ours.commit("ours", {"a": "a ours\n", "b": "b ours\n"})
    theirs.commit("theirs", {"a": "a theirs\n", "b": "b theirs\n"})
    return builder.finish()


def settled(built: BuiltRepository, chances: dict[bytes, float], unresolved: Unresolved = "ours") -> MergeResult:
    """Merge with that settler, `b` by a rule where it has no chance."""
    policy = lane(*(() if b"b" in chances else (rule("ours", "b"),)), unresolved=unresolved)
    with Repository.open(built.path) as repository:
        ours, theirs = CommitId(built["ours"]), CommitId(built["theirs"])
        result = merge(repository, ours, theirs, policy, settler=cast("Settler", Sure(chances)))
    holds_what_it_says(built, result)
    return result


@pytest.mark.parametrize("unresolved", ["ours", "theirs", "markers"])
def test_the_least_sure_file_stays_open(two: BuiltRepository, unresolved: Unresolved) -> None:
    result = settled(two, {b"a": 0.95, b"b": 0.8}, unresolved)
    (left,) = result.unresolved
    assert left.path == b"b"
    assert any("nobody would look" in evidence.text for evidence in left.evidence)
    assert [hunk.status for hunk in left.hunks] == [Status.UNRESOLVED]
    content = two.git("cat-file", "blob", f"{result.tree}:b")
    assert content == {"ours": b"b ours\n", "theirs": b"b theirs\n"}.get(unresolved, content)
    assert (b"<<<<<<<" in content) == (unresolved == "markers")


def test_a_merge_that_is_sure_together_is_settled(two: BuiltRepository) -> None:
    assert settled(two, {b"a": 0.95, b"b": 0.95}).clean


def test_what_a_rule_settles_is_no_doubt(two: BuiltRepository) -> None:
    assert settled(two, {b"a": 0.9}).clean
    assert not settled(two, {b"a": 0.8}).clean

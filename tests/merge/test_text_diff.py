"""The difference of two sequences: always true, the best there is where little repeats, never slow."""

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.text import diff
from syncline.merge.text.diff import Edit, Match, edits, edits_between, matches, similarity


def common_length(old: Sequence[object], new: Sequence[object]) -> int:
    """The length of the longest common subsequence, by the textbook's table."""
    row = [0] * (len(new) + 1)
    for item in old:
        before = 0
        for at, other in enumerate(new):
            diagonal, before = before, row[at + 1]
            row[at + 1] = diagonal + 1 if item == other else max(row[at + 1], row[at])
    return row[-1]


def total(found: Sequence[Match]) -> int:
    return sum(match.size for match in found)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("", "", []),
        ("abc", "", []),
        ("abc", "abc", [Match(0, 0, 3)]),
        ("abc", "xyz", []),
        ("abcd", "abXd", [Match(0, 0, 2), Match(3, 3, 1)]),
        ("abcd", "bc", [Match(1, 0, 2)]),
        # What moved is matched where more stands in order.
        ("abcde", "dabce", [Match(0, 1, 3), Match(4, 4, 1)]),
        ("aaaa", "aa", [Match(0, 0, 2)]),
    ],
)
def test_stretches_that_stand_in_both(old: str, new: str, found: list[Match]) -> None:
    assert matches(old, new) == found


def test_edits_are_what_is_between() -> None:
    assert edits("abcd", "aXcdY") == [Edit(1, 2, 1, 2), Edit(4, 4, 4, 5)]
    assert edits("ab", "") == [Edit(0, 2, 0, 0)]
    assert edits("", "ab") == [Edit(0, 0, 0, 2)]
    assert edits("ab", "ab") == []
    assert edits_between([], 0, 0) == []


@pytest.mark.parametrize(
    ("old", "new", "share"), [("", "", 1.0), ("a", "", 0.0), ("ab", "ab", 1.0), ("abcd", "abxy", 0.5)]
)
def test_similarity(old: str, new: str, share: float) -> None:
    assert similarity(old, new) == share


sequences = st.one_of(
    st.lists(st.integers(0, 2), max_size=25),
    st.lists(st.integers(0, 8), max_size=25),
    st.lists(st.integers(0, 60), max_size=25),
    st.permutations(range(15)),
)


@given(sequences, sequences)
def test_matches_are_a_common_subsequence_in_order(old: list[int], new: list[int]) -> None:
    found = matches(old, new)
    for match in found:
        assert match.size > 0
        assert old[match.a : match.a + match.size] == new[match.b : match.b + match.size]
    for one, following in pairwise(found):
        assert one.a + one.size <= following.a
        assert one.b + one.size <= following.b
        assert (one.a + one.size, one.b + one.size) != (following.a, following.b)  # joined otherwise
    assert total(found) <= common_length(old, new)
    # No stretch could be longer.
    for edit in edits(old, new):
        assert old[edit.a : edit.a + 1] != new[edit.b : edit.b + 1] or edit.a == edit.a_end or edit.b == edit.b_end


@given(sequences, sequences)
def test_edits_lead_from_the_one_to_the_other(old: list[int], new: list[int]) -> None:
    rebuilt: list[int] = []
    at = 0
    for edit in edits(old, new):
        rebuilt += [*old[at : edit.a], *new[edit.b : edit.b_end]]
        at = edit.a_end
    assert [*rebuilt, *old[at:]] == new


different = st.lists(st.integers(0, 40), max_size=25, unique=True)


@given(different, different)
def test_nothing_is_missed_where_nothing_repeats(old: list[int], new: list[int]) -> None:
    assert total(matches(old, new)) == common_length(old, new)


@given(st.lists(st.integers(0, 3), max_size=20), st.lists(st.integers(0, 3), max_size=20))
def test_nothing_is_missed_between_anchors(old: list[int], new: list[int]) -> None:
    found: list[tuple[int, int, int]] = []
    diff._myers(old, 0, len(old), new, 0, len(new), found)
    assert sum(size for _, _, size in found) == common_length(old, new)


def test_what_needs_too_many_edits_counts_as_changed() -> None:
    # Each stands twice, so that nothing anchors the comparison.
    generator = random.Random(1)  # noqa: S311 - no secret
    one, other = (generator.sample([*range(2000), *range(2000)], 4000) for _ in range(2))
    found: list[tuple[int, int, int]] = []
    diff._myers(one, 0, len(one), other, 0, len(other), found)
    assert found == []


def _one_anchor_at_a_time(size: int) -> tuple[list[int], list[int]]:
    """Sequences of which one element alone is an anchor, then another one in what is left, and so on."""
    left = [item for step in range(1, size) for item in (-step - 1, -step)]
    right = [item for step in range(1, size) for item in (step, -step)]
    return left, right


def _random(size: int, values: int) -> tuple[list[int], list[int]]:
    generator = random.Random(values)  # noqa: S311 - no secret
    one, other = ([generator.randrange(values) for _ in range(size)] for _ in range(2))
    return one, other


@pytest.mark.parametrize("pair", [
    _random(20_000, 1_000_000), _random(20_000, 20_000), _random(20_000, 2_000), _one_anchor_at_a_time(1_500),
], ids=["nothing in common", "few repeat", "each ten times", "an anchor at a time"])  # fmt: skip
def test_each_line_is_looked_at_a_bounded_number_of_times(
    pair: tuple[list[int], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = 0
    once = diff._once

    def counting(items: list[int], start: int, end: int) -> dict[int, int]:
        nonlocal looked
        looked += end - start
        return once(items, start, end)

    monkeypatch.setattr(diff, "_once", counting)
    old, new = pair
    found = matches(old, new)
    assert total(found) <= min(len(old), len(new))
    assert looked <= 65 * (len(old) + len(new))

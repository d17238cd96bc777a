"""What counts as new: tables of what was said of the sides and of the merge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.fits.compare import fresh, surplus
from syncline.audit.fits.diagnostic import Diagnostic
from syncline.audit.four_trees import SIDES
from syncline.merge.model import Side

# path:text of each diagnostic, all of one rule and message.
CASES: dict[str, tuple[str, str, str, str]] = {
    "in the merge alone": ("", "", "a:x", "a:x"),
    "a side has it": ("a:x", "", "a:x", ""),
    "a side has it with another line": ("a:y", "", "a:x", ""),
    "each side has one": ("a:x", "a:y", "a:x a:y", ""),
    "each side has one, and there is a third": ("a:x", "a:y", "a:x a:y a:z", "a:z"),
    "the same line once more": ("a:x", "a:x", "a:x a:x", "a:x a:x"),
    "in another file": ("b:y", "", "b:y a:x", "a:x"),
    "moved to another file": ("b:x", "", "a:x", ""),
    "gone": ("a:x", "a:x", "", ""),
}


def said(words: str) -> list[Diagnostic]:
    return [Diagnostic(word.encode(), 1, "R", "m") for word in words.split()]


def new(ours: str, theirs: str, merged: str) -> list[str]:
    """Each diagnostic's path carries its line's text after a colon; files are told by what is before it."""

    def split(words: str) -> list[Diagnostic]:
        # The line number stands for the text.
        return [Diagnostic(one.path.split(b":")[0], ord(one.path.split(b":")[1]), "R", "m") for one in said(words)]

    by_side = {Side.OURS: split(ours), Side.THEIRS: split(theirs)}
    here = split(merged)
    more = set.intersection(*(surplus(here, by_side[side], lambda path: path) for side in SIDES))
    found = fresh(here, by_side, more, lambda _where, _path, line: chr(line))
    return [f"{one.diagnostic.path.decode()}:{one.text}" for one in found]


@pytest.mark.parametrize("case", CASES)
def test_what_is_new(case: str) -> None:
    ours, theirs, merged, expected = CASES[case]
    assert new(ours, theirs, merged) == expected.split()
    assert new(theirs, ours, merged) == expected.split()


one = st.sampled_from(["a:x", "a:y", "b:x"])
some = st.lists(one, max_size=4).map(" ".join)


@given(some, some)
def test_what_a_side_says_is_never_new(ours: str, theirs: str) -> None:
    assert new(ours, theirs, ours) == []
    assert new(ours, theirs, theirs) == []


@given(some, some, some)
def test_the_sides_may_be_swapped_and_everything_new_is_in_the_merge(ours: str, theirs: str, merged: str) -> None:
    found = new(ours, theirs, merged)
    assert found == new(theirs, ours, merged)
    assert set(found) <= set(merged.split())
    assert not (not ours and not theirs and len(found) != len(merged.split()))

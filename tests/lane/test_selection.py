"""What of a check is run on a parent. Names of tests come from logs: none of them becomes an option."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.config.models import LocalCheck
from syncline.lane.triage.selection import MOST_TESTS, Selection, select

WHOLE = ("pytest", "-q")
CHECK = LocalCheck(name="unit", command=WHOLE, select=("pytest", "{tests}", "-x"))


def yes(_test: str) -> bool:
    return True


def test_the_failing_tests_alone() -> None:
    assert select(CHECK, ["a::b", "c::d"], yes) == Selection(("pytest", "a::b", "c::d", "-x"), ("a::b", "c::d"))


def test_only_those_that_the_parent_has() -> None:
    assert select(CHECK, ["a::b", "c::d"], lambda test: test == "c::d") == Selection(
        ("pytest", "c::d", "-x"), ("c::d",)
    )
    assert select(CHECK, ["a::b"], lambda _test: False) is None


@pytest.mark.parametrize(
    "tests",
    [
        [], ["--rootdir=/etc"], ["-p", "a::b"], ["@file"], ["a::b\n--x"], ["a" * 2000],
        [f"t::{n}" for n in range(MOST_TESTS + 1)],
    ],
    ids=["none", "an option", "one is an option", "a file of arguments", "two lines", "too long", "too many"],
)  # fmt: skip
def test_the_whole_check_where_they_cannot_be_named(tests: list[str]) -> None:
    assert select(CHECK, tests, yes) == Selection(WHOLE)


def test_the_whole_check_without_a_selector() -> None:
    assert select(LocalCheck(name="unit", command=WHOLE), ["a::b"], yes) == Selection(WHOLE)


@given(st.lists(st.text(max_size=20), max_size=5))
def test_no_name_becomes_an_option(tests: list[str]) -> None:
    found = select(CHECK, tests, yes)
    assert found is not None
    added = [word for word in found.command if word not in {"pytest", "-q", "-x"}]
    assert all(not word.startswith(("-", "@", "+")) for word in added)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.markup.fit import Part, Shorter, fit

BIG = Part("D" * 50, shorter=(Shorter(0, "d"),))
SMALL = Part("E" * 20, shorter=(Shorter(0, "e"),))
LIST = Part("L" * 30, shorter=(Shorter(1, "list"), Shorter(2, "")))
GROUP = Part("<", (BIG, SMALL), ">", shorter=(Shorter(1, "group"),))
KEPT = Part("kept")

CASES = [
    ("all of it", 200, "D" * 50 + "E" * 20 + "L" * 30),
    ("exactly", 100, "D" * 50 + "E" * 20 + "L" * 30),
    ("the largest of the lowest rank first", 99, "d" + "E" * 20 + "L" * 30),
    ("then the smaller", 50, "d" + "e" + "L" * 30),
    ("then the next rank", 31, "d" + "e" + "list"),
    ("and the one after", 3, "d" + "e"),
]


@pytest.mark.parametrize(("limit", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_least_useful_goes_first(limit: int, expected: str) -> None:
    assert fit([BIG, SMALL, LIST], limit) == expected


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(76, "<" + "D" * 50 + "E" * 20 + ">kept"), (75, "<d" + "E" * 20 + ">kept"), (9, "<de>kept"), (7, "<de>kept")],
)
def test_a_group_keeps_its_ends(limit: int, expected: str) -> None:
    assert fit([GROUP, KEPT], limit) == expected


def test_a_replacement_that_saves_nothing_is_not_taken() -> None:
    assert fit([Part("ab", shorter=(Shorter(0, "longer"), Shorter(1, "")))], 1) == ""


def test_a_replaced_group_takes_its_members_along() -> None:
    group = Part("<", (Part("x" * 10, shorter=(Shorter(5, "x"),)),), ">", shorter=(Shorter(0, "g"),))
    assert fit([group, Part("y" * 9, shorter=(Shorter(6, "y"),))], 2) == "gy"


PARTS = st.recursive(
    st.builds(
        Part,
        st.text(max_size=9),
        shorter=st.lists(st.builds(Shorter, st.integers(0, 3), st.text(max_size=4)), max_size=2).map(tuple),
    ),
    lambda below: st.builds(
        Part, st.text(max_size=9), st.lists(below, max_size=3).map(tuple), st.text(max_size=2)
    ),
    max_leaves=8,
)


@given(st.lists(PARTS, max_size=5), st.integers(0, 60))
def test_it_fits_or_nothing_is_left_to_shorten(parts: list[Part], limit: int) -> None:
    whole = "".join(_joined(part) for part in parts)
    fitted = fit(parts, limit)
    assert fitted == whole if len(whole) <= limit else len(fitted) <= max(limit, _shortest(parts))


def _joined(part: Part) -> str:
    return part.text + "".join(_joined(one) for one in part.parts) + part.close


def _shortest(parts: list[Part]) -> int:
    # A step may be longer than one before it, so this is a bound: no part ends longer than it began.
    return sum(
        max([min(len(step.text), len(_joined(part))) for step in part.shorter] or [len(part.text + part.close)])
        + (0 if part.shorter else _shortest(list(part.parts)))
        for part in parts
    )

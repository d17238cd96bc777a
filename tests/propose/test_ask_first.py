"""The order in which people are asked, against what it says: how many hunks each answer speaks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.model import Decision, HunkDecision, Likeness, Side, Status
from syncline.propose.ask_first import Asked, ask_first


def decision(path: str, *hunks: str, settled: str = "") -> Decision:
    """An open path; a hunk is told by its text and its form, as in `a1`, one of a lock file by `-`."""
    decided = [
        HunkDecision(index, Status.UNRESOLVED, "", None, (), (), 0, None if hunk == "-" else Likeness(*hunk))
        for index, hunk in enumerate(hunks)
    ]
    decided += [
        HunkDecision(9, Status.RESOLVED, "same", 1.0, (), (), 0, Likeness(*hunk)) for hunk in settled.split()
    ]
    return Decision(path.encode(), Status.UNRESOLVED, Side.OURS, "", None, (), None, None, tuple(decided))


CASES: list[tuple[list[Decision], list[tuple[str, int, int]]]] = [
    ([], []),
    ([decision("a", "a1")], [("a", 0, 0)]),
    ([decision("a", "a1"), decision("b", "b1")], [("a", 0, 1), ("b", 0, 0)]),
    ([decision("a", "a1"), decision("b", "a2")], [("a", 1, 0), ("b", 0, 0)]),
    # One with the same text and the same form counts once, as the same.
    ([decision("a", "a1"), decision("b", "a1")], [("a", 1, 0), ("b", 0, 0)]),
    # Hunks of the path itself are answered with it.
    ([decision("a", "a1", "a1", "b1")], [("a", 0, 0)]),
    # c speaks for both others; nothing is left for them to tell.
    (
        [decision("a", "a1"), decision("b", "b2"), decision("c", "a2", "c2")],
        [("c", 1, 1), ("a", 0, 0), ("b", 0, 0)],
    ),
    # The second is chosen for what the first left: not the hunks a speaks for too.
    (
        [decision(path, hunk) for path, hunk in {"a": "a1", "a0": "a1", "a1": "a1", "b": "b2", "c": "b2"}.items()],
        [("a", 2, 0), ("b", 1, 0), ("a0", 0, 0), ("a1", 0, 0), ("c", 0, 0)],
    ),
    # Neither lock files nor hunks that are settled ask or are spoken for.
    ([decision("a", "-"), decision("b", "-", settled="a1"), decision("c", "b2", settled="a1")],
     [("a", 0, 0), ("b", 0, 0), ("c", 0, 0)]),
    ([decision("none")], [("none", 0, 0)]),
]  # fmt: skip


@pytest.mark.parametrize(("opened", "order"), CASES)
def test_who_is_asked_first(opened: list[Decision], order: list[tuple[str, int, int]]) -> None:
    assert ask_first(opened) == tuple(Asked(path.encode(), same, alike) for path, same, alike in order)


HUNK = st.tuples(st.sampled_from("abcd"), st.sampled_from("123")).map("".join) | st.just("-")


@given(st.lists(st.lists(HUNK, max_size=4), max_size=8))
def test_the_figures_are_what_a_count_gives(files: list[list[str]]) -> None:
    asked = ask_first([decision(str(number), *hunks) for number, hunks in enumerate(files)])
    assert sorted(int(one.path) for one in asked) == list(range(len(files)))
    left = {(file, at): hunk for file, hunks in enumerate(files) for at, hunk in enumerate(hunks) if hunk != "-"}

    def told(file: int) -> tuple[int, int]:
        own = [hunk for hunk in files[file] if hunk != "-"]
        others = [hunk for (place, _), hunk in left.items() if place != file]
        same = sum(hunk[0] in {one[0] for one in own} for hunk in others)
        alike = sum(hunk[0] not in {o[0] for o in own} and hunk[1] in {o[1] for o in own} for hunk in others)
        return same, alike

    for one in asked:
        file = int(one.path)
        assert (one.same, one.alike) == told(file)
        assert one.speaks_for == max(sum(told(other)) for other in range(len(files)))
        if one.speaks_for:
            own = {hunk for hunk in files[file] if hunk != "-"}
            spoken = {hunk for hunk in left.values() if any(hunk[0] == o[0] or hunk[1] == o[1] for o in own)}
            left = {place: hunk for place, hunk in left.items() if hunk not in spoken}


def test_thousands_that_are_alike_are_asked_once() -> None:
    opened = [decision(f"{number:05}", f"{chr(0x4E00 + number)}1") for number in range(5000)]
    assert [one.speaks_for for one in ask_first(opened)][:2] == [4999, 0]

"""What attempts answered: how much they tell, and when those against an answer outweigh those for it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.git import CommitId
from syncline.merge.attempted import Attempt, Attempted, Taken, Tried
from syncline.merge.case import FileCase, HunkCase
from syncline.merge.recorded import Recorded
from testing.cases import file_case

COUNTS = st.lists(st.integers(0, 200), min_size=3, max_size=3)


def a_case(number: int, path: bytes = b"src/a.py") -> FileCase:
    def version(word: str) -> bytes:
        return f"above = {number}\n{word} = {number}\nbelow = {number}\n".encode()

    return file_case(version("base"), version("ours"), version("theirs"), path=path)


def hunk_of(case: FileCase) -> HunkCase:
    (hunk,) = case.hunks
    return hunk


def answer(hunk: HunkCase, kind: int) -> tuple[bytes, ...]:
    return (hunk.ours, hunk.theirs, (b"both = 1\n",))[kind]


def taken(counts: Sequence[int], path: bytes = b"src/a.py") -> Taken:
    found = Taken()
    hunk = hunk_of(a_case(0, path))
    for kind, count in enumerate(counts):
        for _ in range(count):
            found.note(hunk, answer(hunk, kind))
    return found


def tried(case: FileCase, *attempts: tuple[int, Sequence[int]]) -> list[Tried]:
    """What attempts (the kind of their answer, their habits) say to a conflict, the newest first."""
    hunk = hunk_of(case)
    found = []
    for number, (kind, habits) in enumerate(attempts):
        store = Recorded()
        store.add(case, [answer(hunk, kind)])
        found.append(Attempt(CommitId(f"{number + 1:040x}"), store, taken(habits)))
    return Attempted(found).lookup(hunk)


@given(COUNTS)
def test_the_rarer_an_answer_is_the_more_it_tells(counts: list[int]) -> None:
    hunk = hunk_of(a_case(1))
    habits = taken(counts)
    bits = [habits.bits(hunk, answer(hunk, kind)) for kind in range(3)]
    assert all(bit > 0 for bit in bits)
    assert sum(2**-bit for bit in bits) == pytest.approx(1)
    assert all(
        (counts[one] < counts[other]) == (bits[one] > bits[other]) for one in range(3) for other in range(3)
    )


def test_habits_are_those_of_the_group_of_files() -> None:
    habits = taken([90, 0, 0])
    assert habits.bits(hunk_of(a_case(1)), hunk_of(a_case(1)).ours) < 0.05
    page = hunk_of(a_case(1, b"docs/a.md"))
    assert habits.bits(page, page.ours) == pytest.approx(1.585, abs=0.001)


FROM_CASE_TO_CASE = (10, 10, 10)
ALWAYS_OURS = (90, 1, 1)
OURS, THEIRS, OTHER = range(3)


@pytest.mark.parametrize(
    ("attempts", "contested"),
    [
        ([(OURS, FROM_CASE_TO_CASE)], False),
        # One more that always says so is as good as none, for an answer and against it.
        ([(THEIRS, FROM_CASE_TO_CASE), (OURS, ALWAYS_OURS)], False),
        ([(THEIRS, FROM_CASE_TO_CASE), (OURS, ALWAYS_OURS), (OURS, ALWAYS_OURS)], False),
        ([(OURS, FROM_CASE_TO_CASE), (OURS, ALWAYS_OURS), (THEIRS, FROM_CASE_TO_CASE)], True),
        ([(OURS, FROM_CASE_TO_CASE), (OURS, FROM_CASE_TO_CASE), (THEIRS, FROM_CASE_TO_CASE)], False),
        ([(OURS, FROM_CASE_TO_CASE), (OURS, FROM_CASE_TO_CASE), *[(THEIRS, FROM_CASE_TO_CASE)] * 2], True),
        # Who leaves a habit for once tells most.
        ([(OURS, FROM_CASE_TO_CASE), (OURS, FROM_CASE_TO_CASE), (THEIRS, ALWAYS_OURS)], True),
        ([(OTHER, FROM_CASE_TO_CASE), (OURS, FROM_CASE_TO_CASE)], True),
    ],
)
def test_contested_is_what_those_against_tell_more_of(
    attempts: list[tuple[int, Sequence[int]]],
    contested: bool,  # noqa: FBT001
) -> None:
    newest = tried(a_case(1), *attempts)[0]
    assert newest.contested is contested


def test_how_many_gave_each_answer() -> None:
    found = tried(a_case(1), (OURS, ALWAYS_OURS), (THEIRS, ALWAYS_OURS), (OURS, FROM_CASE_TO_CASE))
    assert [(one.times, one.others) for one in found] == [(2, 1), (1, 2)]
    assert found[0].support == pytest.approx(1.585, abs=0.001)
    assert found[0].opposition == pytest.approx(found[1].opposition + 4.4, abs=0.5)


@given(COUNTS)
def test_what_is_kept_is_read_back(counts: list[int]) -> None:
    case = a_case(1)
    store = Recorded()
    store.add(case, [hunk_of(case).ours])
    before = Attempted([Attempt(CommitId("1" * 40), store, taken(counts))])
    after = Attempted.from_json(json.loads(json.dumps(before.as_json())))
    assert after.as_json() == before.as_json()
    assert after.lookup(hunk_of(case)) == before.lookup(hunk_of(case))


def test_a_record_of_before_habits_were_kept_is_read() -> None:
    case = a_case(1)
    (one,) = Attempted([Attempt(CommitId("1" * 40), Recorded(), taken([3, 0, 0]))]).as_json()
    (read,) = Attempted.from_json([{key: value for key, value in one.items() if key != "taken"}]).attempts
    assert read.taken.bits(hunk_of(case), hunk_of(case).ours) == pytest.approx(1.585, abs=0.001)


@pytest.mark.parametrize(
    "counts", [[1, 2, 3], {"code": [1, 2]}, {"code": [1, 2, -1]}, {"code": ["a", 1, 1]}, {"code": 1},
               {"code": [float("nan"), 1, 1]}, {"code": [float("inf"), 1, 1]}],
)  # fmt: skip
def test_counts_that_are_none_are_refused(counts: Any) -> None:
    document = [{"commit": "1" * 40, "answers": Recorded().as_json(), "taken": counts}]
    with pytest.raises(ValueError, match=r"of what an attempt took|could not convert"):
        Attempted.from_json(document)

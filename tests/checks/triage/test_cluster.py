"""Failures of many checks become few faults."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.triage.cluster import Found, cluster, is_bare, missing_thing


def failure(message: str, *, at: int = 1, weight: Weight = Weight.CAUSE, **more: object) -> LogFailure:
    values = {"tool": "pytest", "kind": "AssertionError", "message": message, "weight": weight, "at": at}
    return LogFailure(**(values | more))  # pyrefly: ignore


IMPORT = failure(
    "cannot import name 'rope' from 'pkg.layers' (/home/runner/work/a/a/pkg/layers.py)",
    kind="ImportError",
    path="tests/conftest.py",
    line=4,
)


def test_one_broken_import_in_conftest_that_fails_forty_jobs_is_one_fault() -> None:
    chain = ("tests/conftest.py", "pkg/model.py", "pkg/attention.py")
    found: list[Found] = [(f"unit ({n})", replace(IMPORT, at=100 + n, line=4)) for n in range(39)]
    # One job reads a traceback instead, from another machine, and knows the chain.
    told = replace(
        IMPORT, tool="python", path="pkg/attention.py", line=9, chain=chain,
        message="cannot import name 'rope' from 'pkg.layers' (/opt/ci/build/pkg/layers.py)",
    )  # fmt: skip
    found.append(("smoke", told))
    # What only follows: nothing was collected, the process ended.
    found += [(f"unit ({n})", failure("exit code 4", at=900, weight=Weight.END, kind="exit")) for n in range(39)]
    (one,) = cluster(found)
    assert len(one.checks) == 40
    assert one.count == 79
    assert one.first == told
    assert one.first.chain == chain


def test_ranks_that_are_killed_since_one_died_go_to_it() -> None:
    died = failure("CUDA out of memory", kind="OutOfMemoryError", tool="python", at=50, rank=3, path="train.py")
    other = failure("lost the peer", kind="RuntimeError", at=90, rank=1, path="other.py")
    killed = [
        failure(f"rank {rank} was killed", weight=Weight.SYMPTOM, kind="killed", at=60 + rank, rank=rank)
        for rank in (0, 1, 2)
    ]
    late = failure("rank 5 was killed", weight=Weight.SYMPTOM, kind="killed", at=95, rank=5)
    early = failure("ranks wait", weight=Weight.SYMPTOM, kind="waits", at=3)
    end = failure("exit code 1", weight=Weight.END, kind="exit", at=99)
    found = cluster([("gpu", one) for one in (died, other, *killed, late, early, end)])
    assert {one.first.at: one.count for one in found} == {50: 1 + 3 + 1 + 1, 90: 2}


def test_a_symptom_in_a_log_without_an_error_goes_to_the_error_of_its_check() -> None:
    cause = failure("boom", at=700, log="rank3.txt")
    symptom = failure("a peer has gone", at=2, log="rank0.txt", weight=Weight.SYMPTOM)
    (one,) = cluster([("gpu", symptom), ("gpu", cause)])
    assert (one.first, one.count) == (cause, 2)


@pytest.mark.parametrize(
    ("message", "faults"),
    [
        ("exit code 1", 2),
        ("Process completed with exit code 2.", 2),
        ("failed", 2),
        ("no space left on device", 1),
        ("the runner has received a shutdown signal", 1),
    ],
)
def test_an_exit_code_is_nothing_that_two_checks_have_in_common(message: str, faults: int) -> None:
    ended = failure(message, weight=Weight.END, kind="exit", tool="check")
    assert len(cluster([("a", ended), ("b", ended)])) == faults


def test_in_one_check_all_ends_without_an_error_are_one_fault() -> None:
    ends = [failure(f"exit code {n}", weight=Weight.END, kind="exit", at=n) for n in (1, 2)]
    (one,) = cluster([("a", end) for end in ends])
    assert one.count == 2


def test_a_bare_end_goes_to_what_tells_what_happened() -> None:
    told = failure("no space left on device", weight=Weight.SYMPTOM, kind="disk", at=9)
    end = failure("exit code 1", weight=Weight.END, kind="exit", at=3)
    (one,) = cluster([("a", end), ("a", told), ("b", end), ("b", told)])
    assert (one.first, one.count, one.checks) == (told, 4, ("a", "b"))


MISSED = [
    ("name 'rope' is not defined", True),
    ("module 'a.b' has no attribute 'rope'", True),
    ("undefined reference to `rope(int)'", True),
    ("undefined: rope", True),
    ("f() got an unexpected keyword argument 'rope'", True),
    ("Cannot find module './rope' from 'a.test.ts'", True),
    ("'NoneType' object has no attribute 'rope'", False),
    ("Cannot read properties of undefined (reading 'rope')", False),
    ("assert 1 == 2", False),
    ("undefined behaviour", False),
]


@pytest.mark.parametrize(("message", "missed"), MISSED)
def test_a_thing_that_is_missed_in_two_files_is_one_fault(message: str, missed: bool) -> None:  # noqa: FBT001
    two = [failure(message, path=path) for path in ("a.py", "b.py")]
    assert bool(missing_thing(two[0])) is missed
    assert len(cluster([("unit", one) for one in two])) == (1 if missed else 2)


def test_each_check_keeps_the_signatures_it_fails_by() -> None:
    a, b = (failure("name 'x' is not defined", path=path, test=f"{path}::t") for path in ("a.py", "b.py"))
    (one,) = cluster([("one", a), ("two", b), ("two", a)])
    assert one.in_check("one").signatures == {a.signature}
    assert one.in_check("two").signatures == {a.signature, b.signature}
    assert one.in_check("one").tests == ("a.py::t",)
    assert one.tests == ("a.py::t", "b.py::t")


@pytest.mark.parametrize("piece", ["-", "(", " (/", "'", "a'", "exit ", "\u2018", "code:", "0x1 "])
def test_no_message_stalls_it(piece: str) -> None:
    # A pattern that goes back and forth would take longer than the suite may.
    found = [("unit", failure(piece * 5_000 + "x", at=n, weight=weight)) for n, weight in enumerate(Weight)]
    assert sum(one.count for one in cluster(found)) == len(found)


WORDS = st.sampled_from([
    "boom", "name 'x' is not defined", "name 'y' is not defined", "exit code 1", "no space left on device", ""
])  # fmt: skip
FAILURES = st.builds(
    failure,
    WORDS,
    at=st.integers(1, 9),
    weight=st.sampled_from(Weight),
    path=st.sampled_from(["", "a.py", "b.py"]),
    log=st.sampled_from(["", "0.txt", "1.txt"]),
    test=st.sampled_from(["", "t1", "t2"]),
    kind=st.sampled_from(["NameError", "exit"]),
    rank=st.sampled_from([None, 0, 1]),
)
FOUND = st.lists(st.tuples(st.sampled_from(["unit", "lint", "gpu"]), FAILURES), max_size=25)


@given(FOUND, st.randoms(use_true_random=False))
def test_the_order_of_checks_and_logs_does_not_matter(found: list[Found], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # pyrefly: ignore
    assert cluster(shuffled) == cluster(found)


@given(FOUND)
def test_every_failure_is_in_exactly_one_fault(found: list[Found]) -> None:
    made = cluster(found)
    assert sum(one.count for one in made) == len(found)
    for check, one in found:
        holding = [each for each in made if check in each.checks and one.signature in _signatures(each, check)]
        if one.weight is Weight.CAUSE:
            assert len(holding) == 1, "a signature is one fault"
    for one in made:
        assert list(one.checks) == sorted(set(one.checks))
        assert [member.check for member in one.members] == list(one.checks)
        assert all(member.signatures for member in one.members)


@given(FOUND)
def test_a_fault_is_told_by_an_error_where_its_check_has_one(found: list[Found]) -> None:
    with_error = {check for check, one in found if one.weight is Weight.CAUSE}
    for one in cluster(found):
        if with_error & set(one.checks):
            assert one.first.weight is Weight.CAUSE
            assert not is_bare(one.first)


@given(FOUND, FOUND)
def test_more_checks_never_part_what_was_together(found: list[Found], more: list[Found]) -> None:
    others = [(f"{check} again", one) for check, one in more]
    before, after = cluster(found), cluster([*found, *others])
    for one in before:
        assert any(_members(one) <= _members(each) for each in after)


def _signatures(one: object, check: str) -> Sequence[str]:
    return one.in_check(check).signatures  # pyrefly: ignore


def _members(one: object) -> set[tuple[str, str]]:
    return {(member.check, each) for member in one.members for each in member.signatures}  # pyrefly: ignore

"""What is kept of a lane: a file that reads back as it was written, or is refused with a sentence."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.errors import SynclineError
from syncline.git import CommitId
from syncline.merge.attempted import Attempt, Attempted
from syncline.merge.ladder.gate import Outcome
from syncline.merge.ladder.lane_record import HALF_LIVES, SEEN_AGAIN, TURN_HUNKS, LaneRecord
from syncline.merge.ladder.local import FEATURES, Sample
from syncline.merge.ladder.memory import Answer
from syncline.merge.recorded import Recorded
from tests.merge.ladder.hunks import a_case, candidate, facts, proposes

COMMIT = "12" * 20


def full() -> LaneRecord:
    """A record with something everywhere."""
    record = LaneRecord(sizes=(3, 5), learned=(COMMIT,), forgotten=("34" * 20,))
    known = facts(proposes(b"x = f(2)\n"), path=b"\xff/a.py")
    record.memory.learn([Answer(known, candidate(known, "merged"))], record.fade)
    record.gate.learn([Outcome("code", 0.93, right=True)], record.fade)
    record.gate_with_answers.learn([Outcome("data", 0.7, right=False)], record.fade)
    record.local["ours"].learn([Sample((1.0,) * len(FEATURES), 0.3, right=True)], record.fade)
    record.local_with_answers["merged"].learn([Sample((0.5,) * len(FEATURES), 0.3, right=False)], record.fade)
    record.recorded.add(a_case(), [(b"x = f(2)\n",)], CommitId(COMMIT))
    tried = Recorded()
    tried.add(a_case(), [(b"x = f(3)\n",)])
    record.attempted = Attempted([Attempt(CommitId("56" * 20), tried)])
    return record


@pytest.mark.parametrize("record", [LaneRecord(), full()], ids=["new", "full"])
def test_it_reads_back_as_it_was(record: LaneRecord) -> None:
    content = record.to_bytes()
    again = LaneRecord.from_bytes(content, "there")
    assert again.to_bytes() == content
    assert again.as_json() == record.as_json()
    assert (again.sizes, again.learned, again.forgotten) == (record.sizes, record.learned, record.forgotten)
    assert again.recorded.lookup(a_case().hunks[0]) == record.recorded.lookup(a_case().hunks[0])
    assert again.attempted.lookup(a_case().hunks[0]) == record.attempted.lookup(a_case().hunks[0])


def test_a_record_from_before_attempts_were_kept_is_read() -> None:
    document = {key: value for key, value in full().as_json().items() if key != "attempted"}
    for correction in (*document["local"].values(), *document["local_with_answers"].values()):
        for name in FEATURES[19:]:
            del correction["mean"][name]
        correction["known"] = [row[:19] for row in correction["known"][:19]]
    again = LaneRecord.from_json(json.loads(json.dumps(document)))
    assert not again.attempted.attempts
    assert again.local["ours"].correction((1.0,) * 19 + (0.0,) * (len(FEATURES) - 19)) == pytest.approx(
        full().local["ours"].correction((1.0,) * 19 + (0.0,) * (len(FEATURES) - 19)), abs=1e-3
    )
    again.local["ours"].learn([Sample((1.0,) * len(FEATURES), 0.3, right=True)], 0.9)
    assert again.local["ours"].mean[-1] > 0


@pytest.mark.parametrize(
    ("sizes", "half_life"),
    [((), 25), ((1,) * 20, HALF_LIVES[1]), ((0, 0), HALF_LIVES[1]), ((100,), 2.5), ((300, 700), HALF_LIVES[0])],
)
def test_large_merges_make_the_past_fade_sooner(sizes: tuple[int, ...], half_life: float) -> None:
    assert LaneRecord(sizes=sizes).fade == pytest.approx(0.5 ** (1 / half_life))


def changed(**changes: Any) -> bytes:
    return json.dumps(full().as_json() | changes).encode()


DOCUMENT = full().as_json()


def without(gone: str) -> bytes:
    return json.dumps({key: value for key, value in DOCUMENT.items() if key != gone}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"5", b"null", b"{}", b"\xff", b"[" * 100_000, changed(format=2), changed(memory=[]),
        changed(gate=None), changed(gate_with_answers={}), changed(local={}), changed(local=[]),
        changed(local_with_answers={"ours": DOCUMENT["local"]["ours"]}), changed(sizes=5), changed(sizes=["many"]),
        changed(sizes=[None]), changed(shares=[1, 2]),
        changed(shares=[1, -1, 0]), changed(shares=[1, float("nan"), 0]), changed(shares=5),
        changed(sizes=[float("inf")]), changed(recorded=[]),
        changed(recorded={"format": 1}),
        changed(learned=None), changed(forgotten=7), changed(memory=DOCUMENT["memory"] | {"merges": float("inf")}),
        changed(gate=DOCUMENT["gate"] | {"merges": float("inf")}),
        *(without(gone) for gone in DOCUMENT if gone != "attempted"), changed(attempted=None),
        changed(attempted=[{}]), changed(attempted=[{"commit": "x", "answers": {"format": 1, "answers": {}}}]),
        changed(attempted=[{"commit": COMMIT, "answers": []}]), changed(attempted={"commit": COMMIT}),
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(SynclineError, match="that file was expected to hold what a lane learned") as caught:
        LaneRecord.from_bytes(content, "that file")
    assert "syncline learn" in caught.value.hint


def answers(kind: str, count: int, path: bytes = b"a.py") -> list[Answer]:
    known = facts(proposes(b"x = f(2)\n"), path=path)
    return [Answer(known, candidate(known, kind))] * count


def with_groups(*groups: str) -> LaneRecord:
    """A record in which these groups were met before."""
    record = LaneRecord()
    record.gate.learn([Outcome(group, 0.9, right=True) for group in groups], 1.0)
    return record


def test_a_turn_of_policy_puts_what_it_does_not_tell_in_doubt() -> None:
    record = with_groups("code", "data")
    for _ in range(3):
        record.notice(answers("theirs", 40))
        assert record.gate.doubted == set()
    record.notice([*answers("ours", 40), *answers("ours", SEEN_AGAIN - 1, b"a.md")])
    # What was never met is not known of the new policy either.
    assert record.gate.doubted == {"data", "generated"}
    record.notice(answers("ours", SEEN_AGAIN, b"a.md"))
    assert record.gate.doubted == {"generated"}


def test_a_small_merge_or_the_first_one_is_no_turn() -> None:
    record = with_groups("code", "data")
    record.notice(answers("ours", 100))
    record.notice(answers("theirs", TURN_HUNKS - 1))
    record.notice([])
    assert record.gate.doubted == set()


@given(st.lists(st.tuples(st.sampled_from(["ours", "theirs", "merged"]), st.integers(0, 70)), max_size=6))
def test_shares_are_those_of_a_few_hunks(merges: list[tuple[str, int]]) -> None:
    record = LaneRecord()
    for kind, count in merges:
        record.notice(KNOWN[kind] * count)
        assert all(share >= 0 for share in record.shares)
    again = LaneRecord.from_bytes(record.to_bytes(), "there")
    assert again.shares == pytest.approx(record.shares, abs=1e-4)


KNOWN = {kind: answers(kind, 1) for kind in ("ours", "theirs", "merged")}

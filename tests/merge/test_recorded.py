import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.errors import SynclineError
from syncline.git import CommitId
from syncline.merge.case import FileCase
from syncline.merge.hunks import Lines, split_lines
from syncline.merge.model import Side
from syncline.merge.recorded import Recorded
from syncline.merge.resolvers import recorded, repeated
from testing.cases import file_case

ABOVE, BELOW = b"above\n", b"below\n"
COMMIT = CommitId("12" * 20)


def conflict(
    *, base: bytes = b"b\n", ours: bytes = b"o\n", theirs: bytes = b"t\n", above: bytes = ABOVE
) -> FileCase:
    return file_case(*(above + middle + BELOW for middle in (base, ours, theirs)))


def answered(store: Recorded, case: FileCase) -> Lines | None:
    found = store.lookup(case.hunks[0])
    return found.lines if found else None


@pytest.mark.parametrize("text", [b"o\n", b"t\n", b"", b"o\nt\n", b"new\x0bline\r", b"\xff\n"])
def test_the_same_conflict_has_the_same_answer(text: bytes) -> None:
    store = Recorded()
    store.add(conflict(), [tuple(split_lines(text))], COMMIT)
    again = Recorded.from_json(json.loads(json.dumps(store.as_json())))
    for one in (store, again):
        assert answered(one, conflict()) == tuple(split_lines(text))
        assert answered(one, conflict(above=b"elsewhere\n")) == tuple(split_lines(text))
        assert answered(one, conflict(ours=b"other\n")) is None


def test_a_side_is_taken_in_its_own_layout() -> None:
    store = Recorded()
    store.add(conflict(), [(b"t\n",)], COMMIT)
    assert answered(store, conflict(theirs=b"  t\r\n")) == (b"  t\r\n",)


def test_white_space_that_may_mean_something_is_part_of_the_answer() -> None:
    store, case = Recorded(), file_case(b"a\n    s(a)\nz\n", b"a\ns(a)\nz\n", b"a\n    s(a, 1)\nz\n", b"a.py")
    for seen in (1, 2):
        store.add(case, [(b"s(a, 1)\n",)], COMMIT)  # theirs with ours' indentation, not theirs
        found = store.lookup(case.hunks[0])
        assert found is not None
        assert (found.lines, found.answer.side, found.answer.seen) == ((b"s(a, 1)\n",), None, seen)
        assert found.to_the_byte
    store.add(case, [case.hunks[0].theirs], COMMIT)
    assert store.lookup(case.hunks[0]) is None


def test_whether_the_conflict_had_the_same_white_space_is_known() -> None:
    store = Recorded()
    store.add(conflict(), [(b"t\n",)], COMMIT)
    for one in (store, Recorded.from_json(json.loads(json.dumps(store.as_json())))):
        for theirs, same in ((b"t\n", True), (b"  t\n", False)):
            found = one.lookup(conflict(theirs=theirs).hunks[0])
            assert found is not None
            assert found.to_the_byte == same
        for base, same in ((b"b\n", True), (b"other\n", False)):
            found = one.lookup(conflict(base=base).hunks[0])
            assert found is not None
            assert found.to_the_byte == same


def test_that_neither_was_taken_is_an_answer_to_the_byte() -> None:
    store = Recorded()
    store.add(conflict(), [()], COMMIT)
    found = store.lookup(conflict().hunks[0])
    assert found is not None
    assert (found.lines, found.to_the_byte) == ((), True)


def test_another_text_is_not_put_into_another_layout() -> None:
    store = Recorded()
    store.add(conflict(), [(b"x\n",)], COMMIT)
    assert answered(store, conflict(theirs=b"  t\n")) is None


def test_what_was_contradicted_is_no_answer() -> None:
    store = Recorded()
    store.add(conflict(), [(b"o\n",)])
    store.add(conflict(), [(b"t\n",)])
    store.add(conflict(), [(b"t\n",)])
    assert answered(store, conflict()) is None
    assert answered(Recorded.from_json(json.loads(json.dumps(store.as_json()))), conflict()) is None


def test_contexts_that_tell_two_conflicts_apart() -> None:
    store = Recorded()
    store.add(conflict(), [(b"o\n",)])
    store.add(conflict(above=b"elsewhere\n"), [(b"t\n",)])
    assert answered(store, conflict()) == (b"o\n",)
    assert answered(store, conflict(above=b"elsewhere\n")) == (b"t\n",)
    assert answered(store, conflict(above=b"a third place\n")) is None


def test_what_is_forgotten_stays_so() -> None:
    store = Recorded()
    store.add(conflict(), [(b"o\n",)])
    store.forget(conflict().hunks[0])
    store.add(conflict(), [(b"o\n",)])
    assert answered(store, conflict()) is None


def test_unknown_answers_are_not_recorded() -> None:
    store = Recorded()
    store.add(conflict(), [None])
    assert len(store) == 0


@pytest.mark.parametrize(
    "document",
    ['""', "[]", "{}", '{"format": 2, "answers": {}}', '{"format": 1, "answers": {"a": {"seen": 1}}}',
     '{"format": 1, "answers": []}', '{"format": 1, "answers": {"a": {"seen": 1, "side": "both sides"}}}'],
)  # fmt: skip
def test_a_broken_store_is_refused(document: str) -> None:
    with pytest.raises(SynclineError):
        Recorded.from_json(json.loads(document))


def test_proposals_tell_what_is_the_same() -> None:
    store = Recorded()
    for _ in range(3):
        store.add(conflict(), [(b"t\n",)], COMMIT)
    (offer,) = recorded.propose(conflict(), store)
    assert (offer.lines, offer.marks) == ((b"t\n",), ("exact-context", "seen-3+"))
    assert [str(why) for why in offer.evidence] == [
        "the same conflict was settled so 3 times before on this lane (1212121212)"
    ]
    (offer,) = repeated.propose(conflict(above=b"elsewhere\n"), store)
    assert (offer.resolver, offer.marks) == ("repeated", ("same-hunk", "seen-3+"))
    (offer,) = recorded.propose(conflict(base=b"another\n"), store)
    assert offer.marks == ("same-sides-only", "seen-3+")


texts = st.lists(st.sampled_from([b"a\n", b"b\n", b" b\r\n", b"\n", b"\xff", b"c"]), max_size=6).map(b"".join)


@given(texts, texts, texts, texts)
def test_whatever_it_is_given(base: bytes, ours: bytes, theirs: bytes, answer: bytes) -> None:
    case = file_case(base, ours, theirs)
    store = Recorded()
    lines = tuple(split_lines(answer))
    store.add(case, [lines] * len(case.hunks))
    again = Recorded.from_json(json.loads(json.dumps(store.as_json())))
    assert again.as_json() == store.as_json()
    for hunk in case.hunks:
        found = again.lookup(hunk)
        if found is not None:
            assert b"".join(b"".join(found.lines).split()) == b"".join(answer.split())
            assert found.answer.side is not Side.BOTH

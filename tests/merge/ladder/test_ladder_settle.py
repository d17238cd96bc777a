"""Settling one file: what is sure enough is checked, and the file put together without touching the rest."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.git import CommitId
from syncline.merge.case import FileCase
from syncline.merge.hunks import Lines
from syncline.merge.ladder.facts import Facts, facts_of_hunk
from syncline.merge.ladder.gate import Gate, Outcome
from syncline.merge.ladder.ladder import REPEATED, Ladder
from syncline.merge.ladder.local import Local
from syncline.merge.ladder.memory import KINDS, Answered, Memory
from syncline.merge.ladder.settle import assemble, file_is_judged, judge_file
from syncline.merge.proposal import Proposal
from syncline.merge.recorded import Recorded
from testing.cases import file_case
from testing.weights import weights_by_voice
from tests.merge.ladder.hunks import a_case, proposes

WEIGHTS = weights_by_voice({"token-merge": 3.0, "recorded": 4.0, "repeated": 5.0})


def a_ladder() -> Ladder:
    gate = Gate()
    gate.learn([Outcome("code", 0.99, right=True)], 1.0)
    return Ladder(WEIGHTS, Memory(), gate, {kind: Local() for kind in KINDS}, 0.9)


def facts_of(case: FileCase, proposals: Sequence[Proposal] = ()) -> list[Facts]:
    return [facts_of_hunk(hunk, [p for p in proposals if p.hunk == hunk.index]) for hunk in case.hunks]


APART = b"x = 0\n" * 5  # git joins hunks that stand near each other
BASE = b"import os\n\n\ndef f():\n    return 1\n\n\n" + APART + b"\n\ndef g():\n    return 1\n"
TWO = file_case(
    BASE, BASE.replace(b"return 1", b"return os.a"), BASE.replace(b"return 1", b"return os.b"), path=b"a.py"
)


def offers(first: bytes, second: bytes) -> list[Proposal]:
    return [proposes(first, hunk=0), proposes(second, hunk=1)]


def test_a_file_that_is_settled_wholly() -> None:
    judge = judge_file(a_ladder(), TWO, facts_of(TWO, offers(b"    return os.a + os.b\n", b"    return os.b\n")))
    settled = judge.settle([judged.threshold for judged in judge.judged])
    assert settled.whole
    assert settled.faults == ((), ())
    assert settled.content == BASE.replace(b"return 1", b"return os.a + os.b", 1).replace(
        b"return 1", b"return os.b"
    )


def test_one_hunk_that_is_not_sure_enough_leaves_the_file_open() -> None:
    judge = judge_file(a_ladder(), TWO, facts_of(TWO, [proposes(b"    return os.b\n", hunk=1)]))
    settled = judge.settle([judged.threshold for judged in judge.judged])
    assert [answer is None for answer in settled.answers] == [True, False]
    assert (settled.whole, settled.content) == (False, None)


@pytest.mark.parametrize(("above", "told"), [(b"b = 1\n", "gives b twice in the whole file"), (b"a = 1\n", None)])
def test_what_git_merged_is_not_given_again_beside_an_open_hunk(above: bytes, told: str | None) -> None:
    rest = b"k = 0\n" * 5
    case = file_case(
        rest + b"x = 1\n" + rest + b"y = 1\n",
        above + rest + b"x = 2\n" + rest + b"y = 2\n",
        rest + b"x = 3\n" + rest + b"y = 3\nb = 2\n",
        path=b"a.properties",
    )
    judge = judge_file(a_ladder(), case, facts_of(case, [proposes(b"y = 3\nb = 2\n", hunk=1)]))
    settled = judge.settle([None, 0.5])
    assert (settled.answers[1] is None) == (told is not None)
    assert not told or settled.faults[1][0].startswith(told)


def test_the_same_judgement_is_held_against_several_thresholds() -> None:
    judge = judge_file(a_ladder(), TWO, facts_of(TWO, offers(b"    return os.b\n", b"    return os.b\n")))
    for threshold, accepted in ((0.5, True), (0.88, True), (0.9, False), (None, False)):
        assert judge.settle([threshold] * 2).whole == accepted


def test_a_hunk_that_would_break_the_file_is_left_and_told() -> None:
    judge = judge_file(a_ladder(), TWO, facts_of(TWO, offers(b"    return (os.a + os.b\n", b"    return os.b\n")))
    settled = judge.settle([0.5, 0.5])
    assert settled.faults == (("would not follow the grammar of Python as the sides do",), ())
    assert [answer is None for answer in settled.answers] == [True, False]
    assert settled.content is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"    return os.a\n    return os.b\n", None),
        (b"    return os.a\n    use(os.b)\n", "puts together what no version has in one place: use(os.b)"),
        (b"    return os.a + os.b\n    return 1.5\n", "holds 1.5, which no version has"),
        (b"    return os.a + 2\n", "lacks words that source added"),
        (b"    return os.aos.b\n", "lacks words"),
        (b"    return os.a + os.b\n    x = 1\n    x = 1\n", "gives x twice, as neither side does"),
    ],
)
def test_what_a_merged_text_must_not_lose_or_double(text: bytes, fault: str | None) -> None:
    for resolver, written in (("token-merge", False), ("recorded", True)):
        said = [replace(proposes(text, resolver, hunk=0), written=written), proposes(b"    return os.b\n", hunk=1)]
        settled = judge_file(a_ladder(), TWO, facts_of(TWO, said)).settle([0.5, 0.5])
        told = fault if fault is None or not written or "twice" in fault else None
        assert any((told or "") in found for found in settled.faults[0]) == (told is not None)
        assert (settled.answers[0] is None) == (told is not None)


def test_white_space_that_may_mean_something_is_not_lost() -> None:
    """A side as it is, whatever made it likely; what was merged with the white space may stand."""
    case = a_case(base=b"    s(a)\n", ours=b"s(a)\n", theirs=b"    s(a, 1)\n")
    taken = proposes(b"    s(a, 1)\n", "recorded")
    settled = judge_file(a_ladder(), case, facts_of(case, [taken])).settle([0.0])
    assert settled.answers == (None,)
    assert "would be lost" in settled.faults[0][0]
    merged = proposes(b"s(a, 1)\n", "whitespace")
    (answer,) = judge_file(a_ladder(), case, facts_of(case, [taken, merged])).settle([0.5]).answers
    assert answer is not None
    assert (answer.candidate.kind, answer.candidate.lines) == ("theirs", (b"s(a, 1)\n",))


def test_the_very_conflict_that_people_answered_is_as_good_as_answered() -> None:
    """Whatever the models make of it; not where only its sides are the same."""
    case, other = a_case(), a_case(base=b"x = 9\n")
    store = Recorded()
    store.add(case, [(b"x = f(3)\n",)])
    ladder = replace(a_ladder(), weights=weights_by_voice({}))
    for asked, sure in ((case, True), (other, False)):
        judge = judge_file(ladder, asked, facts_of(asked), repeated=store, answered=Answered())
        assert (judge.judged[0].best.confidence == REPEATED) == sure


def test_a_file_whose_hunks_do_not_fit_together_is_left_whole() -> None:
    base = b"a = 1\n" + b"".join(b"b%d = 0\n" % number for number in range(6)) + b"d = 4\n"
    case = file_case(
        base, base.replace(b"a = 1", b"a = 5\nnew = 1").replace(b"d = 4", b"d = 5"),
        base.replace(b"a = 1", b"a = 6").replace(b"d = 4", b"d = 6\nnew = 1"), path=b"a.toml",
    )  # fmt: skip
    # Each alone fits, but together they say one key twice.
    said = [proposes(b"a = 5\nnew = 1\n", hunk=0), proposes(b"d = 6\nnew = 1\n", hunk=1)]
    gate = Gate()
    gate.learn([Outcome("data", 0.99, right=True)], 1.0)
    ladder = Ladder(WEIGHTS, Memory(), gate, {kind: Local() for kind in KINDS}, 0.9)
    judge = judge_file(ladder, case, facts_of(case, said))
    settled = judge.settle([0.5, 0.5])
    assert settled.answers == (None, None)
    assert "cannot be read as TOML any more" in settled.faults[0][0]
    assert settled.content is None
    # Left to one of them, the other is accepted.
    assert [answer is None for answer in judge.settle([0.5, None]).answers] == [False, True]


def test_a_file_with_a_value_where_no_version_has_it_is_left_whole() -> None:
    kept = b"  x: 1\n" + b"".join(b"  k%d: 0\n" % number for number in range(6))
    case = file_case(
        b"a:\n" + kept + b"  d: 1\n  g: 1\n", b"b:\n" + kept + b"  g: 1\n", b"c:\n" + kept + b"  d: 1\n  e: 7\n",
        path=b"a.yaml",
    )  # fmt: skip
    # It fits the file of theirs, but not what is taken from ours.
    said = [proposes(b"b:\n", hunk=0), proposes(b"  e: 7\n", hunk=1)]
    gate = Gate()
    gate.learn([Outcome("data", 0.99, right=True)], 1.0)
    ladder = Ladder(WEIGHTS, Memory(), gate, {kind: Local() for kind in KINDS}, 0.9)
    judge = judge_file(ladder, case, facts_of(case, said))
    assert judge.settle([None, 0.5]).faults == ((), ())
    assert judge.settle([0.5, 0.5]).faults == (("has b.e: 7, as no version has it there",),) * 2


def test_a_conflict_without_text_has_no_content() -> None:
    (known,) = facts_of(a_case())
    judge = judge_file(a_ladder(), None, [known])
    settled = judge.settle([0.1])
    assert (settled.whole, settled.content) == (True, None)


def test_lock_files_are_left_however_sure_anyone_is() -> None:
    case = a_case(path=b"uv.lock")
    known = facts_of(case, [proposes(b"x = f(2)\n")])
    assert not file_is_judged(known)
    assert file_is_judged(facts_of(a_case()))
    store = Recorded()
    store.add(case, [(b"x = f(2)\n",)])
    judge = judge_file(a_ladder(), case, known, recorded=store, repeated=store, answered=Answered())
    assert judge.judged[0].threshold is None
    assert judge.settle([judge.judged[0].threshold]).answers == (None,)
    assert "recorded" not in [voice for r in judge.judged[0].ranking for voice in r.candidate.voices]


def test_what_was_settled_before_is_offered_too() -> None:
    case, store = a_case(), Recorded()
    store.add(case, [(b"x = f(9)\n",)], CommitId("12" * 20))
    for recorded, repeated in ((store, None), (None, store), (store, store)):
        judge = judge_file(a_ladder(), case, facts_of(case), recorded=recorded, repeated=repeated)
        best = judge.judged[0].best.candidate
        assert best.lines == (b"x = f(9)\n",)
        names = [name for name, known in (("recorded", recorded), ("repeated", repeated)) if known]
        assert [voice for voice in best.voices if ":" not in voice] == names
    nobody = judge_file(a_ladder(), case, facts_of(case), recorded=store, of_lane=lambda _: False)
    assert [ranked.candidate.voices for ranked in nobody.judged[0].ranking] == [(), ()]


def test_an_answer_without_newline_does_not_swallow_the_next_line() -> None:
    case = file_case(b"a\nb\n", b"a\nours", b"a\ntheirs\n")
    assert assemble(case, [case.hunks[0].ours]) == case.ours
    assert assemble(case, [case.hunks[0].theirs]) == case.theirs
    assert assemble(case, [case.hunks[0].ours + case.hunks[0].theirs]) == b"a\nours\ntheirs\n"
    assert assemble(case, [()]) == b"a\n"
    inner = file_case(b"a\nb\nc\n", b"a\nours\nc\n", b"a\ntheirs\nc\n")
    assert assemble(inner, [(b"bare",)]) == b"a\nbare\nc\n"
    dos = file_case(b"a\r\nb\r\n", b"a\r\nours", b"a\r\ntheirs\r\n")
    assert assemble(dos, [dos.hunks[0].ours + dos.hunks[0].theirs]) == b"a\r\nours\r\ntheirs\r\n"


texts = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"d"]), max_size=8).map(b"".join)
answers = st.lists(st.sampled_from([b"x\n", b"y", b"\n"]), max_size=3).map(tuple)


@given(texts, texts, texts, answers)
def test_a_file_is_put_together_of_its_parts(base: bytes, ours: bytes, theirs: bytes, answer: Lines) -> None:
    case = file_case(base, ours, theirs)
    if not case.hunks:
        return
    whole = assemble(case, [answer] * len(case.hunks))
    expected = b"".join(line for part in case.cut.parts for line in (part if isinstance(part, tuple) else answer))
    assert b"".join(whole.split()) == b"".join(expected.split())
    assert whole.endswith(b"\n") == expected.endswith(b"\n")
    for line in answer:
        assert not answer or line.strip() in {piece.strip() for piece in whole.split(b"\n")}


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_a_side_taken_throughout_where_git_merged_nothing_else_is_its_file(side: str) -> None:
    case = TWO
    answer = [getattr(hunk, side) for hunk in case.hunks]
    assert assemble(case, answer) == getattr(case, side)

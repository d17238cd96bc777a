"""Candidates are ranked; the best is accepted where the gate says that it is sure enough."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.ladder.facts import Facts
from syncline.merge.ladder.gate import ATTEMPTED, BORNE_OUT, OTHERWISE, Gate, Outcome
from syncline.merge.ladder.ladder import MOST_FOR_MERGED, Ladder
from syncline.merge.ladder.local import FEATURES, Local, Sample
from syncline.merge.ladder.memory import KINDS, Answered, Memory
from syncline.merge.ladder.weights import Weights, shipped
from testing.weights import weights_by_voice
from tests.merge.ladder.hunks import facts, proposes


def a_gate(*, closed: bool = False) -> Gate:
    gate = Gate()
    if not closed:
        gate.learn([Outcome("code", 0.99, right=True)], 1.0)
    return gate


def a_ladder(
    weights: Weights | None = None, *, gate: Gate | None = None, local: Local | None = None, precision: float = 0.9
) -> Ladder:
    corrections = {kind: Local() for kind in KINDS} | ({"merged": local} if local else {})
    return Ladder(weights or weights_by_voice(), Memory(), gate or a_gate(), corrections, precision)


def known(path: bytes = b"src/a.py") -> Facts:
    return facts(proposes(b"x = f(2)\n"), proposes(b"x = 2\n", "superset"), path=path)


def test_the_likeliest_comes_first() -> None:
    weights = weights_by_voice({"token-merge": 3.0, "superset": 1.5})
    judged = a_ladder(weights).judge(known())
    assert [ranked.candidate.kind for ranked in judged.ranking] == ["merged", "ours", "theirs"]
    assert [ranked.score for ranked in judged.ranking] == [2.0, 0.5, -1.0]
    assert judged.best.confidence == pytest.approx(1 / (1 + math.exp(-2)))
    assert judged.accepted is judged.best
    assert judged.threshold == 0.65


@pytest.mark.parametrize(
    ("voices", "kept_as"),
    [
        ([("token-merge",)], "code"),
        ([("token-merge",), ("attempted-before",)], "code"),
        ([("attempted", "alone")], f"code{ATTEMPTED}"),
        ([("attempted", "contested"), ("token-merge",)], f"code{ATTEMPTED}"),
        ([("attempted", "alone"), ("token-merge", "gap-3")], f"code{BORNE_OUT}"),
        ([("attempted", "by-2")], f"code{BORNE_OUT}"),
        ([("attempted", "by-3+"), ("token-merge",)], f"code{BORNE_OUT}"),
    ],
)
def test_an_attempt_is_borne_out_by_whoever_gives_the_same_answer(
    voices: list[tuple[str, ...]], kept_as: str
) -> None:
    weights = weights_by_voice({voice: 9.0 for voice, *_ in voices})
    judged = a_ladder(weights).judge(facts(*(proposes(b"x = f(2)\n", *voice) for voice in voices)))
    assert judged.kept_as == kept_as


def test_an_answer_other_than_an_attempt_s_has_a_record_of_its_own() -> None:
    weights = weights_by_voice({"superset": 9.0})
    judged = a_ladder(weights).judge(facts(proposes(b"x = f(2)\n", "attempted"), proposes(b"x = 2\n", "superset")))
    assert (judged.best.candidate.kind, judged.kept_as) == ("ours", f"code{OTHERWISE}")


@pytest.mark.parametrize(
    ("text", "kind", "resolver"), [(b"x = f(2)\n", "merged", "token-merge"), (b"x = 2\n", "ours", "superset")]
)
def test_two_that_do_not_know_of_each_other_are_surer(text: bytes, kind: str, resolver: str) -> None:
    def sure(*voices: str) -> float:
        known = facts(*(proposes(text, voice) for voice in voices))
        ranking = a_ladder(shipped()).judge(known).ranking
        return next(ranked.confidence for ranked in ranking if ranked.candidate.kind == kind)

    both = sure("attempted", resolver)
    assert both > max(sure("attempted"), sure(resolver))
    assert both > sure("attempted", "attempted-before")


@pytest.mark.parametrize(
    ("gate", "precision", "elsewhere", "accepted"),
    [
        (a_gate(), 0.9, 0.97, True),
        (a_gate(closed=True), 0.9, 0.97, False),
        (a_gate(), 0.99, 0.9, False),
    ],
)
def test_only_what_the_gate_lets_through(gate: Gate, precision: float, elsewhere: float, accepted: bool) -> None:  # noqa: FBT001
    ladder = a_ladder(weights_by_voice(elsewhere=elsewhere), gate=gate, precision=precision)
    assert (ladder.judge(known()).accepted is not None) == accepted


def test_what_is_less_sure_than_the_gate_asks_is_not_accepted() -> None:
    judged = a_ladder(weights_by_voice({"token-merge": 0.9})).judge(known())
    assert judged.threshold is not None
    assert judged.best.confidence < judged.threshold
    assert judged.accepted is None


def test_lock_files_are_never_accepted() -> None:
    gate = a_gate()
    gate.learn([Outcome("lock", 0.99, right=True)] * 4, 1.0)
    for precision in (0.5, 0.01, 0.0):
        judged = a_ladder(weights_by_voice({"token-merge": 20}), gate=gate, precision=precision).judge(
            known(b"uv.lock")
        )
        assert (judged.threshold, judged.accepted) == (None, None)


def test_the_lane_corrects_what_other_repositories_taught() -> None:
    local = Local()
    values = a_ladder().judge(known()).best.values
    for _ in range(5):
        local.learn([Sample(values, 2.0, right=False)] * 10, 0.9)
    judged = a_ladder(local=local).judge(known())
    before = a_ladder().judge(known())
    merged = next(ranked for ranked in judged.ranking if ranked.candidate.kind == "merged")
    assert merged.score == before.best.score == 2.0
    assert merged.confidence < before.best.confidence
    assert dict(a_ladder(local=local).reasons(judged.facts, merged.candidate))["this lane"] < 0


def test_reasons_are_the_weightiest_first_and_add_up() -> None:
    weights = weights_by_voice({"token-merge": 3.0, "superset": -4.0}, start=-1.0)
    ladder, one = a_ladder(weights), facts(proposes(b"x = 2\n"), proposes(b"x = 2\n", "superset"))
    ours = one.candidates[0]
    assert ladder.reasons(one, ours) == [("says_superset", -4.0), ("says_token-merge", 3.0)]
    assert next(r.score for r in ladder.judge(one).ranking if r.candidate == ours) == pytest.approx(-1 - 4 + 3)


def test_once_people_answered_another_model_judges() -> None:
    weights = weights_by_voice(answered={"now_all": 5.0})
    ladder, one = a_ladder(weights), known()
    alone, helped = ladder.judge(one), ladder.judge(one, Answered())
    assert [r.score for r in alone.ranking] != [r.score for r in helped.ranking]
    assert "now_all" in dict(ladder.reasons(one, one.candidates[0], Answered()))
    assert "now_all" not in dict(ladder.reasons(one, one.candidates[0]))


corrections = st.lists(st.floats(-50, 50), min_size=len(FEATURES), max_size=len(FEATURES))


@given(corrections, st.floats(-1e6, 1e6), st.floats(0.01, 0.999))
def test_confidence_is_a_chance(means: list[float], start: float, precision: float) -> None:
    local = Local()
    local.mean = means
    judged = a_ladder(weights_by_voice(start=start), local=local, precision=precision).judge(KNOWN)
    chances = [ranked.confidence for ranked in judged.ranking]
    assert chances == sorted(chances, reverse=True)
    assert all(0 < chance < 1 for chance in chances)
    assert judged.accepted is None or judged.accepted is judged.best


KNOWN = known()


@pytest.mark.parametrize(
    ("text", "kind", "resolver", "most"),
    [(b"x = f(2)\n", "merged", "token-merge", MOST_FOR_MERGED), (b"x = 2\n", "ours", "superset", math.inf)],
)
def test_a_past_of_merging_makes_no_text_that_nobody_wrote_sure(
    text: bytes, kind: str, resolver: str, most: float
) -> None:
    ladder = a_ladder(weights_by_voice({resolver: 0.5}))
    hunk = facts(proposes(text, resolver))
    for _ in range(30):
        for one in ladder.judge(hunk).ranking:
            right = one.candidate.kind == kind
            ladder.local[one.candidate.kind].learn([Sample(one.values, one.score, right)] * 9, 1.0)
    best = ladder.judge(hunk).best
    added = math.log(best.confidence / (1 - best.confidence)) - best.score
    assert best.candidate.kind == kind
    assert added == pytest.approx(most) if most < math.inf else added > 2 * MOST_FOR_MERGED
    assert dict(ladder.reasons(hunk, best.candidate))["this lane"] == pytest.approx(added)

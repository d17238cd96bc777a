"""The numbers the model weighs for one candidate."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.ladder.facts import Facts
from syncline.merge.ladder.features import UNKNOWN, features
from syncline.merge.ladder.memory import Answer, Answered, Memory
from tests.merge.ladder.hunks import candidate, facts, proposes


def known(**versions: bytes) -> Facts:
    offers = (proposes(b"x = f(2)\n", "token-merge", "gap-3"), proposes(b"x = f(1)\n", "superset"))
    return facts(*offers, **versions)


def of(kind: str, memory: Memory | None = None, answered: Answered | None = None) -> dict[str, float]:
    one = known()
    return features(one, candidate(one, kind), memory or Memory(), answered, {"token-merge": 0.9})


def past(kind: str, merges: int = 3) -> Memory:
    memory = Memory()
    for _ in range(merges):
        one = known()
        memory.learn([Answer(one, candidate(one, kind))], 0.9)
    return memory


def test_who_speaks_for_it_and_who_against() -> None:
    merged = of("merged")
    assert {name for name in merged if name.startswith(("says_", "against_"))} == {
        "says_token-merge", "says_token-merge:gap-3", "against_theirs", "against_superset",
    }  # fmt: skip
    assert (merged["silent"], merged["rivals"]) == (0, math.log1p(1))
    ours = of("ours")
    assert {name for name in ours if name.startswith(("says_", "against_"))} == {
        "against_merged", "against_theirs", "against_token-merge", "against_superset",
    }  # fmt: skip
    assert ours["silent"] == 1


@pytest.mark.parametrize(
    ("attempted", "resolver", "gives", "kind", "seconded"),
    [
        (b"x = f(2)\n", "token-merge", b"x = f(2)\n", "merged", (1, 1)),
        (b"x = 2\n", "superset", b"x = 2\n", "ours", (1, 0)),
        (b"x = f(2)\n", "superset", b"x = 2\n", "merged", (0, 0)),
        (b"x = f(2)\n", "attempted-before", b"x = f(2)\n", "merged", (0, 0)),
    ],
)
def test_who_gives_what_an_attempt_answered_is_a_second_witness(
    attempted: bytes, resolver: str, gives: bytes, kind: str, seconded: tuple[float, float]
) -> None:
    # What an attempt gave up seconds nothing, and nothing seconds it.
    given_up = proposes(b"x = 3\n", "attempted-before"), proposes(b"x = 3\n", "line-merge")
    one = facts(proposes(attempted, "attempted", "alone"), proposes(gives, resolver), *given_up)
    for of_kind in one.candidates:
        found = features(one, of_kind, Memory(), None, {})
        wanted = seconded if of_kind.kind == kind and "attempted" in of_kind.voices else (0, 0)
        assert (found.get("seconded", 0), found.get("seconded_merged", 0)) == wanted


def test_who_was_right_elsewhere_leads() -> None:
    merged, theirs = of("merged"), of("theirs")
    assert merged["lane_voice_best"] == pytest.approx(math.log(9))
    assert merged["lead"] == pytest.approx(math.log(9))  # of the other nothing is known
    assert theirs["lead"] == -merged["lead"]


def test_without_a_past_each_kind_is_as_likely_as_anywhere() -> None:
    for kind, share in UNKNOWN.items():
        found = of(kind)
        assert found["lane_path_p"] == pytest.approx(math.log(share / (1 - share)))
        assert found["lane_path"] == found["lane_exact"] == 0


def test_what_the_lane_did_counts_by_each_key() -> None:
    memory = past("ours")
    assert of("ours", memory)["lane_exact_p"] >= of("ours", memory)["lane_path_p"] > of("ours")["lane_path_p"]
    assert of("theirs", memory)["lane_path_p"] < of("theirs")["lane_path_p"]
    wrong = of("merged", memory)
    assert wrong["lane_voice_apart"] < 0
    assert wrong["lane_voice_best"] < of("merged")["lane_voice_best"]


def test_answers_in_this_merge_stand_apart() -> None:
    assert not any(name.startswith("now_") for name in of("ours", past("ours")))
    answered = Answered()
    one = known()
    answered.learn([Answer(one, candidate(one, "theirs"))])
    found = of("theirs", past("ours"), answered)
    assert found["now_path_p"] > 0 > found["lane_path_p"]


kinds = st.lists(st.sampled_from(["ours", "theirs", "merged", None]), max_size=6)


@given(st.lists(kinds, max_size=4), kinds, st.floats(0, 1), st.floats(0, 1))
def test_features_are_small_numbers(
    merges: list[list[str | None]], now: list[str | None], fade: float, prior: float
) -> None:
    one = KNOWN
    memory, answered = Memory(), Answered()
    for told in merges:
        memory.learn([Answer(one, candidate(one, kind) if kind else None) for kind in told], fade)
    answered.learn([Answer(one, candidate(one, kind) if kind else None) for kind in now])
    for each in one.candidates:
        found = features(one, each, memory, answered, {"token-merge": prior, "superset": 0.0})
        assert all(math.isfinite(value) and abs(value) <= 12 for value in found.values())


KNOWN = known()

"""The lane's own correction: it learns a policy, forgets one that turned, and stays a number."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.ladder.local import FEATURES, Local, Sample, logistic, values_of

PATH = values_of({"lane_path_p": 2.0, "group_code": 1.0})
OTHER = values_of({"lane_path_p": -2.0, "group_code": 1.0})


def chance(local: Local, values: tuple[float, ...], score: float = 0.0) -> float:
    return logistic(score + local.correction(values))


def learn(local: Local, *, path: bool, merges: int, fade: float = 0.8, count: int = 10) -> None:
    """Merges in which only one of two kinds of candidates was right."""
    for _ in range(merges):
        local.learn([Sample(PATH, 0.0, path), Sample(OTHER, 0.0, not path)] * count, fade)


def test_without_a_past_nothing_is_corrected() -> None:
    assert Local().correction(PATH) == 0
    local = Local()
    local.learn([], 0.5)
    assert local.correction(PATH) == 0


def test_it_learns_what_the_lane_does() -> None:
    local = Local()
    learn(local, path=True, merges=1)
    assert 0.6 < chance(local, PATH) < 0.95  # one merge is no proof
    learn(local, path=True, merges=5)
    assert chance(local, PATH) > 0.8
    assert chance(local, OTHER) < 0.2


def test_it_forgets_a_policy_that_turned() -> None:
    local = Local()
    learn(local, path=True, merges=10)
    learn(local, path=False, merges=6)
    assert chance(local, PATH) < 0.25
    assert chance(local, OTHER) > 0.75


def test_what_fades_slowly_is_given_up_slowly() -> None:
    quick, slow = Local(), Local()
    for local, fade in ((quick, 0.5), (slow, 0.98)):
        learn(local, path=True, merges=10, fade=fade)
        learn(local, path=False, merges=2, fade=fade)
    assert chance(quick, PATH) < chance(slow, PATH)


def test_one_merge_has_a_limited_say() -> None:
    small, large = Local(), Local()
    learn(small, path=True, merges=1, count=13)
    learn(large, path=True, merges=1, count=500)
    assert chance(large, PATH) == pytest.approx(chance(small, PATH), abs=0.02)


def test_weights_that_are_right_already_are_left_alone() -> None:
    local = Local()
    for _ in range(10):
        local.learn([Sample(PATH, 4.0, right=True)] * 20, 0.9)
    assert abs(local.correction(PATH)) < 1


numbers = st.floats(-12, 12)
samples = st.builds(
    Sample,
    st.lists(numbers, min_size=len(FEATURES) - 1, max_size=len(FEATURES) - 1).map(lambda rest: (1.0, *rest)),
    st.floats(allow_nan=False, allow_infinity=True),
    st.booleans(),
)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.lists(samples, max_size=6), st.sampled_from([0.0, 0.6, 0.98, 1.0])), max_size=4))
def test_it_stays_a_number(merges: list[tuple[list[Sample], float]]) -> None:
    local = Local()
    for told, fade in merges:
        local.learn(told, fade)
    assert all(map(math.isfinite, local.mean))
    for told, _ in merges:
        for sample in told:
            assert 0 < chance(local, sample.values, sample.score) < 1
    again = Local.from_json(json.loads(json.dumps(local.as_json())))
    assert again.as_json() == local.as_json()


@pytest.mark.parametrize("score", [-math.inf, -1e308, -31.0, 31.0, 1e308, math.inf])
def test_no_score_is_certainty(score: float) -> None:
    assert 0 < logistic(score) < 1


def broken(**changes: Any) -> dict[str, Any]:
    return Local().as_json() | changes


@pytest.mark.parametrize(
    "document",
    [
        None, [], "", 5, {}, broken(mean={}), broken(mean=[]), broken(mean=None), broken(known=[]),
        broken(known=5),
        broken(known=[[0.0]] * len(FEATURES)), broken(known=[[0.0] * len(FEATURES)]),
        broken(known=[["x"] * len(FEATURES)] * len(FEATURES)), broken(mean=dict.fromkeys(FEATURES, float("nan"))),
        broken(mean=dict.fromkeys(FEATURES, float("inf"))), broken(mean=dict.fromkeys(FEATURES, None)),
    ],
)  # fmt: skip
def test_a_broken_correction_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        Local.from_json(document)

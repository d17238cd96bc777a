"""The lane's own correction: it learns a policy, forgets one that turned, and stays a number."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.ladder.local import FEATURES, RIDGE, SAY, Local, Sample, logistic, values_of

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


def test_what_was_as_good_as_certain_is_corrected_as_far_as_it_may_be() -> None:
    local = Local()
    local.learn([Sample(PATH, 45.0, right=False)] * 40, 0.98)
    # Where the slope is the same all the way, the ridge alone holds it: SAY / RIDGE for each unit of a feature.
    assert local.correction(PATH) == pytest.approx(-SAY / RIDGE * sum(value * value for value in PATH))


def misfit(mean: list[float], old: list[float], known: list[list[float]], told: list[Sample]) -> float:
    """How badly a correction fits a merge and what was known before it, as the module's docstring has it."""
    size = range(len(mean))
    kept = sum((mean[i] - old[i]) * known[i][j] * (mean[j] - old[j]) for i in size for j in size)
    far = RIDGE * sum(value * value for value in mean)
    weight = min(1.0, SAY / len(told))
    wrong = [1 - chance if one.right else chance for one, chance in zip(told, chances(mean, told), strict=True)]
    return (kept + far) / 2 - weight * sum(math.log(1 - share) for share in wrong)


def chances(mean: list[float], told: list[Sample]) -> list[float]:
    return [logistic(one.score + sum(a * b for a, b in zip(mean, one.values, strict=True))) for one in told]


@settings(max_examples=60)
@given(
    merges=st.lists(st.tuples(st.booleans(), st.integers(1, 40)), min_size=1, max_size=7),
    score=st.floats(-3, 9),
    together=st.integers(0, 12),
    fade=st.sampled_from([0.6, 0.98]),
)
def test_it_ends_where_it_fits_best_however_sure_the_model_was(
    merges: list[tuple[bool, int]], score: float, together: int, fade: float
) -> None:
    # Features that always come together: there a whole step of Newton's goes far beyond the mark.
    values = values_of(dict.fromkeys(FEATURES[1 : together + 1], 1.0))
    local = Local()
    for right, count in merges:
        told = [Sample(values, score, right=right)] * count
        old, known = list(local.mean), [[value * fade for value in row] for row in local.known]
        local.learn(told, fade)
        here = misfit(local.mean, old, known, told)
        for by in (-0.5, -0.05, 0.05, 0.5):
            moved = [mean + by * value for mean, value in zip(local.mean, values, strict=True)]
            assert misfit(moved, old, known, told) > here - 1e-3


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


def test_a_record_that_calls_a_feature_as_it_was_called_is_read() -> None:
    local = Local()
    local.learn([Sample(tuple(1.0 for _ in FEATURES), -1.0, right=True)] * 9, 1.0)
    document = json.loads(
        json.dumps(local.as_json()).replace("says_attempted:contested", "says_attempted:against")
    )
    assert Local.from_json(document).as_json() == local.as_json()
    assert any(local.mean)

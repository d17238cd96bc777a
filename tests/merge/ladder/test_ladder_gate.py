"""How sure is sure enough: the gate opens as far as the lane's own record supports it, and no further."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.ladder.gate import BELOW, LEVELS, MARGIN, OF_ATTEMPTS, SAY, STRENGTH, Gate, Outcome


def elsewhere(share: float) -> dict[str, dict[str, float]]:
    return {"code": {str(level): share for level in LEVELS}}


def outcomes(confidence: float, *, right: int, wrong: int = 0, group: str = "code") -> list[Outcome]:
    return [Outcome(group, confidence, right=True)] * right + [Outcome(group, confidence, right=False)] * wrong


def taught(*merges: list[Outcome], fade: float = 1.0) -> Gate:
    gate = Gate()
    for merge in merges:
        gate.learn(merge, fade)
    return gate


def loosest(precision: float) -> float:
    return next(level for level in LEVELS if level >= round(precision - BELOW, 9))


def test_without_a_record_nothing_is_sure_enough() -> None:
    assert Gate().threshold("code", 0.5, elsewhere(1.0)) is None


def test_one_merge_is_a_record() -> None:
    assert taught([]).threshold("code", 0.9, elsewhere(0.95)) == loosest(0.9)


def test_without_any_word_from_elsewhere_the_lane_must_prove_itself() -> None:
    right = outcomes(0.99, right=round(SAY))
    # Of the imagined answers half were right; each merge adds `SAY` that were.
    enough = round(STRENGTH * (0.9 - 0.5) / (SAY * (1 - 0.9)))
    assert taught(*[right] * (enough - 1)).threshold("code", 0.9, {}) is None
    assert taught(*[right] * (enough + 1)).threshold("code", 0.9, {}) == loosest(0.9)


def test_it_opens_where_answers_were_right_only() -> None:
    merge = outcomes(0.97, right=4) + outcomes(0.85, wrong=2, right=2)
    gate = taught(*[merge] * 10)
    # Half of those that were 0.85 sure were wrong, and what is next to them is in doubt for it.
    assert gate.threshold("code", 0.95, elsewhere(0.9)) == 0.94
    assert gate.threshold("code", 0.90, elsewhere(0.9)) == 0.91
    assert gate.threshold("code", 0.70, elsewhere(0.9)) == loosest(0.70)


def test_what_is_much_less_sure_than_asked_for_is_not_carried_by_the_rest() -> None:
    gate = taught(*[outcomes(0.99, right=6) + outcomes(0.52, right=1)] * 9)
    # Its record is faultless at every level.
    assert gate.threshold("code", 0.9, elsewhere(0.9)) == 0.65
    assert gate.threshold("code", 0.7, elsewhere(0.9)) == 0.5


@pytest.mark.parametrize("tried", OF_ATTEMPTS)
def test_what_attempts_are_worth_only_the_lane_tells(tried: str) -> None:
    gate = taught(*[outcomes(0.97, right=6)] * 9)
    assert gate.threshold(f"code{tried}", 0.6, elsewhere(0.99)) is None
    gate.learn(outcomes(0.85, right=6, group=f"code{tried}"), 1.0)
    assert gate.threshold(f"code{tried}", 0.9, elsewhere(0.9)) == loosest(0.9)
    # Of answers that are surer than any so far only others could tell.
    assert gate.threshold(f"code{tried}", 0.9, {"code": {"0.98": 0.99}}) is None


def test_others_count_for_less_where_attempts_met_the_conflict() -> None:
    def opens(group: str) -> float | None:
        return taught(outcomes(0.97, right=6, group=group)).threshold(group, 0.93, elsewhere(0.82))

    # (6 + 6 * 0.82) / 12 is 0.91, (6 + 3 * 0.82) / 9 is 0.94.
    assert opens("code") is None
    assert [opens(f"code{tried}") for tried in OF_ATTEMPTS] == [loosest(0.93)] * len(OF_ATTEMPTS)


def test_where_others_alone_speak_they_must_show_a_point_more() -> None:
    gate = taught(outcomes(0.97, right=6, group="data"))
    assert gate.threshold("code", 0.9, elsewhere(0.905)) is None
    assert gate.threshold("code", 0.9, elsewhere(0.911)) == loosest(0.9)


def test_neighbours_lift_no_level_far_beyond_its_own_record() -> None:
    # Below 0.55 all were wrong, above all right.
    merge = outcomes(0.52, right=0, wrong=7) + outcomes(0.57, right=5) + outcomes(0.72, right=5)
    gate = taught(*[merge] * 20)
    assert gate.threshold("code", 0.75, elsewhere(0.78)) == 0.55


def test_one_lucky_level_opens_nothing() -> None:
    lucky = LEVELS.index(0.8)
    rows = [[40.0, 38.0 if at == lucky else 33.0] for at in range(len(LEVELS))]
    gate = Gate.from_json(taught([]).as_json() | {"record": {"code": rows}})
    assert gate.threshold("code", 0.9, elsewhere(0.85)) is None
    # What all levels show does.
    gate.record["code"] = [[40.0, 38.0] for _ in LEVELS]
    assert gate.threshold("code", 0.9, elsewhere(0.85)) == loosest(0.9)


def test_a_lane_on_which_the_model_is_wrong_closes_it() -> None:
    gate = taught(*[outcomes(0.99, right=1, wrong=3)] * 5)
    assert gate.threshold("code", 0.9, elsewhere(0.99)) is None
    assert gate.threshold("data", 0.9, elsewhere(0.99) | {"data": elsewhere(0.99)["code"]}) == loosest(0.9)


def test_one_merge_has_a_limited_say() -> None:
    mass = taught(outcomes(0.99, right=1000))
    assert mass.record["code"][0] == [SAY, SAY]
    assert mass.threshold("code", 0.96, elsewhere(0.9)) is None


def test_the_past_fades() -> None:
    gate = taught(*[outcomes(0.99, right=4)] * 3, *[outcomes(0.99, right=0, wrong=4)] * 2, fade=0.5)
    assert gate.record["code"][0] == [pytest.approx(7.75), pytest.approx(1.75)]


def test_a_group_in_doubt_is_closed_until_it_is_seen_again() -> None:
    gate = taught(*[outcomes(0.99, right=4)] * 9)
    gate.doubt(["code"])
    assert gate.threshold("code", 0.5, elsewhere(0.99)) is None
    assert gate.threshold("data", 0.5, {"data": elsewhere(0.99)["code"]}) == loosest(0.5)
    again = Gate.from_json(json.loads(json.dumps(gate.as_json())))
    for one in (gate, again):
        one.trust(["code", "unseen"])
        assert one.threshold("code", 0.9, elsewhere(0.99)) == loosest(0.9)


def test_worth_is_the_record_of_answers_at_least_so_sure() -> None:
    gate = taught(outcomes(0.99, right=1) + outcomes(0.6, right=0, wrong=1))
    assert gate.worth("code", 0.99) == (1, 1.0)
    assert gate.worth("code", 0.66) == (1, 1.0)
    assert gate.worth("code", 0.64) == (2, 0.5)  # counted from 0.60 on
    assert gate.worth("code", 0.4) == (0, None)
    assert gate.worth("data", 0.99) == (0, None)


merges = st.lists(
    st.lists(
        st.builds(Outcome, st.sampled_from(["code", "data", "generated"]), st.floats(0, 1), st.booleans()),
        max_size=9,
    ),
    max_size=6,
)


@given(merges, st.floats(0, 1), st.floats(0.5, 0.999), st.floats(0.5, 0.999))
def test_whatever_the_record(record: list[list[Outcome]], fade: float, one: float, other: float) -> None:
    gate = taught(*record, fade=fade)
    for rows in gate.record.values():
        assert all(0 <= right <= count for count, right in rows)
        assert all(count <= SAY * len(record) for count, _ in rows)
    low, high = (gate.threshold("code", p, elsewhere(0.93)) for p in sorted((one, other)))
    assert high is None or (low is not None and low <= high)
    rows = gate.record.get("code", [[0.0, 0.0]] * len(LEVELS))
    shown = [(right + STRENGTH * 0.93) / (count + STRENGTH) for count, right in rows]
    for precision in (one, other):
        opens = gate.threshold("code", precision, elsewhere(0.93))
        assert opens is None or shown[LEVELS.index(opens)] > precision - MARGIN - 1e-9
        assert not gate.merges or opens == loosest(precision) or min(shown) < precision + 1e-9
    again = Gate.from_json(json.loads(json.dumps(gate.as_json())))
    assert again.as_json() == gate.as_json()


def broken(**changes: Any) -> dict[str, Any]:
    return Gate().as_json() | changes


@pytest.mark.parametrize(
    "document",
    [
        None, [], "", 5, {}, {"levels": list(LEVELS)}, broken(levels=[0.5]), broken(levels=None),
        broken(merges="x"), broken(merges=None), broken(doubted=5), broken(record=[]),
        broken(record={"code": [[1, 1]]}),
        broken(record={"code": [[1, 2]] * len(LEVELS)}), broken(record={"code": [[-1, -1]] * len(LEVELS)}),
        broken(record={"code": [[1]] * len(LEVELS)}), broken(record={"code": [["a", 1]] * len(LEVELS)}),
        broken(record={"code": [[float("nan"), 0]] * len(LEVELS)}), broken(merges=float("inf")),
        broken(record={"code": [[float("inf"), 1]] * len(LEVELS)}),
    ],
)  # fmt: skip
def test_a_broken_record_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        Gate.from_json(document)


@pytest.mark.parametrize("tried", OF_ATTEMPTS)
def test_answers_that_attempts_speak_for_have_a_record_of_their_own(tried: str) -> None:
    ours = f"code{tried}"
    wrong = outcomes(0.97, right=0, wrong=4) + outcomes(0.97, right=4, group=ours)
    gate = taught(*[wrong] * 5)
    # What is known of other repositories is known of the group.
    assert gate.threshold(ours, 0.9, elsewhere(0.9)) == loosest(0.9)
    assert gate.threshold("code", 0.9, elsewhere(0.9)) is None

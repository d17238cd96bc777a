"""What a lane did lately: counts that decay, in which no merge says too much."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.ladder.facts import Facts
from syncline.merge.ladder.memory import FORGOTTEN, LEVELS, SAY, Answer, Answered, Memory
from tests.merge.ladder.hunks import candidate, facts, proposes


def known(**versions: bytes) -> Facts:
    return facts(proposes(b"x = f(2)\n", "token-merge", "gap-3"), **versions)


def answer(kind: str | None, **versions: bytes) -> Answer:
    one = known(**versions)
    return Answer(one, None if kind is None else candidate(one, kind))


def by_path(memory: Memory | Answered) -> list[float]:
    return memory.counts["path"]["src/a.py"]


def test_who_was_right_how_often() -> None:
    memory = Memory()
    memory.learn([answer("theirs"), answer("merged"), answer(None)], fade=0.5)
    assert memory.merges == 1
    assert by_path(memory) == [0, 1, 2]  # what people wrote themselves is neither side's, too
    assert memory.voices == {"token-merge": [3, 1], "token-merge:gap-3": [3, 1]}


def test_the_newest_merge_weighs_most() -> None:
    memory = Memory()
    for kind in ("ours", "ours", "theirs"):
        memory.learn([answer(kind)], fade=0.5)
    assert by_path(memory) == [0.75, 1, 0]


def test_one_merge_has_a_limited_say() -> None:
    memory = Memory()
    memory.learn([answer("ours")] * 300 + [answer("theirs")] * 100, fade=0.5)
    assert by_path(memory) == [pytest.approx(0.75 * SAY), pytest.approx(0.25 * SAY), 0]
    assert memory.voices["token-merge"] == [SAY, 0]
    memory.learn([], fade=0.5)
    assert by_path(memory)[0] == pytest.approx(0.375 * SAY)


def test_what_is_long_past_is_dropped() -> None:
    memory = Memory()
    memory.learn([answer("ours")], fade=0.5)
    for _ in range(5):
        memory.learn([], fade=0.5)
    assert all(table == {} for table in memory.counts.values())
    assert memory.voices == {}
    assert FORGOTTEN > 0.5**5


def test_answers_in_the_merge_at_hand_count_as_they_are() -> None:
    answered = Answered()
    answered.learn([answer("ours")] * 10)
    answered.learn([answer("theirs")])
    assert by_path(answered) == [10, 1, 0]
    assert answered.voices["token-merge"] == [11, 0]


@given(st.lists(st.lists(st.sampled_from(["ours", "theirs", "merged", None]), max_size=12), max_size=5),
       st.floats(0, 1))  # fmt: skip
def test_no_count_exceeds_what_all_merges_may_say(merges: list[list[str | None]], fade: float) -> None:
    memory = Memory()
    limit = 0.0
    for kinds in merges:
        memory.learn([ANSWERS[kind] for kind in kinds], fade)
        limit = limit * fade + SAY
        for table in memory.counts.values():
            for row in table.values():
                assert all(value >= 0 for value in row)
                assert sum(row) <= limit + 1e-9
        for spoke, right in memory.voices.values():
            assert 0 <= right <= spoke <= limit + 1e-9
    again = Memory.from_json(json.loads(json.dumps(memory.as_json())))
    assert again.as_json() == memory.as_json()
    assert again.merges == len(merges)


ANSWERS = {kind: answer(kind) for kind in ("ours", "theirs", "merged", None)}


def broken(**changes: Any) -> dict[str, Any]:
    return Memory().as_json() | changes


@pytest.mark.parametrize(
    "document",
    [
        None, [], "", 5, {}, {"merges": 1}, broken(merges="many"), broken(merges=None), broken(counts=[]),
        broken(counts={"all": {}}), broken(voices={"x": [1]}), broken(voices={"x": [1, 2, 3]}),
        broken(voices={"x": "ab"}), broken(voices={"x": [1, -1]}), broken(voices={"x": [1, float("nan")]}),
        broken(voices={"x": [float("inf"), 1]}), broken(voices=[]), broken(merges=float("inf")),
        broken(counts={level: {"k": [1, 2]} for level in LEVELS}),
    ],
)  # fmt: skip
def test_a_broken_memory_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        Memory.from_json(document)


def many(kind: str, count: int) -> list[Answer]:
    return [answer(kind)] * count


def test_a_group_that_is_settled_quite_otherwise_has_turned() -> None:
    memory = Memory()
    assert not memory.turned(many("ours", 40))  # nothing was known
    memory.learn([answer("theirs")], fade=0.5)
    memory.learn([], fade=0.5)
    assert not memory.turned(many("ours", 40))  # hardly anything was
    memory.learn(many("theirs", 40), fade=0.5)
    assert memory.turned(many("ours", 40)) == {"code"}
    assert memory.turned(many("ours", 37) + many("merged", 3)) == {"code"}
    assert not memory.turned(many("ours", 29))
    assert not memory.turned(many("ours", 34) + many("merged", 6))
    assert not memory.turned(many("theirs", 40))
    memory.learn(many("ours", 40), fade=0.9)
    assert not memory.turned(many("ours", 40))  # half of what is remembered says so


def test_what_was_done_with_their_like_is_forgotten() -> None:
    memory = Memory()
    elsewhere = answer("theirs", path=b"docs/a.md")
    memory.learn([*many("theirs", 10), elsewhere], fade=0.5)
    memory.forget(many("ours", 1))
    assert "src/a.py" not in memory.counts["path"]
    assert memory.counts["path"]["docs/a.md"] == [0, 1, 0]
    assert memory.counts["all"].keys() == {elsewhere.facts.group.value}
    memory.learn(many("ours", 1), fade=0.5)
    assert by_path(memory) == [1, 0, 0]

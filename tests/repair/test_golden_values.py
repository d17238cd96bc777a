"""New expected values in the place of old ones: numbers may differ, nothing else, and none may be NaN."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.repair.golden_values import objection

REFUSED = {
    "NaN": ("a.json", '{"loss": 1.5}', '{"loss": NaN}', "are nan, which is no number"),
    "infinity": ("a.json", "[1.5]", "[-Infinity]", "no number"),
    "too large for a number": ("a.json", "[1.5]", "[1e999]", "no number"),
    "NaN as a text": ("a.json", '["1.5"]', '["nan"]', "no number"),
    "a key less": ("a.json", '{"a": 1, "b": 2}', '{"a": 1}', "no key 'b'"),
    "a key more": ("a.json", '{"a": 1}', '{"a": 1, "b": 2}', "a new key 'b'"),
    "a key inside": ("a.json", '{"a": {"1": 1}}', '{"a": {"2": 1}}', "at 'a' have no key '1'"),
    "fewer": ("a.json", "[1, 2]", "[1]", "are 1, and were 2"),
    "another kind": ("a.json", "[1]", '["1"]', "are a text, and were a number"),
    "nothing": ("a.json", "[1]", "[null]", "are nothing, and were a number"),
    "a key twice": ("a.json", '{"a": 1}', '{"a": 1, "a": 1}', "twice"),
    "no JSON": ("a.json", "[1]", "[1", "cannot be read"),
    "too deep": ("a.json", "[1]", "[" * 100_000, "nested too deeply"),
    "a line less": ("a.jsonl", '{"a": 1}\n{"a": 2}\n', '{"a": 1}\n', "are 1, and were 2"),
    "no text": ("a.txt", "1", "\udcff", "not text"),
    "YAML with NaN": ("a.yaml", "loss: 1.5\n", "loss: .nan\n", "line 1 has .nan"),
    "another YAML key": ("a.yaml", "10: 1.5\n", "11: 1.5\n", "differs in more than its numbers"),
    "CSV with more lines": ("a.csv", "a,1\n", "a,1\nb,2\n", "2 lines, and had 1"),
    "CSV with another word": ("a.csv", "a,1\n", "b,1\n", "line 1 differs in more than its numbers"),
    "CSV with infinity": ("a.csv", "a,1\n", "a,-inf\n", "line 1 has -inf"),
}
TAKEN = {
    "numbers": ("a.json", '{"loss": {"1": 10.5, "2": 3}}', '{"loss": {"2": 3.5, "1": 1e-3}}'),
    "what was NaN before": ("a.json", "[NaN, 1]", "[NaN, 2]"),
    "lines": ("a.jsonl", '{"a": 1}\n', '{"a": 2}\n\n'),
    "YAML": ("a.yaml", "step:\n  10: 1.5\n", "step:\n  10: -1.5e-3\n"),
    "CSV": ("a.csv", "step,loss\n1,1.5\n", "step,loss\n1,1.25\n"),
    "a plain number": ("run.gold", "2\n", "5\n"),
}


@pytest.mark.parametrize(("name", "old", "new", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(name: str, old: str, new: str, words: str) -> None:
    assert words in objection(name, old.encode(), new.encode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(("name", "old", "new"), TAKEN.values(), ids=TAKEN)
def test_what_may_be_taken(name: str, old: str, new: str) -> None:
    assert objection(name, old.encode(), new.encode()) == ""


VALUES = st.recursive(
    st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3).filter(lambda text: "n" not in text),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3) | st.dictionaries(st.text(max_size=3), inner, min_size=1)
    ),
    max_leaves=8,
)


def spoilt(value: Any, bad: Any) -> Any:
    """The value with its first leaf replaced."""
    match value:
        case list():
            return [spoilt(value[0], bad), *value[1:]]
        case dict():
            first = next(iter(value))
            return value | {first: spoilt(value[first], bad)}
        case _:
            return bad


@given(VALUES, st.sampled_from([float("nan"), float("inf"), None, True]))
def test_any_shape(value: Any, bad: Any) -> None:
    text = json.dumps(value).encode()
    assert objection("a.json", text, text) == ""
    assert objection("a.json", text, json.dumps(spoilt(value, bad)).encode()) != ""


@given(st.text(), st.text())
def test_no_text_breaks_it(old: str, new: str) -> None:
    for name in ("a.json", "a.jsonl", "a.yaml"):
        objection(name, old.encode("utf-8", "replace"), new.encode("utf-8", "replace"))

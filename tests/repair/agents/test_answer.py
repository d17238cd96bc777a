"""Reading answers: whatever is printed, there is an answer or words; and what is written is read again."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.repair.agents.agree import difference
from syncline.repair.agents.answer import Answer, Cost, Edit, NoAnswerError, answer_as_json, read_answer

_CONTENTS = st.binary(max_size=40)
_EDITS = st.one_of(
    st.builds(lambda content: Edit("", content), _CONTENTS),
    st.builds(
        lambda texts: Edit("", hunks=tuple(sorted(texts.items()))),
        st.dictionaries(st.integers(0, 50), _CONTENTS, max_size=4),
    ),
    st.just(Edit("", delete=True)),
)
_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
_AMOUNT = st.none() | st.integers(0, 10**9)


@given(
    st.dictionaries(_TEXT.filter(bool), _EDITS, max_size=4),
    _TEXT,
    st.builds(Cost, st.just(0.0), _AMOUNT, _AMOUNT, st.none() | st.floats(0, 1e6)),
    st.booleans(),
)
def test_what_is_written_is_read_again(
    edits: dict[str, Edit],
    reason: str,
    cost: Cost,
    in_room: bool,  # noqa: FBT001
) -> None:
    named = () if in_room else tuple(
        Edit(path, edit.content, edit.hunks, edit.delete) for path, edit in edits.items()
    )  # fmt: skip
    answer = Answer(named, reason, cost, in_room)
    assert read_answer(json.dumps(answer_as_json(answer)).encode()) == answer


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ("version", "reason", "edits", "cost", "path", "content", "base64", "hunks", "index", "text")
            )
            | st.text(max_size=5),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)


@given(_JSON | st.binary(max_size=200))
def test_anything_is_an_answer_or_refused_in_words(said: Any) -> None:
    document = said if isinstance(said, bytes) else json.dumps(said).encode()
    answer, words = _read(document)
    if answer is None:
        assert words.startswith(("what it printed is no answer", "it printed nothing"))
        assert words.isascii()
        return
    assert isinstance(answer.reason, str)
    assert len({edit.path for edit in answer.edits}) == len(answer.edits)


def _read(document: bytes) -> tuple[Answer | None, str]:
    try:
        return read_answer(document), ""
    except NoAnswerError as error:
        return None, error.message


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("[]", "Input should be an object"),
        ("{}", "reason: Field required"),
        ('{"reason": 1}', "reason: Input should be a valid string"),
        ('{"reason": "r", "version": 2}', "version: Input should be 1"),
        ('{"reason": "r", "edit": []}', "edit: Extra inputs are not permitted"),
        ('{"reason": "r", "edits": [{"path": "a"}]}', "edits.0: Value error, an edit has exactly one of"),
        ('{"reason": "r", "edits": [{"path": "a", "content": "", "delete": true}]}', "exactly one of"),
        ('{"reason": "r", "edits": [{"path": "a", "delete": false}]}', "edits.0.delete"),
        ('{"reason": "r", "edits": [{"path": "a", "base64": "?"}]}', "its base64 is none"),
        (
            '{"reason": "r", "edits": [{"path": "a", "content": ""}, {"path": "a", "content": "x"}]}',
            "edited twice",
        ),
        ('{"reason": "r", "edits": [{"path": "a", "hunks": [{"index": 0}]}]}', "either text or base64"),
        (
            '{"reason":"","edits": [{"path": "a", "hunks": [{"index": 0, "text":""}, {"index": 0, "text":""}]}]}',
            "a hunk is answered twice",
        ),
        ('{"reason": "r", "cost": {"tokens": -1}}', "cost.tokens: Input should be greater than or equal to 0"),
        ('{"reason": "r", "cost": {"money": Infinity}}', "cost.money"),
        ('{"reason": "r", "cost": {"tokens": 1e400}}', "what it printed is no answer"),
        ('{"reason": "\\ud800"}', "what it printed is no answer"),
        ('{"reason": "r"} and more', "what it printed is no answer"),
    ],
)
def test_what_is_wrong_is_told(said: str, words: str) -> None:
    with pytest.raises(NoAnswerError) as caught:
        read_answer(said.encode())
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("path", "one", "other", "same"),
    [
        (b"a.c", b"f( x );\n", b"f(\tx\n);\n\n", True),
        (b"a.c", b"f(x);\n", b"f( x);\n", False),
        (b"a.py", b"if x:\n    y\nz  =  1\n", b"if x:\n\n    y \nz = 1", True),
        (b"a.py", b"if x:\n    y\n    z\n", b"if x:\n    y\nz\n", False),
        (b"a.c", None, None, True),
        (b"a.c", None, b"", False),
    ],
)
def test_answers_agree_white_space_aside(path: bytes, one: bytes | None, other: bytes | None, same: bool) -> None:  # noqa: FBT001
    assert (difference({path: one}, {path: other}) == "") is same
    assert difference({path: one}, {}) == f"only one of them edits {path.decode()}"

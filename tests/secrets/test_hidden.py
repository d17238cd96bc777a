"""What is hidden, and that looking for it only where its letters are loses nothing."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.secrets import hide
from syncline.secrets.hide import hidden
from syncline.secrets.patterns import PATTERNS

SHAPES = [(shape.pattern.pattern, shape.needs) for shape in hide._SHAPES]
ASCII = st.characters(max_codepoint=127)


@pytest.mark.parametrize("number", range(len(PATTERNS)))
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_each_secret_holds_what_its_pattern_needs(number: int, data: st.DataObject) -> None:
    one = PATTERNS[number]
    secret = data.draw(st.from_regex(re.compile(one.pattern, re.ASCII), fullmatch=True, alphabet=ASCII))
    assert any(need in secret for need in one.needs)


@pytest.mark.parametrize(("pattern", "needs"), SHAPES, ids=range(len(SHAPES)))
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_each_shape_holds_what_it_needs(pattern: str, needs: tuple[str, ...], data: st.DataObject) -> None:
    text = data.draw(st.from_regex(re.compile(pattern, re.ASCII | re.DOTALL), alphabet=ASCII))
    assert any(need in text.lower() for need in needs)
    assert hidden(hidden(text)) == hidden(text)


NAMES = (
    "API_TOKEN",
    "password",
    "Client_Secret",
    "hf-token",
    "access_key",
    "apikey",
    "XPRIVATE_KEY",
    "CREDENTIALS",
)
PIECES = st.one_of(
    st.sampled_from(
        [*NAMES, "=", ": ", "'", '"', "--token ", "--password=", "://", "@", " ", "/", "ab", "secret", "-"]
    ),
    st.text(alphabet=ASCII, max_size=3),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_nothing_is_lost_by_looking_only_where_the_letters_are(text: str) -> None:
    always = text
    for shape in hide._SHAPES:
        always = shape.pattern.sub(shape.put, always)
    always = hide._OPTION.sub(r"\1[hidden]", hide._NAMED.sub(r"\1[hidden]", always))
    assert hidden(text) == always


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "given", ["{}=hunter2", '{}="hunter2"', "{}: 'hunter2'", "x {}=hunter2 y", "{}=hunter2@:;"]
)
def test_values_of_secret_names_are_hidden(name: str, given: str) -> None:
    assert "hunter2" not in hidden(given.format(name))


@pytest.mark.parametrize(
    "text",
    [
        "", "token: 5", "tokenizer = GPT2", "KeyError: 'password'", "password=None", "http://host/path",
        "the secret is out", "monkey=12", "weights=5", "lm loss: 1.0", "bearer of news", "eyJ", "a key: value",
    ],
)  # fmt: skip
def test_ordinary_words_stay(text: str) -> None:
    assert hidden(text) == text

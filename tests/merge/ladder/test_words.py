import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.ladder.words import without_numbers, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"", []),
        (b" \t\n", []),
        (b"x1 = f(a_b, 12)\n", [b"x", b"1", b"=", b"f", b"(", b"a_b", b",", b"12", b")"]),
        ("größe≠1".encode(), ["größe≠".encode(), b"1"]),
        (b"a::b", [b"a", b":", b":", b"b"]),
        (b"\x00\xff", [b"\x00", b"\xff"]),
    ],
)
def test_words(text: bytes, found: list[bytes]) -> None:
    assert words([text]) == found


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (b"version = 1.2.3\n", b"version  = 10.20.30", True),
        (b"sha: deadbeef01", b"sha: 0123456789ab", True),
        (b"python3", b"python2", True),
        (b"defaced", b"effaced", False),  # a word of letters is no hash
        (b"a = 1", b"b = 1", False),
    ],
)
def test_texts_that_differ_in_numbers_alone(one: bytes, other: bytes, same: bool) -> None:  # noqa: FBT001
    assert (without_numbers([one]) == without_numbers([other])) is same


@given(st.lists(st.binary(max_size=20), max_size=5))
def test_words_are_the_text_without_white_space(lines: list[bytes]) -> None:
    text = b"".join(lines)
    assert b"".join(words(lines)) == b"".join(text.split())
    assert without_numbers(lines) == without_numbers([text])

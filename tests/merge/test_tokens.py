"""Texts as tokens, merged three-way and laid out again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.text.layout import lay_out
from syncline.merge.text.phrases import merge_phrases, phrases
from syncline.merge.text.three_way import merge_edits
from syncline.merge.text.token_diff import line_matches, token_edits
from syncline.merge.text.token_region import TokenRegion
from syncline.merge.text.tokens import Kind, tokenize

PATHS = st.sampled_from((b"a.py", b"a.rs", b"a.c", b"a.md", b"a.sql", b"a.erl", b"Makefile", b"a.unknown", b""))
PIECES = st.sampled_from(
    (
        b"a",
        b"foo",
        b"(",
        b")",
        b",",
        b'"',
        b"'",
        b"x = 1",
        b"#",
        b"//",
        b"/*",
        b"\n",
        b"\r\n",
        b"  ",
        b"\t",
        b"\xff",
        b"\\",
    )
)
TEXTS = st.binary(max_size=60) | st.lists(PIECES, max_size=40).map(b"".join)


@given(TEXTS, PATHS)
def test_a_text_is_cut_and_joined_again_byte_for_byte(text: bytes, path: bytes) -> None:
    tokens = tokenize(text, path)

    assert tokens.join() == text
    assert len(tokens.gaps) == len(tokens) + 1
    assert b"".join(b"".join(line) for line in tokens.lines()) == b"".join(tokens.texts)
    assert not any(text.isspace() or not text for text in tokens.texts)


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        (b"a.py", b"x = 'it is' # don't", [b"x", b"=", b"'it is'", b"#", b"don't"]),
        (
            b"a.rs",
            b"fn f<'a>(x: &'a str)",
            [b"fn", b"f", b"<", b"'", b"a", b">", b"(", b"x", b":", b"&", b"'", b"a", b"str", b")"],
        ),
        (b"a.md", b'Peter\'s "new" house', [b"Peter's", b'"', b"new", b'"', b"house"]),
        (b"a.c", b"a->b != 0x1F; // http", [b"a", b"->", b"b", b"!=", b"0x1F", b";", b"/", b"/", b"http"]),
        (b"a.js", b'"a\\"b" + `c`', [b'"a\\"b"', b"+", b"`c`"]),
        (b"a.py", b'"open\nx', [b'"', b"open", b"x"]),
    ],
)
def test_tokens_of_a_line(path: bytes, text: bytes, words: list[bytes]) -> None:
    assert list(tokenize(text, path).texts) == words


def test_a_comment_is_told_by_the_suffix() -> None:
    assert Kind.COMMENT in tokenize(b"x # y", b"a.py").kinds
    assert Kind.COMMENT not in tokenize(b"x # y", b"a.c").kinds


def merged(base: bytes, ours: bytes, theirs: bytes, path: bytes = b"a.py") -> bytes | None:
    one, two, three = (tokenize(text, path) for text in (base, ours, theirs))
    our_edits, their_edits = token_edits(one, two), token_edits(one, three)
    found = merge_edits(two.texts, three.texts, len(one), our_edits, their_edits)
    return None if found is None else lay_out(found.places, one, two, three, our_edits, their_edits)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        (b"f(a, b)\n", b"g(a, b)\n", b"f(a, c)\n", b"g(a, c)\n"),
        (b"a b c\n", b"a c\n", b"a b c d\n", b"a c d\n"),
        (b"a\nb\n", b"a\nx\nb\n", b"a\nb\ny\n", b"a\nx\nb\ny\n"),
        (b"a b\n", b"a x b\n", b"a y b\n", None),
        (b"a b\n", b"a x b\n", b"a x b\n", b"a x b\n"),
        (b"f(a, b)\n", b"f(\n    a,\n    b\n)\n", b"f(a, c)\n", b"f(\n    a,\n    c\n)\n"),
        (b"a = 1\nb = 2\n", b"a  =  1\nb = 2\n", b"a = 1\nb = 3\n", b"a  =  1\nb = 3\n"),
        (b"one\ntwo\n", b"one # ours\ntwo\n", b"one\ntwo # theirs\n", b"one # ours\ntwo # theirs\n"),
        (b"a\r\nb\r\n", b"x\r\nb\r\n", b"a\r\ny\r\n", b"x\r\ny\r\n"),
        (b"a b", b"x b", b"a y", b"x y"),
        # Lines are neither joined nor torn, wherever the region begins and ends.
        (b"o\nt = 3\n", b"r = l\no\nt = 6\n", b"t = 3\n", b"r = l\nt = 6\n"),
        (b"x = a\n", b"x = b\n", b"x = a + c\n", b"x = b + c\n"),
        (b"b\n", b"b\nx\n", b"", b"x\n"),
        (b"b\n", b"", b"b\nx\n", b"x\n"),
        (b"a\nb\n", b"a\nb\nx\n", b"a\n", b"a\nx\n"),
        (b'"t": "j"\n', b'"t": "k"\n', b'"t": "j",\n"u": 1\n', b'"t": "k",\n"u": 1\n'),
        (b"b: 2", b"b: 3", b"b: 2\n", b"b: 3\n"),
        (b"b: 2\n", b"b: 3\n", b"b: 2", b"b: 3"),
        (b"a\nn\n", b"a\nI\nn\n", b"a n\n", None),
        (b"a\nd\nn\n", b"a\nn\n", b"a\nd e\nn\n", None),
        (b"f(a,\nn)\n", b"f(a,\nI,\nn)\n", b"f(a, n)\n", b"f(a,\nI, n)\n"),
        # A blank line, white space at an end, or line ends of one side; the indentation of the other.
        (b"a\n  b\n", b"a\n\n  b\n", b"a\n  s\n    b\n", b"a\n  s\n\n    b\n"),
        (b"a  \n  b\n", b"a\n  b\n", b"a  \n  s\n    b\n", b"a  \n  s\n    b\n"),
        (b"a\n  b\n", b"a\r\n  b\r\n", b"a\n  s\n    b\n", b"a\r\n  s\r\n    b\r\n"),
        (b"a\n  b\n", b"a\n    b\n", b"a\nb\n", None),
        (b"a\r\nb\n", b"a\r\nc\n", b"a\r\nb\nd\n", None),
        (b"a\nd\nb\n", b"a\nd\n\nb\n", b"a\nb\n", b"a\n\nb\n"),
        (b"d\n", b"d\n\n", b"", b""),
        # Only the line that a side moved is moved; what is new at its edge cannot be told.
        (
            b"for x:\n    p(x)\n    l(x)\n    s(x)\n",
            b"for x:\n    p(x)\n    l(x)\ns(x)\n",
            b"for x:\n    p(x)\n    d(x)\n    s(x)\n",
            b"for x:\n    p(x)\n    d(x)\ns(x)\n",
        ),
        (b"if a:\n    u(a)\n", b"if a:\nu(a)\n", b"if a:\n    m(a)\n    u(a)\n", None),
        (b"a(1)\n", b"b(1)\nnew\n", b"a(1) + 7", None),
    ],
)
def test_merges_of_tokens(base: bytes, ours: bytes, theirs: bytes, result: bytes | None) -> None:
    assert merged(base, ours, theirs) == result


def test_lines_of_one_side_follow_the_other_ones_indentation() -> None:
    base = b"def f():\n    a()\n    b()\n"
    ours = b"def f():\n    if x:\n        a()\n        b()\n"
    theirs = b"def f():\n    a()\n    new()\n    b()\n"

    assert merged(base, ours, theirs) == b"def f():\n    if x:\n        a()\n        new()\n        b()\n"


def test_texts_put_in_the_same_place_are_woven_by_their_common_lines() -> None:
    base, ours, theirs = (tokenize(text, b"a.txt") for text in (b"a\n", b"da\nde\nel\n", b"de\nel\nfi\n"))
    edits = token_edits(base, ours), token_edits(base, theirs)
    found = merge_edits(
        ours.texts,
        theirs.texts,
        1,
        *edits,
        lambda one, other: line_matches(ours.part(one.b, one.b_end), theirs.part(other.b, other.b_end)),
    )

    assert found is not None
    assert lay_out(found.places, base, ours, theirs, *edits) == b"da\nde\nel\nfi\n"


@given(TEXTS, TEXTS, TEXTS, PATHS)
def test_a_merge_of_tokens_keeps_what_both_keep(base: bytes, ours: bytes, theirs: bytes, path: bytes) -> None:
    one, two, three = (tokenize(text, path) for text in (base, ours, theirs))
    our_edits, their_edits = token_edits(one, two), token_edits(one, three)
    found = merge_edits(two.texts, three.texts, len(one), our_edits, their_edits)
    if found is None:
        return
    kept = {at for at in range(len(one)) if not any(e.a <= at < e.a_end for e in (*our_edits, *their_edits))}

    assert [place.base for place in found.places if place.base is not None] == sorted(kept)
    for place in found.places:
        texts = {
            tokens.texts[at]
            for tokens, at in ((one, place.base), (two, place.ours), (three, place.theirs))
            if at is not None
        }
        assert len(texts) == 1
    text = lay_out(found.places, one, two, three, our_edits, their_edits)
    if text is None:
        return
    assert b"".join(text.split()) == b"".join(
        (two.texts[p.ours] if p.ours is not None else three.texts[p.theirs or 0]) for p in found.places
    )


@given(TEXTS, TEXTS, PATHS)
def test_a_merge_with_an_unchanged_side_is_the_other_one(base: bytes, theirs: bytes, path: bytes) -> None:
    assert merged(base, base, theirs, path) == theirs
    assert merged(base, theirs, base, path) == theirs
    assert merged(base, theirs, theirs, path) == theirs


def test_phrases_stand_between_brackets_and_commas() -> None:
    tokens = tokenize(b"x = f(a b, c)\ny\n", b"a.py")

    assert list(phrases(tokens)) == [
        (b"x", b"=", b"f"),
        (b"(",),
        (b"a", b"b"),
        (b",",),
        (b"c",),
        (b")",),
        (b"y",),
    ]


@pytest.mark.parametrize(
    ("theirs", "result"), [(b"f(a b, d)\n", b"f(xb,d)"), (b"f(a y, c)\n", None), (b"f(a b, c)\n", b"f(xb,c)")]
)
def test_phrases_are_merged_as_a_second_opinion(theirs: bytes, result: bytes | None) -> None:
    versions = (tokenize(text, b"a.py") for text in (b"f(a b, c)\n", b"f(x b, c)\n", theirs))

    assert merge_phrases(TokenRegion(*versions)) == result


WORD_LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n", b"\n"]), max_size=6).map(b"".join)


@given(WORD_LINES, WORD_LINES, WORD_LINES)
def test_lines_of_one_word_stay_such_lines(base: bytes, ours: bytes, theirs: bytes) -> None:
    text = merged(base, ours, theirs, b"a.txt")
    if text is not None:
        assert all(len(line.split()) <= 1 for line in text.split(b"\n"))
        assert not text.split() or text.endswith(b"\n")

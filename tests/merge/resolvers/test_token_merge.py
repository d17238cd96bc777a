"""Hunks merged token by token, on real conflicts of git."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.proposal import Proposal
from syncline.merge.resolvers import token_merge
from testing.cases import file_case


def offered(base: bytes, ours: bytes, theirs: bytes, path: bytes = b"a.py") -> list[Proposal]:
    return list(token_merge.propose(file_case(base, ours, theirs, path)))


def one(base: bytes, ours: bytes, theirs: bytes, path: bytes = b"a.py") -> Proposal:
    (proposal,) = offered(base, ours, theirs, path)
    return proposal


def test_two_edits_of_one_line() -> None:
    found = one(b"call(first, second, third)\n", b"run(first, second, third)\n", b"call(first, second, last)\n")

    assert found.lines == (b"run(first, second, last)\n",)
    assert {"gap-3", "no-insertions", "no-shared-words", "regions-agree", "short"} <= set(found.marks)
    assert (
        str(found.evidence[0])
        == "target changed `call` to `run`; source changed `third` to `last`; 5 unchanged tokens apart"
    )


def test_neighbouring_lines() -> None:
    found = one(b"alpha = 1\nbeta = 2\n", b"alpha = 3\nbeta = 2\n", b"alpha = 1\nbeta = 4\n")

    assert found.lines == (b"alpha = 3\n", b"beta = 4\n")
    assert "different-lines" in found.marks


def test_a_word_that_one_side_removed_and_the_other_uses_anew_is_told() -> None:
    found = one(b"x = old_name\n", b"x = new_name\n", b"log(old_name)\nx = old_name\n")

    assert "gone-word-used" in found.marks


def test_a_side_that_has_all_of_the_other_is_told() -> None:
    found = one(b"a = f(1, two)\n", b"b = f(1, 3)\n", b"b = f(1, two)\n")

    assert found.lines == (b"b = f(1, 3)\n",)
    assert "ours-has-all" in found.marks


def test_the_layout_of_either_side_is_kept() -> None:
    base = b"f(alpha, beta)  # why\nend = 1\n"
    ours = b"f(\n    gamma,\n    beta\n)  # why\nend = 1\n"
    theirs = b"g(alpha, beta)  # why\nend = 2\n"

    assert b"".join(one(base, ours, theirs).lines) == b"g(\n    gamma,\n    beta\n)  # why\nend = 2\n"


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        (b"a\n", b"b\n", b"c\n"),
        (b"a\nz\n", b"a\nb\nz\n", b"a\nc\nz\n"),
        (b"f(a)\n", b"f(a, b)\n", b"f(a, c)\n"),
        (b"a\0b\n", b"a\0c\n", b"a\0d\n"),
    ],
)
def test_edits_of_the_same_words_are_left_to_others(base: bytes, ours: bytes, theirs: bytes) -> None:
    assert offered(base, ours, theirs) == []


def test_an_ending_is_never_lost_before_more_lines() -> None:
    base, ours, theirs = b"a = 1, 2\nsame\n", b"b = 1, 2\nsame\n", b"a = 1, 3\nsame\n"

    assert one(base, ours, theirs).lines == (b"b = 1, 3\n",)


def test_no_newline_at_the_end_and_crlf_are_kept() -> None:
    assert one(b"a = 1, 2", b"b = 1, 2", b"a = 1, 3").lines == (b"b = 1, 3",)
    assert one(b"a = 1, 2\r\n", b"b = 1, 2\r\n", b"a = 1, 3\r\n").lines == (b"b = 1, 3\r\n",)


def test_what_is_too_big_is_declined() -> None:
    long = b"x, " * 5_000
    assert offered(long + b"a b c\n", long + b"d b c\n", long + b"a b e\n") == []


def test_both_added_the_file() -> None:
    case = file_case(None, b"a\nb\n", b"a\nc\n")

    assert list(token_merge.propose(case)) == []


LINES = st.sampled_from(
    (
        b"a = f(1, 2)",
        b"a = f(1, 3)",
        b"b = f(1, 2)",
        b"if x:",
        b"  a = f(1, 2)",
        b"",
        b"}",
        b"'",
        b'"x',
        b"\xff\0",
        b"\r",
    )
)


@st.composite
def versions(draw: st.DrawFn) -> bytes:
    lines = draw(st.lists(LINES, max_size=6))
    text = b"".join(line + draw(st.sampled_from((b"\n", b"\n", b"\r\n"))) for line in lines)
    return text.removesuffix(b"\n") if draw(st.booleans()) else text


@settings(max_examples=60)
@given(versions(), versions(), versions())
def test_whatever_comes_the_offer_is_made_of_the_sides(base: bytes, ours: bytes, theirs: bytes) -> None:
    case = file_case(base, ours, theirs)
    for proposal in token_merge.propose(case):
        hunk = case.hunks[proposal.hunk]
        told = b"".join(proposal.lines)

        assert hunk.ours != hunk.theirs
        assert set(told.split()) or not told.strip()
        assert all(line.endswith(b"\n") for line in proposal.lines[:-1])
        assert set(told) <= set(b"".join((*hunk.ours, *hunk.theirs))) | set(hunk.hunk.ending)

"""Hunks that one side only laid out anew, formatted, or left alone."""

from dataclasses import replace
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.proposal import Proposal
from syncline.merge.resolvers import format_only, token_merge, unchanged_side, whitespace
from testing.cases import file_case


def one(resolver: ModuleType, base: bytes, ours: bytes, theirs: bytes) -> Proposal:
    (proposal,) = resolver.propose(file_case(base, ours, theirs, b"a.py"))
    return proposal


def text(proposal: Proposal) -> bytes:
    return b"".join(proposal.lines)


WRAPPED = b"f(\n    alpha,\n    beta,\n)\n"


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result", "mark"),
    [
        (b"f(a, b)\n", b"f( a, b )\n", b"g(a, b)\n", b"g( a, b )\n", "ours-only-spaces"),
        (b"f(a, b)\n", b"g(a, b)\n", b"f(a,\n  b)\n", b"g(a,\n  b)\n", "theirs-only-spaces"),
        (b"f(a, b)\n", b"f( a, b )\n", b"f(a,  b)\n", b"f( a,  b )\n", "sides-agree"),
        (b"a = 1\n", b"if x:\n    a = 1\n", b"if x:\n  a = 1\n", b"    a = 1\n", "sides-agree"),
    ],
)
def test_white_space_alone(base: bytes, ours: bytes, theirs: bytes, result: bytes, mark: str) -> None:
    found = one(whitespace, base, ours, theirs)

    assert (text(found), found.marks) == (result, (mark,))


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        (b"f(alpha, beta)\n", WRAPPED, b"g(alpha, beta)\n", b"g(\n    alpha,\n    beta,\n)\n"),
        (b"f(alpha, beta)\n", WRAPPED, b"f(alpha, gamma)\n", b"f(\n    alpha,\n    gamma,\n)\n"),
        (b"f(alpha, beta)\n", b"f(alpha)\n", WRAPPED, b"f(\n    alpha,\n)\n"),
        (b"f(alpha, beta)\n", b"f()\n", WRAPPED, b"f(\n)\n"),
        (
            WRAPPED,
            b"f(alpha, beta)\n",
            b"f(\n    alpha,\n    beta,\n    gamma,\n)\n",
            b"f(alpha, beta,\n    gamma)\n",
        ),
        (b"x = 'a', 'b'\n", b'x = "a", "b"\n', b"y = 'a', 'b'\n", b'y = "a", "b"\n'),
        (b"x = 'a', 'b'\n", b'x = "a", "b"\n', b"x = 'a', 'c'\n", b"x = \"a\", 'c'\n"),
    ],
)
def test_a_change_is_put_into_the_format_of_the_other_side(
    base: bytes, ours: bytes, theirs: bytes, result: bytes
) -> None:
    assert text(one(format_only, base, ours, theirs)) == result


@pytest.mark.parametrize(
    ("base", "ours"),
    [
        (b"x = (1 + 2)\n", b"x = 1 + 2\n"),
        (b"x = (1)\n", b"x = (1,)\n"),
        (b"return (1)\n", b"return (1,)\n"),
        (b"x[1]\n", b"x[1,]\n"),
        (b"x = 'a$b`'\n", b'x = "a$b`"\n'),
        (b"f(a, b)\n", b"f(a, c,)\n"),
    ],
)
def test_what_may_change_the_meaning_is_no_format(base: bytes, ours: bytes) -> None:
    assert list(format_only.propose(file_case(base, ours, b"other = " + base))) == []


@pytest.mark.parametrize("ours_unchanged", [True, False])
def test_a_side_that_left_the_hunk_as_in_base_gives_way(*, ours_unchanged: bool) -> None:
    # As with a merge base that is itself a merge: git's conflict, and yet one side has base's text.
    ours, theirs = b"a\nours\nz\n", b"a\ntheirs\nz\n"
    case = replace(file_case(b"a\nb\nz\n", ours, theirs), base=ours if ours_unchanged else theirs)

    (found,) = unchanged_side.propose(case)

    assert text(found) == (b"theirs\n" if ours_unchanged else b"ours\n")
    assert found.marks[0] == ("ours-unchanged" if ours_unchanged else "theirs-unchanged")


LINES = st.sampled_from(
    (b"f(a, b)", b"f(a, b,)", b"f( a, b)", b"f(a,", b"b)", b"  b,", b")", b"'x'", b'"x"', b"", b"\xff")
)
versions = st.lists(LINES, max_size=5).map(b"\n".join)


@settings(max_examples=60)
@given(versions, versions, versions)
def test_only_what_a_side_holds_is_offered(base: bytes, ours: bytes, theirs: bytes) -> None:
    case = file_case(base, ours, theirs, b"a.py")
    for resolver in (whitespace, format_only, unchanged_side, token_merge):
        for proposal in resolver.propose(case):
            hunk = case.hunks[proposal.hunk]

            assert hunk.ours != hunk.theirs
            assert proposal.resolver == resolver.NAME
            assert set(text(proposal)) <= set(b"".join((*hunk.ours, *hunk.theirs, b"\n")))
            assert all(line.endswith(b"\n") for line in proposal.lines[:-1])

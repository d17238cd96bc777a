"""Where the hunks of a conflict stand in the three versions."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.case import FileCase, Region, Span
from syncline.merge.hunks import ConflictedFile, Hunk, Lines
from syncline.merge.model import ConflictKind
from testing.cases import file_case

BASE = b"".join(b"line %d\n" % number for number in range(10))


def edited(**changes: str) -> bytes:
    """The base with lines replaced: `l3="x\\n"` puts x in place of line 3."""
    found = BASE
    for name, text in changes.items():
        found = found.replace(b"line %s\n" % name[1:].encode(), text.encode())
    return found


def test_a_plain_hunk() -> None:
    case = file_case(BASE, edited(l3="ours\n", l8="too\n"), edited(l3="theirs\n", l1=""))
    (hunk,) = case.hunks
    assert (hunk.base, hunk.ours, hunk.theirs) == ((b"line 3\n",), (b"ours\n",), (b"theirs\n",))
    assert hunk.at == Region(Span(3, 4), Span(3, 4), Span(2, 3))
    assert hunk.outer == hunk.at
    assert hunk.certain


def test_what_both_sides_begin_with_is_out_of_the_hunk_and_in_the_outer_region() -> None:
    case = file_case(BASE, edited(l3="same\nours\n"), edited(l3="same\ntheirs\n"))
    (hunk,) = case.hunks
    assert (hunk.ours, hunk.theirs) == ((b"ours\n",), (b"theirs\n",))
    assert hunk.outer == Region(Span(3, 4), Span(3, 5), Span(3, 5))
    assert hunk.outer.ours.of(case.our_lines) == (b"same\n", b"ours\n")


def test_both_add_at_one_place() -> None:
    case = file_case(BASE, edited(l3="line 3\nours\n"), edited(l3="line 3\ntheirs\n"))
    (hunk,) = case.hunks
    assert (hunk.base, hunk.at.base) == ((), Span(4, 4))
    assert hunk.certain


def test_at_both_ends_of_a_file() -> None:
    case = file_case(BASE, edited(l0="o\n", l9="o"), edited(l0="t\n", l9="t\n"))
    first, last = case.hunks
    assert (first.at.base, last.at.base) == (Span(0, 1), Span(9, 10))
    assert last.ours == (b"o",)


def test_files_that_both_added_have_no_base() -> None:
    (hunk,) = file_case(None, b"a\nb\n", b"a\nc\n").hunks
    assert (hunk.base, hunk.at.ours, hunk.certain) == ((), Span(1, 2), True)


def test_a_repeated_line_is_told_apart_by_its_place() -> None:
    base = b"}\n\n" * 6
    case = file_case(base + b"x\n" + base, base + b"o\n}\n" + base, base + b"t\n\n" + base)
    (hunk,) = case.hunks
    assert hunk.at.ours.of(case.our_lines) == hunk.ours
    assert hunk.at.base.of(case.base_lines)[:1] == (b"x\n",)


WORDS = tuple(b"%s\n" % word for word in (b"a", b"b", b"c", b"}", b"", b"return", b"x = 1", b"a\r"))
lines = st.lists(st.sampled_from(WORDS), max_size=14)


@st.composite
def three(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    """A base and two sides that changed some places of it; much repeats."""
    base = draw(lines) + [b"line %d\n" % number for number in range(draw(st.integers(0, 4)))] + draw(lines)

    def side() -> bytes:
        found = list(base)
        for _ in range(draw(st.integers(1, 3))):
            at = draw(st.integers(0, len(found)))
            found[at : at + draw(st.integers(0, 3))] = draw(st.lists(st.sampled_from(WORDS), max_size=3))
        text = b"".join(found)
        return text.rstrip(b"\n") if draw(st.booleans()) else text

    return b"".join(base), side(), side()


@given(three(), st.booleans())
def test_places_are_right(versions: tuple[bytes, bytes, bytes], with_base: bool) -> None:  # noqa: FBT001
    base, ours, theirs = versions
    case = file_case(base if with_base else None, ours, theirs)
    sides: tuple[tuple[list[bytes], Callable[[Region], Span]], ...] = (
        (case.base_lines, lambda at: at.base), (case.our_lines, lambda at: at.ours),
        (case.their_lines, lambda at: at.theirs),
    )  # fmt: skip
    for hunk in case.hunks:
        assert hunk.at.ours.of(case.our_lines) == hunk.ours
        assert hunk.at.theirs.of(case.their_lines) == hunk.theirs
        before, after = set(), set()
        for version, of in sides:
            inner, outer = of(hunk.at), of(hunk.outer)
            assert 0 <= outer.start <= inner.start <= inner.end <= outer.end <= len(version)
            before.add(version[outer.start - 1] if outer.start else None)
            after.add(version[outer.end] if outer.end < len(version) else None)
        # The outer region begins and ends where all three agree, or at an end of the files.
        if case.has_base:
            assert len(before) == len(after) == 1
    for one, following in pairwise(case.hunks):
        for _, of in sides[1:]:
            assert of(one.at).end <= of(following.at).start


parts = st.lists(lines.map(tuple) | st.builds(Hunk, st.just(1), lines.map(tuple), lines.map(tuple)), max_size=4)


@given(parts, lines, lines, lines)
def test_hunks_that_stand_nowhere_have_places_all_the_same(
    cut: list[Lines | Hunk], base: list[bytes], ours: list[bytes], theirs: list[bytes]
) -> None:
    case = FileCase(
        b"a", ConflictKind.CONTENT, b"".join(base), b"".join(ours), b"".join(theirs), ConflictedFile(tuple(cut))
    )
    for hunk in case.hunks:
        assert 0 <= hunk.at.ours.start <= hunk.at.ours.end <= len(case.our_lines)
        assert 0 <= hunk.at.base.start <= hunk.at.base.end <= len(case.base_lines)
        assert isinstance(hunk.base, tuple)


@pytest.mark.parametrize("path", [b"a.txt", b"\xff"])
def test_binary_contents_have_no_hunks(path: bytes) -> None:
    assert file_case(b"\0a", b"\0b", b"\0c", path).hunks == ()

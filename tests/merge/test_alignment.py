"""Where the hunks of a conflicted file stand in what people committed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.alignment import regions, squeezed, squeezed_lines
from syncline.merge.hunks import ConflictedFile, Hunk, Lines, split_lines


def cut(*parts: str | tuple[str, str]) -> ConflictedFile:
    """Merged lines as a text, hunks as a pair of texts; a blank stands for a new line."""
    return ConflictedFile(
        tuple(Hunk(1, lines(p[0]), lines(p[1])) if isinstance(p, tuple) else lines(p) for p in parts)
    )


def lines(words: str) -> Lines:
    return tuple(word.encode() + b"\n" for word in words.split())


@pytest.mark.parametrize(
    ("file", "committed", "found"),
    [
        (cut("a", ("o", "t"), "z"), "a o z", ["o"]),
        (cut("a", ("o", "t"), "z"), "a z", [""]),
        (cut("a", ("o", "t"), "z"), "a new text z", ["new text"]),
        (cut("a", ("o", "t"), "z"), "a t o z", ["t o"]),
        (cut(("o", "t"), "z"), "x z", ["x"]),
        (cut("a", ("o", "t")), "a x", ["x"]),
        (cut(("o", "t")), "x y", ["x y"]),
        (cut(("o", "t")), "", [""]),
        (cut("a", ("o", "t"), "m", ("p", "q"), "z"), "a t m x q z", ["t", "x q"]),
        # The line between two hunks is gone: either may be the owner of what is there; here it is both.
        (cut("a", ("o", "t"), "m", ("p", "q"), "z"), "a x y z", ["x y", "x y"]),
        # Lines that were added beside a hunk belong to it.
        (cut("a b", ("o", "t"), "c d"), "a b before o after c d", ["before o after"]),
        # The line above is gone, too: the one before it is the border.
        (cut("a b", ("o", "t"), "c"), "a o c", ["o"]),
        # The lines around changed places; there is no telling.
        (cut("a", ("o", "t"), "z"), "z a", [""]),
    ],
)
def test_regions(file: ConflictedFile, committed: str, found: list[str]) -> None:
    assert regions(file, lines(committed)) == tuple(lines(words) for words in found)


def test_blank_lines_align_nothing_and_stand_in_the_region() -> None:
    file = ConflictedFile(((b"a\n", b"\n"), Hunk(3, (b"o\n",), (b"t\n",)), (b"\n", b"z\n")))
    assert regions(file, [b"a\n", b"o\n", b"\n", b"\n", b"z\n"]) == ((b"o\n", b"\n", b"\n"),)


def test_white_space_is_no_difference() -> None:
    file = cut("a", ("o", "t"), "z")
    assert regions(file, [b"  a\r\n", b"\to \n", b"z"]) == ((b"\to \n",),)
    assert squeezed(b" a\tb \r\n") == b"ab"


def test_lines_can_be_compared_by_another_key() -> None:
    file = cut("a", ("o", "t"), "z")
    assert regions(file, [b"A\n", b"x\n", b"Z\n"], key=lambda line: line.strip().lower()) == ((b"x\n",),)


@st.composite
def settled_files(draw: st.DrawFn) -> tuple[ConflictedFile, list[Lines]]:
    """A conflicted file with lines around its hunks that stand once, and an answer of each hunk's own."""
    word = st.sampled_from([b"x\n", b"y\n", b"  y\n", b"\n", b"z", b"}\n", b"return\r\n"])
    side = st.lists(word, max_size=4).map(tuple)
    parts: list[Lines | Hunk] = []
    answers: list[Lines] = []
    for number in range(draw(st.integers(1, 4))):
        if number or draw(st.booleans()):
            parts.append(tuple(b"line %d of %d\n" % (at, number) for at in range(draw(st.integers(1, 3)))))
        ours, theirs = draw(side), draw(side)
        parts.append(Hunk(1, ours, theirs))
        written = tuple(b"new %d\n" % at for at in range(draw(st.integers(0, 2))))
        answers.append(
            draw(st.sampled_from([ours, theirs, ours + theirs, theirs + ours, written, ours + written]))
        )
    if draw(st.booleans()):
        parts.append((b"the end\n",))
    return ConflictedFile(tuple(parts)), answers


@given(settled_files())
def test_what_was_put_in_is_found_again(case: tuple[ConflictedFile, list[Lines]]) -> None:
    file, answers = case
    left = iter(answers)
    whole = [line for part in file.parts for line in (next(left) if isinstance(part, Hunk) else part)]
    assert [_text(lines) for lines in regions(file, whole)] == [_text(lines) for lines in answers]


def _text(lines: Lines | None) -> bytes | None:
    return None if lines is None else b"".join(b"".join(lines).split())


word = st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n", b" a\n", b"d"])
texts = st.lists(word, max_size=6).map(tuple)


@given(st.lists(texts | st.builds(Hunk, st.just(1), texts, texts), max_size=6), st.lists(word, max_size=20))
def test_any_file_has_a_region_for_each_hunk_or_none(parts: list[Lines | Hunk], whole: list[bytes]) -> None:
    file = ConflictedFile(tuple(parts))
    found = regions(file, whole)
    assert len(found) == len(file.hunks)
    for lines in found:
        if lines:
            assert any(tuple(whole[at : at + len(lines)]) == lines for at in range(len(whole)))


@given(st.lists(st.sampled_from([b"a", b" ", b"\t", b"\r", b"\n", b"\v", b"\f", b"b c", b"\x00"])).map(b"".join))
def test_the_lines_of_a_text_are_squeezed_at_once_as_one_by_one(content: bytes) -> None:
    assert squeezed_lines(content) == [squeezed(line) for line in split_lines(content)]

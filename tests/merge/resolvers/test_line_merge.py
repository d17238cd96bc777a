"""Three-way by lines, where edits touch or lines are aligned another way."""

from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.proposal import Proposal
from syncline.merge.resolvers import line_merge
from testing.cases import file_case

LINES = (b"a\n", b"b\n", b"c\n", b" c\n", b"d\r\n", b"\n", b"\xff\x00\n", b"end")
texts = st.lists(st.sampled_from(LINES), max_size=9).map(b"".join)


def offers(base: bytes, ours: bytes, theirs: bytes) -> list[Proposal]:
    return list(line_merge.propose(file_case(base, ours, theirs)))


def test_neighbouring_lines_changed_by_different_sides() -> None:
    [offer] = offers(b"top\none\ntwo\nend\n", b"top\nONE\ntwo\nend\n", b"top\none\nTWO\nend\n")
    assert offer.lines == (b"ONE\n", b"TWO\n")
    assert {"hunk-exact", "no-insertions"} <= set(offer.marks)


def test_each_side_deletes_another_line() -> None:
    [offer] = offers(b"top\none\ntwo\nend\n", b"top\ntwo\nend\n", b"top\none\nend\n")
    assert offer.lines == ()


def test_an_insertion_beside_a_change_is_marked() -> None:
    [offer] = offers(b"top\none\nend\n", b"top\nONE\nend\n", b"top\none\nnew\nend\n")
    assert offer.lines == (b"ONE\n", b"new\n")
    assert "insertion-touches" in offer.marks


def test_a_side_that_only_indented_does_not_stand_against_the_other() -> None:
    [offer] = offers(b"if x:\none\ntwo\nend\n", b"if x:\n  one\n  two\nend\n", b"if x:\none\n2\nend\n")
    assert offer.lines == (b"  one\n", b"  2\n")


LOOP = b"def f():\n    for row in rows:\n        go(row)\n        write(row)\n    end()\n"
WRAPPED = (
    b"def f():\n    if a:\n        for row in rows:\n            go(row)\n            write(row)\n    end()\n"
)


def test_what_is_written_within_a_block_moves_with_it() -> None:
    theirs = LOOP.replace(b"        write", b"        log(row)\n        write")
    [offer] = offers(LOOP, WRAPPED, theirs)
    assert b"            go(row)\n            log(row)\n            write(row)\n" in b"".join(offer.lines)
    [offer] = offers(
        WRAPPED, LOOP, WRAPPED.replace(b"            write", b"            log(row)\n            write")
    )
    assert b"        go(row)\n        log(row)\n        write(row)\n" in b"".join(offer.lines)


def test_what_is_written_at_the_edge_of_a_block_that_moved_is_left_alone() -> None:
    for line in (b"        log(row)\n", b"    log(row)\n"):
        assert not offers(LOOP, WRAPPED, LOOP.replace(b"    end()", line + b"    end()"))
        assert not offers(LOOP, WRAPPED, LOOP.replace(b"    for", line + b"    for"))


def test_what_is_less_indented_than_all_that_moved_stands_outside() -> None:
    lines = b"def g():\n    go(1)\n"
    [offer] = offers(
        LOOP[: -len(b"    end()\n")], WRAPPED[: -len(b"    end()\n")], LOOP[: -len(b"    end()\n")] + lines
    )
    assert b"".join(offer.lines).endswith(b"            write(row)\n" + lines)


def test_the_same_line_changed_twice_is_left_alone() -> None:
    assert offers(b"top\none\nend\n", b"top\nONE\nend\n", b"top\nEins\nend\n") == []


def test_two_insertions_in_one_place_are_left_alone() -> None:
    assert offers(b"top\nend\n", b"top\none\nend\n", b"top\ntwo\nend\n") == []


def test_without_a_base_there_is_nothing_to_merge() -> None:
    assert list(line_merge.propose(file_case(None, b"a\n", b"b\n"))) == []


@given(texts, texts)
def test_plain_myers_finds_a_common_subsequence(old: bytes, new: bytes) -> None:
    one, other = old.splitlines(keepends=True), new.splitlines(keepends=True)
    at = (0, 0)
    for match in line_merge.myers(one, other) or ():
        assert one[match.a : match.a + match.size] == other[match.b : match.b + match.size]
        assert match.size > 0
        assert match.a >= at[0]
        assert match.b >= at[1]
        at = match.a + match.size, match.b + match.size


def test_plain_myers_gives_up_on_what_has_little_in_common() -> None:
    assert line_merge.myers([b"%d" % n for n in range(999)], [b"-%d" % n for n in range(999)]) is None


@settings(max_examples=60)
@given(texts, texts, texts)
def test_it_loses_nothing_that_all_three_hold_and_leaves_no_trace_of_a_conflict(
    base: bytes, ours: bytes, theirs: bytes
) -> None:
    case = file_case(base, ours, theirs)
    for offer in line_merge.propose(case):
        hunk = case.hunks[offer.hunk]
        assert line_merge.CONFLICT not in offer.lines
        assert line_merge.keeps_common(hunk, offer.lines)
        assert hunk.ours != hunk.theirs
        assert set(offer.lines) <= set(case.base_lines) | set(case.our_lines) | set(case.their_lines)

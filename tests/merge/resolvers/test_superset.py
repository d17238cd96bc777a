"""One side has all that the other did, and more."""

from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.proposal import Proposal
from syncline.merge.resolvers import superset
from testing.cases import file_case

WORDS = (b"foo", b"bar", b"(", b" ", b"\n", b"\r\n", b"\xff\x00", b"end")
texts = st.lists(st.sampled_from(WORDS), max_size=14).map(b"".join)


def offers(base: bytes, ours: bytes, theirs: bytes) -> list[Proposal]:
    return list(superset.propose(file_case(base, ours, theirs)))


def test_the_same_line_added_and_more_behind_it() -> None:
    [offer] = offers(b"top\nend\n", b"top\none\nend\n", b"top\none\ntwo words\nend\n")
    assert offer.lines == (b"two words\n",)
    assert {"outer-by-lines", "source-more", "less-is-empty"} <= set(offer.marks)


def test_the_same_word_changed_and_another() -> None:
    [offer] = offers(b"top\nfoo(a, b)\n", b"top\nfoo(x, b)\n", b"top\nfoo(x, b, timeout=3)\n")
    assert offer.lines == (b"foo(x, b, timeout=3)\n",)
    assert {"by-words", "source-more", "changed-by-both"} <= set(offer.marks)


def test_both_added_and_target_has_more() -> None:
    [offer] = offers(b"top\n", b"top\nimport a, b\n", b"top\nimport a\n")
    assert offer.lines == (b"import a, b\n",)
    assert {"target-more", "added-by-both"} <= set(offer.marks)


def test_different_changes_are_left_alone() -> None:
    assert offers(b"top\nfoo(a, b)\n", b"top\nfoo(x, b)\n", b"top\nfoo(a, y)\n") == []


@settings(max_examples=60)
@given(texts, texts, texts)
def test_it_offers_a_side(base: bytes, ours: bytes, theirs: bytes) -> None:
    case = file_case(base, ours, theirs)
    for offer in superset.propose(case):
        hunk = case.hunks[offer.hunk]
        assert hunk.ours != hunk.theirs
        assert offer.lines == (hunk.ours if "target-more" in offer.marks else hunk.theirs)

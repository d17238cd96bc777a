"""One side removed or rewrote what the other edited."""

from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.proposal import Proposal
from syncline.merge.resolvers import deletion
from testing.cases import file_case

LINES = (b"a b c d\n", b"a b c e\n", b"f(x)\n", b"\n", b"}\r\n", b"\xff\x00\n", b"end")
texts = st.lists(st.sampled_from(LINES), max_size=9).map(b"".join)
TEXT = b"def f(one, two, three):\n    return one + two * three - one\n"


def offers(base: bytes, ours: bytes, theirs: bytes) -> list[Proposal]:
    return list(deletion.propose(file_case(base, ours, theirs)))


def test_a_deletion_against_a_small_edit() -> None:
    edited = TEXT.replace(b"- one", b"- two")
    [offer] = offers(b"top\n" + TEXT + b"end\n", b"top\nend\n", b"top\n" + edited + b"end\n")
    assert offer.lines == ()
    assert offer.marks == ("deletion", "target-deletes", "alike-90")
    [offer] = offers(b"top\n" + TEXT + b"end\n", b"top\n" + edited + b"end\n", b"top\nend\n")
    assert offer.marks == ("deletion", "source-deletes", "alike-90")


def test_only_the_line_added_before_the_deleted_block_survives() -> None:
    found = offers(b"top\n" + TEXT + b"end\n", b"top\nend\n", b"top\nimport new\n" + TEXT + b"end\n")
    [survivor] = [offer for offer in found if "survivors" in offer.marks]
    assert survivor.lines == (b"import new\n",)
    assert "added-at-start" in survivor.marks


def test_a_deleted_text_that_stands_elsewhere_was_moved() -> None:
    edited = TEXT.replace(b"- one", b"- two")
    filler = b"".join(b"line %d\n" % n for n in range(9))
    found = offers(filler + TEXT + b"end\n", TEXT + filler + b"end\n", filler + edited + b"end\n")
    assert all("moved" in offer.marks for offer in found if "deletion" in offer.marks)
    assert any("deletion" in offer.marks for offer in found)


def test_a_small_edit_of_what_the_other_side_rewrote() -> None:
    edited = TEXT.replace(b"- one", b"- two")
    rewritten = b"class F:\n    pass\n    # nothing of it is left\n"
    [offer] = offers(b"top\n" + TEXT + b"end\n", b"top\n" + edited + b"end\n", b"top\n" + rewritten + b"end\n")
    assert b"".join(offer.lines) == rewritten
    assert {"dead-edit", "source-rewrites", "all-dead"} <= set(offer.marks)


def test_two_small_edits_are_left_alone() -> None:
    one, other = TEXT.replace(b"- one", b"- two"), TEXT.replace(b"- one", b"- 3")
    assert offers(b"top\n" + TEXT + b"end\n", b"top\n" + one + b"end\n", b"top\n" + other + b"end\n") == []


@settings(max_examples=60)
@given(texts, texts, texts)
def test_it_offers_a_side_or_lines_that_were_added(base: bytes, ours: bytes, theirs: bytes) -> None:
    case = file_case(base, ours, theirs)
    for offer in deletion.propose(case):
        hunk = case.hunks[offer.hunk]
        assert hunk.ours != hunk.theirs
        if "survivors" in offer.marks:
            assert set(offer.lines) <= set(hunk.ours) | set(hunk.theirs)
        else:
            assert offer.lines in {hunk.ours, hunk.theirs}

"""Merging by units: what each side changed, added and deleted, and what is left alone."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.resolvers.structure import propose
from syncline.merge.text.languages import SUFFIXES
from testing.cases import file_case


def offers(path: bytes, base: bytes, ours: bytes, theirs: bytes) -> dict[bytes, tuple[str, ...]]:
    case = file_case(base, ours, theirs, path)
    assert case.hunks
    return {b"".join(proposal.lines): proposal.marks for proposal in propose(case)}


PYTHON = b"""class A:
    def f(self):
        return 1
    def g(self):
        return 2
"""


def test_methods_side_by_side_are_each_taken_from_the_side_that_changed_them() -> None:
    ours = PYTHON.replace(b"        return 1\n", b"        return 10\n")
    theirs = PYTHON.replace(b"        return 1\n    def g(self):\n", b"        return 1\n    def g(self, a):\n")
    theirs = theirs.replace(b"    def f(self):\n", b"    @cached\n    def f(self):\n")
    found = offers(b"a.py", PYTHON, ours, theirs)
    (text,) = found
    assert b"return 10" in text
    assert b"order-unambiguous" not in text
    assert "order-unambiguous" in found[text]


def test_a_unit_that_one_side_deleted_goes_when_the_other_left_it() -> None:
    base = b'{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n'
    ours = b'{\n  "a": 1,\n  "c": 3\n}\n'
    theirs = b'{\n  "a": 1,\n  "b": 2,\n  "c": 4\n}\n'
    assert list(offers(b"a.json", base, ours, theirs)) == [b'  "c": 4\n']


def test_entries_are_parted_by_commas_whichever_is_last() -> None:
    base = b'{\n  "a": 1,\n  "b": 2\n}\n'
    ours = b'{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n'
    theirs = b'{\n  "a": 1,\n  "b": 5\n}\n'
    assert list(offers(b"a.json", base, ours, theirs)) == [b'  "b": 5,\n  "c": 3\n']


def test_what_both_add_at_one_place_is_offered_both_ways() -> None:
    base = b"class A {\n    int a;\n}\n"
    ours = b"class A {\n    int a;\n    int b;\n}\n"
    theirs = b"class A {\n    int a;\n    int c;\n}\n"
    found = offers(b"A.java", base, ours, theirs)
    assert set(found) == {b"    int b;\n    int c;\n", b"    int c;\n    int b;\n"}
    assert found[b"    int b;\n    int c;\n"][:2] == ("order-ambiguous", "ours-first")


def test_an_addition_behind_a_renamed_unit_stays_behind_it() -> None:
    base = b"interface A {\n  canChat: boolean;\n}\n"
    ours = b"interface A {\n  canChat: boolean;\n  limit: number;\n}\n"
    theirs = b"interface A {\n  chat: string;\n}\n"
    assert list(offers(b"a.ts", base, ours, theirs)) == [b"  chat: string;\n  limit: number;\n"]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (b"class A {\n    int a = 2;\n}\n", b"class A {\n    int a = 3;\n}\n"),  # both changed a value
        (b"class A {\n}\n", b"class A {\n    int a = 3;\n}\n"),  # deleted and changed
        (b"class A {\n    int a = 2;\n", b"class A {\n    int a = 3;\n}\n"),  # does not parse
    ],
)
def test_what_cannot_be_told_is_left(ours: bytes, theirs: bytes) -> None:
    assert not offers(b"A.java", b"class A {\n    int a = 1;\n}\n", ours, theirs)


def test_line_endings_and_a_missing_newline_are_kept() -> None:
    base = b'{\r\n  "a": 1,\r\n  "b": 2\r\n}'
    ours = base.replace(b"1", b"10")
    theirs = base.replace(b"2", b"20")
    assert list(offers(b"a.json", base, ours, theirs)) == [b'  "a": 10,\r\n  "b": 20\r\n']


LINES = st.sampled_from((
    b"class A {", b"  int a;", b"  int b = 1;", b"  void f() {", b"  }", b"}", b"", b"a: 1", b"def f():",
    b"  return 1", b"{", b'"a": 1,', b"// x", b"# y", b"\xff\x00", b"import a", b"  a,", b");",
))  # fmt: skip
texts = st.lists(LINES, max_size=12).map(b"\n".join)


@settings(deadline=None, max_examples=80)
@given(texts, texts, texts, st.sampled_from(sorted(SUFFIXES)))
def test_any_text_is_merged_or_declined(base: bytes, ours: bytes, theirs: bytes, suffix: bytes) -> None:
    case = file_case(base, ours, theirs, b"a" + suffix)
    for proposal in propose(case):
        hunk = case.hunks[proposal.hunk]
        assert hunk.ours != hunk.theirs
        both = Counter(b"".join(line.split()) for line in hunk.ours)
        both &= Counter(b"".join(line.split()) for line in hunk.theirs)
        del both[b""]
        assert both <= Counter(b"".join(line.split()) for line in proposal.lines)

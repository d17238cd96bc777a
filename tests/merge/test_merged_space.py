"""The white space of merged tokens within a line: none is made up that no version has."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.resolvers import structure, token_merge
from testing.cases import file_case

CASES = [
    (b"return 1", b"return b.z(1)", b"return 3", b"return b.z(3)"),
    (b"f(x, y)", b"f(y)", b"f(x, z)", b"f(z)"),
    (b"f(x, y, k)", b"f(y, k)", b"f(x, w + y, k)", b"f(w + y, k)"),
    (b"return 1", b"return -1", b"return 3", b"return -3"),
    (b"x = 1", b"x = !!1", b"x = y", b"x = !!y"),
    (b"x = a", b"x = {a}", b"x = y", b"x = {y}"),
    (b"x = a", b"x = { a }", b"x = y", b"x = { y }"),
    (b"x = a + 1", b"x = a(k) + 1", b"x = c + 1", b"x = c(k) + 1"),
    (b"if n and a['t'] == O:", b"if n and a != None:", b"if n and m()['t'] == O:", b"if n and m() != None:"),
]


@pytest.mark.parametrize(("base", "ours", "theirs", "merged"), CASES)
@pytest.mark.parametrize("path", [b"a.py", b"a.js", b"A.java"])
def test_space_between_tokens_of_different_sides(
    base: bytes, ours: bytes, theirs: bytes, merged: bytes, path: bytes
) -> None:
    for one, other in ((ours, theirs), (theirs, ours)):
        case = file_case(*(b"above\n    %s\nbelow\n" % line for line in (base, one, other)), path=path)
        found = [b"".join(offer.lines).strip() for offer in token_merge.propose(case)]
        assert found == [merged]


NAMES = st.sampled_from(("a", "b", "c", "k.z", "1", "2"))
VALUES = st.recursive(
    NAMES,
    lambda inner: st.one_of(
        st.builds("{}({})".format, NAMES, st.lists(inner, max_size=3).map(", ".join)),
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        st.builds("{} + {}".format, inner, inner),
    ),
    max_leaves=6,
)
LINES = st.builds("    return {}\n".format, VALUES).map(str.encode)
ODD = re.compile(rb"[(\[] | [)\],]|,[^ \n)\]]| \n")


@settings(max_examples=200, deadline=None)
@given(base=LINES, ours=LINES, theirs=LINES)
def test_what_is_written_tidily_is_merged_tidily(base: bytes, ours: bytes, theirs: bytes) -> None:
    case = file_case(*(b"def f():\n" + line for line in (base, ours, theirs)), path=b"a.py")
    for offer in (*token_merge.propose(case), *structure.propose(case)):
        assert ODD.search(b"".join(offer.lines)) is None

"""White space that may mean something, and lines that must not be joined."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.case import HunkCase
from syncline.merge.hunks import split_lines
from syncline.merge.layout_faults import best_layout, layout_faults
from syncline.merge.model import Evidence
from syncline.merge.proposal import Proposal
from syncline.merge.resolvers import whitespace
from syncline.merge.text.layout_key import layout_key
from testing.cases import file_case


def lines(text: bytes) -> tuple[bytes, ...]:
    return tuple(split_lines(text))


def offered(text: bytes, resolver: str, *, written: bool = False) -> Proposal:
    return Proposal(0, lines(text), resolver, (Evidence("because"),), written=written)


def the_hunk(base: bytes, ours: bytes, theirs: bytes, path: bytes = b"a.py") -> HunkCase:
    (hunk,) = file_case(*(b"above\n" + text + b"below\n" for text in (base, ours, theirs)), path=path).hunks
    return hunk


BOTH = [
    (b"a.py", b"x()\n", b"    x()\n    flush()\n", b"    x()\nflush()\n"),
    (b"a.py", b"s = 1\n", b"s = ' '\n", b"s = ''\n"),
    (b"a.py", b"return 1\n", b"return not x\n", b"return notx\n"),
    (b"a.sh", b"rm tmp\n", b"rm -rf / tmp\n", b"rm -rf /tmp\n"),
    (b"a.yaml", b"  d: 1\n", b"  d: 2\n", b"d: 2\n"),
    (b"a.properties", b"a=1\n", b"a=x y\n", b"a=xy\n"),
    (b"Makefile", b"\tx\n", b"\techo b\n", b"        echo b\n"),
    (b"a.go", b'var s = ""\n', b'var s = "a b"\n', b'var s = "ab"\n'),
    (b"a.js", b"return 1\n", b"return x\n", b"return\nx\n"),
    (b"a.c", b"#define A\n", b"#define A b\nc;\n", b"#define A b c;\n"),
    (b"a.java", b"int x;\n", b"// int x; int y;\n", b"// int x;\nint y;\n"),
    (b"a.md", b"text\n", b"    code\n", b"code\n"),
]


@pytest.mark.parametrize(("path", "base", "ours", "theirs"), BOTH)
def test_sides_that_differ_in_white_space_that_may_mean_something(
    path: bytes, base: bytes, ours: bytes, theirs: bytes
) -> None:
    hunk = the_hunk(base, ours, theirs, path)
    for side in (hunk.ours, hunk.theirs):
        (fault,) = layout_faults(hunk, side, [offered(b"".join(side), "whitespace")])
        assert "white space alone" in fault
        wrote = [offered(b"".join(side), "recorded", written=True)]
        assert not list(layout_faults(hunk, side, wrote))


LAYOUT = [
    (b"a.py", b"f(1)\n", b"f(a, b)\n", b"f( a,  b )\n"),
    (b"a.py", b"f(1)\n", b"f(a,\n  b)\n", b"f(a, b)\n"),
    (b"a.c", b"f(1);\n", b"  f(2);\n", b"f(2);\n"),
    (b"a.json", b"1\n", b'{"a": 1}\n', b'{\n  "a": 1\n}\n'),
    (b"a.txt", b"a\n", b"b \n", b"b\n"),
    (b"a.php", b"f();\n", b"f() {\n};\n", b"f() {};\n"),
    (b"a.yaml", b"a: 1\n", b"a: 2\n\n", b"a: 2\r\n"),
]


@pytest.mark.parametrize(("path", "base", "ours", "theirs"), LAYOUT)
def test_sides_that_differ_in_layout_alone(path: bytes, base: bytes, ours: bytes, theirs: bytes) -> None:
    hunk = the_hunk(base, ours, theirs, path)
    assert not list(layout_faults(hunk, hunk.ours, []))


@pytest.mark.parametrize(
    ("path", "base", "ours", "theirs", "right"),
    [
        (b"a.py", b"    s(a)\n", b"s(a)\n", b"    s(a, 1)\n", b"s(a, 1)\n"),
        (b"a.yaml", b"  d: 1\n", b"d: 1\n", b"  d: 2\n", b"d: 2\n"),
        (b"a.py", b"j('', x)\n", b"j(' ', x)\n", b"j('', x, y)\n", None),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_change_of_white_space_alone_is_kept(
    path: bytes, base: bytes, ours: bytes, theirs: bytes, right: bytes | None, *, turned: bool
) -> None:
    hunk = the_hunk(base, *((theirs, ours) if turned else (ours, theirs)), path)
    changed = hunk.ours if turned else hunk.theirs
    found = [one for one in whitespace.propose(hunk.file) if one.lines != changed]
    if right is not None:
        assert best_layout(hunk, changed, found) == lines(right)
        assert not list(layout_faults(hunk, lines(right), found))
        (fault,) = layout_faults(hunk, changed, [offered(b"".join(changed), "subsumption")])
        assert "would be lost" in fault
    # Who rejects the other side's change means it so.
    assert not list(layout_faults(hunk, hunk.theirs if turned else hunk.ours, []))


def test_where_those_who_offer_a_text_differ_in_what_may_mean_something_people_decide() -> None:
    hunk = the_hunk(b"if a:\n    x(1)\n", b"if a:\n    x(2)\n", b"if a:\n  x(1, y)\n")
    merged, other = b"if a:\n  x(2, y)\n", b"if a:\n    x(2, y)\n"
    offers = [offered(other, "line-merge"), offered(merged, "token-merge")]
    assert best_layout(hunk, None, offers) == lines(merged)
    assert list(layout_faults(hunk, lines(merged), offers)) == [
        "those who offer it differ in white space that may mean something"
    ]
    assert not list(layout_faults(hunk, lines(merged), [*offers, offered(merged, "recorded", written=True)]))
    assert not list(layout_faults(hunk, lines(merged), [offered(merged.replace(b", ", b","), "line-merge")]))


def test_lines_are_not_joined() -> None:
    hunk = the_hunk(b"OLD = 1\nT = 30\n", b"R = L\nOLD = 1\nT = 60\n", b"T = 30\n")
    (fault,) = layout_faults(hunk, lines(b"R = LT = 60\n"), [])
    assert "would be joined" in fault
    assert not list(layout_faults(hunk, lines(b"R = L\nT = 60\n"), []))
    assert not list(layout_faults(hunk, lines(b"R = L T = 60\n"), []))


def test_what_somebody_wrote_goes_first() -> None:
    hunk = the_hunk(b"    s(a)\n", b"s(a)\n", b"    s(a, 1)\n")
    offers = [offered(b"s(a, 1)\n", "whitespace"), offered(b"  s(a, 1)\n", "recorded", written=True)]
    assert best_layout(hunk, hunk.theirs, offers) == (b"  s(a, 1)\n",)
    assert not list(layout_faults(hunk, (b"  s(a, 1)\n",), offers))


@given(
    st.lists(st.sampled_from([b"a = f(1)", b"if x:", b"    y(", b"  z)", b"", b"# (", b"\tq"]), max_size=6),
    st.sampled_from([b"a.py", b"a.c", b"a.json", b"a.yaml", b"a.toml", b"Makefile"]),
)
def test_the_ends_of_lines_and_blank_lines_are_layout_everywhere(text: list[bytes], path: bytes) -> None:
    plain = [line + b"\n" for line in text]
    other = [part for line in text for part in (b" \n", line + b"  \r\n")]
    assert layout_key(plain, path) == layout_key(other, path)


@given(st.lists(st.sampled_from([b"a\n", b"  a\n", b"\ta\n", b"(\n", b")\n"]), max_size=5))
def test_indentation_counts_where_it_may_mean_something(text: list[bytes]) -> None:
    assert layout_key(text, b"a.c") == layout_key([line.strip() + b"\n" for line in text], b"a.c")
    if any(line.startswith((b" ", b"\t")) for line in text) and b"(\n" not in text:
        bare = [line.strip() + b"\n" for line in text]
        assert layout_key(text, b"a.py") != layout_key(bare, b"a.py")
        assert layout_key(text, b"Makefile") != layout_key(bare, b"Makefile")

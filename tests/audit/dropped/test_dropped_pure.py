import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.dropped.bound import may_be_bound
from syncline.audit.dropped.code_words import code_of, style_of
from syncline.audit.dropped.losses import outside
from syncline.audit.dropped.lost_lines import blocks, lost_lines
from syncline.audit.dropped.roles import Role, enclosing, guess, opener, role_in, statement
from syncline.audit.dropped.text import Text, squeezed
from syncline.audit.dropped.titles import headings, keys
from syncline.audit.occurrences import occurrences, stands_in

STYLES = ("Python", "hash", "slash", "slash-back", "slash-character", "php", "dash")


def text(content: str) -> Text:
    return Text(content.encode(), "Python")


def lost(base: str, side: str, other: str, merged: str) -> list[int]:
    return lost_lines(text(base), text(side), text(other), text(merged))


@pytest.mark.parametrize(
    ("base", "side", "other", "merged", "expected"),
    [
        ("a\nb\n", "a\nnew line\nb\n", "a\nb\n", "a\nb\n", [1]),
        ("a\nb\n", "a\nnew line\nb\n", "a\nb\n", "a\n    new line\nb\n", []),
        ("a\nb\n", "a\nnew line\nb\n", "a\nb\n", "new line\na\nb\n", []),
        ("a\nb\n", "a\nappend(one)\nappend(one)\nb\n", "a\nb\n", "a\nappend(one)\nb\n", [2]),
        # The other side took a line like it away: as many as there should be are there.
        ("same line\nb\n", "same line\nb\nsame line\n", "b\n", "b\nsame line\n", []),
        ("a\n", "a\n\n\n", "a\n", "a\n", []),
    ],
)
def test_lost_lines(base: str, side: str, other: str, merged: str, expected: list[int]) -> None:
    assert lost(base, side, other, merged) == expected


def test_what_begins_with_a_lost_line_is_one_block() -> None:
    lines = [b"def f():", b"    a", b"    b", b"    c", b"    d", b"    e", b"x", b"y", b"z", b"w", b"v"]
    found = blocks([0, 5, 10], lines)
    assert [(one.start, one.end) for one in found] == [(0, 6), (10, 11)]


LINE = st.sampled_from(["alpha = 1", "beta(2)", "  gamma", "", "}", "delta.epsilon", "return zeta"])


@given(
    st.lists(LINE, max_size=6),
    st.lists(LINE, max_size=4),
    st.lists(LINE, max_size=4),
    st.lists(LINE, max_size=3),
)
def test_a_merge_of_changes_in_different_places_loses_nothing(
    middle: list[str], ours: list[str], theirs: list[str], gone: list[str]
) -> None:
    base = "\n".join([*gone, "first", *middle, "last"])
    side = "\n".join(["first", *middle, *ours, "last"])
    other = "\n".join([*gone, *theirs, "first", *middle, "last"])
    merged = "\n".join([*theirs, "first", *middle, *ours, "last"])
    assert lost(base, side, other, merged) == []
    assert lost(base, other, side, merged) == []


@given(st.binary(max_size=200), st.sampled_from(STYLES))
def test_code_has_the_lines_of_the_text(content: bytes, style: str) -> None:
    assert code_of(content, style).count(b"\n") == content.count(b"\n")


@pytest.mark.parametrize(
    ("path", "content", "names"),
    [
        (b"a.py", "call(x)  # not here\n", {"call": 1, "here": 0}),
        (b"a.py", '"""Doc of name."""\nname = f(\'name\')\n', {"name": 1}),
        (b"a.py", "'''open to the end\nname", {"name": 0}),
        (b"a.ts", "a(/* name\n */ b) // name\n`name`\n", {"name": 0, "b": 1}),
        (b"a.go", 's := "http://name" + name\n', {"name": 1}),
        (b"a.rs", "fn f<'a>(name: &'a str) { '\\n' }\n", {"name": 1, "str": 1}),
        (b"a.rb", 'x = "#{1}" # name\n', {"name": 0}),
        (b"a.lua", "-- name\nname()\n", {"name": 1}),
        (b"a.php", "# name\n// name\n$name = #[Attr] 1;\n", {"Attr": 1}),
    ],
)
def test_names_are_told_from_comments_and_strings(path: bytes, content: str, names: dict[str, int]) -> None:
    style = style_of(path)
    assert style is not None
    code = code_of(content.encode(), style)
    assert {name: occurrences(code, name.encode()) for name in names} == names


def test_a_text_without_a_program_has_no_style() -> None:
    assert [style_of(path) for path in (b"a.md", b"a.json", b"LICENSE", b"a.yaml")] == [None] * 4


@given(st.binary(max_size=60), st.binary(min_size=1, max_size=3))
def test_words_are_found_whole(content: bytes, word: bytes) -> None:
    assert stands_in(content, word) is (occurrences(content, word) > 0)
    assert occurrences(b"a%b b%b" % (word, word), b"a") <= 2


@pytest.mark.parametrize(
    ("line", "above", "role"),
    [
        ("def name(self):", "", Role.DEFINITION),
        ("    async def name(self):", "class A:", Role.DEFINITION),
        ("func (s *Server) name() {", "", Role.DEFINITION),
        ("  void name() {", "class A {", Role.DEFINITION),
        ("from a import name", "", Role.IMPORT),
        ("    name,", "from a import (", Role.IMPORT),
        ("    self.name(x)", "def f():", Role.CALL),
        ("    if (name(x)) {", "", Role.CALL),
        ("@name", "", Role.DECORATOR),
        ("    x = f(a, name=1)", "def f():", Role.ARGUMENT),
        ("        name=1,", "    f(", Role.ARGUMENT),
        ("    name=1,", "def f(", Role.PARAMETER),
        ("    name: int,", "def f(", Role.PARAMETER),
        ("    name: int = 1", "class A:", Role.FIELD),
        ("    name = 1", "def f():", Role.VARIABLE),
        ("    x = name", "def f():", Role.USE),
        ("    other_name = 1", "", Role.USE),
    ],
)
def test_what_a_name_seems_to_be(line: str, above: str, role: Role) -> None:
    assert guess(b"name", line.encode(), above.encode()) is role


def test_what_a_name_is_by_the_grammar() -> None:
    code = text(
        "class A:\n    first = 1\n\n    def f(\n        self,\n        name,\n    ):\n        return {'k': name}\n"
    )
    assert role_in(b"a.py", code, 5, b"name") is Role.PARAMETER
    assert role_in(b"a.py", code, 7, b"name") is Role.USE
    assert role_in(b"a.py", code, 1, b"first") is Role.FIELD
    assert role_in(b"a.unknown", code, 1, b"first") is Role.FIELD
    assert (enclosing(code, 7), enclosing(code, 1), enclosing(code, 0)) == (b"f", b"A", b"")
    assert statement(code, 7) == (0, 9)
    assert opener(code, 5) == 3


@pytest.mark.parametrize(
    ("content", "bound"),
    [
        ("name(1)\n", False),
        ("x = a.b + name.c\n", False),
        ("import name\n", True),
        ("name: int = 1\n", True),
        ("for name in x: ...\n", True),
        ("with a as name: ...\n", True),
        ("def f(name): ...\n", True),
        ("def f(\n    a,\n    name,\n): ...\n", True),
        ("a, name = 1, 2\n", True),
        ("f(lambda name: 1)\n", True),
        ("if (name := f()): ...\n", True),
        ("global name\n", True),
    ],
)
def test_whether_a_name_may_be_bound(content: str, *, bound: bool) -> None:
    assert may_be_bound(text(content), b"name") is bound


def test_headings() -> None:
    lines = b"# One\n\n```\n# no\n```\n## Two ##\n\nThree\n=====\n- item\n---\n#none\n".split(b"\n")
    assert headings(lines) == {0: b"One", 5: b"Two", 7: b"Three"} | (
        {9: b"- item"} if 9 in headings(lines) else {}
    )


def test_keys() -> None:
    yaml = b"a:\n  b: 1\n  c:\n    - d: 2\ne: 3\n".split(b"\n")
    assert list(keys(yaml)) == [(b"a",), (b"a", b"b"), (b"a", b"c"), (b"a", b"c", b"d"), (b"e",)]
    toml = b'[tool.x]\nkey = 1\n"quoted" = 2\n[y]\nkey = 1\n'.split(b"\n")
    assert list(keys(toml)) == [(b"tool.x",), (b"tool.x", b"key"), (b"tool.x", b"quoted"), (b"y",), (b"y", b"key")]
    json = b'{\n  "a": {\n    "b": 1\n  }\n}\n'.split(b"\n")
    assert list(keys(json)) == [(b"a",), (b"a", b"b")]


@given(st.binary(max_size=200))
def test_any_bytes_have_titles_and_roles(content: bytes) -> None:
    lines = content.split(b"\n")
    assert all(0 <= at < len(lines) for at in (*headings(lines), *keys(lines).values()))
    for style in STYLES:
        code = Text(content, style)
        for at in range(len(lines)):
            assert 0 <= opener(code, at) <= at
            start, end = statement(code, at)
            assert start <= at < end
            assert guess(b"a", code.code_lines[at], code.code_lines[opener(code, at)]) in Role
            assert isinstance(enclosing(code, at), bytes)


def test_what_git_merged_stands_outside_of_the_marked_regions() -> None:
    marked = b"a\n<<<<<<< O\nours\n=======\ntheirs\n>>>>>>> T:path\nb\n"
    assert outside(marked, ("O", "T")) == b"a\nb\n"
    assert outside(b"<<<<<<< other\n", ("O", "T")) == b"<<<<<<< other\n"


def test_formatting_is_squeezed_away() -> None:
    assert squeezed(b"f(a, 'b')") == squeezed(b'f(\n    a,\n    "b",\n)\n')

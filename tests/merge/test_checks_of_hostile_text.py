"""What is asked of an answer stays bounded, whatever a file is like: quadratic, each of these would take hours."""

import pytest

from syncline.merge.empty_ranges import empty_ranges
from syncline.merge.hunks import split_lines
from syncline.merge.mixed_lines import MixedLines
from syncline.merge.pattern_order import pattern_order
from syncline.merge.resolvers.both_added import propose
from syncline.merge.text.leaves import leaves
from syncline.merge.text.syntax import language_of, parse
from syncline.merge.xml_names import names_in_xml
from testing.cases import file_case

MANY = 300_000


@pytest.mark.parametrize(
    "line",
    [
        b"<" + b"a" * MANY,
        b"<a x=1 " + b"a" * MANY + b">",
        b"<![CDATA[<" + b"a" * MANY,
        b"<a " + b"b='" * MANY + b">",
    ],
)
@pytest.mark.parametrize("width", [10_000, MANY * 4])
def test_xml_that_never_closes(line: bytes, width: int) -> None:
    lines = [line[at : at + width] + b"\n" for at in range(0, len(line), width)]
    assert not names_in_xml(lines)


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        (b"a>=1.0,<" + b"1." * 60 + b"1", False),  # longer than any version
        (b"a>=" + b"9" * 60 + b",<1", False),
        (b"a" + b">1," * 50_000 + b"<9," * 50_000, False),
        (b"a>=2,>1,<5,<2", True),
        (b"a>=2,<=2", False),
        (b"a>=2,>2,<=2", True),
    ],
)
def test_ranges_however_many_and_long(text: bytes, empty: bool) -> None:  # noqa: FBT001
    (hunk,) = file_case(b"x\n", b"y\n", b"z\n", path=b"requirements.txt").hunks
    assert bool(list(empty_ranges(hunk, (text + b"\n",)))) is empty


@pytest.mark.parametrize(
    "text", [b"- " * 4_000 + b"x\n", b"".join(b" " * n + b"k:\n" for n in range(400)), b"k: " * 500]
)
def test_yaml_too_deep_for_its_grammar_is_not_parsed(text: bytes) -> None:
    language = language_of(b"a.yaml")
    assert language is not None
    assert parse(language, text) is None
    assert leaves(b"a.yaml", text) is None


def test_yaml_as_deep_as_people_write_is_parsed() -> None:
    language = language_of(b"a.yaml")
    assert language is not None
    assert parse(language, b"".join(b"  " * n + b"k:\n" for n in range(90))) is not None
    assert leaves(b"a.yaml", b"a: [" * 30 + b"1" + b"]" * 30) is not None


@pytest.mark.parametrize(
    "text", [b'{"a":' * 400 + b"[" + b",".join(b"%d" % n for n in range(4_000)) + b"]" + b"}" * 400]
)
def test_values_that_nest_deeper_than_people_write(text: bytes) -> None:
    assert leaves(b"a.json", text) is None


def _rows(word: str, count: int) -> bytes:
    return "".join(f"a b c d {word} {number % 7}\n" for number in range(count)).encode()


def test_thousands_of_like_lines_that_nobody_wrote() -> None:
    case = file_case(_rows("e", 1_500), _rows("o", 1_500), _rows("t", 1_500), path=b"a.txt")
    hunk = case.hunks[0]
    found = list(MixedLines(case).faults(hunk, tuple(split_lines(_rows("nobody", 1_500)))))
    assert 1 <= len(found) <= 3


def test_ten_thousand_patterns() -> None:
    case = file_case(
        b"".join(b"p%d\n" % n for n in range(9_000)),
        b"".join(b"q%d\n" % n for n in range(9_000)) + b"!q\n",
        b"".join(b"r%d\n" % n for n in range(9_000)),
        path=b".gitignore",
    )
    assert len(list(pattern_order(case.hunks[0]))) == 1


@pytest.mark.parametrize(
    "edge",
    [b"END" + b" " * 200_000 + b"x", b"end(" + b")" * 200_000 + b"x", b" " * 200_000 + b"x", b"#" * 200_000],
)
def test_common_edges_of_any_length(edge: bytes) -> None:
    base, form = b"above\n", b"task %s do\n  x%s\n%s\n"
    case = file_case(base, base + form % (b"a", b"1", edge), base + form % (b"b", b"2", edge), path=b"words.txt")
    assert list(propose(case)) == list(propose(case))

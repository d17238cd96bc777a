"""Requirements that no version meets."""

import pytest

from syncline.merge.empty_ranges import empty_ranges
from testing.cases import file_case


def told(base: bytes, ours: bytes, theirs: bytes, text: bytes) -> list[str]:
    (hunk,) = file_case(base, ours, theirs, path=b"a.toml").hunks
    return list(empty_ranges(hunk, (text,)))


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "text", "part"),
    [
        (
            b'd = ["a>=1,<2"]\n',
            b'd = ["a>=1.5,<2"]\n',
            b'd = ["a>=1,<1.4"]\n',
            b'd = ["a>=1.5,<1.4"]\n',
            "a>=1.5,<1.4",
        ),
        (b"a<3,>1\n", b"a<2,>1\n", b"a<3,>2.0\n", b"a<2,>2.0\n", "a<2,>2.0"),
        (b"a>=1, <=3\n", b"a>=2, <=3\n", b"a>=1, <=1.9\n", b"a>=2, <=1.9\n", "a>=2, <=1.9"),
    ],
)
def test_a_range_that_ends_before_it_begins(
    base: bytes, ours: bytes, theirs: bytes, text: bytes, part: str
) -> None:
    assert told(base, ours, theirs, text) == [f"no version is in the range {part}"]
    assert told(base, text, theirs, text) == []
    assert told(base, ours, theirs, ours) == []


@pytest.mark.parametrize(
    "text",
    [
        b"a>=1.5,<1.40\n",
        b"a>=2,<=2.0\n",
        b'"a>=2", "b<1"\n',
        b"a>=2,!=2.1 || <1\n",
        b"if a > 5 and b < 3:\n",
        b"f(a > 5, b < 3)\n",
        b"Map<K, V> 2\n",
    ],
)
def test_ranges_that_hold_something_and_what_is_none(text: bytes) -> None:
    assert told(b"0\n", b"1\n", b"2\n", text) == []

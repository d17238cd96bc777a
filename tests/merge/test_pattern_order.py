"""Lists of patterns whose order decides what holds."""

import pytest

from syncline.merge.pattern_order import pattern_order
from testing.cases import file_case


def told(path: bytes, base: bytes, ours: bytes, theirs: bytes) -> list[str]:
    (hunk,) = file_case(base, ours, theirs, path=path).hunks
    return list(pattern_order(hunk))


@pytest.mark.parametrize(
    ("path", "base", "ours", "theirs", "line"),
    [
        (b".gitignore", b"*.o\n", b"*.o\n*.log\n", b"*.o\n*.tmp\n!important.log\n", "!important.log"),
        (b"a/.dockerignore", b"*.o\n", b"*.o\n!keep/*.log\n", b"*.o\n*.log\n", "!keep/*.log"),
        (b".github/CODEOWNERS", b"/a @x\n", b"/a @x\n/b @y\n", b"/a @x\n* @z\n", "* @z"),
    ],
)
def test_a_pattern_added_that_means_something_else_at_another_place(
    path: bytes, base: bytes, ours: bytes, theirs: bytes, line: str
) -> None:
    assert told(path, base, ours, theirs) == [f"its order decides what it means: {line}"]
    assert told(path, base, theirs, ours) == [f"its order decides what it means: {line}"]
    assert told(b"a.txt", base, ours, theirs) == []


@pytest.mark.parametrize(
    ("path", "base", "ours", "theirs"),
    [
        pytest.param(b".gitignore", b"!a\n", b"!a\nb\n", b"!a\nc\n", id="a negation that was there"),
        pytest.param(b".gitignore", b"a\n", b"a\n*\n", b"a\nc\n", id="everything ignored"),
        pytest.param(b"CODEOWNERS", b"\n", b"\n/a* @x\n", b"\n*.py @y\n", id="not everything owned"),
    ],
)
def test_patterns_that_may_be_merged(path: bytes, base: bytes, ours: bytes, theirs: bytes) -> None:
    assert told(path, base, ours, theirs) == []

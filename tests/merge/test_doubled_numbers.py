"""Numbers that both sides took as the next one of a list."""

import pytest

from syncline.merge.doubled_numbers import doubled_numbers
from syncline.merge.hunks import split_lines
from testing.cases import file_case


def told(path: bytes, head: bytes, ours: bytes, theirs: bytes, text: bytes) -> list[str]:
    versions = (head + added + b"below\n" for added in (b"", ours, theirs))
    (hunk,) = file_case(*versions, path=path).hunks
    return list(doubled_numbers(hunk, tuple(split_lines(text))))


DOUBLED = [
    (b"a.py", b"    A = 1\n", b"    B = 2\n", b"    C = 2\n", "2"),
    (b"a.ts", b"enum E {\n  A = 1,\n", b"  B = 2,\n", b"  C = 2,\n", "2"),
    (b"a.py", b"A = 1 << 0\nB = 1 << 1\n", b"C = 1 << 2\n", b"D = 1 << 2\n", "1 << 2"),
    (b"a.h", b"#define A 0x01\n#define B 0x02\n", b"#define C 0x04\n", b"#define D 0x04 /* d */\n", "0x4"),
    (b"A.java", b"static final int A = 7;\n", b"static final int B = 8;\n", b"static final int C = 8;\n", "8"),
    (b"a.rs", b"const A: u8 = 7;\n", b"const B: u8 = 8;\n", b"const C: u8 = 8;\n", "8"),
]


@pytest.mark.parametrize(("path", "head", "ours", "theirs", "number"), DOUBLED)
def test_a_number_of_two_names(path: bytes, head: bytes, ours: bytes, theirs: bytes, number: str) -> None:
    assert told(path, head, ours, theirs, ours + theirs) == [f"gives {number} two names, as neither side does"]
    assert told(path, head, ours, theirs, ours) == []
    # A side that has it twice itself means it.
    assert told(path, head, ours + theirs, theirs, ours + theirs) == []


@pytest.mark.parametrize(
    ("path", "head", "ours", "theirs"),
    [
        pytest.param(b"a.py", b"A = 1\n", b"delay = 30\n", b"pause = 30\n", id="not the next one"),
        pytest.param(b"a.py", b"d = dict(\n    a=1,\n", b"    b=2,\n", b"    c=2,\n", id="arguments"),
        pytest.param(b"a.yaml", b"a: 1\n", b"b: 2\n", b"c: 2\n", id="data"),
        pytest.param(b"a.py", b"A = 1\n", b"B = 2\n", b"C = 0x2\n", id="written otherwise"),
        pytest.param(b"a.py", b"A = 1\n", b"B = 2\n", b"C = 3\n", id="another number"),
    ],
)
def test_numbers_that_count_nothing(path: bytes, head: bytes, ours: bytes, theirs: bytes) -> None:
    assert told(path, head, ours, theirs, ours + theirs) == []

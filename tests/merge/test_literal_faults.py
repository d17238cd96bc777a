"""Numbers, versions, dates and times that are put together of two, or lost."""

import pytest

from syncline.merge.hunks import split_lines
from syncline.merge.literal_faults import literal_faults
from syncline.merge.text.literals import literals
from testing.cases import file_case


def told(base: bytes, ours: bytes, theirs: bytes, text: bytes) -> list[str]:
    (hunk,) = file_case(*(b"above\n" + version + b"below\n" for version in (base, ours, theirs))).hunks
    return list(literal_faults(hunk, tuple(split_lines(text))))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"LR = 1.05;", [b"1.05"]),
        (b"a==v1.2.0b1,<2", [b"v1.2.0b1"]),
        (b"2025-01-05 11:30", [b"2025-01-05", b"11:30"]),
        (b"repo2:1.0-a", [b"1.0"]),
        (b"f(1, x2.y3, 4)", []),
    ],
)
def test_literals_that_have_parts(text: bytes, found: list[bytes]) -> None:
    assert literals([text]) == found


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "text", "new"),
    [
        (b"LR = 1.0\n", b"LR = 1.05\n", b"LR = 11.0\n", b"LR = 11.05\n", "11.05"),
        (b"1.2.3\n", b"1.2.4\n", b"2.2.3\n", b"2.2.4\n", "2.2.4"),
        (b"on 2024-01-01\n", b"on 2024-01-05\n", b"on 2025-01-01\n", b"on 2025-01-05\n", "2025-01-05"),
        (b"t: 10:00\n", b"t: 11:00\n", b"t: 10:30\n", b"t: 11:30\n", "11:30"),
    ],
)
def test_a_literal_nobody_wrote(base: bytes, ours: bytes, theirs: bytes, text: bytes, new: str) -> None:
    assert told(base, ours, theirs, text)[0] == f"holds {new}, which no version has"
    assert not any(new in fault for fault in told(base, text, theirs, text))


def test_a_literal_that_is_lost_though_all_its_parts_are_there() -> None:
    base, newer, other = b"a 1.0\nb 2\n", b"a 1.2.0\nb 2\n", b"a 1.0\nb 0\n"
    assert told(base, newer, other, b"a 1.0\nb 0\nc 2\n") == ["lacks 1.2.0, which target added"]
    assert told(base, other, newer, b"a 1.0\nb 0\nc 2\n") == ["lacks 1.2.0, which source added"]
    assert told(base, newer, other, b"a 1.2.0\nb 0\n") == []


def test_a_version_changed_on_a_line_that_the_other_side_changed_elsewhere() -> None:
    image = b"image: %s/app:%s\n"
    versions = image % (b"up", b"v1.2"), image % (b"fork", b"v1.2"), image % (b"up", b"v1.3")
    assert told(*versions, image % (b"fork", b"v1.3")) == []

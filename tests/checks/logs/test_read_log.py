"""Reading: sizes, encodings, breaks, prefixes, secrets; what a parser gets to see."""

import io
from collections.abc import Iterator
from typing import ClassVar

import pytest

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.logs.lines import LONGEST
from syncline.checks.logs.parser import Line
from syncline.checks.logs.read_log import MOST, ReadLog, read_log


class Loud:
    """Takes lines with BOOM, and those that follow up to an empty one."""

    tool: ClassVar[str] = "loud"
    words: ClassVar[tuple[str, ...]] = ("BOOM",)

    def __init__(self) -> None:
        self.lines: list[Line] = []

    @property
    def busy(self) -> bool:
        return bool(self.lines)

    def feed(self, line: Line) -> Iterator[LogFailure]:
        if self.lines or "BOOM" in line.text:
            self.lines.append(line)
            if not line.text:
                yield from self.end()

    def end(self) -> Iterator[LogFailure]:
        if self.lines:
            first = self.lines[0]
            text = tuple(line.text for line in self.lines if line.text)
            yield LogFailure("loud", "boom", " ".join(text), Weight.CAUSE, first.number, excerpt=text)
            self.lines = []


def read(log: bytes) -> ReadLog:
    return read_log(io.BytesIO(log), parsers=(Loud,))


def said(log: bytes) -> list[tuple[int, str]]:
    return [(one.at, one.message) for one in read(log).failures]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (b"a\nBOOM x\n\nb", [(2, "BOOM x")]),
        (b"a\r\nBOOM x\r\ny\r\n\r\nb", [(2, "BOOM x y")]),
        (b"1%\r2%\r3% BOOM x", [(1, "3% BOOM x")]),
        (b"\xff\xfe BOOM \xe9", None),
        ("BOOM é\n\n".encode("utf-16"), [(1, "BOOM é")]),
        (b"BOOM \xff\xfe", [(1, "BOOM \ufffd\ufffd")]),
        (b"\x1b[31mBO\x1b[0mOM\x1b]8;;http://x\x07 link\x1b]8;;\x07\x00\n", [(1, "BOOM link")]),
        ("BOOM \u202egnp.exe\n".encode(), [(1, "BOOM gnp.exe")]),
        (b"2026-01-01T00:00:00.0000000Z ##[group]BOOM\n2026-01-01T00:00:01.0000000Z b\n", [(1, "BOOM b")]),
        (b"2026-01-01 00:00:00,123 - BOOM\n", [(1, "BOOM")]),
        (b"[2026-01-01 00:00:00] BOOM\n", [(1, "BOOM")]),
        (b"#12 3.456 BOOM\n", [(1, "BOOM")]),
        (b"x" * 100_000 + b"BOOM\nBOOM y\n", [(2, "BOOM y")]),
        (b"", []),
    ],
)  # fmt: skip
def test_what_is_said_at_which_line(log: bytes, expected: list[tuple[int, str]] | None) -> None:
    if expected is None:
        read(log)
    else:
        assert said(log) == expected


@pytest.mark.parametrize(
    ("prefix", "rank"),
    [
        ("[rank3]: ", 3), ("[default0]:", 0), (" 7: ", 7), ("12: ", 12), ("worker-1 | ", 1), ("trainer_5  | ", 5),
        ("[gpu02:4]:", 4), ("(Actor pid=123) ", 123), ("2026-01-01T00:00:00.0000000Z [rank2]: ", 2),
        ("  10: ", None), ("[main.py:12]: ", None), ("   0: ", None), ("a.py:3: ", None),
    ],
)  # fmt: skip
def test_ranks(prefix: str, rank: int | None) -> None:
    (failure,) = read(f"{prefix}BOOM\n".encode()).failures
    assert failure.rank == rank


def test_processes_that_write_at_the_same_time_are_read_apart() -> None:
    log = "".join(f"[rank{rank}]: {word}\n" for word in ("BOOM", "b", "c", "") for rank in (0, 1, 900))
    result = read(log.encode())
    assert [(one.message, one.rank) for one in result.failures] == [("BOOM b c", 0)]
    assert result.lines == 12


def test_secrets_never_reach_a_parser() -> None:
    token = "ghp_" + "a1B2" * 10
    key = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEvQIBADAN", "Bgkqhki", "-----END RSA PRIVATE KEY-----"]
    lines = [
        "BOOM",
        token,
        "https://user:hunter2@example.com/x",
        "password=hunter3",
        "Authorization: Basic aHVudGVy",
    ]
    lines += ["AWS_SECRET_ACCESS_KEY: hunter4", "curl --token hunter5", *key, "after"]
    (failure,) = read("\n".join(lines).encode()).failures
    text = "\n".join(failure.excerpt)
    for secret in (token, "hunter", "aHVudGVy", "MIIE", "Bgkq"):
        assert secret not in text
    assert text.endswith("after")


def test_a_key_that_begins_before_anybody_listens_is_hidden_too() -> None:
    log = b"-----BEGIN PRIVATE KEY-----\nAAAA\nBOOM AAAB\n-----END PRIVATE KEY-----\n"
    assert "AAAB" not in str(read(log).failures)


def test_words_of_programs_are_no_secrets() -> None:
    line = "BOOM eos_token='</s>' token: 5 KeyError: 'password' pad_token=1234567 a token: foo()"
    assert said(line.encode()) == [(1, line)]


def test_failures_are_bounded_and_said_to_be() -> None:
    log = "".join(f"BOOM a{number}z\n\n" for number in range(MOST + 10))
    result = read(log.encode())
    assert len(result.failures) == MOST
    assert result.truncated
    assert result.lines == 2 * MOST + 20


class Endless:
    """A stream of one line without a break, and then a line that counts."""

    def __init__(self, size: int) -> None:
        self.left = size
        self.tail = io.BytesIO(b"\nBOOM at last\n")

    def read(self, size: int, /) -> bytes:
        if self.left <= 0:
            return self.tail.read(size)
        self.left -= size
        return b"BOOM" * (size // 4)


def test_a_line_without_end_is_cut() -> None:
    result = read_log(Endless(20_000_000), parsers=(Loud,))
    assert [len(one.message) for one in result.failures] == [LONGEST + len(" BOOM at last")]
    assert result.lines == 2

"""No log crashes or stalls a parser: noise, corpora cut and shuffled, and logs far larger than memory may be."""

import io
import os
import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.checks.logs.read_log import MOST, read_log

CORPUS = [path.read_bytes() for path in sorted((Path(__file__).parent / "corpus").glob("*.log"))]
LINES = sorted({line for log in CORPUS for line in log.splitlines(keepends=True)})
PREFIXES = (
    b"",
    b"[rank3]: ",
    b"2026-01-02T03:04:05.678Z ",
    b"  ",
    b"0: ",
    b"\x1b[31m",
    b"##[error]",
    b"INTERNALERROR> ",
)
MEBI = 1 << 20
LONG = "long" in os.environ.get("SYNCLINE_TESTS", "")

pieces = st.one_of(
    st.sampled_from(LINES),
    st.builds(bytes.__add__, st.sampled_from(PREFIXES), st.sampled_from(LINES)),
    st.builds(lambda line, place: line[:place], st.sampled_from(LINES), st.integers(0, 200)),
    st.binary(max_size=60),
    st.sampled_from([b"\n", b"\r", b"\r\n", b"\n\n"]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(pieces, max_size=60))
def test_anything_is_read(parts: list[bytes]) -> None:
    log = b"".join(parts)
    result = read_log(io.BytesIO(log))
    assert len(result.failures) <= MOST
    assert result.lines == log.count(b"\n") + (bool(log) and not log.endswith(b"\n"))
    for failure in result.failures:
        assert 1 <= failure.at <= max(1, result.lines)
        assert len(failure.signature) == 16
        assert len(failure.excerpt) <= 25
        assert all(len(line) <= 5000 for line in failure.excerpt)
        assert failure.message.isprintable() or "\t" in failure.message


@pytest.mark.parametrize(
    "log", [b"", b"x", b"\r", b"\n", b"\x00" * 9, b"\xff\xfe", b"\xff\xfea", b"\xc3", b"\x1b["]
)
def test_hardly_anything_is_read(log: bytes) -> None:
    assert read_log(io.BytesIO(log)).failures == ()


class Generated:
    """A log of lines that a generator makes, never in memory as a whole."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._held = b""

    def read(self, size: int, /) -> bytes:
        while len(self._held) < size:
            line = next(self._lines, None)
            if line is None:
                break
            self._held += line
        data, self._held = self._held[:size], self._held[size:]
        return data


def of_everything(size: int) -> Iterator[bytes]:
    """Yield training output between lines of the whole corpus, out of order, of many ranks."""
    chance = random.Random(6)  # noqa: S311 - nothing is kept safe by it
    step = b"2026-01-02T03:04:05.1234567Z  iteration %8d/ 500000 | lm loss: 1.0E+00 | grad norm: 0.12\n"
    block = b"".join(step % number for number in range(400))
    while size > 0:
        ranks = (b"" if chance.random() < 0.5 else b"[rank%d]: " % chance.randrange(64) for _ in range(10))
        noise = b"".join(rank + chance.choice(LINES) for rank in ranks)
        yield block + noise
        size -= len(block) + len(noise)


def memory_for(lines: Iterator[bytes]) -> int:
    """Return the bytes that reading takes at most."""
    tracemalloc.start()
    read_log(Generated(lines))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_a_large_log_takes_no_more_memory_than_a_small_one() -> None:
    # What is kept (failures, with their excerpts) is bounded, and the same bound holds for 200 MiB.
    assert memory_for(of_everything((200 if LONG else 5) * MEBI)) < 40 * MEBI


HOSTILE = (
    b"Traceback (most recent call last):\n", b'  File "a.py", line 1, in f\n', b"E   assert x\n",
    b"=== FAILURES ===\n", b"____ test_a ____\n", b"FAILED a.py::b - c\n", b"F821 x\n",
    b"[rank1]: Traceback (most recent call last):\n",
    b"-----BEGIN PRIVATE KEY-----\n", b"=" * 3000 + b"\n", b"_ " * 1500 + b"\n", b"eyJ-" * 900 + b" error: \n",
    b"sk-" * 1200 + b" error: \n", b"password=" * 400 + b" error: \n", b"A_" * 1900 + b" error: \n",
    b"\x1b[" * 1900 + b"\n", b"\x1b]" * 1900 + b"\n", b"a.py:1:1: E501 " * 200 + b"\n",
    b"(" * 3900 + b" error: \n", b" " * 3900 + b"error: x\n", b"/a" * 1900 + b" error: \n",
    b"'a' " * 900 + b" error: \n", b"1 " * 1900 + b"error: \n", b"://" * 1200 + b" error: \n",
)  # fmt: skip


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_no_line_repeated_for_long_stalls_a_parser(line: bytes) -> None:
    # What grew with the square of a line or of the log would not end here.
    times = (8 if LONG else 1) * MEBI // 8 // len(line)
    assert read_log(io.BytesIO(line * times)).lines == times

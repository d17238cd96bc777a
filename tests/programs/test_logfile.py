"""The log of an attempt: bounded, complete at both ends; and the summary made of its last words."""

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.errors import ForgeError
from syncline.programs.logfile import SUMMARY, BoundedLog, last_words

LIMIT, HEAD = 600, 100
NOTICE = re.compile(rb"\n\[syncline: (\d+) bytes are left out here\]\n")


def written(parts: list[bytes]) -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "logs" / "a.log"
        with BoundedLog(path, limit=LIMIT, head=HEAD) as log:
            for part in parts:
                log.write(part)
                assert path.stat().st_size <= LIMIT
        assert [file.name for file in path.parent.iterdir()] == ["a.log"]
        return path.read_bytes()


@given(st.lists(st.integers(0, 900), max_size=12))
def test_head_and_tail_are_kept_and_what_is_left_out_is_counted(sizes: list[int]) -> None:
    whole = b"".join(b"%07d|" % number for number in range(sum(sizes) // 8 + 1))[: sum(sizes)]
    parts = [whole[sum(sizes[:index]) :][:size] for index, size in enumerate(sizes)]
    found = written(parts)
    notices = NOTICE.findall(found)
    if len(whole) <= LIMIT:
        assert found == whole
        return
    assert len(notices) == 1
    head, _, tail = NOTICE.split(found)
    assert head == whole[:HEAD]
    assert whole.endswith(tail)
    assert len(tail) >= LIMIT // 2
    assert len(head) + int(notices[0]) + len(tail) == len(whole)


def test_a_note_starts_on_a_line_of_its_own(tmp_path: Path) -> None:
    with BoundedLog(tmp_path / "log") as log:
        log.note("one")
        log.write(b"unfinished")
        log.note("two")
        log.write(b"finished\n")
        log.note("three")
        assert log.summary() == "unfinishedfinished"
    assert (tmp_path / "log").read_bytes() == (
        b"[syncline: one]\nunfinished\n[syncline: two]\nfinished\n[syncline: three]\n"
    )


def test_output_can_be_read_while_it_comes(tmp_path: Path) -> None:
    with BoundedLog(tmp_path / "log") as log:
        log.write(b"now")
        assert (tmp_path / "log").read_bytes() == b"now"


def test_a_full_disk_does_not_stop_the_check() -> None:
    with BoundedLog(Path("/dev/full")) as log:
        log.write(b"some words")
        log.write(b" more")
        assert log.trouble == "the log is cut short: No space left on device"
        assert log.summary() == "some words more"


def test_a_log_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "logs").touch()
    with pytest.raises(ForgeError, match=r"log .*/logs/a\.log cannot be written: File exists"):
        BoundedLog(tmp_path / "logs" / "a.log")


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (b"", ""),
        (b"\n \n\t\n", ""),
        (b"one\n", "one"),
        (b"one\n\n  two\t2 \n", "one | two 2"),
        (b"1\n2\n3\n4\n5", "3 | 4 | 5"),
        (b" 10%\r 50%\r100%\ndone\n", "50% | 100% | done"),
        (b"\x1b[1;31mred\x1b[0m \x1b]0;title\x07\x1b(Bx", "red x"),
        (b"bell\x07 back\x08 null\x00 \x9b del\x7f", "bell back null \ufffd del"),
        ("left\u202eright \u2066x".encode(), "leftright x"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"a" * 400, "a" * 299 + "…"),
        (b"a" * 400 + b"\nlast", "last"),
        (b"a" * 200 + b"\n" + b"b" * 97, "a" * 200 + " | " + "b" * 97),
        (b"a" * 200 + b"\n" + b"b" * 98, "b" * 98),
    ],
)
def test_last_words(output: bytes, words: str) -> None:
    assert last_words(output) == words


@given(st.binary(max_size=2000))
def test_last_words_are_short_and_safe_to_print(output: bytes) -> None:
    words = last_words(output)
    assert len(words) <= SUMMARY
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", words)
    assert words == words.strip()
    words.encode()


@given(st.lists(st.binary(max_size=6000), max_size=8))
def test_the_summary_is_that_of_the_whole_output(parts: list[bytes]) -> None:
    whole = b"".join(part.replace(b"\n", b"\n" * 2) + b"\nend of part\n" for part in parts)
    with tempfile.TemporaryDirectory() as directory, BoundedLog(Path(directory) / "log") as log:
        for part in parts:
            log.write(part.replace(b"\n", b"\n" * 2) + b"\nend of part\n")
        assert log.summary().endswith("end of part" if parts else "")
        assert len(log.summary()) <= SUMMARY
        assert last_words(whole).endswith(log.summary()[-11:])

"""`syncline triage --log`: any file that holds logs, outside of any repository."""

import gzip
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from syncline.checks.logs.read_logs import read_paths
from testing.cli import run_syncline

TRACEBACK = b"""step
Traceback (most recent call last):
  File "/home/runner/work/r/r/tools/run.py", line 3, in main
    load()
ValueError: no such shard: 12
"""
RANK = b"""ImportError while loading conftest '/w/tests/conftest.py'.
tests/conftest.py:1: in <module>
    import pkg
E   ModuleNotFoundError: No module named 'pkg'
"""
GREEN = b"3 passed in 0.1s\n"


def zipped(**files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return held.getvalue()


def kinds(document: dict[str, list[dict[str, object]]]) -> list[object]:
    return [one["kind"] for one in document["failures"]]


def test_files_of_all_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(TRACEBACK)
    (tmp_path / "b.log.gz").write_bytes(gzip.compress(TRACEBACK, mtime=0))
    (tmp_path / "c.zip").write_bytes(
        # GitHub gives each job's log whole, and again step by step.
        zipped(
            **{"0_build.txt": TRACEBACK, "build__1_set up.txt": TRACEBACK, "rank3.log": RANK, "x.png": b"\x89PNG"}
        )
    )
    (tmp_path / "green.log").write_bytes(GREEN)
    done = run_syncline("triage", "--log", "a.log", "b.log.gz", "c.zip", "green.log", "--json", repo=tmp_path)
    assert done.code == 1
    answer = done.json()
    assert kinds(answer) == ["ValueError", "ValueError", "ValueError", "ModuleNotFoundError"]
    assert {one["signature"] for one in answer["failures"][:3]} == {answer["faults"][0]["signature"]}
    assert answer["failures"][0]["path"] == "tools/run.py"
    assert [one["name"] for one in answer["logs"]] == [
        "a.log", "b.log.gz", "c.zip/0_build.txt", "c.zip/rank3.log", "green.log",
    ]  # fmt: skip
    assert [one["rank"] for one in answer["failures"]] == [None, None, None, 3]
    whole = run_syncline("triage", "--log", ".", "--json", repo=tmp_path).json()
    assert sorted(map(str, kinds(whole))) == sorted(map(str, kinds(answer)))


def test_text_tells_place_signature_and_lines(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(TRACEBACK)
    done = run_syncline("triage", "--log", "a.log", repo=tmp_path)
    assert done.code == 1
    for words in (
        "ValueError: no such shard: 12",
        "tools/run.py:3 in main",
        "line 5",
        "signature ",
        "|     load()",
    ):
        assert words in done.out


def test_a_green_log_ends_with_0(tmp_path: Path) -> None:
    (tmp_path / "green.log").write_bytes(GREEN)
    done = run_syncline("triage", "--log", "green.log", repo=tmp_path)
    assert (done.code, done.out) == (0, "0 faults in 1 log of 1 line\n")


@pytest.mark.parametrize(("given", "code", "words"), [
    (TRACEBACK, 1, b"ValueError"), (GREEN, 0, b"0 faults"), (b"", 0, b"0 faults"),
    (zipped(a=b"x"), 2, b"is an archive"), (bytes(range(256)) * 20, 2, b"not text"),
], ids=["red", "green", "nothing", "archive", "noise"])  # fmt: skip
def test_stdin(tmp_path: Path, given: bytes, code: int, words: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "syncline", "triage", "--log", "-"],
        input=given, capture_output=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert words in done.stdout + done.stderr


@pytest.mark.parametrize(("name", "content", "words"), [
    ("nosuch", None, "cannot be read: No such file"),
    ("noise", bytes(range(256)) * 20, "is not text"),
    ("cut.zip", zipped(a=TRACEBACK * 99)[:200], "is broken"),
    ("empty.zip", zipped(), "holds no logs"),
    ("cut.gz", gzip.compress(TRACEBACK * 99, mtime=0)[:60], "end-of-stream"),
], ids=["nosuch", "noise", "cut zip", "empty zip", "cut gzip"])  # fmt: skip
def test_what_is_no_log_is_told(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = run_syncline("triage", "--log", name, repo=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("arguments", [(), ("x",), ("0",), ("1", "2"), ("-1",)])
def test_neither_a_proposal_nor_a_log(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert run_syncline("triage", *arguments, repo=tmp_path).code == 2


def test_a_directory_without_logs(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    done = run_syncline("triage", "--log", tmp_path)
    assert done.code == 2
    assert "holds no logs" in done.err


def test_a_broken_member_hides_no_other_and_no_green_is_claimed(tmp_path: Path) -> None:
    archive = bytearray(zipped(**{"1.log": GREEN * 50, "2.log": TRACEBACK}))
    archive[40] ^= 0xFF
    (tmp_path / "a.zip").write_bytes(archive)
    done = run_syncline("triage", "--log", "a.zip", repo=tmp_path)
    assert done.code == 1
    assert "ValueError" in done.out
    assert "a.zip/1.log was not read to its end" in done.out
    archive = bytearray(zipped(**{"1.log": GREEN * 50, "2.log": GREEN}))
    archive[40] ^= 0xFF
    (tmp_path / "a.zip").write_bytes(archive)
    assert run_syncline("triage", "--log", "a.zip", repo=tmp_path).code == 2


def test_a_bomb_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("syncline.checks.logs.archive.LARGEST", 1 << 20)
    (tmp_path / "bomb.zip").write_bytes(zipped(**{"a.log": b"x\n" * (2 << 20), "b.log": TRACEBACK}))
    (first, second) = read_paths([tmp_path / "bomb.zip"]).logs
    assert "larger than 1 MiB" in first.broken
    assert second.broken

from pathlib import Path

import pytest

from syncline.audit.files.endings import flipped_endings
from syncline.audit.finding import Severity
from testing.audited import findings_of, task_of

BOM = b"\xef\xbb\xbf"
LF, CRLF, MIXED = b"a\nb\nc\n", b"a\r\nb\r\nc\r\n", b"a\r\nb\nc\r\n"

# What ours, theirs and the merge have, and what is found.
CASES: dict[str, tuple[bytes, bytes, bytes, list[tuple[str, Severity, str]]]] = {
    "flipped": (CRLF + b"1\r\n", CRLF + b"2\r\n", LF + b"12\n", [("line-endings", Severity.FIX, "CRLF -> LF")]),
    "mixed": (LF + b"1\n", LF + b"2\n", MIXED + b"12\n", [("line-endings", Severity.FIX, "LF -> mixed")]),
    "mixed-of-two": (CRLF + b"1\r\n", LF, MIXED, [("line-endings", Severity.LOOK, "CRLF and LF -> mixed")]),
    "one-of-two": (CRLF + b"1\r\n", LF, CRLF + b"2\r\n", []),
    "was-mixed": (MIXED + b"1\n", LF, LF + b"12\n", []),
    "last-newline": (
        LF + b"1\n",
        LF + b"2\n",
        LF + b"12",
        [("file-edge", Severity.LOOK, "no newline at the end")],
    ),
    "last-newline-of-one": (LF + b"1\n", LF + b"2", LF + b"12", []),
    "bom-lost": (BOM + LF + b"1\n", BOM + LF, LF + b"12\n", [("file-edge", Severity.LOOK, "no BOM")]),
    "bom": (LF + b"1\n", LF + b"2\n", BOM + LF + b"12\n", [("file-edge", Severity.LOOK, "a BOM")]),
    "binary": (b"\0\r\n1", b"\0\r\n2", b"\0\n12", []),
    "one-line": (b"1", b"2", b"12", []),
    "emptied": (LF + b"1\n", LF + b"2\n", b"", []),
}


def test_endings_that_only_the_merge_changed(tmp_path: Path) -> None:
    ours = {name: case[0] for name, case in CASES.items()}
    theirs = {name: case[1] for name, case in CASES.items()}
    merged = {name: case[2] for name, case in CASES.items()}
    with task_of(tmp_path, dict.fromkeys(CASES, b"base\n"), ours, theirs, merged) as task:
        found = findings_of(flipped_endings, task)
    told = {
        name: [(one.kind, one.severity, *one.text) for one in found if one.path == name.encode()] for name in CASES
    }
    assert told == {name: case[3] for name, case in CASES.items()}


@pytest.mark.parametrize("settings", [".gitattributes", "docs/.editorconfig"])
def test_a_merge_that_settles_the_endings_of_all_files_is_left_alone(tmp_path: Path, settings: str) -> None:
    case = CASES["flipped"]
    with task_of(
        tmp_path, {"a": LF}, {"a": case[0]}, {"a": case[1]}, {"a": case[2], settings: "* text\n"}
    ) as task:
        assert findings_of(flipped_endings, task) == []

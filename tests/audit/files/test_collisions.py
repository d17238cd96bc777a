from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.files.collisions import colliding_paths, folded
from testing.audited import findings_of, task_of

NFC, NFD = "caf\u00e9.md", "cafe\u0301.md"


def test_paths_that_only_the_merge_brings_together(tmp_path: Path) -> None:
    base = {"old/Both": "1\n", "old/both": "2\n", "hand/Here": "1\n", "plain": "1\n"}
    ours = {"README": "1\n", f"docs/{NFC}": "1\n", "Lib": "a file\n", "both/Same": "1\n", "both/same": "1\n"}
    theirs = {"readme": "1\n", f"docs/{NFD}": "1\n", "lib/a.py": "1\n", "Both/other": "1\n", "alone": "1\n"}
    merged = {"hand/here": "1\n", "plain": "2\n"}
    with task_of(tmp_path, base, ours, theirs, merged) as task:
        found = findings_of(colliding_paths, task)
    assert {(one.path.decode(), one.text) for one in found} == {
        ("README", ("README", "readme")),
        (f"docs/{NFD}", (f"docs/{NFD}", f"docs/{NFC}")),
        ("Lib", ("Lib", "lib")),
        ("hand/here", ("hand/Here", "hand/here")),
    }
    assert [one.message.split(":")[0] for one in found if "Unicode" in one.message] == [
        f"it differs from docs/{NFC} by Unicode form alone"
    ]


@pytest.mark.parametrize(
    ("one", "other"), [("A/b", "a/B"), (NFC, NFD), ("stra\u00dfe", "STRASSE"), ("\u00c5", "a\u030a")]
)
def test_what_file_systems_take_for_the_same(one: str, other: str) -> None:
    assert folded(one.encode()) == folded(other.encode())


@given(st.binary())
def test_any_bytes_are_a_path(path: bytes) -> None:
    assert folded(path).count("/") == path.count(b"/")

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.files.by_hand import by_hand, mixed_by_hand, new_lines
from syncline.audit.files.endings import flipped_endings
from syncline.audit.files.golden import new_nan
from syncline.audit.files.secrets import new_secrets
from syncline.audit.four_trees import Contents
from syncline.audit.markers import leftover_markers
from testing.audited import findings_of, task_of

TEXT = "one\ntwo\nthree\nfour\nfive\n"


def test_files_that_are_not_as_git_merged_them(tmp_path: Path) -> None:
    names = ("clean", "changed", "taken", "settled")
    base = dict.fromkeys(names, TEXT) | {"gone": TEXT}
    ours = dict.fromkeys(names, "0\n" + TEXT)
    theirs = dict.fromkeys(names, TEXT + "6\n") | {"settled": "7\n" + TEXT}
    merged = {
        "clean": "0\n" + TEXT + "6\n",
        "changed": "0\n" + TEXT + "5\n6\n",
        "settled": "07\n" + TEXT,
        "new": "1\n",
    }
    with task_of(tmp_path, base, ours, theirs, merged, delete=([], [], ["gone"])) as task:
        found = by_hand(task)
        assert [(made.file.path, made.conflicted) for made in found] == [
            (b"changed", False), (b"new", False), (b"settled", True), (b"taken", False),
        ]  # fmt: skip
        assert [made.file.path for made in mixed_by_hand(task)] == [b"changed", b"new", b"settled"]
        contents = task.trees.contents(found[0].file)
        assert contents is not None
        assert [(line.number, line.text) for line in new_lines(contents)] == [(7, b"5")]


@given(merged=st.binary(max_size=200), ours=st.binary(max_size=200), theirs=st.binary(max_size=200))
def test_new_lines_of_any_bytes_stand_where_they_say(merged: bytes, ours: bytes, theirs: bytes) -> None:
    found = new_lines(Contents(b"", ours, theirs, merged))
    lines = merged.split(b"\n")
    assert all(lines[line.number - 1] == line.text for line in found)
    assert {line.text for line in found} == set(lines) - set(ours.split(b"\n")) - set(theirs.split(b"\n"))


def test_audits_of_content_bear_any_bytes(tmp_path: Path) -> None:
    odd = b"\xff\xfe<<<<<<<\n>>>>>>> \x80\r\n\x1b[0m"
    base = {"golden\n.json": b"\n".join([b"a", odd, b"b"])}
    ours, theirs, merged = ({"golden\n.json": odd + tail} for tail in (b"1", b"2\n", b"\n3\n" + odd))
    with task_of(tmp_path, base, ours, theirs, merged) as task:
        assert findings_of(new_secrets, task) == []
        assert findings_of(new_nan, task) == []
        assert findings_of(flipped_endings, task) == []
        assert [one.kind for one in findings_of(leftover_markers, task)] == ["conflict-markers"]


def test_without_a_common_ancestor_every_mixed_file_is_by_hand(tmp_path: Path) -> None:
    with task_of(tmp_path, {"a": "1\n"}, {"a": "2\n"}, {"a": "3\n"}, {"a": "4\n"}) as task:
        task.trees.__dict__["bases"] = ()
        assert [(made.file.path, made.conflicted) for made in by_hand(task)] == [(b"a", True)]

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.evil import Change, change_of, changed_by_hand
from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import Contents, Versions
from syncline.audit.task import NotRun
from syncline.config.models import Lane, PathRule
from syncline.git import Entry
from syncline.git.oid import Oid
from syncline.git.tree import Mode
from testing.audited import findings_of, task_of

MIDDLE = "".join(f"line {number}\n" for number in range(8))
BASE = "def f(a):\n    return a\n" + MIDDLE + "def g(b):\n    return b\n"
OURS = BASE.replace("return a", "return a + 1")
THEIRS = BASE.replace("return b", "return b - 1")
CLEAN = OURS.replace("return b", "return b - 1")
LABELS = ("O" * 40, "T" * 40)


def found(
    place: Path, merged: str, *, ours: str = OURS, theirs: str = THEIRS, lane: Lane | None = None
) -> list[Finding]:
    with task_of(place, {"a.py": BASE}, {"a.py": ours}, {"a.py": theirs}, {"a.py": merged}, lane=lane) as task:
        return findings_of(changed_by_hand, task)


def test_what_git_merged_is_no_change(tmp_path: Path) -> None:
    assert found(tmp_path, CLEAN) == []


def test_lines_that_neither_side_has_and_lines_that_git_had_merged(tmp_path: Path) -> None:
    merged = CLEAN.replace("line 4\n", "line four\n").replace("line 6\n", "")
    (one,) = found(tmp_path, merged)
    assert (one.kind, one.severity, one.path, one.line) == ("changed-by-hand", Severity.LOOK, b"a.py", 7)
    assert one.text == ("+ line four", "- line 4", "- line 6")
    assert one.message == (
        "changed by hand outside of conflicts: 1 line that neither side has, 2 lines that git had merged taken out"
    )


def test_a_lost_bracket_is_a_change_and_a_pair_is_formatting(tmp_path: Path) -> None:
    """In a comment or a text it breaks no grammar."""
    ours = OURS.replace("line 4", "# (see line 4)")
    clean = CLEAN.replace("line 4", "# (see line 4)")
    (one,) = found(tmp_path / "lost", clean.replace("line 4)", "line 4"), ours=ours)
    assert (one.kind, one.text) == ("changed-by-hand", ("+ # (see line 4", "- # (see line 4)"))
    assert found(tmp_path / "pair", clean.replace("return a + 1", "return (a + 1)"), ours=ours) == []


def test_a_file_taken_whole_where_git_had_merged_both(tmp_path: Path) -> None:
    (one,) = found(tmp_path, OURS)
    assert (one.kind, one.severity, one.side, one.text) == (
        "whole-file-taken", Severity.LOOK, "theirs", ("    return b - 1",),
    )  # fmt: skip
    assert one.message.endswith("the merge holds target's file alone: source's change of 1 line is lost")
    assert [(ask.side, ask.text) for ask in one.asks] == [("theirs", b"    return b - 1")]


def test_a_rule_of_the_lane_that_takes_a_side_is_no_change_by_hand(tmp_path: Path) -> None:
    lane = Lane(
        name="nightly", source="main", target="dev", paths=(PathRule(match=("a.py",), take="protect", line=4),)
    )
    assert found(tmp_path, OURS, lane=lane) == []


def test_a_side_that_only_formatted_loses_nothing(tmp_path: Path) -> None:
    formatted = BASE.replace("def g(b):", "def g(\n    b,\n):")
    assert found(tmp_path, OURS, theirs=formatted) == []


def test_a_conflict_is_the_place_to_write_new_lines(tmp_path: Path) -> None:
    theirs = THEIRS.replace("return a", "return a * 2")
    settled = CLEAN.replace("return a + 1", "return (a + 1) * 2  # both")
    assert found(tmp_path / "inside", settled, theirs=theirs) == []
    (one,) = found(tmp_path / "outside", settled.replace("line 5", "line five"), theirs=theirs)
    assert one.text == ("+ line five", "- line 5")
    # A whole side taken in a conflict is a decision.
    assert found(tmp_path / "whole", OURS, theirs=theirs) == []


def test_many_files_are_summed_up(tmp_path: Path) -> None:
    names = [f"{number}.py" for number in range(9)] + ["uv.lock"]
    base, ours, theirs = (dict.fromkeys(names, text) for text in (BASE, OURS, THEIRS))
    merged = {name: CLEAN.replace("line 4", "\n".join(["four"] * (at + 1))) for at, name in enumerate(names)}
    with task_of(tmp_path, base, ours, theirs, merged) as task:
        findings = findings_of(changed_by_hand, task)
    assert [one.path for one in findings] == [b"8.py", b"7.py", b"6.py", b"5.py", b"4.py", b"3.py", b""]
    assert findings[-1].message.startswith("3 more files were changed by hand")
    assert [line.partition(":")[0] for line in findings[-1].text] == ["0.py", "1.py", "2.py"]


def test_many_files_taken_whole_are_one_finding(tmp_path: Path) -> None:
    names = [f"{number}.py" for number in range(8)]
    base, ours, theirs = (dict.fromkeys(names, text) for text in (BASE, OURS, THEIRS))
    with task_of(tmp_path, base, ours, theirs, theirs) as task:
        (one,) = findings_of(changed_by_hand, task)
    assert (one.kind, one.path, one.side, len(one.text)) == ("whole-file-taken", b"", "ours", 8)
    assert one.text[0] == "0.py: 1 line"


def test_without_a_merge_of_gits_own_nothing_can_be_told(tmp_path: Path) -> None:
    with task_of(tmp_path, {"a.py": BASE}, {"a.py": OURS}, {"a.py": THEIRS}, {"a.py": "other\n"}) as task:
        task.trees.__dict__["automatic"] = None
        assert [type(answer) for answer in changed_by_hand(task)] == [NotRun]


# --- pure ------------------------------------------------------------------------------------------------------

_ENTRY = Entry(Mode.FILE, Oid("1" * 40))
FILE = Versions(b"a.py", _ENTRY, _ENTRY, _ENTRY, _ENTRY, b"a.py", b"a.py")
LINES = st.lists(
    st.sampled_from([b"a", b"b(x)", b" c", b"", b"\xff", b"d, e", b"=======", b"<<<<<<< x"]), max_size=12
)


def change(merged: bytes, automatic: bytes, ours: bytes = b"", theirs: bytes = b"") -> Change | None:
    return change_of(FILE, Contents(b"", ours, theirs, merged), automatic, LABELS)


@given(st.binary(), st.binary(), st.binary())
def test_what_equals_gits_merge_is_no_change(automatic: bytes, ours: bytes, theirs: bytes) -> None:
    assert change(automatic, automatic, ours, theirs) is None


@given(st.binary(), st.binary(), st.binary(), st.binary())
def test_any_bytes_can_be_compared(merged: bytes, automatic: bytes, ours: bytes, theirs: bytes) -> None:
    found = change(merged, automatic, ours, theirs)
    lines = merged.split(b"\n")
    assert found is None or all(lines[number - 1] == line for number, line in found.written)


@given(st.data(), LINES)
def test_text_that_only_moved_is_no_change(data: st.DataObject, lines: list[bytes]) -> None:
    moved = data.draw(st.permutations(lines))
    assert change(b"\n".join(moved), b"\n".join(lines)) is None


@given(LINES, LINES, LINES, LINES, st.sampled_from([0, 1, 2]))
def test_whatever_settles_a_conflict_is_no_change(
    before: list[bytes], after: list[bytes], ours: list[bytes], theirs: list[bytes], which: int
) -> None:
    marked = [b"<<<<<<< " + LABELS[0].encode(), *ours, b"=======", *theirs, b">>>>>>> " + LABELS[1].encode()]
    answer = (ours, theirs, [b"something new"])[which]
    frame = [b"first", *before], [*after, b"last"]
    whole = [b"\n".join([*frame[0], *middle, *frame[1]]) for middle in (marked, answer, ours, theirs)]
    assert change(whole[1], whole[0], whole[2], whole[3]) is None


def test_imports_that_are_split_or_joined_are_formatting() -> None:
    assert change(b"from a import (\n    b,\n    c,\n)\n", b"from a import b\nfrom a import c\n") is None
    assert change(b"from a import b\nfrom a import c as d\n", b"from a import (b,\n    c)\n") is not None

from pathlib import Path

from syncline.audit.files.submodules import wrong_submodules
from syncline.audit.finding import Severity
from testing.audited import findings_of, task_of
from testing.content import Submodule

ONE, TWO, THREE, FOUR = (Submodule(digit * 40) for digit in "1234")


def listed(*paths: str) -> str:
    return "".join(f'[submodule "{path}"]\n\tpath = {path}\n\turl = ../x\n' for path in paths)


def test_commits_of_submodules_are_merged_three_way(tmp_path: Path) -> None:
    names = ("back", "moved", "neither", "taken", "by-hand")
    base = dict.fromkeys(names, ONE) | {".gitmodules": listed(*names)}
    ours = {"back": TWO, "moved": TWO, "neither": TWO, "taken": TWO}
    theirs = {"neither": THREE, "taken": THREE}
    merged = {"back": ONE, "neither": FOUR, "taken": THREE, "by-hand": TWO}
    with task_of(tmp_path, base, ours, theirs, merged) as task:
        found = findings_of(wrong_submodules, task)
    assert {(one.path, one.severity, one.side, one.message) for one in found} == {
        (b"back", Severity.FIX, "ours", "the submodule is back at 1111111111, target has it at 2222222222"),
        (b"by-hand", Severity.FIX, "", "the submodule is at 2222222222, both sides have it at 1111111111"),
        (
            b"neither", Severity.LOOK, "",
            "both sides moved the submodule; it is at 4444444444, which is neither's commit",
        ),
    }  # fmt: skip


def test_gitmodules_and_submodules_go_together(tmp_path: Path) -> None:
    base = dict.fromkeys(("gone", "unlisted", "fine"), ONE) | {
        ".gitmodules": listed("gone", "unlisted", "fine", "old")
    }
    theirs = {"fine": TWO}
    merged = {".gitmodules": listed("gone", "fine", "old")}
    with task_of(tmp_path, base, {"a": "1\n"}, theirs, merged, delete=([], [], ["gone"])) as task:
        found = findings_of(wrong_submodules, task)
    # "old" has been without a submodule on the sides already.
    assert {(one.kind, one.symbol) for one in found} == {
        ("submodule-missing", "gone"),
        ("submodule-unlisted", "unlisted"),
    }
    assert {one.path for one in found} == {b".gitmodules"}

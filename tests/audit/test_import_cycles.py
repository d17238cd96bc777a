from pathlib import Path

import pytest

from syncline.audit.audit import audit
from syncline.audit.finding import Finding, Severity
from syncline.audit.import_cycles import import_cycles
from testing.audited import findings_of, task_of
from testing.blobs import Files

PACKAGE: Files = {"pkg/__init__.py": "", "z": "1\n"}


def found(place: Path, base: Files, ours: Files, theirs: Files, merged: Files | None = None) -> list[Finding]:
    with task_of(place, {**PACKAGE, **base}, ours, theirs, merged or {}) as task:
        return findings_of(import_cycles, task)


A, B = "def a():\n    pass\n", "def b():\n    pass\n"
FROM_A, FROM_B = "from pkg.a import a\n", "from pkg.b import b\n"


def test_two_imports_close_a_circle(tmp_path: Path) -> None:
    base: Files = {"pkg/a.py": A, "pkg/b.py": B}
    (one,) = found(tmp_path, base, {"pkg/a.py": FROM_B + A}, {"pkg/b.py": FROM_A + B})
    assert (one.kind, one.severity, one.path, one.line) == ("import-cycle", Severity.FIX, b"pkg/b.py", 1)
    assert "pkg/b.py -> pkg/a.py -> pkg/b.py" in one.message
    assert one.text == ("pkg/b.py: from pkg.a import a", "pkg/a.py: from pkg.b import b")
    assert [(ask.side.value, ask.path) for ask in one.asks] == [("theirs", b"pkg/b.py"), ("ours", b"pkg/a.py")]


def test_a_circle_over_a_module_that_nobody_changed(tmp_path: Path) -> None:
    base: Files = {"pkg/a.py": A, "pkg/b.py": B, "pkg/m.py": "from .a import a\n"}
    (one,) = found(tmp_path, base, {"pkg/a.py": FROM_B + A}, {"pkg/b.py": "import pkg.m\n" + B})
    assert one.severity is Severity.LOOK  # `import pkg.m` takes no name out of it
    assert "pkg/b.py -> pkg/m.py -> pkg/a.py -> pkg/b.py" in one.message


# what target and source make of two modules
NO_CIRCLE: dict[str, tuple[Files, Files, Files]] = {
    "inside a function": (
        {"pkg/a.py": A, "pkg/b.py": B}, {"pkg/a.py": "def a():\n    from pkg.b import b\n"},
        {"pkg/b.py": FROM_A + B},
    ),
    "for type checkers": (
        {"pkg/a.py": A, "pkg/b.py": B},
        {"pkg/a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pkg.b import b\n" + A},
        {"pkg/b.py": FROM_A + B},
    ),
    "a side has the circle": (
        {"pkg/a.py": A, "pkg/b.py": B}, {"pkg/a.py": "import os\n" + A},
        {"pkg/b.py": FROM_A + B, "pkg/a.py": FROM_B + A},
    ),
    "one import more in a circle": (
        {"pkg/a.py": FROM_B + A, "pkg/b.py": B, "pkg/c.py": "from pkg.a import a\n"},
        {"pkg/b.py": "import pkg.c\n" + B}, {"pkg/c.py": FROM_A + FROM_B},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NO_CIRCLE)
def test_no_new_circle(tmp_path: Path, case: str) -> None:
    base, ours, theirs = NO_CIRCLE[case]
    merged: Files = {"pkg/a.py": FROM_B + "import os\n" + A} if case == "a side has the circle" else {}
    assert found(tmp_path, base, ours, theirs, merged) == []


LONG = "".join(f"line_{number} = {number}\n" for number in range(30))


@pytest.mark.parametrize("words", ["from pkg.old import line_1\n", "import pkg.old\n", "from pkg.old import *\n"])
def test_source_moved_what_target_imports(tmp_path: Path, words: str) -> None:
    base: Files = {**PACKAGE, "pkg/old.py": LONG, "user.py": "x = 1\n"}
    ours: Files = {"user.py": words + "x = 1\n"}
    theirs: Files = {"pkg/new.py": LONG}
    with task_of(tmp_path, base, ours, theirs, {}, delete=((), ["pkg/old.py"], ())) as task:
        (one,) = audit(task, only=["imports"]).findings
    assert (one.kind, one.severity, one.path, one.line) == ("import-moved", Severity.STOP, b"user.py", 1)
    assert one.message == "imports pkg/old.py, which source moved to pkg/new.py"
    assert [edit.lines for edit in one.edits] == [(words.replace("old", "new").encode(),)]


@pytest.mark.parametrize(
    ("words", "severity"),
    [
        ("from pkg.a import gone\n", Severity.STOP),
        ("from .pkg.a import (\n    kept,\n    gone as x,\n)\n", Severity.STOP),
        ("def f():\n    from pkg.a import gone\n", Severity.FIX),
    ],
)
def test_source_took_away_a_name_that_target_imports(tmp_path: Path, words: str, severity: Severity) -> None:
    base: Files = {**PACKAGE, "pkg/a.py": "def gone(): pass\nkept = 1\n"}
    with task_of(tmp_path, base, {"user.py": words}, {"pkg/a.py": "def other(): pass\nkept = 1\n"}, {}) as task:
        (one,) = audit(task, only=["imports"]).findings
    assert (one.kind, one.severity, one.path, one.symbol) == ("import-lost-name", severity, b"user.py", "gone")
    assert one.message == "imports gone from pkg/a.py, which has it in target and not in the merge"
    assert {item.why for item in one.evidence} == {
        "removed gone: theirs (#2)", "began to use gone: ours (#1)",
    }  # fmt: skip


SILENT: dict[str, tuple[str, str]] = {
    "anything may be there": ("from pkg.a import gone\n", "from pkg.z import *\n"),
    "imported from elsewhere": ("from pkg.a import gone\n", "from pkg.z import gone\n"),
    "guarded": ("try:\n    from pkg.a import gone\nexcept ImportError:\n    gone = None\n", "kept = 1\n"),
    "another module": ("from pkg.b import gone\n", "kept = 1\n"),
}


@pytest.mark.parametrize("case", SILENT)
def test_names_that_may_be_there(tmp_path: Path, case: str) -> None:
    words, module = SILENT[case]
    assert found(tmp_path, {"pkg/a.py": "gone = 1\n"}, {"user.py": words}, {"pkg/a.py": module}) == []

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.audit import audit
from syncline.audit.deleted import deleted
from syncline.audit.finding import Finding, Severity
from syncline.audit.modules.imports import Force, imports, stems
from testing.audited import findings_of, task_of
from testing.blobs import Files

# file that is lost, file that imports it, how
IMPORTS = {
    "Python": ("pkg/lost.py", "pkg/user.py", "from pkg.lost import f\n", Severity.STOP),
    "Python, relative": ("pkg/sub/lost.py", "pkg/sub/user.py", "from . import lost\n", Severity.STOP),
    "Python, of the directory above": ("pkg/lost.py", "pkg/sub/user.py", "from ..lost import f\n", Severity.STOP),
    "Python, a package": ("src/pkg/lost/__init__.py", "src/other.py", "import pkg.lost as x\n", Severity.STOP),
    "Python, beside it": ("tools/lost.py", "tools/user.py", "import lost\n", Severity.STOP),
    "Python, in a function": (
        "pkg/lost.py", "user.py", "def f():\n    from pkg import (\n        lost,\n    )\n", Severity.FIX,
    ),
    "TypeScript": ("web/lost.ts", "web/deep/user.ts", "import { x } from '../lost'\n", Severity.STOP),
    "JavaScript": ("web/lost.js", "web/user.js", "const x = require('./lost')\n", Severity.FIX),
    "a directory of JavaScript": ("web/lost/index.js", "web/user.mjs", "export * from './lost'\n", Severity.STOP),
    "Vue": ("web/Lost.vue", "web/User.vue", "<script>\nimport L from './Lost.vue'\n</script>\n", Severity.STOP),
    "Java": ("src/main/java/a/b/Lost.java", "src/test/java/a/User.java", "import a.b.Lost;\n", Severity.STOP),
    "PHP": ("src/Http/Lost.php", "tests/UserTest.php", "<?php\nuse App\\Http\\Lost;\n", Severity.FIX),
    "C": ("src/lost.h", "src/user.c", '#include "lost.h"\n', Severity.STOP),
    "C++": ("include/a/lost.hpp", "src/user.cpp", "#include <a/lost.hpp>\n", Severity.STOP),
    "Go": ("pkg/lost/x.go", "main.go", 'package main\n\nimport "example.org/m/pkg/lost"\n', Severity.STOP),
    "Ruby": ("lib/a/lost.rb", "bin/user.rb", "require 'a/lost'\n", Severity.STOP),
    "Rust": ("src/lost.rs", "src/lib.rs", "mod lost;\n", Severity.STOP),
    "a path in a script": ("tools/run/lost.txt", "ci.sh", "sh tools/run/lost.txt --all\n", Severity.LOOK),
}  # fmt: skip


@pytest.mark.parametrize("case", IMPORTS)
def test_source_deleted_what_target_began_to_import(tmp_path: Path, case: str) -> None:
    lost, user, words, severity = IMPORTS[case]
    base: Files = {lost: "f = 1\n", "other": "1\n", "pkg/__init__.py": ""}
    with task_of(tmp_path, base, {user: words}, {"new": "1\n"}, {}, delete=((), [lost], ())) as task:
        (one,) = audit(task, only=["deleted"]).findings
    assert (one.kind, one.severity, one.path, one.side) == ("deleted-needed", severity, lost.encode(), "ours")
    assert one.message.startswith(f"{lost.rpartition('/')[2]}: source deleted it, but {user}:")
    assert one.suggestion.startswith("restore it as target has it")
    assert [item.why for item in one.evidence] == ["removed it in source: theirs (#2)"]


# what base has, what target and source change, what the merge does, what target, source and merge delete
SILENT: dict[str, tuple[Files, Files, Files, Files, tuple[list[str], list[str], list[str]]]] = {
    "nothing needs it": ({"pkg/lost.py": "1\n"}, {"a": "1\n"}, {"b": "1\n"}, {}, ([], ["pkg/lost.py"], [])),
    "who imports it was broken in source": (
        {"pkg/lost.py": "1\n", "user.py": "import pkg.lost\nx = 1\n"}, {"user.py": "import pkg.lost\nx = 2\n"},
        {"b": "1\n"}, {}, ([], ["pkg/lost.py"], []),
    ),
    "made for its absence": (
        {"pkg/lost.py": "1\n"}, {"user.py": "try:\n    import pkg.lost\nexcept ImportError:\n    pass\n"},
        {"b": "1\n"}, {}, ([], ["pkg/lost.py"], []),
    ),
    "a module became a package": (
        {"pkg/lost.py": "1\n"}, {"user.py": "import pkg.lost\n"}, {"pkg/lost/__init__.py": "new = 1\n"}, {},
        ([], ["pkg/lost.py"], []),
    ),
    "the package has the name now": (
        {"pkg/lost.py": "1\n", "pkg/__init__.py": ""}, {"user.py": "from pkg import lost\n"},
        {"pkg/__init__.py": "lost = 1\n"}, {}, ([], ["pkg/lost.py"], []),
    ),
    "only the layout had changed": (
        {"lost.txt": "a(b, c)\n"}, {"lost.txt": "a(\n  b,\n  c,\n)\n"}, {"b": "1\n"}, {},
        ([], ["lost.txt"], ["lost.txt"]),
    ),
    "a change kept against a deletion": (
        {"kept.txt": "1\n"}, {"kept.txt": "2\n"}, {"b": "1\n"}, {}, ([], ["kept.txt"], []),
    ),
    "moved": (
        {"old.txt": "a\nb\nc\n"}, {"a": "1\n"}, {"new.txt": "a\nb\nc\n"}, {}, ([], ["old.txt"], []),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SILENT)
def test_what_is_as_it_was_meant(tmp_path: Path, case: str) -> None:
    base, ours, theirs, merged, delete = SILENT[case]
    with task_of(tmp_path, {"z": "1\n", **base}, ours, theirs, merged, delete=delete) as task:
        assert findings_of(deleted, task) == []


def kinds(found: list[Finding]) -> list[tuple[str, bytes, str]]:
    assert all(one.severity is Severity.LOOK for one in found)
    return [(one.kind, one.path, one.suggestion.partition(":")[0]) for one in found]


def test_what_a_side_changed_and_the_other_deleted(tmp_path: Path) -> None:
    base: Files = {"lost.txt": "lost\n", "z": "1\n"}
    ours: Files = {"lost.txt": "lost\nmore\n"}
    with task_of(tmp_path, base, ours, {"b": "1\n"}, {}, delete=((), ["lost.txt"], ["lost.txt"])) as task:
        (one,) = audit(task, only=["deleted"]).findings
    assert (one.kind, one.severity) == ("deleted-changed", Severity.LOOK)
    assert one.message == "lost.txt: changed in target, deleted in source and in the merge"
    assert [item.why for item in one.evidence] == [
        "removed it in source: theirs (#2)", "changed it in target: ours (#1)",
    ]  # fmt: skip


def test_a_rename_that_git_follows_where_too_many_files_went_to_compare_them_all(tmp_path: Path) -> None:
    lines = [f"what line {number} of the file says\n" for number in range(20)]
    many: Files = {f"old/{number}": f"{number**7}\n" for number in range(1001)}
    base: Files = {**many, "old/moved": "".join(lines)}
    ours: Files = {f"other/{number}/came": f"{number * 7} came\n" for number in range(1001)}
    ours = {**ours, "new/place": "".join([*lines[:14], *(f"written anew {number}\n" for number in range(6))])}
    theirs: Files = {"old/moved": "".join(["changed\n", *lines[1:]])}
    merged: Files = {"new/place": str(ours["new/place"]).replace(lines[0], "changed\n")}
    gone = [*(f"old/{number}" for number in range(1001)), "old/moved"]
    with task_of(tmp_path, base, ours, theirs, merged, delete=(gone, [], ["old/moved"])) as task:
        assert task.trees.automatic is not None
        assert task.trees.automatic.clean
        assert findings_of(deleted, task) == []


def test_what_source_added_and_the_merge_left_out_is_told_by_directory(tmp_path: Path) -> None:
    names = [f"new/{number}.txt" for number in range(5)]
    theirs: Files = {name: f"{name}\n" for name in names}
    with task_of(tmp_path, {"z": "1\n"}, {"a": "1\n"}, theirs, {}, delete=((), (), names)) as task:
        (one,) = findings_of(deleted, task)
    assert kinds([one]) == [
        ("left-out", b"new", "restore what source added, unless it is left out on purpose"),
    ]
    assert list(one.text) == names
    assert one.message.startswith("5 files: new in source and not in the merge (new/0.txt, new/1.txt, new/2.txt")


def test_what_only_the_merge_deleted(tmp_path: Path) -> None:
    base: Files = {"pkg/lost.py": "lost\n", "user.py": "import pkg.lost\n", "other.txt": "other\n"}
    delete = ((), (), ["pkg/lost.py", "other.txt"])
    with task_of(tmp_path, base, {"a": "1\n"}, {"b": "1\n"}, {}, delete=delete) as task:
        needed, other = sorted(findings_of(deleted, task), key=lambda one: one.kind, reverse=True)
    assert (needed.kind, needed.severity) == ("deleted-needed", Severity.STOP)
    assert needed.message == "lost.py: the merge has it not, but user.py:1 imports it (import pkg.lost)"
    assert kinds([other]) == [("deleted-by-merge", b"other.txt", "restore it, unless somebody says why it went")]


@pytest.mark.parametrize("needed", [False, True])
def test_what_a_side_deleted_comes_back(tmp_path: Path, *, needed: bool) -> None:
    base: Files = {"pkg/back.py": "back\n", "z": "1\n"}
    merged: Files = {"pkg/back.py": "back\n"}
    ours: Files = {"user.py": "import pkg.back\n"} if needed else {"a": "1\n"}
    with task_of(tmp_path, base, ours, {"b": "1\n"}, merged, delete=((), ["pkg/back.py"], ())) as task:
        (one,) = findings_of(deleted, task)
    verdict = "ask source what takes its place" if needed else "delete it, as source did"
    assert kinds([one]) == [("brought-back", b"pkg/back.py", verdict)]
    assert ("user.py:1 imports it" in one.message) is needed


PATHS = (b"a.py", b"a.ts", b"a.vue", b"A.java", b"a.php", b"a.c", b"a.go", b"a.rb", b"a.rs", b"a")
CONTENTS = st.binary(max_size=200) | st.text("from import .(),\\\n\t'\"#use;a", max_size=60).map(str.encode)


@given(st.sampled_from(PATHS), CONTENTS)
def test_any_bytes_are_read(path: bytes, content: bytes) -> None:
    lines = content.count(b"\n") + 1
    for one in imports(path, content):
        assert 1 <= one.line <= lines
        assert one.force in Force
    assert all(stem in path for stem in stems(path))

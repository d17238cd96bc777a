"""A file with an open conflict is told once, and nothing else is said of it."""

from pathlib import Path

from syncline.audit.audit import audit
from testing.audited import task_of

BASE = "import os\n\n\ndef f():\n    return os.sep\n"
OURS = BASE + "\n\ndef ours():\n    return 1\n"
THEIRS = "import os\nimport re\n" + BASE[10:] + "\n\ndef theirs():\n    return re.compile('x')\n"


def test_an_open_file_is_told_and_not_judged(tmp_path: Path) -> None:
    # Lost: the import, and both definitions; doubled: f; all may be what the conflict is about.
    merged = BASE + BASE[11:] + "<<<<<<< dev\n\n\ndef ours(:\n=======\n>>>>>>> main\n"
    with task_of(tmp_path, {"a.py": BASE}, {"a.py": OURS}, {"a.py": THEIRS}, {"a.py": merged}) as task:
        found = audit(task, only={"markers", "compiles", "dropped", "doubled", "by-hand", "endings"}).findings
    assert [(finding.kind, finding.path) for finding in found] == [("conflict-markers", b"a.py")]


def test_it_is_judged_once_it_is_settled(tmp_path: Path) -> None:
    merged = BASE + BASE[11:]
    with task_of(tmp_path, {"a.py": BASE}, {"a.py": OURS}, {"a.py": THEIRS}, {"a.py": merged}) as task:
        kinds = {finding.kind for finding in audit(task, only={"markers", "dropped", "doubled"}).findings}
    assert "conflict-markers" not in kinds
    assert len(kinds) > 1


def test_another_file_is_judged_beside_it(tmp_path: Path) -> None:
    open_file = "<<<<<<< dev\na\n=======\nb\n>>>>>>> main\n"
    files = {"a.py": BASE, "b.txt": "x\n"}
    with task_of(
        tmp_path, files, {"a.py": OURS, "b.txt": "a\n"}, {"a.py": THEIRS, "b.txt": "b\n"},
        {"a.py": BASE, "b.txt": open_file},
    ) as task:  # fmt: skip
        found = audit(task, only={"markers", "dropped"}).findings
    assert {finding.path for finding in found} == {b"a.py", b"b.txt"}

from pathlib import Path

import pytest

from syncline.audit.files.symlinks import broken_links
from testing.audited import findings_of, task_of
from testing.content import Submodule, Symlink


def test_links_that_lead_nowhere_in_the_merge_only(tmp_path: Path) -> None:
    base = {
        "lib/a.py": "a\n", "lib/b.py": "b\n", "docs/x": "x\n", "dead": Symlink("nothing"),
        "sub": Submodule("1" * 40), "moved": Symlink("lib/b.py"),
    }  # fmt: skip
    theirs = {
        "current": Symlink("lib/a.py"), "docs/up": Symlink("../lib/a.py"), "whole": Symlink("lib"),
        "here": Symlink("."), "out": Symlink("../../elsewhere"), "root": Symlink("/etc/hosts"),
        "into-sub": Symlink("sub/file"), "through": Symlink("whole/a.py"),
        "fine": Symlink("docs/x"), "also-dead": Symlink("nothing"),
    }  # fmt: skip
    ours = {"ours.txt": "1\n"}
    merged = {"moved": Symlink("docs/x")}
    delete = (["lib/a.py"], [], [])
    with task_of(tmp_path, base, ours, theirs, merged, delete=delete) as task:
        found = findings_of(broken_links, task)
    assert [(one.kind, one.path, one.side, one.text) for one in found] == [
        ("dangling-link", b"current", "theirs", ("lib/a.py",)),
        ("dangling-link", b"docs/up", "theirs", ("lib/a.py",)),
        ("link-changed", b"moved", "", ("docs/x",)),
    ]


@pytest.mark.parametrize("deleted", ["target.txt", "other.txt"])
def test_a_link_nobody_touched_loses_what_the_merge_deleted(tmp_path: Path, deleted: str) -> None:
    base = {"target.txt": "target\n", "other.txt": "other\n", "link": Symlink("target.txt")}
    delete = ([], [], [deleted])
    with task_of(tmp_path, base, {"a": "1\n"}, {"b": "1\n"}, {}, delete=delete) as task:
        found = findings_of(broken_links, task)
    assert [(one.path, one.message) for one in found] == (
        [(b"link", "it points to target.txt, which target and source have and the merge has not")]
        if deleted == "target.txt"
        else []
    )

from pathlib import Path

from syncline.audit.files.modes import wrong_modes
from syncline.audit.finding import Severity
from testing.audited import findings_of, task_of
from testing.content import Chmod, File, Symlink

RUN = File("exit 0\n", executable=True)
PLAIN = "exit 0\n"


def test_modes_are_merged_three_way(tmp_path: Path) -> None:
    base = dict.fromkeys(("lost", "added", "kept", "both-lost", "to-link", "link-other"), PLAIN) | {
        "link": Symlink("kept"),
        "side-made-file": Symlink("kept"),
    }
    ours = {"lost": Chmod(executable=True), "both-lost": RUN, "new": RUN, "new-lost": RUN, "kept": "other\n"}
    theirs = {"kept": Chmod(executable=True), "both-lost": RUN, "side-made-file": "text\n", "clash": Symlink("a")}
    merged = {
        "lost": PLAIN, "added": RUN, "kept": File("other\n", executable=True), "both-lost": PLAIN,
        "new-lost": PLAIN, "to-link": Symlink("kept"), "link": "kept", "clash": "a", "by-hand": RUN,
    }  # fmt: skip
    with task_of(tmp_path, base, ours | {"clash": "a\n"}, theirs, merged) as task:
        found = findings_of(wrong_modes, task)
    assert {(one.path.decode(), one.kind, one.side, one.text) for one in found} == {
        ("lost", "executable-bit", "ours", ("executable bit lost",)),
        ("added", "executable-bit", "", ("executable bit added",)),
        ("both-lost", "executable-bit", "", ("executable bit lost",)),
        ("new-lost", "executable-bit", "ours", ("executable bit lost",)),
        ("to-link", "kind-changed", "", ("a file -> a symbolic link",)),
        ("link", "kind-changed", "", ("a symbolic link -> a file",)),
    }
    assert {one.severity for one in found} == {Severity.FIX}
    lost = next(one for one in found if one.path == b"lost")
    assert lost.message == "it is not executable in the merge, target has it so"
    assert lost.suggestion == "git update-index --chmod=+x -- lost"

from pathlib import Path

from syncline.audit.files.sizes import too_large
from syncline.config.models import AuditSettings, Lane
from testing.audited import findings_of, task_of


def test_files_that_only_the_merge_made_too_large(tmp_path: Path) -> None:
    lane = Lane(name="nightly", source="main", target="dev", audit=AuditSettings(largest_file=100))
    base = {"grown": "1\n", "was": "x" * 200, "within": "1\n"}
    ours = {"grown": "2\n", "was": "x" * 300, "within": "2\n", "ours": "x" * 500}
    theirs = {"grown": "3\n", "was": "x" * 250, "within": "3\n"}
    merged = {"grown": "x" * 101, "was": "x" * 290, "within": "x" * 100, "by-hand": "y" * 101}
    with task_of(tmp_path, base, ours, theirs, merged, lane=lane) as task:
        found = findings_of(too_large, task)
    assert [(one.path, one.message) for one in found] == [
        (b"by-hand", "it has 101 bytes in the merge, 0 at most on a side, 100 are allowed"),
        (b"grown", "it has 101 bytes in the merge, 2 at most on a side, 100 are allowed"),
    ]

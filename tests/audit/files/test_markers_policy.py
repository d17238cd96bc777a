from pathlib import Path

from syncline.audit.markers import leftover_markers
from syncline.audit.policy import broken_promises
from syncline.config.models import CoupledSet, Lane, PathRule
from testing.audited import findings_of, task_of

MARKED = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n"


def test_markers_left_whole_and_by_half(tmp_path: Path) -> None:
    names = ("whole", "half", "none", "had", "title")
    base = dict.fromkeys(names, "0\n")
    ours = dict.fromkeys(names, "1\n") | {"had": MARKED}
    theirs = dict.fromkeys(names, "2\n")
    merged = {
        "whole": "top\n" + MARKED, "half": "1\n2\n>>>>>>> topic\n", "none": "12\n", "had": MARKED + "2\n",
        "title": "Title\n=======\n",
    }  # fmt: skip
    with task_of(tmp_path, base, ours, theirs, merged) as task:
        found = findings_of(leftover_markers, task)
    assert [(one.path, one.line, one.message) for one in found] == [
        (b"half", 3, "a conflict was settled by half: a marker is left that no side has"),
        (b"whole", 2, "conflict markers are left in the file"),
    ]


def test_the_lanes_promises(tmp_path: Path) -> None:
    lane = Lane(
        name="nightly", source="main", target="dev",
        paths=(PathRule(match=("CODEOWNERS",), take="protect", line=4),),
        coupled=(CoupledSet(name="lock", paths=("toml", "lock"), take="together", line=6),),
    )  # fmt: skip
    base = {"CODEOWNERS": "1\n", "toml": "1\n", "lock": "1\n"}
    with task_of(tmp_path, base, {"toml": "2\n"}, {"CODEOWNERS": "2\n", "lock": "3\n"}, {}, lane=lane) as task:
        assert [(one.kind, one.path) for one in findings_of(broken_promises, task)] == [
            ("protected-path", b"CODEOWNERS"),
            ("coupled-set-split", b"lock"),
        ]
        task.__dict__["lane"] = None
        assert findings_of(broken_promises, task) == []

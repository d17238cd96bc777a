from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from syncline.audit import audit as runner
from syncline.audit.audit import audit, audits, once_each, together
from syncline.audit.evidence import asks_for
from syncline.audit.finding import Asked, Did, Edit, Finding, Severity
from syncline.audit.task import Answer, Audit, NotRun, Task
from syncline.config.models import AuditSettings, Lane
from syncline.errors import SynclineError
from syncline.merge.model import Side
from testing.audited import task_of

STOP, FIX, LOOK = Severity.STOP, Severity.FIX, Severity.LOOK


def lane(**settings: tuple[str, ...]) -> Lane:
    return Lane(name="nightly", source="main", target="dev", audit=AuditSettings.model_validate(settings))


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Audit]:
    known: dict[str, Audit] = {}
    monkeypatch.setattr(runner, "audits", lambda: known)
    return known


def test_findings_are_sorted_and_what_was_not_done_is_told(tmp_path: Path, registered: dict[str, Audit]) -> None:
    def one(_task: Task) -> Iterator[Answer]:
        yield Finding("k", LOOK, b"a", "look", line=1)
        yield Finding("k", STOP, b"b", "stop", line=9)
        yield NotRun("tool", "it is not installed")

    def broken(_task: Task) -> Iterator[Answer]:
        yield Finding("k", FIX, b"c", "found before it failed")
        raise SynclineError("no such object", hint="fetch it")

    def buggy(_task: Task) -> Iterator[Answer]:
        yield Finding("k", LOOK, b"d", {}["m"])

    registered |= {"one": one, "broken": broken, "buggy": buggy, "skipped": broken}
    with task_of(tmp_path, {"a": "1\n"}, {}, {}, {}, lane=lane(skip=("skipped",))) as task:
        result = audit(task)
    assert [finding.message for finding in result.findings] == [
        "the audit buggy could not be done: a bug in syncline: KeyError: 'm'", "stop", "found before it failed",
        "look",
    ]  # fmt: skip
    assert result.not_run == (
        NotRun("tool", "it is not installed"),
        NotRun("broken", "no such object (fetch it)"),
        NotRun("buggy", "a bug in syncline: KeyError: 'm'"),
    )
    assert list(result.seconds) == ["one", "broken", "buggy", "evidence"]


def test_ignored_files_and_audits_not_asked_for_are_left_out(tmp_path: Path, registered: dict[str, Audit]) -> None:
    registered |= {
        "one": lambda _task: iter([Finding("k", LOOK, b"vendor/a", "m"), Finding("k", LOOK, b"src/a", "m")]),
        "two": lambda _task: iter([Finding("two", LOOK, b"src/b", "m")]),
    }
    with task_of(tmp_path, {"a": "1\n"}, {}, {}, {}, lane=lane(ignore=("vendor/",))) as task:
        assert [finding.path for finding in audit(task, only=["one"]).findings] == [b"src/a"]


def test_one_fault_that_two_audits_see_is_one_finding() -> None:
    ask = Asked(Side.OURS, b"a.py", b"name", Did.ADDED, "added it")
    edit = Edit(b"a.py", 0, 0, (b"import name\n",))
    lost = Finding("dropped", FIX, b"a.py", "the import is gone", symbol="name", side="ours",
                   text=("import name",), asks=(ask,), edits=(edit,), suggestion="put it back")  # fmt: skip
    undefined = Finding("undefined-name", STOP, b"a.py", "name is not defined", line=4, symbol="name")
    elsewhere = Finding("undefined-name", STOP, b"b.py", "name is not defined", symbol="name")
    nameless = Finding("k", LOOK, b"a.py", "one"), Finding("k", LOOK, b"a.py", "two", text=("2",))
    again = replace(undefined, line=9)
    found = once_each([lost, *nameless, undefined, elsewhere, undefined, again])
    assert len(found) == len({finding.id for finding in found}) == 5
    assert next(finding for finding in found if finding.line == 9).nth == 1
    first = next(finding for finding in found if finding.id == undefined.id)
    assert (first.severity, first.line, first.text, first.asks, first.edits) == (
        STOP, 4, ("import name",), (ask,), (edit,),
    )  # fmt: skip


def test_the_commits_behind_a_finding_are_found(tmp_path: Path, registered: dict[str, Audit]) -> None:
    registered["one"] = lambda _task: iter([
        Finding("k", LOOK, b"a.py", "m", asks=(
            *asks_for(Side.OURS, b"a.py", [b"mine"], Did.ADDED, "added it"),
            Asked(Side.THEIRS, b"a.py", b"old", Did.REMOVED, "removed it"),
            Asked(Side.THEIRS, b"a.py", b"mine", Did.ADDED, "never did"),
            Asked(Side.OURS, b"other.py", b"mine", Did.ADDED, "never did"),
        ))
    ])  # fmt: skip
    with task_of(tmp_path, {"a.py": "old\n"}, {"a.py": "old\nmine\n"}, {"a.py": "minestrone\n"}, {}) as task:
        (finding,) = audit(task).findings
        assert [(item.sha, item.why) for item in finding.evidence] == [
            (task.trees.ours, "added it: ours (#1)"),
            (task.trees.theirs, "removed it: theirs (#2)"),
        ]
        assert finding.asks == ()


def test_audits_in_groups_say_what_they_say_at_once(tmp_path: Path) -> None:
    base = "import os\nimport re\n\n\ndef f(a):\n    return os.sep, re.I, a\n"
    ours = base + "\n\ndef g():\n    return f(1)\n"
    theirs = base.replace("def f(a)", "def f(a, b)") + "\n\ndef h():\n    return f(1, 2)\n"
    merged = "import os\n\n\ndef f(a):\n    return os.sep, re.I, a\n\n\ndef h():\n    return f(1, 2)\n" * 2
    with task_of(tmp_path, {"a.py": base}, {"a.py": ours}, {"a.py": theirs}, {"a.py": merged}) as task:
        names = sorted(audits().keys() - {"fits"})
        whole = audit(task, only=names)
        for at in range(len(names)):
            parts = [audit(task, only=names[:at]), audit(task, only=names[at:])]
            assert together(parts).findings == whole.findings
    assert len(whole.findings) > 2


def test_of_what_waits_for_people_nothing_is_said(tmp_path: Path) -> None:
    base = {"a.py": "def f():\n    return 1\n", "b.py": "def g():\n    return 1\n"}
    more = "\n\ndef {}():\n    return 2\n"
    ours = {path: text + more.format("ours") for path, text in base.items()}
    theirs = {path: text + more.format("theirs") for path, text in base.items()}
    with task_of(tmp_path, base, ours, theirs, base) as task:
        assert {finding.path for finding in audit(task, only={"dropped"}).findings} == {b"a.py", b"b.py"}
        waiting = Task(task.trees, None, frozenset([b"a.py"]))
        assert {finding.path for finding in audit(waiting, only={"dropped"}).findings} == {b"b.py"}

"""Checkers that people configured: those that work, and those that crash, hang, talk nonsense or are not there."""

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from syncline.audit.finding import Finding, Severity
from syncline.audit.fits import said
from syncline.audit.fits.fits import fits
from syncline.audit.task import Answer, NotRun, Task
from syncline.config.models import AuditSettings, Checker, Lane
from testing.audited import task_of

# Says of each word USE in a .go file that nothing DEFs it.
GREP = r"""
import json, pathlib, re, sys
top = pathlib.Path(sys.argv[1])
files = {path: path.read_text() for path in sorted(top.rglob("*.go"))}
known = {name for text in files.values() for name in re.findall(r"DEF (\w+)", text)}
found = [
    {"path": str(path), "rule": "undefined", "message": f"no `{name}` in {path}", "line": number}
    for path, text in files.items()
    for number, line in enumerate(text.splitlines(), 1)
    for name in re.findall(r"USE (\w+)", line)
    if name not in known
]
print("chatter", file=sys.stderr)
print(json.dumps(found))
sys.exit(bool(found))
"""
BASE = {"a.go": "DEF f\n", "b.go": "\n", "notes.txt": "1\n"}
RENAMED = {"a.go": "DEF g\n"}
USES = {"b.go": "\nUSE f\n"}


def checker(script: str, *, arguments: tuple[str, ...] = ("{tree}",), **more: Any) -> Checker:
    told: dict[str, Any] = {"name": "grep", "match": ("*.go",), "format": "json", "timeout": 60.0, **more}
    return Checker(command=(sys.executable, "-c", script, *arguments), **told)


@contextmanager
def merge(place: Path, *checkers: Checker, skip: tuple[str, ...] = ()) -> Generator[Task]:
    audit = AuditSettings(checkers=checkers, skip=skip)
    lane = Lane(name="nightly", source="main", target="dev", audit=audit)
    with task_of(place, BASE, RENAMED, USES, {}, lane=lane) as task:
        yield task


def answers(place: Path, *checkers: Checker, skip: tuple[str, ...] = ()) -> list[Answer]:
    with merge(place, *checkers, skip=skip) as task:
        return list(fits(task))


def why(place: Path, *checkers: Checker) -> str:
    (answer,) = answers(place, *checkers)
    assert isinstance(answer, NotRun)
    assert answer.name == "grep"
    return answer.why


def test_what_is_wrong_in_the_merge_alone_is_told(tmp_path: Path) -> None:
    (found,) = answers(tmp_path, checker(GREP))
    assert isinstance(found, Finding)
    assert (found.kind, found.severity, found.path, found.line, found.symbol) == (
        "checker-grep", Severity.FIX, b"b.go", 2, "f",
    )  # fmt: skip
    assert found.text == ("USE f",)
    assert found.message == (
        "grep says of the merge and of neither side: no `f` in b.go (undefined); "
        "the line is source's, where it fits"
    )


def test_only_the_rules_that_count(tmp_path: Path) -> None:
    assert answers(tmp_path, checker(GREP, rules=("other", "undef"))) == []


def test_a_checker_may_be_skipped(tmp_path: Path) -> None:
    assert answers(tmp_path, checker(GREP), skip=("grep",)) == []


def test_a_checker_without_a_change_in_what_it_reads_does_not_run(tmp_path: Path) -> None:
    assert answers(tmp_path, checker("raise SystemExit(9)", match=("*.rs",))) == []
    assert answers(tmp_path / "2", checker("raise SystemExit(9)", match=("*.txt",))) == []


@pytest.mark.parametrize(
    ("script", "form", "words"),
    [
        ("import os; os.abort()", "json", "killed by SIGABRT"),
        (
            "raise SystemExit('no such option')",
            "json",
            "what it printed is no json: .* (exit code 1: no such option)",
        ),
        ("print('hello')", "json", "what it printed is no json"),
        ("print('hello')", "sarif", "what it printed is no sarif"),
        ("import sys; print('usage: ...'); sys.exit(2)", "lines", "named no file of the tree: exit code 2"),
        ("import sys; print('[]'); sys.exit(3)", "json", "named no file of the tree: exit code 3"),
    ],
)
def test_a_checker_that_fails_is_told(tmp_path: Path, script: str, form: str, words: str) -> None:
    told = why(tmp_path, checker(script, format=form))
    assert all(part in told for part in words.split(" .* "))


def test_a_checker_that_fails_on_one_side_only_is_told(tmp_path: Path) -> None:
    fails = "import os, sys\nif 'DEF f' in open(sys.argv[1] + '/a.go').read(): os.abort()\n" + GREP
    assert "SIGABRT" in why(tmp_path, checker(fails))


def test_a_checker_that_hangs_is_stopped(tmp_path: Path) -> None:
    assert "over its time limit of 1 s" in why(tmp_path, checker("import time; time.sleep(600)", timeout=1.0))


def test_a_checker_that_never_stops_talking_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(said, "MOST_PRINTED", 1 << 20)
    assert why(tmp_path, checker("while True: print('x' * 1000)")) == "printed more than 1 MiB"


def test_a_checker_that_is_not_installed_is_told(tmp_path: Path) -> None:
    missing = checker("").model_copy(update={"command": ("no-such-checker-anywhere", "{tree}")})
    assert "could not be started: no-such-checker-anywhere" in why(tmp_path, missing)


def test_one_that_fails_does_not_silence_the_others(tmp_path: Path) -> None:
    found = answers(tmp_path, checker("raise SystemExit(9)", name="broken"), checker(GREP))
    assert [type(answer) for answer in found] == [NotRun, Finding]


def test_a_checker_may_spoil_its_tree(tmp_path: Path) -> None:
    spoils = GREP + "\nimport os\nfor path in top.rglob('*.go'): path.unlink()\nos.mkdir(top / 'a.go')\n"
    spoils = spoils.replace("sys.exit(bool(found))", "")
    first, second = answers(tmp_path, checker(spoils), checker(GREP, name="second"))
    assert isinstance(first, Finding)
    assert isinstance(second, Finding)


def test_answers_are_kept(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    counts = f"open({str(runs)!r}, 'a').write('x')\n" + GREP
    with merge(tmp_path, checker(counts)) as task:
        first = list(fits(task))
        assert runs.read_text() == "xxx"
        assert list(fits(task)) == first
        assert runs.read_text() == "xxx"
        shelf = task.trees.repository.state_dir / "cache" / "checks"
        for kept in shelf.iterdir():
            kept.write_bytes(b"damaged")
        assert list(fits(task)) == first
        assert runs.read_text() == "xxxxxx"


def test_few_answers_are_kept_and_none_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(said, "MOST_KEPT", 2)
    with merge(tmp_path, checker(GREP)) as task:
        first = list(fits(task))
        shelf = task.trees.repository.state_dir / "cache" / "checks"
        assert len(list(shelf.iterdir())) == 2
        assert all(json.loads(said.zlib.decompress(kept.read_bytes())) == [] for kept in shelf.iterdir())
        for kept in shelf.iterdir():
            kept.unlink()
        shelf.rmdir()
        shelf.touch()  # nothing can be kept there
        assert list(fits(task)) == first


@pytest.mark.parametrize(
    "path", ["not/there.go", "https:/evil/x", "../outside.go", "/etc/passwd", "\\ud800.go"], ids=ascii
)
def test_a_file_that_is_not_in_the_tree_is_no_finding(tmp_path: Path, path: str) -> None:
    script = f'print(\'[{{"path": "{path}", "rule": "r", "message": "m", "line": 1}}]\')'
    told = answers(tmp_path, checker(script))
    assert all(isinstance(answer, NotRun) for answer in told), told


@pytest.mark.parametrize("instead", ["os.mkfifo(where)", "os.symlink('/etc/passwd', where)", "os.mkdir(where)"])
def test_what_is_put_in_the_place_of_what_was_printed_is_not_read(tmp_path: Path, instead: str) -> None:
    script = f"import os, sys; where = sys.argv[1] + '/../printed'; os.unlink(where); {instead}"
    assert "what it printed" in why(tmp_path, checker(script))

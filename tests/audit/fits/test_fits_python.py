"""Merges whose sides are right and which are wrong themselves, told by the real checkers."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from syncline.audit.evidence import with_evidence
from syncline.audit.finding import Edit, Finding, Severity
from syncline.audit.fits import fits as module
from syncline.audit.fits.fits import fits
from syncline.audit.fits.tool import find_program
from syncline.audit.task import NotRun
from syncline.config.models import AuditSettings, Lane
from testing.audited import findings_of, task_of

Texts = Mapping[str, str]

CORE = """\
class Engine:
    def __init__(self, size):
        self.size = size

    def start(self, speed):
        return speed * self.size

    def stop(self):
        return 0


def build(size):
    return Engine(size)


def report(engine, depth):
    return engine, depth
"""
IMPORTS = """\
import json
import re


def read(text):
    return json.loads(text)
"""
USER = """\
from pkg.core import Engine, build, report


def run():
    engine = build(3)
    return engine.start(2)
"""
BASE: Texts = {
    "pkg/__init__.py": "",
    "pkg/core.py": CORE,
    "pkg/user.py": USER,
    "pkg/reader.py": IMPORTS,
    "pkg/old.py": "x = 1\n",
}

# One side renames a method, grows a signature, drops a parameter, drops an import and removes a module ...
RENAMES: Texts = {
    "pkg/core.py": CORE.replace("def stop", "def halt")
    .replace("def build(size):", "def build(size, color):")
    .replace("def report(engine, depth):\n    return engine, depth", "def report(engine):\n    return engine"),
    "pkg/reader.py": IMPORTS.replace("import re\n", ""),
}
# ... and the other one uses what it knows.
USES: Texts = {
    "pkg/user.py": USER
    + "\n\ndef end(engine: Engine):\n    build(4)\n    report(engine, depth=2)\n    engine.stop()\n",
    "pkg/reader.py": IMPORTS + "\n\ndef split(text):\n    return re.split(' ', text)\n",
    "pkg/late.py": "import pkg.old\nfrom pkg.old import x\n\nprint(pkg.old.x, x)\n",
    "tests/test_user.py": "from pkg.core import build\n\n\ndef test_build():\n    build(1)\n",
}
BOTH: Texts = {
    "pkg/reader.py": RENAMES["pkg/reader.py"] + USES["pkg/reader.py"].removeprefix(IMPORTS),
}
EXPECTED = {
    ("call-mismatch", b"pkg/user.py", "build", Severity.STOP),
    ("call-mismatch", b"pkg/user.py", "depth", Severity.STOP),
    ("missing-attribute", b"pkg/user.py", "stop", Severity.STOP),
    ("undefined-name", b"pkg/reader.py", "re", Severity.STOP),
    ("missing-import", b"pkg/late.py", "old", Severity.STOP),
    ("call-mismatch", b"tests/test_user.py", "build", Severity.FIX),
}


def told(findings: list[Finding]) -> set[tuple[str, bytes, str, Severity]]:
    return {(one.kind, one.path, one.symbol, one.severity) for one in findings}


def lane(*skip: str) -> Lane:
    return Lane(name="nightly", source="main", target="dev", audit=AuditSettings(skip=skip))


@pytest.mark.parametrize("renamed_by", ["target", "source"])
@pytest.mark.parametrize("checker", ["pyrefly", "ty"])
def test_a_definition_from_one_side_and_its_use_from_the_other(
    tmp_path: Path, renamed_by: str, checker: str
) -> None:
    ours, theirs = (RENAMES, USES) if renamed_by == "target" else (USES, RENAMES)
    gone = (["pkg/old.py"], []) if renamed_by == "target" else ([], ["pkg/old.py"])
    settings = lane("ty" if checker == "pyrefly" else "pyrefly")
    with task_of(tmp_path, BASE, ours, theirs, BOTH, delete=(*gone, []), lane=settings) as task:
        findings = with_evidence(task.trees, findings_of(fits, task))
    found = told(findings)
    # ty does not follow what `build` and `engine` are as far, and names a module by its import alone.
    assert found >= EXPECTED if checker == "pyrefly" else len(found & EXPECTED) >= len(EXPECTED) - 1
    assert {path for _, path, _, _ in found} == {path for _, path, _, _ in EXPECTED}
    user = "source" if renamed_by == "target" else "target"
    by_symbol = {(one.path, one.symbol): one for one in findings}
    build = by_symbol[b"pkg/user.py", "build"]
    assert build.message == (
        f"`build` is called in `end` (line 10) without `color`; the line is {user}'s, where it fits"
    )
    assert build.line == 10
    assert build.text == ("build(4)",)
    assert [item.why.partition(":")[0] for item in build.evidence] == ["added `build`", "added parameter `color`"]
    assert {item.why.partition(": ")[2] for item in build.evidence} == {"ours (#1)", "theirs (#2)"}
    stop = by_symbol[b"pkg/user.py", "stop"]
    assert [item.why.partition(":")[0] for item in stop.evidence] == ["added `stop`", "removed `stop`"]
    imported = by_symbol[b"pkg/reader.py", "re"]
    assert imported.message.startswith("`re` is used in `split` (line 9), and nothing defines it there")
    assert imported.suggestion == f"put back `import re`, as {user} has it"
    assert imported.edits == (Edit(b"pkg/reader.py", 1, 1, (b"import re\n",)),)


@pytest.mark.parametrize("marked", [True, False])
def test_what_hangs_on_an_open_conflict_waits_as_it_does(tmp_path: Path, *, marked: bool) -> None:
    """Held at one side, or with markers behind which no checker reads on: the definitions may still come."""
    held = RENAMES["pkg/core.py"]
    core = f"<<<<<<< ours\n{held}=======\n{CORE}>>>>>>> theirs\n" if marked else held + "# kept\n"
    open_paths = frozenset() if marked else frozenset({b"pkg/core.py"})
    merged = {**BOTH, "pkg/core.py": core}
    with task_of(tmp_path, BASE, RENAMES, USES, merged, delete=(["pkg/old.py"], [], [])) as task:
        found = told(findings_of(fits, replace(task, waiting=open_paths)))
    assert {(kind, path) for kind, path, _, _ in found} == {
        ("undefined-name", b"pkg/reader.py"),
        ("missing-import", b"pkg/late.py"),
    }


FRAMEWORK = """\
import frame.work as fw


class Layer(fw.Base):
    def setup(self):
        self.size = self.given_by_the_base()

    def scale(self):
        return 2

    def forward(self):
        return self.size
"""


@pytest.mark.parametrize("checker", ["pyrefly", "ty"])
def test_a_class_of_an_unknown_framework_knows_what_it_lost(tmp_path: Path, checker: str) -> None:
    theirs = FRAMEWORK.replace("return self.size\n", "return self.size * self.scale()\n")
    ours = FRAMEWORK.replace("    def scale(self):\n        return 2\n\n", "")
    merged = ours.replace("return self.size\n", "return self.size * self.scale()\n")
    files = ({"layer.py": text} for text in (FRAMEWORK, ours, theirs, merged))
    with task_of(tmp_path, *files, lane=lane("ty" if checker == "pyrefly" else "pyrefly")) as task:
        (found,) = findings_of(fits, task)
    assert (found.kind, found.symbol, found.line) == ("missing-attribute", "scale", 9)


def test_several_missing_arguments_are_one_finding(tmp_path: Path) -> None:
    grown = {"pkg/core.py": CORE.replace("def build(size):", "def build(size, a, b, *, c):")}
    used = {"pkg/more.py": "from pkg.core import build\n\nbuild(1)\nbuild(2)\n"}
    with task_of(tmp_path, BASE, grown, used, {"pkg/user.py": "\n"}) as task:
        (found,) = findings_of(fits, task)
    assert found.message.startswith("`build` is called (lines 3, 4) without `a`, `b`, `c`; ")
    assert found.line == 3


def test_an_import_block_that_is_there_twice_is_one_finding(tmp_path: Path) -> None:
    block = "from a import one\nfrom b import two\nimport os\n"
    names = "\nprint(one, two, os)\n"
    base = {"m.py": names}
    with task_of(
        tmp_path, base, {"m.py": block + names}, {"m.py": names + "x = 1\n"}, {"m.py": block * 2 + names}
    ) as task:
        (found,) = findings_of(fits, task)
    assert (found.kind, found.severity, found.symbol) == ("doubled-import", Severity.FIX, "one")
    assert found.message == (
        "`one`, `two`, `os` are imported a second time in lines 4, 5, 6: both sides' imports were kept"
    )


def test_faults_that_a_side_has_are_not_told(tmp_path: Path) -> None:
    base = {"a.py": "x = 1\n", "b.py": "y = 1\n", "c.py": "z = 1\n"}
    ours = {"a.py": "x = 1\nprint(gone)\n", "c.py": "z = 1\nz.gone\nprint(lost)\n"}
    theirs = {"b.py": "y = 1\nprint(gone)\n", "c.py": "print(lost, 2)\nz = 1\n"}
    merged = {"c.py": "print(lost, 2)\nz = 1\nz.gone\nprint(lost)\n"}
    with task_of(tmp_path, base, ours, theirs, merged) as task:
        assert findings_of(fits, task) == []


def test_a_fault_moves_with_its_file(tmp_path: Path) -> None:
    fault = "import os\n\n\ndef f():\n    return gone(os.sep)\n" + "".join(f"a{n} = {n}\n" for n in range(20))
    base = {"old.py": fault, "b.py": "y = 1\n"}
    with task_of(tmp_path, base, {"new.py": fault}, {"b.py": "y = 2\n"}, {}, delete=(["old.py"], [], [])) as task:
        assert findings_of(fits, task) == []


def test_what_is_as_one_side_has_it_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr("syncline.audit.fits.said.run_sealed", never)
    base = {"a.py": "x = 1\n", "b.txt": "1\n"}
    with task_of(tmp_path, base, {"a.py": "x = 2\n"}, {"b.txt": "2\n"}, {}) as task:
        assert findings_of(fits, task) == []


def test_without_python_nothing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_program", lambda _name: None)
    with task_of(tmp_path, {"a.txt": "1\n"}, {"a.txt": "2\n"}, {"b.txt": "2\n"}, {}) as task:
        assert findings_of(fits, task) == []


def test_programs_that_are_not_installed_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_program", lambda _name: None)
    with task_of(tmp_path, {"a.py": "1\n"}, {"a.py": "2\n"}, {"b.py": "2\n"}, {}) as task:
        answers = list(fits(task))
    assert [(type(answer), getattr(answer, "name", "")) for answer in answers] == [
        (NotRun, "pyrefly"),
        (NotRun, "ruff"),
    ]
    assert all("not installed" in answer.why for answer in answers if isinstance(answer, NotRun))


def test_ty_stands_in_where_pyrefly_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_program", lambda name: None if name == "pyrefly" else find_program(name))
    with task_of(tmp_path, BASE, RENAMES, USES, BOTH, lane=lane("ruff")) as task:
        findings = findings_of(fits, task)
    assert ("undefined-name", b"pkg/reader.py", "re", Severity.STOP) in told(findings)


def test_all_may_be_skipped(tmp_path: Path) -> None:
    with task_of(tmp_path, BASE, RENAMES, USES, BOTH, lane=lane("ruff", "ty", "pyrefly")) as task:
        assert findings_of(fits, task) == []


def test_ignored_files_are_not_told_of(tmp_path: Path) -> None:
    settings = lane().model_copy(update={"audit": AuditSettings(ignore=("pkg/user.py", "/tests/", "pkg/late.py"))})
    with task_of(tmp_path, BASE, RENAMES, USES, BOTH, lane=settings) as task:
        assert {one.path for one in findings_of(fits, task)} == {b"pkg/reader.py"}


def test_odd_files_are_no_trouble(tmp_path: Path) -> None:
    odd = {
        "broken.py": "def f(:\n",
        "latin.py": b"# \xe9\nx = 1\n",
        "nul.py": b"x = 1\0\n",
        "new\nline.py": "print(gone)\n",
        "pyrefly.toml": "nonsense [\n",
        "pyproject.toml": "[tool.pyrefly]\nproject-includes = []\n[tool.ruff.lint]\nignore = ['ALL']\n",
        ".gitignore": "*\n",
        "src/lib/__init__.py": "",
        "src/lib/made.py": "def f(): ...\n",
    }
    base = {**BASE, **odd}
    uses = {**USES, "src/lib/use.py": "import lib.made\n\nlib.made.f()\n"}
    with task_of(tmp_path, base, {**RENAMES, "src/lib/made.py": "def f(a): ...\n"}, uses, BOTH) as task:
        findings = findings_of(fits, task)
    assert told(findings) >= EXPECTED - {("missing-import", b"pkg/late.py", "old", Severity.STOP)}
    assert ("call-mismatch", b"src/lib/use.py", "f", Severity.STOP) in told(findings)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 2", "exit code 2"),
        ("kill -SEGV $$", "killed by SIGSEGV"),
        ('echo "thread panicked"', "what it printed is no json"),
    ],
)
def test_a_known_checker_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, words: str
) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    monkeypatch.setattr(module, "find_program", lambda _name: str(program))
    with task_of(tmp_path, BASE, RENAMES, USES, BOTH, lane=lane("ruff")) as task:
        (answer,) = fits(task)
    assert isinstance(answer, NotRun)
    assert answer.name == "pyrefly"
    assert words in answer.why


@pytest.mark.parametrize("checker", ["pyrefly", "ty"])
def test_a_comment_on_both_sides_hides_nothing_new(tmp_path: Path, checker: str) -> None:
    base = {
        "a.py": "import os\n\n\ndef f(x):\n    return x\n",
        "b.py": "from a import f\n\nf(1)  # type: ignore  # noqa\n",
    }
    ours = {"a.py": base["a.py"].replace("def f(x)", "def f(x, y)")}
    theirs = {"b.py": base["b.py"] + "f(2)  # type: ignore  # noqa\n"}
    skip = lane("ty" if checker == "pyrefly" else "pyrefly")
    with task_of(tmp_path, base, ours, theirs, {}, lane=skip) as task:
        assert ("call-mismatch", b"b.py", "f", Severity.STOP) in told(findings_of(fits, task))

"""Orders of imports: what fails when it is loaded is told, and playing it through agrees with Python itself."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from syncline.audit.finding import Finding, Severity
from syncline.audit.import_cycles import import_cycles
from syncline.audit.modules.cycles import Graph
from syncline.audit.modules.load_order import _Loading
from testing.audited import findings_of, task_of
from testing.blobs import Files

MANY = "".join(f"line_{number} = {number}\n" for number in range(12))
ALPHA = "from pkg import Zeta\n\n\nclass Alpha(Zeta):\n    pass\n"
ZETA = "class Zeta:\n    pass\n"
WORKS = "from .zeta import Zeta\nfrom .alpha import Alpha\n"
FAILS = "from .alpha import Alpha\nfrom .zeta import Zeta\n"
BASE: Files = {"pkg/alpha.py": ALPHA, "pkg/zeta.py": ZETA, "pkg/__init__.py": f"{WORKS}{MANY}"}
OURS: Files = {"pkg/__init__.py": f"{WORKS}{MANY}ours = 1\n"}
THEIRS: Files = {"pkg/__init__.py": f"theirs = 1\n{WORKS}{MANY}"}


def found(
    place: Path, merged: str, base: Files = BASE, ours: Files = OURS, theirs: Files = THEIRS
) -> list[Finding]:
    with task_of(place, base, ours, theirs, {"pkg/__init__.py": merged}) as task:
        return findings_of(import_cycles, task)


def test_an_order_that_nobody_had_fails(tmp_path: Path) -> None:
    (one,) = found(tmp_path, f"theirs = 1\n{FAILS}{MANY}ours = 1\n")
    assert (one.kind, one.severity, one.path, one.symbol) == (
        "import-order", Severity.FIX, b"pkg/__init__.py", "Zeta",
    )  # fmt: skip
    assert "loading pkg/__init__.py fails: pkg/alpha.py takes Zeta out of pkg/__init__.py before" in one.message
    assert one.text == ("pkg/alpha.py: from pkg import Zeta",)


CAUGHT = "try:\n    from .alpha import Alpha\nexcept ImportError:\n    pass\nfrom .zeta import Zeta\n"
LONGER = "from .zeta import (\n    Zeta,\n)\nfrom .alpha import Alpha\n"
ORDERS_THAT_WORK = {
    "the sides' order": WORKS,
    "in other words": LONGER,
    "caught": CAUGHT,
    "looked up when asked for": f"def __getattr__(name):\n    pass\n\n\n{FAILS}",
}


@pytest.mark.parametrize("merged", ORDERS_THAT_WORK.values(), ids=ORDERS_THAT_WORK)
def test_nothing_is_said_of_what_works(tmp_path: Path, merged: str) -> None:
    assert found(tmp_path, f"theirs = 1\n{merged}{MANY}ours = 1\n") == []


def test_what_fails_on_a_side_too_is_no_new_fault(tmp_path: Path) -> None:
    ours: Files = {"pkg/__init__.py": f"{FAILS}{MANY}ours = 1\n"}
    assert found(tmp_path, f"theirs = 1\n{FAILS}{MANY}ours = 1\n", ours=ours) == []


def package(draw: random.Random) -> dict[str, str]:
    """A package of a few modules that take names out of each other in many ways."""
    names = ["a", "b", "c", "d"]
    files = {}
    for name in (*names, "__init__"):
        lines = []
        for _ in range(draw.randint(0, 3)):
            other = draw.choice([one for one in names if one != name])
            what = draw.choice(["x", "y", "z"])
            ways = [
                f"from .{other} import {what}_{other}",
                f"from PKG.{other} import {what}_{other} as here",
                f"from . import {other}",
                f"import PKG.{other}",
                "pass" if name == "__init__" else f"from . import {what}___init__",
                f"try:\n    from .{other} import {what}_{other}\nexcept ImportError:\n    pass",
                f"def f():\n    from .{other} import {what}_{other}",
            ]
            lines.append(draw.choice(ways))
        own = [f"{what}_{name} = 1" for what in "xyz"]
        rows = [*lines, *own]
        draw.shuffle(rows)
        files[f"{name}.py"] = "\n".join(rows) + "\n"
    return files


LOADS = """
import importlib, json, sys
said = {}
for module in json.loads(sys.argv[1]):
    try:
        importlib.import_module(module)
        said[module] = ""
    except ImportError as error:
        said[module] = "order" if "partially initialized" in str(error) else "other"
    for name in [name for name in sys.modules if name.split(".")[0] == module.split(".")[0]]:
        del sys.modules[name]
print(json.dumps(said))
"""


def test_it_agrees_with_python(tmp_path: Path) -> None:
    draw = random.Random(7)  # noqa: S311 - the same packages each time
    files: dict[str, str] = {}
    starts = []
    for number in range(150):
        name = f"pkg{number}"
        for file, text in package(draw).items():
            files[f"{name}/{file}"] = text.replace("PKG", name)
        starts += [f"{name}.a", f"{name}.b"]
    place = tmp_path / "files"
    for path, text in files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text)
    done = subprocess.run(
        [sys.executable, "-B", "-c", LOADS, json.dumps(starts)], cwd=place, capture_output=True, check=True
    )
    real = json.loads(done.stdout)
    wrong = []
    with task_of(tmp_path, files, {"x": "1\n"}, {"y": "1\n"}, {}) as task:
        graph = Graph(task.trees)
        for start in starts:
            path = start.replace(".", "/").encode() + b".py"
            failure = _Loading(graph, {one.encode() for one in files}).failure(path)
            if (failure is not None) != (real[start] == "order"):
                wrong.append((start, real[start], failure))
    assert {*real.values()} >= {"", "order"}
    assert wrong == []

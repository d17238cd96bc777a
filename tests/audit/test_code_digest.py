"""When a finding's code counts as changed."""

from pathlib import Path

import pytest

from syncline.audit.code_digest import code_digest
from syncline.audit.finding import Finding, Severity
from testing.audited import task_of
from testing.blobs import Files
from testing.content import Symlink

CODE = """\
import os


@cached
def first(a):
    return a


class Box:
    size = 1

    def get(self):
        return self.size
"""


def digest(place: Path, merged: Files, finding: Finding) -> str:
    start: Files = {"start.txt": "1\n"}
    place.mkdir()
    with task_of(place, start, {"o.txt": "1\n"}, {"t.txt": "1\n"}, merged) as task:
        return code_digest(task.trees, finding)


def at(line: int | None, *, path: bytes = b"a.py", symbol: str = "", text: tuple[str, ...] = ()) -> Finding:
    return Finding("kind", Severity.FIX, path, "message", line=line, symbol=symbol, text=text)


SHIFTED = "# new\n\n" + CODE
CASES: dict[str, tuple[Files, Finding, Files, Finding, bool]] = {
    "moved down": ({"a.py": CODE}, at(6), {"a.py": SHIFTED}, at(8), True),
    "another definition changed": (
        {"a.py": CODE}, at(6), {"a.py": CODE.replace("size = 1", "size = 2")}, at(6), True,
    ),
    "its definition changed": (
        {"a.py": CODE}, at(6), {"a.py": CODE.replace("return a\n", "return 2 * a\n")}, at(6), False,
    ),
    "its decorator changed": ({"a.py": CODE}, at(5), {"a.py": CODE.replace("@cached", "@lru")}, at(5), False),
    "white space at the end of a line": (
        {"a.py": CODE}, at(6), {"a.py": CODE.replace("a\n", "a  \n")}, at(6), True,
    ),
    "line breaks of another kind": ({"a.py": CODE}, at(6), {"a.py": CODE.replace("\n", "\r\n")}, at(6), True),
    "a method, its class changed": (
        {"a.py": CODE}, at(13), {"a.py": CODE.replace("size = 1", "size = 2")}, at(13), True,
    ),
    "a class, its field changed": (
        {"a.py": CODE}, at(10), {"a.py": CODE.replace("size = 1", "size = 2")}, at(10), False,
    ),
    "outside of definitions": ({"a.py": CODE}, at(1), {"a.py": CODE.replace("size", "bulk")}, at(1), True),
    "outside, a neighbour changed": ({"a.py": CODE}, at(1), {"a.py": "import re\n" + CODE}, at(2), False),
    "by symbol": ({"a.py": CODE}, at(None, symbol="get"), {"a.py": SHIFTED}, at(None, symbol="get"), True),
    "by symbol, changed": (
        {"a.py": CODE}, at(None, symbol="first"), {"a.py": CODE.replace("return a", "return")},
        at(None, symbol="first"), False,
    ),
    "by symbol, decorated anew": (
        {"a.py": CODE}, at(None, symbol="first"), {"a.py": CODE.replace("@cached", "@lru")},
        at(None, symbol="first"), False,
    ),
    "nothing is there": (
        {"a.py": CODE}, at(None, symbol="gone", text=("def gone(): ...",)), {"a.py": SHIFTED},
        at(None, symbol="gone", text=("def gone(): ...",)), True,
    ),
    "something else was lost": (
        {"a.py": CODE}, at(None, symbol="gone", text=("def gone(): ...",)), {"a.py": CODE},
        at(None, symbol="gone", text=("def gone(a): ...",)), False,
    ),
    "a text": (
        {"a": "1\n2\n3\n4\n5\n6\n"}, at(1, path=b"a"), {"a": "1\n2\n3\n4\n5\n7\n"}, at(1, path=b"a"), True,
    ),
    "a text, changed nearby": (
        {"a": "1\n2\n3\n4\n5\n6\n"}, at(1, path=b"a"), {"a": "1\n2\n0\n4\n5\n6\n"}, at(1, path=b"a"), False,
    ),
    "a line beyond the end": ({"a": "1\n"}, at(99, path=b"a"), {"a": "2\n"}, at(99, path=b"a"), False),
    "no file": ({}, at(None, path=b"x"), {"a": "2\n"}, at(None, path=b"x"), True),
    "a binary file": ({"a": b"\0\1"}, at(None, path=b"a"), {"a": b"\0\2"}, at(None, path=b"a"), False),
    "a link": ({"a": Symlink("b")}, at(None, path=b"a"), {"a": Symlink("c")}, at(None, path=b"a"), False),
    "code that does not parse": ({"a.py": "def (:\n"}, at(1), {"a.py": "def (:\n"}, at(1), True),
    "no UTF-8": ({"a.py": b"x = '\xe9'\n"}, at(1), {"a.py": b"x = '\xe8'\n"}, at(1), False),
    "another path": (
        {"a": "1\n", "b": "1\n"}, at(1, path=b"a"), {"a": "1\n", "b": "1\n"}, at(1, path=b"b"), False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_changes_a_digest(name: str, tmp_path: Path) -> None:
    first, finding, second, again, same = CASES[name]
    one, other = digest(tmp_path / "1", first, finding), digest(tmp_path / "2", second, again)
    assert (one == other) is same


DEFINITIONS = {
    "a.go": ("package a\n\nfunc f() int {\n\treturn 1\n}\n\nfunc g() int {\n\treturn 2\n}\n", 4, 8),
    "a.rs": ("fn f() -> i32 {\n    1\n}\n\nfn g() -> i32 {\n    2\n}\n", 2, 6),
    "a.ts": ("class A {\n  f() {\n    return 1\n  }\n  g() {\n    return 2\n  }\n}\n", 3, 6),
    "a.java": ("class A {\n  int f() {\n    return 1;\n  }\n  int g() {\n    return 2;\n  }\n}\n", 3, 6),
    "a.c": ("int f(void)\n{\n  return 1;\n}\n\nint g(void)\n{\n  return 2;\n}\n", 3, 8),
    "a.rb": ("class A\n  def f\n    1\n  end\n\n  def g\n    2\n  end\nend\n", 3, 7),
    "a.php": (
        "<?php\nclass A {\n  function f() {\n    return 1;\n  }\n  function g() {\n    return 2;\n  }\n}\n",
        4,
        7,
    ),
    "a.kt": ("class A {\n  fun f(): Int {\n    return 1\n  }\n  fun g(): Int {\n    return 2\n  }\n}\n", 3, 6),
}


@pytest.mark.parametrize("path", DEFINITIONS)
def test_functions_of_other_languages_are_apart(path: str, tmp_path: Path) -> None:
    text, line, other = DEFINITIONS[path]
    changed = text.replace(" 2", " 3")
    where = at(line, path=path.encode()), at(other, path=path.encode())
    before = [digest(tmp_path / f"b{number}", {path: text}, finding) for number, finding in enumerate(where)]
    after = [digest(tmp_path / f"a{number}", {path: changed}, finding) for number, finding in enumerate(where)]
    assert before[0] == after[0]
    assert before[1] != after[1]

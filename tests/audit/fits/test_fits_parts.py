"""The parts of the audit that need no checker: words of messages, where modules begin, what a definition lost."""

from pathlib import Path

import pytest

from syncline.audit.fits.definitions import Definitions
from syncline.audit.fits.enclosing import class_of, enclosing, is_tried
from syncline.audit.fits.put_back import import_of, imports_of, place_for_import
from syncline.audit.fits.python_tools import Fault, source_roots
from syncline.audit.fits.stubs import foreign_bases, write_stubs
from syncline.audit.fits.wording import About, about, called
from testing.audited import task_of


@pytest.mark.parametrize(
    ("tool", "rule", "message", "expected"),
    [
        ("pyrefly", "unknown-name", "Could not find name `X`", About(Fault.NAME, "X")),
        ("pyrefly", "unbound-name", "`x` is uninitialized", About(Fault.NAME, "x")),
        ("pyrefly", "unbound-name", "`x` may be uninitialized", None),
        (
            "pyrefly",
            "missing-attribute",
            "Object of class `C` has no attribute `x`",
            About(Fault.ATTRIBUTE, "x", "C"),
        ),
        ("pyrefly", "missing-attribute", "Class `C` has no class attribute `x`", About(Fault.ATTRIBUTE, "x", "C")),
        ("pyrefly", "missing-attribute", "No attribute `x` in module `p.m`", About(Fault.ATTRIBUTE, "x", "p.m")),
        ("pyrefly", "missing-attribute", "Object of class `NoneType` has no attribute `x`", None),
        ("pyrefly", "missing-attribute", "Object of class `str` has no attribute `x`", None),
        ("pyrefly", "missing-attribute", "Object of class `list[int]` has no attribute `x`", None),
        (
            "pyrefly",
            "missing-argument",
            "Missing argument `a` in function `p.m.C.__init__`",
            About(Fault.CALL, "C", "p.m.C.__init__", ("a",), lacks=True),
        ),
        (
            "pyrefly",
            "unexpected-keyword",
            "Unexpected keyword argument `k` in function `p.f`",
            About(Fault.CALL, "k", "p.f", ("k",)),
        ),
        ("pyrefly", "unexpected-keyword", "Unexpected keyword argument `k`", None),
        (
            "pyrefly",
            "bad-argument-count",
            "Expected 9 positional arguments, got 10 in function `p.f`",
            About(Fault.CALL, "f", "p.f"),
        ),
        ("pyrefly", "missing-argument", "Missing argument `a` in function `dict.pop`", None),
        ("pyrefly", "missing-import", "Cannot find module `p.gone`", About(Fault.IMPORT, "gone", "p.gone")),
        (
            "pyrefly",
            "missing-module-attribute",
            "Could not import `x` from `p.m`",
            About(Fault.IMPORT, "x", "p.m"),
        ),
        (
            "ty",
            "missing-argument",
            "No arguments provided for required parameters `a`, `k` of function `f`",
            About(Fault.CALL, "f", "f", ("a", "k"), lacks=True),
        ),
        (
            "ty",
            "unknown-argument",
            "Argument `z` does not match any known parameter of bound method `C.m`",
            About(Fault.CALL, "z", "C.m", ("z",)),
        ),
        (
            "ty",
            "missing-attribute",
            "missing-attribute: Module `p.a` has no member `zip`",
            About(Fault.ATTRIBUTE, "zip", "p.a"),
        ),
        ("ty", "missing-attribute", 'missing-attribute: Object of type `Literal["s"]` has no attribute `x`', None),
        ("ruff", "F811", "Redefinition of unused `x` from line 12", About(Fault.DOUBLED, "x")),
    ],
)
def test_what_a_message_is_about(tool: str, rule: str, message: str, expected: About | None) -> None:
    assert about(tool, rule, message) == expected


def test_what_people_call_a_function() -> None:
    names = ["f", "p.f", "C.__init__", "p.C.__new__", "__init__"]
    assert [called(name) for name in names] == ["f", "f", "C", "C", "__init__"]


@pytest.mark.parametrize(
    ("paths", "roots"),
    [
        (["a.py", "p/__init__.py", "p/q/__init__.py"], ["."]),
        (["src/p/__init__.py", "src/p/a.py"], ["src", "."]),
        (["x/python/p/__init__.py", "src/q/__init__.py"], ["x/python", "src", "."]),
        (["x/setup.py", "x/p/__init__.py"], ["x", "."]),
        (["ns/core/__init__.py"], ["."]),
        (["a/src/p/__init__.py", "b/src/p/__init__.py"], ["."]),
        (['src/"/src/p/__init__.py'], ["."]),
    ],
)
def test_where_modules_begin(paths: list[str], roots: list[str]) -> None:
    assert source_roots([path.encode() for path in paths]) == roots


@pytest.mark.parametrize(
    ("text", "bases"),
    [
        ("import torch.nn as nn\nclass A(nn.Module): ...\n", {"torch.nn.Module"}),
        ("import torch\nclass A(torch.nn.Module, object): ...\n", {"torch.nn.Module"}),
        ("from torch import nn\nclass A(\n    nn.Module,\n    metaclass=M\n): ...\n", {"torch.nn.Module"}),
        ("from lib import (\n    One,  # 1\n    Two as Three,\n)\nclass A(Three): ...\nclass B(One): ...\n",
         {"lib.One", "lib.Two"}),
        ("from .near import One\nfrom . import far\nclass A(One): ...\nclass B(far.Two): ...\n", set()),
        ("import torch\nclass A: ...\nclass B(): ...\nclass C(Local): ...\n", set()),
        ("from lib import Outer\nclass A(Outer.Inner): ...\n", set()),
        ("import lib\nclass A(lib.make(1)): ...\nclass B(lib.Base[int]): ...\n", set()),
    ],
)  # fmt: skip
def test_bases_that_are_imported(text: str, bases: set[str]) -> None:
    assert {".".join(parts) for parts in foreign_bases(text.encode())} == bases


def test_stubs_are_written_for_what_is_not_there(tmp_path: Path) -> None:
    tree, place = tmp_path / "tree", tmp_path / "stubs"
    (tree / "own").mkdir(parents=True)
    (tree / "a.py").write_text(
        "import lib.sub, own.b, enum\nimport lib\n"
        "class A(lib.sub.One): ...\nclass B(own.b.C): ...\nclass C(enum.Enum): ...\nclass D(lib.Two): ...\n"
    )
    (tree / "own" / "b.py").write_text("class C: ...\n")
    write_stubs(tree, [b"a.py", b"own/b.py"], place)
    found = {str(path.relative_to(place)): path.read_text() for path in place.rglob("*.pyi")}
    assert set(found) == {"lib/__init__.pyi", "lib/sub/__init__.pyi"}
    assert "from . import sub as sub\n" in found["lib/__init__.pyi"]
    assert "class Two:" in found["lib/__init__.pyi"]
    assert "class One:" in found["lib/sub/__init__.pyi"]
    write_stubs(tree, [b"own/b.py"], place)
    assert list(place.iterdir()) == []


IMPORTING = """\
import a.b, os as system
from . import near
from ..up import (
    one,
    two as three,
)
if True:
    import hidden
""".splitlines()


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("system", "import os as system"),
        ("a.b", "import a.b"),
        ("near", "from . import near"),
        ("one", "from ..up import one"),
        ("three", "from ..up import two as three"),
        ("two", None),
        ("hidden", None),
        ("os", None),
    ],
)
def test_how_a_name_was_imported(name: str, statement: str | None) -> None:
    found = import_of(imports_of(IMPORTING), name)
    assert (found.statement if found else None) == statement


def test_where_an_import_goes() -> None:
    assert [place_for_import(imports_of(IMPORTING), line) for line in (1, 2, 3, 8, 100)] == [None, 1, 2, 6, 6]
    assert place_for_import(imports_of(["def f(:"]), 1) is None


CODE = """\
class A:
    def f(
        self,
    ):
        # far
# left
        try:
            import x
        except ImportError:
            y = 1
z = 1
""".splitlines()


@pytest.mark.parametrize(
    ("line", "place", "tried"),
    [
        (1, "", False),
        (2, "A", False),
        (5, "A.f", False),
        (8, "A.f", True),
        (10, "A.f", False),
        (11, "", False),
        (99, "", False),
    ],
)
def test_where_a_line_stands(line: int, place: str, tried: bool) -> None:  # noqa: FBT001 - a table
    assert enclosing(CODE, line) == place
    assert is_tried(CODE, line) is tried
    assert class_of(CODE, line) == ("A" if place.startswith("A.") or line == 2 else "")


BASE_CLASS = "class Base:\n    def old(self): ...\n    def kept(self): ...\n"
CLASS = """\
from base import Base

class C(Base):
    def __init__(self, a, b=1):
        self.field = a
    def gone(self): ...

@dataclass
class D:
    one: int
    two: int = 2
    three: int = 3

def f(a: int, *, k): return 1
def same(
    a, b
): return 1
class Small:
    member: int
"""


def test_what_definitions_lost(tmp_path: Path) -> None:
    base = {"p/c.py": CLASS, "base.py": BASE_CLASS, "p/other.py": "x = 1\n"}
    ours = {
        "base.py": BASE_CLASS.replace("old", "new"),
        "p/c.py": CLASS.replace("    def gone(self): ...\n", "")
        .replace("    three: int = 3\n", "")
        .replace("b=1", "b")
        .replace("a: int, *, k", "a, *, k, m=1")
        .replace("    a, b\n", "    a: int,\n    b: int,\n"),
    }
    theirs = {"p/other.py": "x = 2\n", "p/c.py": "# theirs\n" + CLASS}
    merged = {"p/c.py": "# theirs\n" + ours["p/c.py"]}
    with task_of(tmp_path, base, ours, theirs, merged) as task:
        known = Definitions(task.trees, task.trees.files)
        members = {
            (owner, name): known.lost_member(owner, name)
            for owner, name in [
                ("C", "gone"), ("C", "old"), ("C", "kept"), ("C", "field"), ("C", "never"), ("D", "three"),
                ("D", "two"), ("Small", "member"), ("Nowhere", "x"), ("p.c", "C"), ("p.c", "nothing"),
            ]
        }  # fmt: skip
        assert {pair for pair, lost in members.items() if lost} == {("C", "gone"), ("C", "old"), ("D", "three")}
        calls = ["p.c.C.__init__", "p.c.D.__init__", "p.c.f", "f", "p.c.same", "C.gone", "p.other.g", "print"]
        assert [known.other_signature(owner) for owner in calls] == [
            True,
            True,
            True,
            True,
            False,
            False,
            False,
            False,
        ]
        found = known.file_of("p.c.f")
        assert found is not None
        assert found.path == b"p/c.py"
        assert known.file_of("Nowhere") is None
        # Where a conflict is open, nothing is lost yet; what derives from there is as open.
        known = Definitions(task.trees, task.trees.files, open_paths={b"base.py"})
        assert [known.lost_member(*pair) for pair in (("C", "gone"), ("D", "three"))] == [False, True]
        assert known.other_signature("p.c.f")
        assert known.is_open("base")
        known = Definitions(task.trees, task.trees.files, open_paths={b"p/c.py"})
        assert not any(known.other_signature(owner) for owner in calls)

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.audit.doubled import doubled
from syncline.audit.doubled_statements import Statements
from syncline.audit.doubled_units import units_twice
from syncline.audit.finding import Finding, Severity
from syncline.audit.pieces import Piece, new_in
from syncline.merge.hunks import split_lines
from syncline.merge.model import Side
from syncline.merge.text.languages import SUFFIXES, Language
from testing.audited import findings_of, task_of


def found(place: Path, path: str, base: str, ours: str, theirs: str, merged: str) -> list[Finding]:
    with task_of(place, {path: base}, {path: ours}, {path: theirs}, {path: merged}) as task:
        return findings_of(doubled, task)


FIX, LOOK, STOP = Severity.FIX, Severity.LOOK, Severity.STOP
IF = "    if a:\n        b()\n        c()\n"
# path, the file with one or two holes, what stands in them twice, the symbol, how grave
CASES = {
    "a method": ("a.py", "class C:\n{}    def a(self): pass\n{}", "    def f(self): return 1\n", "f", FIX),
    "a function": ("a.py", "{}x = 1\n{}", "def f(a): return a\n", "f", FIX),
    "a field": ("a.py", "class C:\n{}    y: int = 1\n{}", "    x: int = 0\n", "x", FIX),
    "a parameter": ("a.py", "def f(\n    z,\n{}    y,\n{}): pass\n", "    a,\n", "a", STOP),
    "an argument": ("a.py", "f(\n    z=1,\n{}    y=2,\n{})\n", "    a=1,\n", "a", STOP),
    "a key": ("a.py", "d = {{\n    'z': 1,\n{}    'y': 1,\n{}}}\n", "    'a': 1,\n", "'a'", FIX),
    "a member": ("a.py", "class E(Enum):\n    Z = 1\n{}    Y = 2\n{}", "    A = 3\n", "A", FIX),
    "an import": ("a.py", "import a\n{}import b\n{}", "from x import y\n", "y", LOOK),
    "blocks side by side": ("a.py", "def f(a):\n{}{}    return a\n", IF, "if a:", FIX),
    "blocks apart": ("a.py", "def f(a):\n{}    x(a)\n{}    return a\n", IF, "if a:", FIX),
    "a statement": ("a.py", "import q\n{}{}y = 1\n", "logger = q.x(__name__)\n", "logger = q.x(__name__)", FIX),
    "a value far away": ("a.py", "{}y = 1\n{}", "logger = q(__name__)\n", "logger = q(__name__)", LOOK),
    "Java": ("A.java", "class A {{\n{} int z;\n{}}}\n", " void f(int a) {{ }}\n", "f", FIX),
    "Go": ("a.go", "package a\n\n{}func z() {{}}\n{}", "func F() {{}}\n", "F", STOP),
    "TypeScript": ("a.ts", "interface A {{\n{} z: number\n{}}}\n", " x: string\n", "x", FIX),
    "a value taken out of an object": ("a.ts", "function f({{\n{} z = 1,\n{}}}: T) {{}}\n", " x = 2,\n", "x", FIX),
    "PHP": ("a.php", "<?php\nclass A {{\n{} public $z;\n{}}}\n", " function f() {{ return 1; }}\n", "f", FIX),
    "a key of YAML": ("a.yaml", "z: 1\n{}y: 2\n{}", "x: 1\n", "x", FIX),
    "a key of TOML": ("a.toml", "[t]\n{}y = 2\n{}", "x = 1\n", "x", FIX),
    "a statement of C": ("a.c", "int f(int a) {{\n{}{} return a;\n}}\n", " a = g(a, 1);\n", "a = g(a, 1);", FIX),
    "a value of a list": ("a.py", "__all__ = [\n{}    'z',\n{}]\n", "    'name',\n", "'name',", LOOK),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_both_sides_added(tmp_path: Path, case: str) -> None:
    path, holes, piece, symbol, severity = CASES[case]
    piece = piece.replace("{{", "{").replace("}}", "}")
    base, twice = holes.format("", ""), holes.format(piece, piece)
    ours, theirs = holes.format(piece, ""), holes.format("", piece)
    if ours == theirs:
        theirs += "\n"
    (one,) = found(tmp_path, path, base, ours, theirs, twice)
    assert (one.kind, one.symbol, one.severity) == ("doubled", symbol, severity)
    assert piece.strip().split("\n")[0].strip() in "\n".join(one.text)
    assert [(ask.side.value, ask.did.value) for ask in one.asks] == [("ours", "added"), ("theirs", "added")]
    lines = split_lines(twice.encode())
    for edit in reversed(one.edits):
        lines[edit.start : edit.end] = edit.lines
    assert b"".join(lines).split() == ours.encode().split()


CHECK = "\tif err != nil {\n\t\tpanic(err)\n\t}\n"
# path, base, ours, theirs, merged
SILENT = {
    "a property and its setter": (
        "a.py", "", "class C:\n    @property\n    def x(self): pass\n", "y = 1\n",
        "class C:\n    @property\n    def x(self): pass\n    @x.setter\n    def x(self, v): pass\ny = 1\n",
    ),
    "overloads": (
        "a.py", "", "@t.overload\ndef f(a: int): ...\n", "def f(a): return a\n",
        "@t.overload\ndef f(a: int): ...\ndef f(a): return a\n",
    ),
    "what its first definition collects": (
        "a.py", "", "def f(a): return a\n", "@f.register\ndef f(a: int): return 1\n",
        "def f(a): return a\n@f.register\ndef f(a: int): return 1\n",
    ),
    "a side has it twice": (
        "a.py", "", "def f(): pass\ndef f(): return 1\n", "y = 1\n", "def f(): pass\ndef f(): return 1\ny = 1\n",
    ),
    "other scopes": (
        "a.py", "", "class A:\n    def f(self): pass\n", "class B:\n    def f(self): pass\n",
        "class A:\n    def f(self): pass\nclass B:\n    def f(self): pass\n",
    ),
    "branches": (
        "a.py", "", "if a:\n    x = f(1)\n", "y = 1\n", "if a:\n    x = f(1)\nelse:\n    x = f(1)\ny = 1\n",
    ),
    "a call made again later": (
        "a.py", "", "def f():\n    reset(1)\n", "def f():\n    check()\n",
        "def f():\n    reset(1)\n    check()\n    reset(1)\n",
    ),
    "a name bound again in a test": (
        "test_a.py", "", "def f():\n    x = g(1)\n", "def f():\n    check()\n",
        "def f():\n    x = g(1)\n    check()\n    x = g(1)\n",
    ),
    "a check that stands everywhere": (
        "a.go", "", f"package a\nfunc f() {{\n\ta()\n{CHECK}}}\nfunc h() {{\n{CHECK}}}\n",
        "package a\nfunc f() {\n\tb()\n}\n",
        f"package a\nfunc f() {{\n\ta()\n{CHECK}\tb()\n{CHECK}}}\nfunc h() {{\n{CHECK}}}\n",
    ),
    "left markers are told elsewhere": (
        "a.py", "", "def f(): pass\n", "def f(): return\n",
        "<<<<<<< a\ndef f(): pass\n=======\ndef f(): return\n>>>>>>> b\n",
    ),
    "numbers in data": ("a.json", "[]", "[\n1,\n2\n]\n", "[\n2\n]\n", "[\n2,\n1,\n2\n]\n"),
}  # fmt: skip


@pytest.mark.parametrize("case", SILENT)
def test_what_may_stand_twice(tmp_path: Path, case: str) -> None:
    assert found(tmp_path, *SILENT[case]) == []


def test_all_of_a_module_imported_twice(tmp_path: Path) -> None:
    line = "import * as x from 'x'\n"
    (one,) = found(tmp_path, "a.ts", "", line, "let z = 1\n", f"{line}{line}let z = 1\n")
    assert (one.symbol, one.severity, one.edits) == ("x", LOOK, ())


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("indented", ["", "    "])
def test_a_decorated_definition_and_a_plain_one(tmp_path: Path, order: int, indented: str) -> None:
    head = "class C:\n" if indented else ""
    two = [
        f"{indented}@mark(\n{indented}    1,\n{indented})\n{indented}def f(): pass\n",
        f"{indented}def f(): return 1\n",
    ]
    first, second = (f"{head}{text}" for text in two[::order])
    (one,) = found(
        tmp_path, "a.py", head and head + f"{indented}a = 1\n", first, second, head + "".join(two[::order])
    )
    assert (one.symbol, one.severity, one.edits) == ("f", FIX, ())
    assert one.message.endswith("in neither side; the two are not the same")


def test_only_the_new_one_of_many_is_told(tmp_path: Path) -> None:
    check = "    check(1, 2)\n"
    base = "def f(a):\n" + "".join(f"    step_{number}(a)\n{check}" for number in range(60))
    ours, theirs = base + "    last(a)\n", base.replace("f(a)", "f(a, b)")
    merged = ours.replace("f(a)", "f(a, b)").replace(f"step_7(a)\n{check}", f"step_7(a)\n{check}{check}")
    (one,) = found(tmp_path, "a.py", base, ours, theirs, merged)
    assert (one.line, one.symbol) == (18, "check(1, 2)")


def test_the_imports_of_a_file_are_told_once(tmp_path: Path) -> None:
    block = "from x import (\n    a,\n    b,\n)\nfrom y import c\n"
    merged = block + "import z\n" + block
    (one,) = found(tmp_path, "a.py", "import z\n", block + "import z\n", "import z\n" + block, merged)
    assert one.message.startswith("a, b, c stand twice in one scope (lines 2 and 8)")
    assert [(edit.start, edit.end) for edit in one.edits] == [(6, 11)]


@pytest.mark.parametrize("merged", ["def f(a, b,\n  c, a): pass\n", "def f(\n  a, b, a, c): pass\n"])
def test_a_parameter_within_a_line_is_taken_out(tmp_path: Path, merged: str) -> None:
    (one,) = found(tmp_path, "a.py", "", "def f(a, b): pass\n", "def f(c, a): pass\n", merged)
    assert (one.symbol, one.severity) == ("a", STOP)
    lines = split_lines(merged.encode())
    for edit in one.edits:
        lines[edit.start : edit.end] = edit.lines
    assert b"".join(lines).split() == merged.replace(", a", "", 1).encode().split()


def test_fields_that_differ_are_not_mended(tmp_path: Path) -> None:
    head, one, other = "class C:\n", "    a: int = 1\n    b: int = 1\n", "    a: int = 2\n    b: int = 1\n"
    (told,) = found(
        tmp_path, "a.py", head + "    z = 1\n", head + one + "    z = 1\n", head + "    z = 1\n" + other,
        head + one + "    z = 1\n" + other,
    )  # fmt: skip
    assert told.symbol == "a"
    assert told.edits == ()
    assert "not the same" in told.message


LANGUAGES = sorted({language.name: language for language in SUFFIXES.values()}.items())


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(LANGUAGES), st.binary(max_size=80), st.binary(max_size=80), st.binary(max_size=80))
def test_any_bytes(named: tuple[str, Language], ours: bytes, theirs: bytes, merged: bytes) -> None:
    language = named[1]
    for text in (merged, ours):
        new = new_in(text, ours, theirs) if language.name == "Python" else None
        pieces = new.pieces if new is not None else (Piece(text, 1),)
        again = [
            *units_twice(language, text, [ours, theirs], new),
            *Statements(language, text, [ours, theirs]).repeated(pieces),
        ]
        assert text is merged or again == []


def test_a_new_file_of_one_side_is_looked_at_too(tmp_path: Path) -> None:
    unit = "def f(a):\n    return a\n"
    new = f"import a\n{unit}y = 1\n"
    with task_of(
        tmp_path, {"b": "1\n"}, {"b": "1\n", "a.py": new}, {"b": "2\n"}, {"b": "2\n", "a.py": new + unit}
    ) as task:
        (one,) = findings_of(doubled, task)
    assert (one.path, one.symbol, one.severity, one.line) == (b"a.py", "f", FIX, 5)
    assert [(edit.start, edit.end) for edit in one.edits] == [(4, 6)]
    assert [ask.side for ask in one.asks] == [Side.OURS]

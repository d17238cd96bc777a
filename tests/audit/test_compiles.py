from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.audit.compiles import _new_fault, compiles
from syncline.audit.finding import Finding, Severity
from syncline.audit.pieces import new_in
from syncline.merge.text.loads import python_fault
from testing.audited import findings_of, task_of

BASE = "def f(a,\n      z):\n    return a\n\n\nclass C:\n    def m(self):\n        return 1\n"


def found(
    place: Path, merged: str, *, ours: str = "ours\n", theirs: str = "theirs\n", path: str = "a.py"
) -> list[Finding]:
    with task_of(place, {path: "base\n"}, {path: ours}, {path: theirs}, {path: merged}) as task:
        return findings_of(compiles, task)


# path, ours, theirs, merged, the kinds that are found
CASES = {
    "a parameter twice": (
        "a.py", "def f(a, b,\n  c): pass\n", "def f(a,\n  c, b): pass\n", "def f(a, b,\n  c, b): pass\n",
        ["does-not-compile"],
    ),
    "fine": ("a.py", "x = 1\n", "y = 1\n", "x = 1\ny = 1\n", []),
    "a side does not compile either": ("a.py", "def f(:\n", "y = 1\n", "def f(:\ny = 1\n", []),
    "a method that lost its head": (
        "a.py", "class C:\n    def a(self):\n        return 1\n", "class C:\n    x = 1\n",
        "class C:\n    x = 1\n        return 1\n", ["does-not-compile"],
    ),
    "from __future__ too late": (
        "a.py", "from __future__ import annotations\nx = 1\n", "import os\n",
        "import os\nfrom __future__ import annotations\nx = 1\n", ["does-not-compile"],
    ),
    "left markers are told elsewhere": (
        "a.py", "x = 1\n", "x = 2\n", "<<<<<<< a\nx = 1\n=======\n>>>>>>> b\n", [],
    ),
    "of a conflict only the middle is left": (
        "a.py", "x = 1\n", "x = 2\n", "x = 1\n=======\nx = 2\n", ["does-not-compile"],
    ),
    "a text that lost its end": (
        "a.py", 'x = """\na\n"""\ny = 1\n', 'x = """\na\n"""\nz = 1\n', 'x = """\na\ny = 1\nz = 1\n',
        ["does-not-compile"],
    ),
    "a quote that lost the quotes around it": (
        "a.py", '"""\n\'\'\'a\n"""\n', "x = 1\n", '"""\n', ["does-not-compile"],
    ),
    "a line that goes on in another": ("a.py", "s = '(' \\\n@d\n", "x = 1\n", "@d\n", ["does-not-compile"]),
    "numbers that Python makes no int of": (
        "a.json", '{"a": 1}', '{"a": 2}', f'{{"a": {"9" * 5000}}}', [],
    ),
    "such numbers in TOML": ("a.toml", "a = 1\n", "a = 2\n", f"a = {'9' * 5000}\n", []),
    "JSON": ("a.json", '{"a": 1}', '{"b": 1}', '{"a": 1, "b": 1,}', ["does-not-load"]),
    "JSON with comments, as a side has": ("a.json", '{"a": 1} // x', '{"b": 1}', '{"a": 1, "b": 1} // x', []),
    "TOML": ("a.toml", "[a]\nx = 1\n", "[b]\nx = 1\n", "[a]\nx = 1\n[a]\nx = 2\n", ["does-not-load"]),
    "YAML": ("a.yaml", "a: 1\n", "b: 1\n", "a: 1\n b: [\n", ["does-not-parse"]),
    "Java": (
        "A.java", "class A { int a; }\n", "class A { int b; }\n", "class A { int a; int b;\n", ["does-not-parse"],
    ),
    "Go": ("a.go", "package a\n", "package a\n\nvar x = 1\n", "package a\n\nvar x = = 1\n", ["does-not-parse"]),
    "a template that the grammar never read": (
        "a.html", "<div {{ a\n", "<div {{ b\n", "<div {{ a {{ b\n<", [],
    ),
    "no language": ("a.txt", "1\n", "2\n", "3\n", []),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_both_sides_can_read(tmp_path: Path, case: str) -> None:
    path, ours, theirs, merged, kinds = CASES[case]
    findings = found(tmp_path, merged, ours=ours, theirs=theirs, path=path)
    assert [one.kind for one in findings] == kinds
    assert all(one.severity is Severity.STOP for one in findings)


def test_the_line_and_the_name_are_told(tmp_path: Path) -> None:
    ours, theirs = BASE.replace("a,\n", "a, b,\n"), BASE.replace("z)", "z, b)")
    merged = ours.replace("z)", "z, b)")
    (one,) = found(tmp_path, merged, ours=ours, theirs=theirs)
    assert (one.symbol, one.message) == ("b", "does not compile: duplicate argument 'b' in function definition")
    assert one.line in {1, 2}


LINES = st.sampled_from([
    b"def f(a):\n", b"    return a\n", b"    pass\n", b"x = 1\n", b"class C:\n", b"    y = 2\n", b"if x:\n",
    b"    def g(self):\n", b"        return 3\n", b'"""\n', b'    """a\n', b"(\n", b")\n", b"@d\n", b"    @d\n",
    b"else:\n", b"try:\n", b"finally:\n", b"# )\n", b"\n", b"global x\n", b"\r\n", b"\f\n", b"    # c\n",
    b"from __future__ import annotations\n", b"'''a\n", b"x = [\n", b"]\n", b"return\n", b"s = '(' \\\n",
    b"import os\n", b"    await q\n",
])  # fmt: skip
TEXTS = st.lists(LINES, max_size=9).map(b"".join)


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS, st.data())
def test_pieces_say_what_the_whole_file_says(ours: bytes, theirs: bytes, data: st.DataObject) -> None:
    lines = [*ours.splitlines(keepends=True), *theirs.splitlines(keepends=True)] or [b"\n"]
    merged = data.draw(st.lists(st.sampled_from(lines), max_size=10).map(b"".join) | st.just(ours + theirs))
    sides = [ours, theirs]
    whole = python_fault(merged)
    expected = None if any(python_fault(side) is not None for side in sides) else whole
    assert _new_fault(merged, sides, new_in(merged, *sides)) == expected


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes(ours: bytes, theirs: bytes, merged: bytes) -> None:
    fault = _new_fault(merged, [ours, theirs], new_in(merged, ours, theirs))
    assert fault is None or python_fault(merged) == fault

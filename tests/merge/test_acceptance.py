"""What must not be accepted: broken text, what stands twice, what was lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.acceptance import Acceptance, faults, hunk_faults, lost
from syncline.merge.text.languages import SUFFIXES
from syncline.merge.text.syntax import units_of
from testing.cases import file_case

DOUBLED = [
    (b"a.py", b"def f(): pass\n", b"def f(a): return f\n", "function f"),
    (b"a.py", b"class A:\n    x: int = 1\n", b"    x: int = 2\n", "field x"),
    (b"a.py", b"from a import b\n", b"from a import c, b\n", "import b"),
    (b"a.py", b"import os\n", b"import os\n", "import os"),
    (b"a.py", b"d = {\n    'a': 1,\n", b"    'a': 2,\n}\n", "key 'a'"),
    (b"a.py", b"def f(\n    a,\n", b"    a,\n): pass\n", "parameter a"),
    (b"a.ts", b"import { a } from 'x'\n", b"import { a } from 'y'\n", "import a"),
    (b"a.ts", b"enum E {\n A,\n", b" A,\n}\n", "member A"),
    (b"a.ts", b"const x = 1\n", b"const x = 2\n", "variable x"),
    (b"a.tsx", b"const x = <a\n  b={1}\n", b"  b={2}\n/>\n", "attribute b"),
    (b"a.js", b"const x = {\n  a: 1,\n", b"  a: 2,\n}\n", "key a"),
    (b"A.java", b"class A {\n void f(int a) {}\n", b" void f(int a) { }\n}\n", "method f"),
    (b"A.java", b"class A {\n void f(int a) {}\n", b" void f(final int b) { }\n}\n", "method f"),
    (b"A.java", b"class A {\n int x;\n", b" int x = 1;\n}\n", "field x"),
    (b"A.java", b"import a.B;\n", b"import a.B;\n", "import a.B"),
    (b"a.go", b"package a\ntype T struct {\n\tA int\n", b"\tA string\n}\n", "field A"),
    (b"a.go", b"package a\nfunc (a *T) F() {}\n", b"func (b *T) F() {}\n", "function F"),
    (b"a.php", b"<?php\nuse A\\B;\n", b"use A\\B;\n", "import A\\B"),
    (b"a.php", b"<?php\n$x = [\n  'a' => 1,\n", b"  'a' => 2,\n];\n", "key 'a'"),
    (b"a.rb", b"def f; end\n", b"def f; 1; end\n", "method f"),
    (b"a.c", b"#include <a.h>\n", b"#include <a.h>\n", "import <a.h>"),
    (b"a.cpp", b"struct S {\n int a;\n", b" int a;\n};\n", "field a"),
    (b"a.rs", b"struct S {\n a: i32,\n", b" a: i64,\n}\n", "field a"),
    (b"a.cs", b"class A {\n int x;\n", b" int x;\n}\n", "field x"),
    (b"a.scala", b"class A {\n def f(a: Int) = 1\n", b" def f(a: Int) = 2\n}\n", "method f"),
    (b"a.kt", b"class A {\n fun f(a: Int) = 1\n", b" fun f(a: Int) = 2\n}\n", "function f"),
    (b"a.yaml", b"a: 1\n", b"a: 2\n", "key a"),
    (b"a.sh", b"f() { a; }\n", b"f() { b; }\n", "function f"),
]

ALLOWED = [
    (b"a.py", b"class A:\n    @property\n    def x(self): pass\n    @x.setter\n    def x(self, y): pass\n"),
    (b"a.py", b"if a:\n    def f(): pass\nelse:\n    def f(): pass\n"),
    (b"A.java", b"class A {\n void f(int a) {}\n void f(String a) {}\n}\n"),
    (b"a.ts", b"function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a) {}\n"),
    (b"a.ts", b"class A { get x() { return 1 }\n set x(v) {} }\n"),
    (b"a.go", b"package a\nfunc init() {}\nfunc init() {}\nfunc (a A) F() {}\nfunc (b B) F() {}\n"),
    (b"a.rs", b"#[cfg(unix)]\nfn f() {}\n#[cfg(windows)]\nfn f() {}\n"),
    (b"a.cpp", b"int f(int a) { return 1; }\nint f(char a) { return 1; }\n"),
    (b"a.yaml", b"x: &x {}\ny: &y {}\na:\n  <<: *x\n  <<: *y\n"),
    (b"a.scala", b"case class A(x: Int)\nobject A\n"),
]


@pytest.mark.parametrize(("path", "first", "second", "told"), DOUBLED)
def test_nothing_stands_twice(path: bytes, first: bytes, second: bytes, told: str) -> None:
    units = list(units_of(path, first + second))
    keys = [(unit.scope, unit.key) for unit in units]
    assert told in {
        f"{unit.word} {unit.name.decode()}" for unit in units if keys.count((unit.scope, unit.key)) > 1
    }


@pytest.mark.parametrize(("path", "content"), ALLOWED)
def test_overloads_accessors_and_variants_may_stand_beside_each_other(path: bytes, content: bytes) -> None:
    case = file_case(b"", b"", b"", path)
    assert faults(case, content) == ()


BASE = b"import os\n\n\ndef f():\n    return 1\n\n\nend = 1\n"
OURS = BASE.replace(b"return 1", b"return 2\n\n\ndef g():\n    return 3")
THEIRS = BASE.replace(b"return 1", b"return 4\n\n\ndef g():\n    return 5")


def test_a_hunk_that_doubles_a_function_of_either_side_is_told() -> None:
    case = file_case(BASE, OURS, THEIRS, b"f.py")
    hunk = case.hunks[0]
    both = (*hunk.ours, b"\n", b"\n", b"def g():\n", b"    return 5\n")
    assert hunk_faults(case, 0, both) == ("the function g stands twice in one scope (line 12), in neither side",)
    assert hunk_faults(case, 0, hunk.ours) == ()


def test_a_hunk_that_does_not_parse_is_told() -> None:
    case = file_case(BASE, OURS, THEIRS, b"f.py")
    assert hunk_faults(case, 0, (b"    return (\n",)) == (
        "would not follow the grammar of Python as the sides do",
    )


@pytest.mark.parametrize(
    ("path", "content", "told"),
    [
        (b"f.py", b"def f(a, a): pass\n", "cannot be read as Python any more, as both sides can: duplicate"),
        (
            b"f.py",
            b"x = 1\n" * 10_000 + b"def f(a, a): pass\n",
            "cannot be read as Python any more, as both sides can: duplicate",
        ),
        (
            b"f.yaml",
            b"a: &x 1\nb: *y\n",
            "cannot be read as YAML any more, as both sides can: the alias *y has no anchor (line 2)",
        ),
        (
            b"f.json",
            b'{"a": 1, "a": 2}\n',
            "cannot be read as JSON any more, as both sides can: the key a stands twice",
        ),
        (
            b"f.toml",
            b"a = 1\na = 2\n",
            "cannot be read as TOML any more, as both sides can: Cannot overwrite a value",
        ),
        (b"f.txt", b"a\n<<<<<<< x\n", "line 2 is a conflict marker: <<<<<<< x"),
        (b"f.php", b"<?php function f( {}\n", "does not follow the grammar of PHP as the sides do"),
    ],
)
def test_a_file_that_is_broken_is_told(path: bytes, content: bytes, told: str) -> None:
    sound = {b"f.json": b"{}\n", b"f.toml": b"", b"f.php": b"<?php\n"}.get(path, b"x = 1\n")
    case = file_case(None, sound, sound + b"\n", path)
    assert faults(case, content)[0].startswith(told)


def test_what_was_broken_before_may_be_so_still() -> None:
    case = file_case(b"f( {}\n", b"f( { }\n", b"f(  {}\n", b"f.py")
    assert faults(case, b"f( {a }\n") == ()


def test_a_line_that_both_kept_must_be_there() -> None:
    case = file_case(b"a\nb\nc\nd\ne\n", b"a\nb\nX\nd\ne\n", b"a\nb\nY\nd\ne\n", b"f.txt")
    assert faults(case, b"a\nX\nd\ne\n") == ("lost a line that both sides kept: b",)
    assert faults(case, b"b\na\nX\nd\ne\n") == ()


def test_lost_tells_what_only_one_side_added_and_is_not_there() -> None:
    case = file_case(b"a\nc\n", b"a\nmine\nboth\nc\n", b"a\nboth\nyours\nc\n}\n", b"f.txt")
    assert lost(case, b"a\nboth\nc\n") == (b"mine\n", b"yours\n")
    assert lost(case, b"a\n  mine\nyours\nboth\nc\n") == ()


texts = st.lists(
    st.sampled_from((b"def f(a):", b"  x: 1", b"{", b"}", b"\xff\x00", b"", b"import a", b"<<<<<<< x"))
)


@settings(deadline=None, max_examples=60)
@given(texts, texts, texts, texts, st.sampled_from(sorted(SUFFIXES)))
def test_anything_is_judged_without_failing(
    base: list[bytes], ours: list[bytes], theirs: list[bytes], content: list[bytes], suffix: bytes
) -> None:
    text = [b"\n".join(lines) for lines in (base, ours, theirs, content)]
    case = file_case(text[0], text[1], text[2], b"a" + suffix)
    acceptance = Acceptance(case)
    assert isinstance(acceptance.file_faults(text[3]), tuple)
    assert acceptance.file_faults(text[1]) == ()
    for hunk in case.hunks:
        acceptance.hunk_faults(hunk.index, tuple(line + b"\n" for line in content))
        assert acceptance.hunk_faults(hunk.index, hunk.ours) == ()
    lost(case, text[3])


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (b"a.json", b"[" * 5_000 + b"\n"),
        (b"a.py", b"\n".join([b"(" * 50] * 100) + b"\n"),
        (b"a.js", b"var a=1;" * 5_000 + b"\n"),
        (b"a.cpp", b"}}} template<class <T> x({{{;;\n" * 300),
    ],
)
def test_what_a_grammar_cannot_read_is_not_judged_by_it(path: bytes, text: bytes) -> None:
    case = file_case(text, text + b"1\n", text + b"2\n", path)
    assert not Acceptance(case).hunk_faults(0, (b"3\n",))
    assert not Acceptance(case).file_faults(text + b"3\n")

"""Names that only the answer gives twice."""

import pytest

from syncline.merge.doubled_names import doubled_names
from syncline.merge.hunks import split_lines
from testing.cases import file_case

DOUBLED = [
    (b"a.properties", b"a=1\n", b"a = 2\n", "a"),
    (b"a.ini", b"[s]\na=1\n", b"[s]\na=2\n", "[s] a"),
    (b".env", b"A=1\n", b"export A=2\n", "A"),
    (b"Makefile", b"A := 1\n", b"A = 2\n", "A"),
    (b"requirements.txt", b"c-x==1.0\n", b"C_x[extra]<2\n", "c-x"),
    (b"pyproject.toml", b'    "c>=1",\n', b'    "c[x]>=2",\n', "c"),
    (b"go.mod", b"\texample.org/c v1.0.0\n", b"\texample.org/c v1.1.0 // indirect\n", "example.org/c"),
    (b"CODEOWNERS", b"/c @a\n", b"/c @b\n", "/c"),
    (b"a.tf", b'resource "a" "b" {\n}\n', b'resource "a" "b" {\n  x = 1\n}\n', 'resource "a" "b"'),
    (b"a.proto", b"  string a = 3;\n", b"  int32 b = 3;\n", "3"),
    (b"pom.xml", *(b"<dependency><artifactId>a</artifactId>%s</dependency>\n" % v for v in (b"1", b"2")), "a"),
    (b"a.py", b"from m import foo\n", b"from n import bar as foo\n", "foo"),
    (b"a.py", b"import json, abc\n", b"import ujson as json\n", "json"),
    (b"a.cs", b"using F = a.Foo;\n", b"using F = b.Foo;\n", "F"),
    (b"a.py", b"def m():\n    return 1\n", b"m = lambda: 2\n", "m"),
    (b"a.py", b"A: int = 1\n", b"A = 2\n", "A"),
    (b"a.py", b"    'm',\n", b'    "m",\n', "m"),
    (b"a.js", b"const f = 1\n", b"function f() {}\n", "f"),
    (b"a.js", b"const {a, b: c} = x\n", b"const c = 2\n", "c"),
    (b"a.ts", b"import { a } from 'x'\n", b"import a from 'y'\n", "a"),
    (b"a.ts", b"interface T {}\n", b"export type T = 1\n", "T"),
    (b"a.js", b"  b() { return 1; },\n", b"  b: 2,\n", "b"),
    (b"A.java", b"import java.util.List;\n", b"import java.awt.List;\n", "List"),
    (b"a.php", b"use A\\B;\n", b"use C\\B;\n", "B"),
    (b"a.rs", b"use m::Error;\n", b"use n::{Error, X};\n", "Error"),
    (b"a.go", b'\t"a/errors"\n', b'\t"b/errors/v2"\n', "errors"),
    (b"a.go", b"func f() {\n}\n", b"var f = 1\n", "f"),
    (b"a.go", b"x := 1\n", b"x := g()\n", "x"),
    (b"a.rs", b"fn f() {}\n", b"pub async fn f() { 1 }\n", "f"),
    (b"a.kt", b"val b = f()\n", b"private val b: Int = 7\n", "b"),
    (b"a.c", b"#define A 1\n", b"# define A 2\n", "A"),
    (b"a.c", b"case A: f();\n", b"case A: g();\n", "case A"),
    (b"a.js", b"case 'a': f()\n", b"case 'a': g()\n", "case 'a'"),
    (b"Gemfile", b"gem 'b', '1'\n", b'gem "b", "2"\n', "b"),
    (b"a.gemspec", b"  s.add_dependency 'b', '1'\n", b"  s.add_runtime_dependency('b')\n", "b"),
    (b"CMakeLists.txt", b"add_library(b a.c)\n", b"add_executable(b b.c)\n", "b"),
    (b"Dockerfile", b"CMD a\n", b'CMD ["b"]\n', "CMD"),
]


def told(path: bytes, base: bytes, ours: bytes, theirs: bytes, text: bytes) -> list[str]:
    (hunk,) = file_case(*(b"above\n" + version + b"below\n" for version in (base, ours, theirs)), path=path).hunks
    return list(doubled_names(hunk, tuple(split_lines(text))))


@pytest.mark.parametrize(("path", "one", "other", "name"), DOUBLED)
def test_both_sides_give_a_name(path: bytes, one: bytes, other: bytes, name: str) -> None:
    for ours, theirs in ((one, other), (other, one)):
        (fault,) = told(path, b"", ours, theirs, ours + theirs)
        assert name in fault
        assert "as neither side does" in fault
        assert not told(path, b"", ours, theirs, ours)
        # What a side gives twice itself is not the merge's doing.
        assert not told(path, b"", ours + theirs, b"zz\n", ours + theirs)


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        (b"a.py", b"from m import foo\n", b"from m import bar\n"),
        (b"a.py", b"@overload\ndef f(a: int): ...\n", b"@overload\ndef f(a: str): ...\n"),
        (b"a.py", b"if a:\n    x = 1\n", b"if b:\n    x = 2\n"),
        (b"a.py", b"class A:\n    x = 1\n", b"class B:\n    x = 1\n"),
        (b"a.py", b"f(a)\n", b"f(b)\n"),
        (b"a.js", b"if (a) {\n}\n", b"if (b) {\n}\n"),
        (b"a.js", b"it('a', () => {\n})\n", b"it('b', () => {\n})\n"),
        (b"requirements.txt", b"a==1; python_version<'3'\n", b"a==2; python_version>='3'\n"),
        (b"a.conf", b"https://a\n", b"https://b\n"),
        (b"a.conf", b"# a = 1\n", b"# a = 2\n"),
        (b"a.tf", b"tag {\n}\n", b"tag {\n}\n#\n"),
        (b"a.ini", b"[a]\nx=1\n", b"[b]\nx=1\n"),
        (b"A.java", b"import a.B;\n", b"import a.C;\n"),
        (b"a.py", b"TIMEOUT = 30\n", b"RETRY = 30\n"),
        (b"unknown", b"a\n", b"b\n"),
        (b"a.rs", b"#[cfg(a)]\nfn f() {}\n", b"#[cfg(b)]\nfn f() {}\n"),
        (b"Makefile", b"ifeq (a, b)\nX = 1\n", b"else\nX = 2\n"),
        (b"Dockerfile", b"CMD a\nFROM b\n", b"CMD c\n"),
        (b"a.tf", b'provider "aws" {\n}\n', b'provider "aws" {\n  alias = 1\n}\n'),
        (b"a.cfg", b"[[x]]\na = 1\n", b"[[x]]\na = 2\n"),
        (b"a.env", b"A_TIMEOUT = 2\n", b"B_TIMEOUT = 2\n"),
        (b"a.c", b"#if X\n#define A 1\n#endif\n", b"#define A 2\n"),
        (b"a.rs", b"let x = 1;\n", b"let x = 2;\n"),
        (b"a.go", b"a, err := f()\n", b"b, err := f()\n"),
        (b"a.go", b"func init() {\n\ta()\n}\n", b"func init() {\n\tb()\n}\n"),
        (b"a.kt", b"fun f(a: Int) = 1\n", b"fun f(a: String) = 1\n"),
    ],
)
def test_what_may_stand_beside_each_other(path: bytes, one: bytes, other: bytes) -> None:
    assert not told(path, b"", one, other, one + other)


@pytest.mark.parametrize("path", [b"a.py", b"a.rs", b"a.ts"])
def test_a_list_that_counts_does_not_count_the_same_twice(path: bytes) -> None:
    def file(*new: bytes) -> bytes:
        return b"class E(Enum):\n    A = 1\n    B = 2\n" + b"".join(new) + b"\nend\n"

    (hunk,) = file_case(file(), file(b"    C = 3\n"), file(b"    D = 3\n"), path=path).hunks
    (fault,) = doubled_names(hunk, (b"    C = 3\n", b"    D = 3\n"))
    assert "number 3 twice" in fault
    (hunk,) = file_case(b"A = 9\n\nend\n", b"A = 9\nT = 3\n\nend\n", b"A = 9\nR = 3\n\nend\n", path=path).hunks
    assert not list(doubled_names(hunk, (b"T = 3\n", b"R = 3\n")))  # settings that are equal by chance
    (hunk,) = file_case(file(), file(b"    C = 3\n"), file(b"    D = 3\n"), path=path).hunks
    assert not list(doubled_names(hunk, (b"    C = 3\n", b"    D = 4\n")))


@pytest.mark.parametrize(
    "line",
    [
        b"A = " + b"1" * 5000,
        b"import type" + b" " * 3000 + b"Foo = require('x')!",
        b"import " + b"a" * 900 + b" " * 5000 + b"!",
        b"import " + b"a," * 50_000,
        b"a" + b" " * 9000 + b"(",
        b"<dependency>" * 5000,
        b"\xff\r",
    ],
)
@pytest.mark.parametrize("path", [b"a.py", b"a.ts", b"requirements.txt", b"pom.xml", b"a.rs", b"a.go"])
def test_odd_lines_take_no_time(path: bytes, line: bytes) -> None:
    assert not told(path, b"", line + b"\n", b"other\n", line + b"\nother\n")

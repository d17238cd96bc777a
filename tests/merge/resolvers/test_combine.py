"""Target's text with the definitions that only source has, for hunks and for whole files."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.resolvers.combine import combined
from syncline.merge.text.combination import combine
from syncline.merge.text.languages import SUFFIXES
from testing.cases import file_case

BASE = b"import os\n\n\ndef one():\n    return os.sep\n\n\ndef two():\n    return 2\n"


def whole(path: bytes, base: bytes | None, kept: bytes, other: bytes) -> bytes | None:
    done = combine(SUFFIXES[path[path.rindex(b".") :]], base, kept, other)
    return b"".join(done.lines) if done is not None else None


def test_a_missing_definition_goes_behind_the_one_it_follows_there() -> None:
    kept = BASE.replace(b"return 2", b"return 20")
    other = BASE.replace(b"\n\ndef two", b"\n\ndef between():\n    return 1.5\n\n\ndef two")
    found = whole(b"a.py", BASE, kept, other)
    assert found == kept.replace(b"\n\ndef two", b"\n\ndef between():\n    return 1.5\n\n\ndef two")


def test_what_target_added_at_the_place_comes_first() -> None:
    kept, other = BASE + b"\n\ndef ours():\n    pass\n", BASE + b"\n\ndef theirs():\n    pass\n"
    assert whole(b"a.py", BASE, kept, other) == kept + b"\n\ndef theirs():\n    pass\n"


def test_what_target_deleted_is_not_brought_back() -> None:
    kept = b"import os\n\n\ndef one():\n    return os.sep\n"
    assert whole(b"a.py", BASE, kept, BASE.replace(b"return 2", b"return 3")) == kept


def test_without_a_base_all_that_is_missing_comes_in() -> None:
    assert whole(b"a.py", None, b"def one():\n    pass\n", b"def two():\n    pass\n") == (
        b"def one():\n    pass\ndef two():\n    pass\n"
    )


def test_a_definition_that_both_have_stays_as_target_has_it() -> None:
    kept, other = BASE.replace(b"return 2", b"return 20"), BASE.replace(b"return 2", b"return 21")
    assert whole(b"a.py", BASE, kept, other) == kept
    decorated = BASE.replace(b"def two", b"@cache\ndef two")
    assert whole(b"a.py", BASE, kept, decorated) == kept


def test_methods_go_into_the_class_that_both_have() -> None:
    base = b"class A {\n    int a() {\n        return 1;\n    }\n}\n"
    kept = base.replace(b"return 1", b"return 10")
    other = base.replace(b"    }\n}\n", b"    }\n\n    // two\n    int b() {\n        return 2;\n    }\n}\n")
    assert whole(b"A.java", base, kept, other) == other.replace(b"return 1", b"return 10")


def test_locals_of_a_function_are_no_definitions() -> None:
    base = b"def f():\n    a = 1\n    return a\n"
    other = b"def f():\n    a = 1\n    b = 2\n    return a + b\n"
    assert whole(b"a.py", base, base, other) == base


def test_methods_of_two_go_types_are_told_apart() -> None:
    base = b"package a\n\ntype A int\n\ntype B int\n\nfunc (a A) String() string {\n\treturn a.text()\n}\n"
    other = base + b"\nfunc (b *B) String() string {\n\treturn b.text()\n}\n"
    assert whole(b"a.go", base, base, other) == other


IMPORTS = [
    (
        "a statement that target lacks, only with the names needed",
        b"a.py",
        BASE,
        BASE,
        BASE.replace(b"import os\n", b"import os\nfrom re import compile, match\n")
        + b"\n\ndef three():\n    return match\n",
        b"import os\nfrom re import match\n",
    ),
    (
        "a name more in a list",
        b"a.py",
        b"from re import compile\n" + BASE,
        b"from re import compile, sub\n" + BASE,
        b"from re import (\n    compile,\n    match,\n    split as cut,\n)\n"
        + BASE
        + b"\n\ndef f():\n    cut()\n",
        b"from re import compile, sub, split as cut\n",
    ),
    (
        "a name on a line of its own",
        b"a.ts",
        b"import { a } from './x';\n\nexport const n = 1;\n",
        b"import {\n  a,\n  b,\n} from './x';\n\nexport const n = 1;\n",
        b"import { a, c } from './x';\n\nexport const n = 1;\nexport const m = c();\n",
        b"import {\n  a,\n  b,\n  c,\n} from './x';\n",
    ),
    (
        "a class",
        b"A.java",
        b"import a.A;\n\nclass X {\n    A a;\n}\n",
        b"import a.A;\n\nclass X {\n    A a;\n}\n",
        b"import a.A;\nimport a.List;\nimport a.Other;\n\nclass X {\n    A a;\n    List b;\n}\n",
        b"import a.A;\nimport a.List;\n\nclass X",
    ),
    (
        "a package in a block",
        b"a.go",
        b'package a\n\nimport (\n\t"fmt"\n)\n\nfunc A() {\n\tfmt.Println()\n}\n',
        b'package a\n\nimport (\n\t"fmt"\n)\n\nfunc A() {\n\tfmt.Println()\n}\n',
        (
            b'package a\n\nimport (\n\t"fmt"\n\t"os"\n\t"x/y/v2"\n)\n\nfunc A() {\n\tfmt.Println()\n}\n\n'
            b"func B() {\n\ty.Z()\n}\n"
        ),
        b'import (\n\t"fmt"\n\t"x/y/v2"\n)\n',
    ),
]


@pytest.mark.parametrize(
    ("path", "base", "kept", "other", "wanted"), [case[1:] for case in IMPORTS], ids=[c[0] for c in IMPORTS]
)
def test_imports_come_in_as_far_as_they_are_needed(
    path: bytes, base: bytes, kept: bytes, other: bytes, wanted: bytes
) -> None:
    found = whole(path, base, kept, other)
    assert found is not None
    assert wanted in found


def test_line_endings_are_targets_and_a_last_line_without_one_swallows_nothing() -> None:
    kept = BASE.replace(b"\n", b"\r\n").removesuffix(b"\r\n")
    found = whole(b"a.py", BASE, kept, BASE + b"\n\ndef three():\n    return 3")
    assert found == (BASE + b"\n\ndef three():\n    return 3\n").replace(b"\n", b"\r\n")


def test_data_defines_nothing() -> None:
    assert whole(b"a.json", b"{}\n", b'{\n  "a": 1\n}\n', b'{\n  "b": 1\n}\n') is None
    assert whole(b"a.py", b"a = 1\n", b"a = (\n", b"b = 1\n") is None


def test_the_rule_keeps_targets_file_and_tells_what_came_in() -> None:
    ours = BASE.replace(b"return 2\n", b"return 20\n")
    theirs = BASE.replace(b"return 2\n", b"return 21\n") + b"\n\ndef theirs():\n    pass\n"
    done = combined(file_case(BASE, ours, theirs, b"a.py"))
    assert done.content == ours + b"\n\ndef theirs():\n    pass\n"
    assert done.words == "target's text with source's theirs, which target lacks"


def test_the_rule_says_why_it_cannot_be_applied() -> None:
    done = combined(file_case(b"a\n", b"b\n", b"c\n", b"notes.txt"))
    assert done == type(done)(None, "no definitions can be told apart in both versions")


PIECES = st.sampled_from([
    b"\n", b"import a\n", b"from b import c, d\n", b"def f():\n", b"    x = 1\n", b"class A:\n",
    b"    def g(self): pass\n",
    b"}\n", b"func (a B) C() {\n", b"int x;\n", b"use a::{b, c};\n", b"\xff\x00\r\n", b"import {a} from 'b'\n",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map(b"".join)


@settings(max_examples=150)
@given(
    TEXTS,
    TEXTS,
    TEXTS,
    st.sampled_from([b"a.py", b"A.java", b"a.go", b"a.ts", b"a.rs", b"a.cpp", b"a.rb", b"a.php"]),
)
def test_whatever_comes_nothing_of_target_is_lost(base: bytes, ours: bytes, theirs: bytes, path: bytes) -> None:
    found = whole(path, base, ours, theirs)
    if found is not None:
        words = Counter(ours.replace(b",", b" ").split())
        assert words <= Counter(found.replace(b",", b" ").split())
        assert whole(path, base, ours, ours) == ours

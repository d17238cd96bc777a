"""Merging imports: by name, with removals, in the order that is kept."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.resolvers.imports import propose
from testing.cases import file_case

CASES = [
    # what, path, base, ours, theirs, answer, marks
    (
        "sorted imports stay sorted, what a side removed goes",
        b"A.java",
        b"import a.A;\nimport c.C;\nimport d.D;\n",
        b"import a.A;\nimport b.B;\nimport d.D;\n",
        b"import a.A;\nimport c.C;\nimport c.X;\nimport d.D;\n",
        b"import b.B;\nimport c.X;\n",
        ("sorted", "removal"),
    ),
    (
        "names of one statement are merged",
        b"a.py",
        b"from a import b, d\n",
        b"from a import b, c, d\n",
        b"from a import b, d, e\n",
        b"from a import b, c, d, e\n",
        ("name-level", "only-added"),
    ),
    (
        "a name that one side removed goes from what the other extended",
        b"a.ts",
        b"import { a, b } from 'x';\n",
        b"import { b } from 'x';\n",
        b"import { a, b, c } from 'x';\n",
        b"import { b, c } from 'x';\n",
        ("name-level", "removal"),
    ),
    (
        "names follow the module that a side moved",
        b"a.ts",
        b"import { a } from 'x';\n",
        b"import { a, b } from 'x';\n",
        b"import { a } from 'y';\n",
        b"import { a, b } from 'y';\n",
        ("moved", "name-level", "only-added"),
    ),
    (
        "a list of names keeps a line for each",
        b"a.py",
        b"from a import (\n    b,\n    d,\n)\n",
        b"from a import (\n    b,\n    c,\n    d,\n)\n",
        b"from a import (\n    d,\n)\n",
        b"    c,\n",
        ("sorted", "removal"),
    ),
    (
        "imports that nothing orders are told so",
        b"a.go",
        b'import (\n\t"z"\n)\n',
        b'import (\n\t"z"\n\t"b"\n)\n',
        b'import (\n\t"z"\n\t"a"\n)\n',
        b'\t"b"\n\t"a"\n',
        ("order-ambiguous", "only-added"),
    ),
    (
        "line endings are kept",
        b"a.cs",
        b"using A;\r\n",
        b"using A;\r\nusing B;\r\n",
        b"using A;\r\nusing C;\r\n",
        b"using B;\r\nusing C;\r\n",
        ("order-ambiguous", "only-added"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_imports_are_merged(case: tuple[str, bytes, bytes, bytes, bytes, bytes, tuple[str, ...]]) -> None:
    _, path, base, ours, theirs, answer, marks = case
    (proposal,) = propose(file_case(base, ours, theirs, path))
    assert b"".join(proposal.lines) == answer
    assert proposal.marks == marks


def test_used_names_are_told() -> None:
    code = b"\n\nx = 1\n\n\ny = b() + e()\n"
    case = file_case(b"import a\n" + code, b"import a\nimport b\n" + code, b"import a\nimport e\n" + code, b"a.py")
    (proposal,) = propose(case)
    assert "names-used" in proposal.marks
    assert (
        str(proposal.evidence[0]) == "only imports conflict; new ones of both sides are kept (import b, import e)"
    )


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        (b"import a\n", b"import b\nx = 1\n", b"import c\n"),  # not only imports
        (b"import a, b\n", b"", b"from a import c\n" * 2),  # twice the same
        (b"from a import b\n", b"", b"from a import b, c\n"),  # dropped here, extended there
        (b"x = '" + b" " * 100_000 + b"\n", b"import b\n", b"import c\n"),
    ],
)
def test_anything_else_is_declined(base: bytes, ours: bytes, theirs: bytes) -> None:
    assert not list(propose(file_case(base, ours, theirs, b"a.py")))


LINES = st.sampled_from((
    b"import a", b"import a, b", b"from a import b", b"from a import (", b"  b,", b"  c", b")", b"", b"# x",
    b"x = 1", b"import { a, b } from 'x';", b"import {", b"} from 'x'", b"use a::{b, c};", b"#include <a.h>",
    b"\xff\x00", b"use A;",
))  # fmt: skip
texts = st.lists(LINES, max_size=6).map(b"\n".join)


@settings(deadline=None, max_examples=80)
@given(texts, texts, texts, st.sampled_from((b".py", b".ts", b".rs", b".c", b".php", b".go", b".txt")))
def test_any_text_is_merged_or_declined(base: bytes, ours: bytes, theirs: bytes, suffix: bytes) -> None:
    case = file_case(base, ours, theirs, b"a" + suffix)
    for proposal in propose(case):
        hunk = case.hunks[proposal.hunk]
        assert hunk.ours != hunk.theirs
        text = b"".join(proposal.lines)
        assert all(line.strip() in text for line in set(hunk.ours) & set(hunk.theirs) & set(hunk.base))

"""Lines that an answer puts into another block than the side they come from."""

import pytest

from syncline.merge.hunks import split_lines
from syncline.merge.strayed_lines import strayed_lines
from testing.cases import file_case

LOOP = b"def save(item):\n    for row in item.rows:\n        check(row)\n        write(row)\n"
WRAPPED = LOOP.replace(b"    ", b"        ").replace(
    b"def save(item):\n", b"def save(item):\n    if item.ready:\n"
)
VALID = b"def save(item):\n    if item.valid:\n        write(item)\n"
DEBUG = VALID + b"    if self.debug:\n        dump(item)\n"
PAID = VALID + b"        if item.paid:\n            ship(item)\n"
BRACES = b"function f() {\n  if (a) {\n    x();\n  }\n}\n"

STRAYED = [
    # Appended to a loop that the other side wrapped.
    (b"a.py", LOOP, WRAPPED, LOOP + b"        notify(row)\n", WRAPPED + b"        notify(row)\n", "`notify(row)`"),
    (
        b"a.yaml",
        b"db:\n  host: a\n",
        b"prod:\n  db:\n    host: a\n",
        b"name: q\ndb:\n  host: a\n  user: u\n",
        b"name: q\nprod:\n  db:\n    host: a\n  user: u\n",
        "`user: u` would stand under `prod:`",
    ),
    # Into a block that only the other side added.
    (
        b"a.py",
        VALID,
        b"import x\n" + DEBUG,
        b"import y\n" + PAID,
        b"import x\nimport y\n" + DEBUG + b"        if item.paid:\n            ship(item)\n",
        "`if item.paid:` would stand under `if self.debug:`",
    ),
    # Out of the block that a side added it with.
    (
        b"a.js",
        BRACES,
        BRACES.replace(b"  if", b"  q();\n  if").replace(b"x();", b"x(1);"),
        b"function f() {\n  if (a) {\n    if (b) {\n      y();\n    }\n    x();\n  }\n}\n",
        b"function f() {\n  q();\n  if (a) {\n    if (b) {\n    }\n    y();\n    x(1);\n  }\n}\n",
        "`y();` would stand under `if (a) {`",
    ),
    # What git itself added below the answer falls out of its block.
    (
        b"a.js",
        BRACES,
        b"function f() {\n  if (w) {\n    if (a) {\n      x();\n    }\n  }\n}\n",
        BRACES.replace(b"  if", b"  q();\n  if").replace(b"  }\n}", b"    z();\n  }\n}"),
        b"function f() {\n  q();\n  if (w) {\n    if (a) {\n      x();\n    }\n    z();\n  }\n}\n",
        "`z();` would stand under `if (w) {`",
    ),
]


def told(path: bytes, base: bytes, ours: bytes, theirs: bytes, merged: bytes) -> list[str]:
    (hunk,) = file_case(base, ours, theirs, path).hunks
    above = sum(len(part) for part in hunk.file.cut.parts[:1] if isinstance(part, tuple))
    below = sum(len(part) for part in hunk.file.cut.parts[1:] if isinstance(part, tuple))
    lines = split_lines(merged)
    return list(strayed_lines(hunk, tuple(lines[above : len(lines) - below])))


@pytest.mark.parametrize(("path", "base", "ours", "theirs", "merged", "fault"), STRAYED)
def test_a_line_strays(path: bytes, base: bytes, ours: bytes, theirs: bytes, merged: bytes, fault: str) -> None:
    assert fault in told(path, base, ours, theirs, merged)[0]
    assert fault in told(path, base, theirs, ours, merged)[0]
    for side in (ours, theirs):
        assert not told(path, base, ours, theirs, side)


ONE_LINE = b"def f(a, b):\n    if a and \\\n            b:\n        x(1)\n"
BROKEN = b"def f(\n    a,\n    b,\n):\n    if (\n        a\n        and b\n    ):\n        x(1)\n"
RIGHT = [
    (b"a.py", LOOP, WRAPPED, LOOP + b"        notify(row)\n", WRAPPED + b"            notify(row)\n"),
    # Behind the loop it may stand in what wraps it, or not.
    (b"a.py", LOOP, WRAPPED, LOOP + b"    done()\n", WRAPPED + b"        done()\n"),
    (b"a.py", LOOP, WRAPPED, LOOP + b"    done()\n", WRAPPED + b"    done()\n"),
    # What one side changed moves with what the other wrapped.
    (
        b"a.py",
        LOOP,
        WRAPPED,
        LOOP.replace(b"check(row)", b"check(1)"),
        WRAPPED.replace(b"check(row)", b"check(1)"),
    ),
    # Its header became something else.
    (
        b"a.py",
        LOOP,
        LOOP.replace(b"item.rows:", b"all_rows:"),
        LOOP.replace(b"        check", b"        first()\n        check"),
        LOOP.replace(b"item.rows:", b"all_rows:").replace(b"        check", b"        first()\n        check"),
    ),
    # How a statement is broken into lines, and what its brackets hold, says nothing.
    (
        b"a.py",
        ONE_LINE,
        BROKEN,
        ONE_LINE.replace(b"x(1)", b"x(\n            2,\n        )"),
        BROKEN.replace(b"x(1)", b"x(\n            2,\n        )"),
    ),
    (b"a.txt", b"a\nb\n", b"a\nb\nc\n", b"a\nb\nd\n", b"a\nb\nd\nc\n"),
]


@pytest.mark.parametrize(("path", "base", "ours", "theirs", "merged"), RIGHT)
def test_a_line_stands_where_it_belongs(
    path: bytes, base: bytes, ours: bytes, theirs: bytes, merged: bytes
) -> None:
    assert not told(path, base, ours, theirs, merged)
    assert not told(path, base, theirs, ours, merged)


def test_a_block_in_braces_that_is_not_indented() -> None:
    wrapped = b"function f() {\n  if (a) {\n    x(1);\n  }\n}\n"
    versions = b"function f() {\n  x(1);\n}\n", wrapped, b"function f() {\n  x(2);\n}\n"
    right = wrapped.replace(b"x(1)", b"x(2)")
    assert not told(b"a.js", *versions, right)
    (fault,) = told(b"a.js", *versions, right.replace(b"    x", b"  x"))
    assert fault == "`x(2);` would be no deeper than `if (a) {`, in which it stands"

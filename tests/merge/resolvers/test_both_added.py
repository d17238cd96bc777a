"""Two additions of which git cut off what both begin or end with, and additions that would never run."""

import pytest

from syncline.merge.resolvers import both_added
from testing.cases import file_case

WHOLE = [
    (
        "Rakefile",
        "task :deploy do\n  sh 'cap production x'\nend\n\n",
        "task :clean do\n  rm_rf 'tmp'\nend\n\n",
    ),
    ("a.ex", "def a do\n  1\nend\n", "def b do\n  2\nend\n"),
    ("init.lua", "local function a()\n  x = 2\nend\n\n", "local function b()\n  return y\nend\n\n"),
    ("a.fish", "function a\n  echo 1\nend\n", "function b\n  ls\nend\n"),
    ("bin/loop", "for f in a b; do\n  rm $f\ndone\n", "for h in $HOSTS; do\n  ping $h\ndone\n"),
    ("plan", "if a then\n  x\nfi\n", "if b then\n  y\nfi\n"),
    ("t.robot", "A\n    Log    1\n    [Return]    x\n", "B\n    Open    2\n    [Return]    x\n"),
    ("a.md", "```\nred\n```\n", "```\ngreen\n```\n"),
    ("a.py", "def a(x):\n    red(x)\n    return x\n", "def b(y):\n    green()\n    return x\n"),
    ("a.js", "case 2:\n  red = a + b - 1;\n  break;\n", "case 3:\n  green(x);\n  break;\n"),
]


def offers(path: str, ours: str, theirs: str) -> set[str]:
    """Return the texts that would stand in the file between its first and its last line."""
    files = (f"above\n{lines}below\n".encode() for lines in ("", ours, theirs))
    case = file_case(*files, path=path.encode())
    found = set()
    for offer in both_added.propose(case):
        parts = [part if isinstance(part, tuple) else offer.lines for part in case.cut.parts]
        found.add(b"".join(line for part in parts for line in part).decode()[len("above\n") : -len("below\n")])
    return found


@pytest.mark.parametrize(("path", "one", "other"), WHOLE)
def test_each_addition_keeps_the_end_that_git_cut_off(path: str, one: str, other: str) -> None:
    assert offers(path, one, other) == {one + other, other + one}


NOTHING = [
    # One new function with two bodies.
    ("a.py", "def b(x):\n    y = x * 2\n    return y\n", "def b(x):\n    log(x)\n    return y\n"),
    ("a.yaml", "b:\n  cmd: x\n  args: y\n", "b:\n  run: z\n  args: y\n"),
    ("a.c", "#else\nint y;\n", "#else\nlong z;\n"),
    # Nobody knows whether this line belongs to both.
    ("plan", "red one\nsame here\n", "green two\nsame here\n"),
    ("a.py", "red(1)\ncheck(x)\n", "green(2)\ncheck(x)\n"),
]


@pytest.mark.parametrize(("path", "one", "other"), NOTHING)
def test_nothing_is_offered_where_the_common_edge_is_not_to_be_told(path: str, one: str, other: str) -> None:
    assert not offers(path, one, other)
    assert not offers(path, other, one)


def test_a_common_import_is_needed_once() -> None:
    found = offers("a.py", "import same\nimport red\n", "import same\nimport green_one\n")
    assert "import same\nimport red\nimport green_one\n" in found


LAST = [
    ("a.py", "return x\n", "count(y)\n"),
    ("a.java", "throw new Red();\n", "green(1);\n"),
    ("a.sh", "exit 0\n", "green_one -a\n"),
    ("a.rs", "_ => red(),\n", "2 => green(1),\n"),
    ("a.ts", "default:\n  red();\n", "case 2:\n  green(1);\n"),
]


@pytest.mark.parametrize(("path", "last", "other"), LAST)
def test_nothing_is_added_where_it_would_never_run(path: str, last: str, other: str) -> None:
    assert offers(path, last, other) == {other + last}
    assert offers(path, other, last) == {other + last}


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        ("a.rb", "return 1 if x\n", "green(y)\n"),
        ("a.js", "if (x) {\n  return 1;\n}\n", "green(y);\n"),
        ("a.js", "break;\n", "case 2:\n"),
        ("a.yaml", "default:\n  red: 1\n", "case:\n  green: 2\n"),
        ("a.md", "return the red one\n", "green leaves\n"),
    ],
)
def test_what_may_be_reached_is_added(path: str, one: str, other: str) -> None:
    assert offers(path, one, other) == {one + other, other + one}

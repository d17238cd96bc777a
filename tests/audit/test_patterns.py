from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import SIDES, Versions
from syncline.audit.pattern_calls import _block, _parsed_function, _Sites, _touched
from syncline.audit.pattern_lines import SideFile
from syncline.audit.pattern_names import _DEFINES, _uses
from syncline.audit.patterns import wrong_together
from syncline.git import Entry
from syncline.git.oid import Oid
from syncline.git.tree import Mode
from testing.audited import findings_of, task_of
from testing.blobs import Files

FILLER = "".join(f"x{number} = {number}\n" for number in range(6))


def found(place: Path, base: Files, ours: Files, theirs: Files, merged: Files | None = None) -> list[Finding]:
    with task_of(place, base, ours, theirs, merged or {}) as task:
        return findings_of(wrong_together, task)


# --- names that one side removed -------------------------------------------------------------------------------

RENAMED = {
    "python": ("lib.py", "def mark_offloadable(x):\n    return x\n", "def mark_offload(x):\n    return x\n",
               "use.py", "import lib\n\n\ndef run(x):\n    return lib.mark_offloadable(x)\n"),
    "go": ("lib.go", "func (m *Meter) AddValue(n int) int {\n\treturn n\n}\n",
           "func (m *Meter) Add(n int) int {\n\treturn n\n}\n",
           "use.go", "func run(m *Meter) int {\n\treturn m.AddValue(3)\n}\n"),
    "c++": ("lib.cpp", "int Meter::addValue(int n)\n{\n  return n;\n}\n",
            "int Meter::add(int n)\n{\n  return n;\n}\n",
            "use.cpp", "int run(Meter* m) {\n  return m->addValue(3);\n}\n"),
    "php": ("lib.php", "<?php\nclass A {\n  public static function addValue() {}\n}\n", "<?php\nclass A {\n}\n",
            "use.php", "<?php\n$x = A::addValue();\n"),
    "exception": ("lib.py", "class OldError(Exception):\n    pass\n", "class NewError(Exception):\n    pass\n",
                  "use.py", "import lib\n\ntry:\n    lib.x()\nexcept lib.OldError:\n    pass\n"),
    "enum member": ("lib.py", "class Kind(Enum):\n    FIRST = 1\n    SECOND = 2\n",
                    "class Kind(Enum):\n    FIRST = 1\n    OTHER = 2\n",
                    "use.py", "from lib import Kind\n\nkind = Kind.SECOND\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", RENAMED)
def test_a_name_that_one_side_renamed_and_the_other_began_to_use(tmp_path: Path, name: str) -> None:
    path, before, after, user, use = RENAMED[name]
    (one,) = found(tmp_path, {path: before, user: "\n"}, {path: after}, {user: use})
    assert (one.kind, one.severity, one.path, one.side) == ("stale-name", Severity.FIX, user.encode(), "theirs")
    assert one.symbol in before
    assert {(ask.side, ask.path, ask.text.decode()) for ask in one.asks} == {
        ("ours", path.encode(), one.symbol),
        ("theirs", user.encode(), one.symbol),
    }
    assert one.line is not None
    assert one.symbol in use.splitlines()[one.line - 1]


def test_what_it_is_called_now_is_suggested(tmp_path: Path) -> None:
    path, before, after, user, use = RENAMED["python"]
    (one,) = found(tmp_path, {path: before, user: "\n"}, {path: after}, {user: use})
    assert one.suggestion == "use mark_offload, which target has in its place"
    assert one.message == (
        "source uses mark_offloadable, which target removed from lib.py; nothing in the merge defines it"
    )


@pytest.mark.parametrize(
    ("more_in_theirs", "merged_use"),
    [
        ({"own.py": "def mark_offloadable(y):\n    return y\n"}, None),  # it has one of its own
        ({"own.py": "mark_offloadable = 3\n"}, None),
        ({}, "import lib\n\n\ndef run(x):\n    return lib.mark_offload(x)\n"),  # the merge was mended
        ({}, "import lib\n\n\ndef run(x):\n    return x  # no lib.mark_offloadable(x)\n"),
        ({}, 'import lib\n\n\ndef run(x):\n    return "lib.mark_offloadable(x)"\n'),
    ],
)  # fmt: skip
def test_names_that_are_no_fault(tmp_path: Path, more_in_theirs: dict[str, str], merged_use: str | None) -> None:
    path, before, after, user, use = RENAMED["python"]
    merged = {} if merged_use is None else {user: merged_use}
    assert found(tmp_path, {path: before, user: "\n"}, {path: after}, {user: use} | more_in_theirs, merged) == []


def test_a_name_that_is_defined_elsewhere_is_no_fault(tmp_path: Path) -> None:
    path, before, after, user, use = RENAMED["python"]
    base = {path: before, user: "\n", "third.py": "def mark_offloadable(z):\n    return z\n"}
    assert found(tmp_path, base, {path: after}, {user: use}) == []


# --- calls -----------------------------------------------------------------------------------------------------


Texts: TypeAlias = dict[str, str]


def changed(before: str, after: str, call: str) -> tuple[Texts, Texts, Texts]:
    """Target changes a function of `pkg/lib.py`, source calls it in `use.py`."""
    head = "from pkg.lib import compute\n\n\ndef run(config, rest):\n"
    base = {"pkg/lib.py": FILLER + before, "use.py": head + "    return 0\n"}
    use = head + "".join(f"    {line}\n" for line in call.splitlines())
    return base, {"pkg/lib.py": FILLER + after}, {"use.py": use}


COMPUTE = "def compute(a, b=1):\n    a = a + b\n    return a, b\n"
POPS = COMPUTE.replace("    a =", '    a.pop("key")\n    a =')
DELETES = COMPUTE.replace("    a =", "    del a['key']\n    a =")
CALL, TWICE = "source's call of compute ", "takes 'key' out of config after it, which it does itself now"

CASES: dict[str, tuple[str, str, str, list[tuple[str, Severity, str]]]] = {
    "a parameter came in between": (
        COMPUTE, COMPUTE.replace("a, b=1", "a, scale, b=1"), "one = compute(1, 2)",
        [("argument-shifted", Severity.FIX, CALL + "passes b by position, where scale is now")],
    ),
    "a parameter came in between, the call names it": (
        COMPUTE, COMPUTE.replace("a, b=1", "a, scale, b=1"), "one = compute(1, b=2)", [],
    ),
    "a parameter came last": (COMPUTE, COMPUTE.replace("b=1", "b=1, c=2"), "one = compute(1, 2)", []),
    "a parameter was renamed": (COMPUTE, COMPUTE.replace("b", "c"), "one = compute(1, 2)", []),
    "stars": (COMPUTE, COMPUTE.replace("a, b=1", "a, scale, b=1"), "one = compute(*rest)", []),
    "another default": (
        COMPUTE, COMPUTE.replace("b=1", "b=2"), "one = compute(1)",
        [("default-changed", Severity.LOOK, CALL + "relies on the default of b, which was 1 and is 2")],
    ),
    "another default, not relied on": (COMPUTE, COMPUTE.replace("b=1", "b=2"), "one = compute(1, 3)", []),
    "more results": (
        COMPUTE, COMPUTE.replace("return a, b", "return a, b, 3"), "one, two = compute(1, 3)",
        [("result-changed", Severity.FIX, CALL + "takes 2 results of it, it gives 3 now")],
    ),
    "more results, taken whole": (
        COMPUTE, COMPUTE.replace("return a, b", "return a, b, 3"), "x = compute(1, 3)", [],
    ),
    "more results, a star": (
        COMPUTE, COMPUTE.replace("return a, b", "return a, b, 3"), "one, *two = compute(1, 3)", [],
    ),
    "taken out twice": (
        COMPUTE, POPS, 'compute(config, 2)\nconfig.pop("key")',
        [("taken-twice", Severity.FIX, CALL + TWICE)],
    ),
    "deleted twice": (
        COMPUTE, DELETES, "compute(b=2, a=config)\ndel config['key']",
        [("taken-twice", Severity.FIX, CALL + TWICE)],
    ),
    "taken out with a default": (
        COMPUTE, POPS, 'compute(config, 2)\nconfig.pop("key", None)', [],
    ),
    "another key": (
        COMPUTE, POPS, 'compute(config, 2)\nconfig.pop("other")', [],
    ),
    "formatted": (COMPUTE, COMPUTE.replace("a, b=1", "\n    a,\n    b=1,\n"), "one = compute(1)", []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_calls_of_a_function_that_the_other_side_changed(tmp_path: Path, name: str) -> None:
    before, after, call, expected = CASES[name]
    findings = found(tmp_path, *changed(before, after, call))
    assert [(one.kind, one.severity, one.message.partition(":")[0]) for one in findings] == expected
    assert all(
        (one.path, one.symbol, one.side, one.line) == (b"use.py", "compute", "theirs", 5) for one in findings
    )


def test_another_function_of_that_name_is_not_meant(tmp_path: Path) -> None:
    base, ours, theirs = changed(COMPUTE, COMPUTE.replace("b=1", "b=2"), "one = compute(1)")
    other = {"use.py": theirs["use.py"].replace("pkg.lib", "other.lib")}
    assert found(tmp_path, base, ours, other) == []


def test_a_side_that_changed_the_function_itself_knows_it(tmp_path: Path) -> None:
    base, ours, theirs = changed(COMPUTE, COMPUTE.replace("b=1", "b=2"), "one = compute(1)")
    assert found(tmp_path, base, ours, theirs | ours) == []


def test_a_method_called_by_self(tmp_path: Path) -> None:
    text = "class A:\n    def compute(self, a, b):\n        return a\n\n" + FILLER.replace("x", "    x")
    ours = text.replace("self, a, b", "self, scale, a, b")
    theirs = text + "\n    def run(self):\n        return self.compute(1, 2)\n"
    merged = ours + theirs.removeprefix(text)
    (one,) = found(tmp_path, {"a.py": text}, {"a.py": ours}, {"a.py": theirs}, {"a.py": merged})
    assert (one.kind, one.line) == ("argument-shifted", len(merged.splitlines()))


# --- pure ------------------------------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    [b"def f(", b"def f(a,\n", b"  b=None,\n", b"):\n", b"    return a, b\n", b" ", b"\n", b"\t", b"del a[1]\n",
     b"\xff", b"self.f(a)\n", b"class A:\n", b'"', b"\0", b"a.pop('x')\n", b"import f\n"]
)  # fmt: skip
TEXTS = st.lists(_PIECES, max_size=14).map(b"".join) | st.binary(max_size=60)
_ENTRY = Entry(Mode.FILE, Oid("1" * 40))


@given(TEXTS)
def test_any_bytes_are_read(text: bytes) -> None:
    block = _block(text, b"f")
    assert block is None or _parsed_function(block) is None or b"def f(" in block[0]
    lines = tuple(enumerate(text.split(b"\n")))
    assert _Sites.of(text, {line for _, line in lines}).lines == text.split(b"\n")
    file = SideFile(Versions(b"a.py", _ENTRY, _ENTRY, _ENTRY, _ENTRY, b"a.py", b"a.py"), SIDES[0], text, lines, ())
    assert set(_touched(file, {b"f"})) <= {b"f"}
    assert all(match.lastindex for match in _DEFINES.finditer(text))
    assert not _uses(b"name_that_is_nowhere", text)

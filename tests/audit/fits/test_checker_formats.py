"""What checkers print: SARIF, JSON, lines; and what is none of these."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.fits.diagnostic import Diagnostic
from syncline.audit.fits.formats import Format, UnreadableError, read

TREE = Path("/somewhere/tree")

names = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="/"), min_size=1).filter(
    lambda name: name not in {".", ".."}
)
paths = st.lists(names, min_size=1, max_size=3).map("/".join)
words = st.text(st.characters(exclude_categories=("Cs",)), min_size=1).filter(lambda text: "{" not in text)


@st.composite
def results(draw: st.DrawFn) -> tuple[dict[str, Any], Diagnostic]:
    """A SARIF result, with its URI and its rule written in one of the ways there are; and what it says."""
    path, line, rule, message = draw(paths), draw(st.integers(1, 10**6)), draw(words), draw(words)
    uri = draw(st.sampled_from(["", f"file://{TREE}/", f"file://localhost{TREE}/"])) + quote(path)
    named = draw(st.sampled_from([{"ruleId": rule}, {"rule": {"id": rule}}]))
    said = draw(st.sampled_from([{"text": message}, {"markdown": message}]))
    where = {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}
    result = {**named, "message": said, "locations": [{"physicalLocation": where}]}
    return result, Diagnostic(path.encode(), line, rule, message.replace(f"{TREE}/", ""))


def sarif(found: list[dict[str, Any]], **run: Any) -> bytes:
    return json.dumps({"version": "2.1.0", "runs": [{"results": found, **run}]}).encode()


@given(st.lists(results(), max_size=4))
def test_sarif_results_are_read(found: list[tuple[dict[str, Any], Diagnostic]]) -> None:
    printed = sarif([result for result, _ in found])
    assert read("sarif", printed, TREE) == [diagnostic for _, diagnostic in found]
    assert read("sarif", b"\xef\xbb\xbf" + printed, TREE) == [diagnostic for _, diagnostic in found]


HERE = [{"physicalLocation": {"artifactLocation": {"uri": "a.go"}, "region": {"startLine": 3}}}]
RULES = {"tool": {"driver": {"rules": [{"id": "R0"}, {"id": "R1", "messageStrings": {"m": {"text": "no {0}!"}}}]}}}


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"ruleIndex": 1, "message": {"id": "m", "arguments": ["way"]}}, [("R1", 3, "no way!")]),
        ({"ruleId": "R1", "message": {"id": "m"}}, [("R1", 3, "no {0}!")]),
        ({"ruleId": "R1/x", "ruleIndex": 1, "message": {"text": "t"}}, [("R1/x", 3, "t")]),
        ({"message": {"text": "t"}}, [("", 3, "t")]),
        ({"message": {"text": "t"}, "kind": "pass"}, []),
        ({"message": {"text": "t"}, "suppressions": [{"kind": "inSource"}]}, []),
        ({"message": {"text": "t"}, "baselineState": "absent"}, []),
        ({"message": {"text": "t"}, "locations": []}, []),
    ],
)
def test_sarif_in_all_its_ways(result: dict[str, Any], expected: list[tuple[str, int, str]]) -> None:
    found = read("sarif", sarif([{"locations": HERE, **result}], **RULES), TREE)
    assert [(one.rule, one.line, one.message) for one in found] == expected


def test_sarif_artifacts_by_index_and_paths_outside() -> None:
    def at(**location: Any) -> dict[str, Any]:
        return {"message": {"text": "t"}, "locations": [{"physicalLocation": {"artifactLocation": location}}]}

    found = [at(index=0), at(uri="../x"), at(uri="/etc/passwd"), at(uri="file:///somewhere/tree/./b/../c")]
    printed = sarif(found, artifacts=[{"location": {"uri": "a"}}])
    assert [(one.path, one.line) for one in read("sarif", printed, TREE)] == [(b"a", 0), (b"c", 0)]


@pytest.mark.parametrize(
    "document",
    [
        [{"path": "a.py", "rule": "R", "message": "m /somewhere/tree/b.py", "line": 7}],
        {"errors": [{"filename": "./a.py", "code": "R", "message": "m b.py", "location": {"row": 7}}]},
        [{"check_name": "R", "description": "m b.py",
          "location": {"path": "/somewhere/tree/a.py", "positions": {"begin": {"line": 7}}}}],
        {"path": "a.py", "rule": "R", "message": "m b.py", "line": 7},
    ],
)  # fmt: skip
def test_json_in_the_ways_of_several_tools(document: Any) -> None:
    assert read("json", json.dumps(document).encode(), TREE) == [Diagnostic(b"a.py", 7, "R", "m b.py")]


def test_json_an_object_a_line() -> None:
    printed = b'{"path": "a", "message": "x"}\n\n{"path": "b", "message": "y", "line": 2}\n'
    assert read("json", printed, TREE) == [Diagnostic(b"a", 0, "", "x"), Diagnostic(b"b", 2, "", "y")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.go:3:5: undefined: x", Diagnostic(b"a.go", 3, "", "undefined: x")),
        ("./a.go:3: undefined: x", Diagnostic(b"a.go", 3, "", "undefined: x")),
        ("/somewhere/tree/b c/a.c:3:5: warning: no x [-Wx]", Diagnostic(b"b c/a.c", 3, "-Wx", "no x")),
        ("a.ts(3,5): error TS2304: Cannot find 'x'.", Diagnostic(b"a.ts", 3, "TS2304", "Cannot find 'x'.")),
        ("a.py:3:5: F821 undefined name `x`", Diagnostic(b"a.py", 3, "F821", "undefined name `x`")),
        ("# pkg", None),
        ("Found 3 errors.", None),
        ("  at f (/x/y.js:3:5)", None),
        ("/usr/include/x.h:3:5: note: there", None),
    ],
)  # fmt: skip
def test_lines(line: str, expected: Diagnostic | None) -> None:
    assert read("lines", f"begin\n{line}\nend\n".encode(), TREE) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("form", "printed"),
    [
        ("sarif", b""),
        ("sarif", b"Segmentation fault"),
        ("sarif", b"[]"),
        ("sarif", b'{"version": "2.1.0"}'),
        ("sarif", b'{"runs": [{"results": [1]}]}'),
        ("sarif", b'{"runs": [{"results": [], "invocations": [{"executionSuccessful": false}]}]}'),
        ("sarif", b'{"runs": ' + b"[" * 100_000),
        ("json", b""),
        ("json", b"oops"),
        ("json", b"[1]"),
        ("json", b'[{"rule": "no path"}]'),
        ("json", b'{"a": [], "b": []}'),
        ("json", b'[{"path": "a", "message": "cut off'),
    ],
)
def test_garbage_is_told(form: Format, printed: bytes) -> None:
    with pytest.raises(UnreadableError, match=f"is no {form}"):
        read(form, printed, TREE)


@given(st.sampled_from(["sarif", "json", "lines"]), st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(form: Format, printed: bytes) -> None:
    try:
        found = read(form, printed, TREE)
    except UnreadableError:
        return
    assert all(not one.path.startswith((b"/", b"..")) for one in found)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["runs", "results", "message", "text", "locations", "path", "line"]), inner
        )
    ),
    max_leaves=12,
)


@given(st.sampled_from(["sarif", "json"]), json_values)
def test_any_json_is_read_or_refused(form: Format, value: Any) -> None:
    try:
        read(form, json.dumps(value).encode(), TREE)
    except UnreadableError:
        return


@pytest.mark.parametrize(
    ("message", "normal"),
    [
        ("Redefinition of unused `x` from line 12", "Redefinition of unused `x`"),
        (
            "Missing argument `a` in function `pkg.core.Engine.run`",
            "Missing argument `a` in function `Engine.run`",
        ),
        ("see pkg/a.py:3:4 there", "see pkg/a.py there"),
        ("Expected 9 positional arguments, got 10", "Expected 9 positional arguments, got 10"),
    ],
)
def test_messages_are_compared_without_lines_and_modules(message: str, normal: str) -> None:
    assert Diagnostic(b"a", 1, "", message).normal == normal

import tomllib
from datetime import date
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.config.positions import positions
from tests.config.toml_writer import Path, TomlWriter

KEYS = st.text(min_size=1, max_size=6) | st.sampled_from(["a", "b", "lanes", "main-to-dev", 'x "y"', "é.z"])
SCALARS = (
    st.integers(-(10**6), 10**6)
    | st.text(max_size=12)
    | st.booleans()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.dates(date(1900, 1, 1))
    | st.sampled_from(["two\nlines", "\nfirst empty", "tail\\\n"])
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=5)


@given(DOCUMENTS, st.integers())
def test_every_key_has_the_line_it_was_written_on(document: dict[str, Any], seed: int) -> None:
    writer = TomlWriter(Random(seed)).document(document)  # noqa: S311 - no secret
    assert tomllib.loads(writer.text) == document
    found = positions(writer.text.encode())
    assert dict(found.lines) == writer.written


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("", ("a",), 1),
        ("\n\na = 1\n", ("a",), 3),
        ("\n\na = 1\n", ("b",), 1),
        ("[t]\na = 1\n", ("t", "missing"), 1),
        ("\r\n[t]\r\na = 1\r\n", ("t", "a"), 3),
        ("\n[a.b.c]\n[a]\n", ("a",), 3),
        ("\n[a.b.c]\n", ("a", "b"), 2),
        ("[[a]]\n[[a]]\n[a.b]\nc = 1\n", ("a", 1, "b", "c"), 4),
        ("[[a]]\n[[a.b]]\n[[a]]\n[[a.b]]\n[[a.b]]\n", ("a", 1, "b", 1), 5),
        ("a = { b = 1, c.d = [1, { e = 2 }] }", ("a", "c", "d", 1, "e"), 1),
        ("a = [\n 1, # one\n\n [\n 2,\n 3]]", ("a", 1, 1), 6),
        ("\"a.b\".'c'.d = 1", ("a.b", "c", "d"), 1),
        ('\n"\\u00e9" = 1', ("é",), 2),
        ('x = """\n\n"""\ny = 1', ("y",), 4),
    ],
)
def test_lines(text: str, path: Path, line: int) -> None:
    assert tomllib.loads(text) is not None
    assert positions(text.encode()).line(path) == line

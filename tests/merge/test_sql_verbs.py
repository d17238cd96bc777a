"""SQL statements of which a side changed what they do."""

import pytest

from syncline.merge.hunks import split_lines
from syncline.merge.sql_verbs import sql_verbs
from testing.cases import file_case


def told(base: bytes, ours: bytes, theirs: bytes, text: bytes, path: bytes = b"a.sql") -> list[str]:
    (hunk,) = file_case(base, ours, theirs, path=path).hunks
    return list(sql_verbs(hunk, tuple(split_lines(text))))


SELECTED = b"SELECT a FROM t WHERE x = 1;\n"


@pytest.mark.parametrize("verb", [b"DELETE", b"delete"])
def test_a_statement_that_does_something_else(verb: bytes) -> None:
    changed, fewer, text = verb + b" FROM t WHERE x = 1;\n", b"SELECT a FROM t;\n", verb + b" FROM t;\n"
    for sides in ((changed, fewer), (fewer, changed)):
        (fault,) = told(SELECTED, *sides, text)
        assert fault == f"no version has it, and a side changed what it does: {verb.decode()} FROM t"
        assert told(SELECTED, *sides, text, path=b"a.txt") == []
        assert told(SELECTED, *sides, changed) == []


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "text"),
    [
        pytest.param(
            SELECTED, SELECTED.replace(b"a", b"b"), SELECTED.replace(b"1", b"2"),
            b"SELECT b FROM t WHERE x = 2;\n", id="the same verb",
        ),
        pytest.param(
            b"SELECT 1;\n", b"SELECT 1;\nDROP TABLE a;\n", b"SELECT 1;\nDELETE FROM b;\n",
            b"SELECT 1;\nDROP TABLE a;\nDELETE FROM b;\n", id="statements added",
        ),
    ],
)  # fmt: skip
def test_statements_that_do_the_same(base: bytes, ours: bytes, theirs: bytes, text: bytes) -> None:
    assert told(base, ours, theirs, text) == []

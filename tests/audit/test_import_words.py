"""No import of Python is overlooked by the words that are sought in a file first."""

import re

from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.modules.import_words import import_words
from syncline.audit.modules.imports import imports

_PIECES = st.sampled_from([
    "import ", "from ", "a", ".b", "importlib", " as ", "c", ", ", "(", ")", "\\\n", "\\\r\n", "\n", "    ", "# ",
    "import (", "from a import ", "from importlib import (\n", "x = 1", ";", "\\", "é", "\t",
])  # fmt: skip


@given(st.lists(_PIECES, max_size=25).map("".join))
def test_every_import_is_among_its_words(text: str) -> None:
    words = import_words(text.encode())
    for found in imports(b"a.py", text.encode()):
        said = set(re.findall(rb"\w+", found.words)) - {b"import", b"from"}
        assert said <= words, (text, found)


def test_words_of_imports_over_several_lines() -> None:
    text = (
        b"import os, re\nx = 1\nfrom .a import (\n    b,  # why\n    c as d,\n)\n from e import f, \\\n g\ny = 2\n"
    )
    words = import_words(text)
    assert words >= {b"os", b"re", b"a", b"b", b"c", b"e", b"f", b"g"}
    assert words.isdisjoint({b"x", b"y"})

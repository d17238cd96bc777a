"""The language of files whose names have no end that tells it."""

import pytest

from syncline.merge.text.syntax import language_of


@pytest.mark.parametrize(
    ("path", "content", "language"),
    [
        (b"a/Rakefile", b"", "Ruby"),
        (b"Gemfile", b"", "Ruby"),
        (b"bin/x", b"#!/usr/bin/env python3\n", "Python"),
        (b"bin/x", b"#!/usr/bin/env -S node --x\n", "JavaScript"),
        (b"bin/x", b"#!/bin/sh -e\n", "shell"),
        (b"bin/x", b"#!/usr/bin/awk -f\n", None),
        (b"bin/x", b"echo a\n", None),
        (b"a.txt", b"#!/bin/sh\n", None),
    ],
)
def test_a_script_tells_its_language(path: bytes, content: bytes, language: str | None) -> None:
    found = language_of(path, content)
    assert (found.name if found else None) == language

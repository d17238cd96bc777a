"""Whether two answers come to the same text. Pure."""

from collections.abc import Mapping

from syncline.git.paths import json_path

_LAYOUT_COUNTS = (
    b".py",
    b".pyi",
    b".pyx",
    b".yml",
    b".yaml",
    b".mk",
    b".nim",
    b".fs",
    b".hs",
    b".rst",
    b".haml",
    b".pug",
)
"""Where white space at a line's beginning says something."""


def difference(one: Mapping[bytes, bytes | None], other: Mapping[bytes, bytes | None]) -> str:
    """Return in what two answers differ, white space aside, in words; empty where they agree.

    Args:
        one: the whole content of each file that an answer edits; None for one that it deletes.
        other: the same of another answer.
    """
    for path in sorted(one.keys() | other.keys()):
        if path not in one or path not in other:
            return f"only one of them edits {json_path(path)}"
        mine, theirs = one[path], other[path]
        if (mine is None) != (theirs is None):
            return f"only one of them deletes {json_path(path)}"
        if mine is not None and theirs is not None and _told(path, mine) != _told(path, theirs):
            return f"they differ in {json_path(path)}"
    return ""


def _told(path: bytes, content: bytes) -> list[bytes]:
    """Return what a text says: its words; with the beginnings of lines where these count."""
    name = path.rpartition(b"/")[2].lower()
    if not name.endswith(_LAYOUT_COUNTS) and name != b"makefile":
        return content.split()
    found = []
    for line in content.split(b"\n"):
        words = line.split()
        if words:
            found.append(line[: len(line) - len(line.lstrip())].expandtabs(8) + b" ".join(words))
    return found

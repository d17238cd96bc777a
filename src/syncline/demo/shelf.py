"""The story's files as data.

    shelf/main/116/PATH.txt     a file that proposal #116 added to main, whole
    shelf/main/116/edits        what it changed in files that were there before
    shelf/settled/PATH.txt      the right content of a file in conflict
    shelf/repaired/PATH.txt     the right content of a file that merged cleanly and broke

The suffix keeps them from being taken for syncline's own code, tests and configuration. An edits file reads

    === tinytron/optimizer.py
    --- was
    def clip_grads(parameters, limit):
    --- is
    def clip_grad_norm(parameters, limit):

with any number of files, and of pairs in a file.
"""

import re
from pathlib import Path

from syncline.demo.history import Changes, Replacement

_SHELF = Path(__file__).parent / "shelf"
_SUFFIX = ".txt"
_HEADINGS = re.compile(r"^(?:=== (?P<path>.+)|--- (?P<word>was|is))\n", re.MULTILINE)


def texts(place: str) -> dict[str, str]:
    """Return the whole files below `place` of the shelf, by their path in the story's repository."""
    root = _SHELF / place
    found = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*" + _SUFFIX))}
    return {name.removesuffix(_SUFFIX): path.read_text(encoding="utf-8") for name, path in found.items()}


def edits(place: str) -> Changes:
    """Return the replacements of the edits file in `place`, by path; none when there is no such file."""
    try:
        text = (_SHELF / place / "edits").read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    return parse_edits(text)


def parse_edits(text: str) -> dict[str, list[Replacement]]:
    """Read an edits file.

    Raises:
        ValueError: it is not of the format above.
    """
    found: dict[str, list[Replacement]] = {}
    path: str | None = None
    was: str | None = None
    headings = list(_HEADINGS.finditer(text))
    ends = [heading.start() for heading in headings] + [len(text)]
    if ends[0] != 0:
        raise ValueError(f"an edits file starts with `=== PATH`, found {text[:40]!r}")
    for heading, end in zip(headings, ends[1:], strict=True):
        block = text[heading.end() : end]
        if heading["path"] and was is None and not block:
            path = heading["path"]
            found[path] = []
        elif heading["word"] == "was" and path is not None and was is None:
            was = block
        elif heading["word"] == "is" and path is not None and was is not None:
            found[path].append((was, block))
            was = None
        else:
            raise ValueError(f"`{heading[0].strip()}` stands at the wrong place in an edits file")
    if was is not None:
        raise ValueError("an edits file ends after `--- was`, `--- is` is missing")
    return found

"""Builds conflicts for the resolvers, merged by git itself."""

import tempfile
from pathlib import Path

from syncline.merge.case import FileCase
from syncline.merge.hunks import parse_conflicted
from syncline.merge.model import ConflictKind
from testing.sealed import run_git


def file_case(base: bytes | None, ours: bytes, theirs: bytes, path: bytes = b"file.txt") -> FileCase:
    """Return the conflict that git makes of three versions (`git merge-file`; no hunks when it merges cleanly).

    Args:
        base: the common version; None when both sides added the file.
        ours: target's version.
        theirs: source's version.
        path: its name, from which the language is told.
    """
    with tempfile.TemporaryDirectory() as place:
        files = [Path(place) / name for name in ("ours", "base", "theirs")]
        for file, content in zip(files, (ours, base or b"", theirs), strict=True):
            file.write_bytes(content)
        labels = ("-L", "OURS", "-L", "BASE", "-L", "THEIRS")
        done = run_git(Path(place), "merge-file", "-p", "-q", *labels, *files)
    # Binary content, which git does not merge, has no hunks.
    merged = done.stdout if done.returncode < 128 else ours
    cut = parse_conflicted(merged, ours=ours, theirs=theirs, ours_label="OURS", theirs_label="THEIRS")
    kind = ConflictKind.CONTENT if base is not None else ConflictKind.ADD_ADD
    return FileCase(path, kind, base or b"", ours, theirs, cut, has_base=base is not None)

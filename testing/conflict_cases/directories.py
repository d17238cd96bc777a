"""Directories that moved away under new files, and files where the other side has a directory."""

from testing.conflict_cases.case import (
    CONTENTS,
    DIRECTORY_RENAME_COLLISION,
    DIRECTORY_RENAME_IN_WAY,
    DIRECTORY_RENAME_SPLIT,
    DIRECTORY_RENAME_SUGGESTED,
    FILE_DIRECTORY,
    MODIFY_DELETE,
    ConflictCase,
    case,
)
from testing.conflict_cases.stories import LINES, OUR_LINE, Side, directory, two_sides

_DIRECTORY = directory("old", "a", "b", "c")

DIRECTORY_CASES: tuple[ConflictCase, ...] = (
    case(
        "added to a renamed directory",
        "directory_rename",
        two_sides(_DIRECTORY, Side(move={"old": "new"}), Side({"old/added.py": "new\n"})),
        (b"new/added.py",),
        DIRECTORY_RENAME_SUGGESTED,
    ),
    case(
        "added to a directory they renamed",
        "directory_rename",
        two_sides(_DIRECTORY, Side({"old/added.py": "new\n"}), Side(move={"old": "new"})),
        (b"new/added.py",),
        DIRECTORY_RENAME_SUGGESTED,
    ),
    case(
        "renamed into a renamed directory",
        "directory_rename",
        two_sides({"z.txt": LINES, **_DIRECTORY}, Side(move={"old": "new"}), Side(move={"z.txt": "old/z.txt"})),
        (b"new/z.txt",),
        DIRECTORY_RENAME_SUGGESTED,
    ),
    case(
        "added to a renamed directory by both",
        "directory_rename",
        two_sides(
            _DIRECTORY,
            Side({"new/added.py": "ours\n"}, {"old": "new"}),
            Side({"old/added.py": "theirs\n"}),
        ),
        (b"new/added.py",),
        DIRECTORY_RENAME_SUGGESTED,
        CONTENTS,
    ),
    case(
        "file in the way of a renamed directory",
        "directory_rename",
        two_sides(
            _DIRECTORY,
            Side(move={"old": "new"}),
            Side({"old/added.py": "added\n", "new/added.py": "in the way\n"}),
        ),
        (),
        DIRECTORY_RENAME_IN_WAY,
    ),
    case(
        "two renamed directories collide",
        "directory_rename",
        two_sides(
            _DIRECTORY | directory("older", "x", "y", "z"),
            Side(move={"old": "new", "older": "new"}),
            Side({"old/added.py": "one\n", "older/added.py": "other\n"}),
        ),
        (),
        DIRECTORY_RENAME_COLLISION,
    ),
    case(
        "renamed directory split evenly",
        "directory_rename",
        two_sides(
            directory("old", "a", "b", "c", "d"),
            Side(
                move={
                    "old/a.py": "one/a.py",
                    "old/b.py": "one/b.py",
                    "old/c.py": "two/c.py",
                    "old/d.py": "two/d.py",
                }
            ),
            Side({"old/added.py": "new\n"}),
        ),
        (),
        DIRECTORY_RENAME_SPLIT,
    ),
    case(
        "our file, their directory",
        "file_directory",
        two_sides({}, Side({"a": "ours\n"}), Side({"a/b.txt": "theirs\n"})),
        (b"a~ours",),
        FILE_DIRECTORY,
    ),
    case(
        "our directory, their file",
        "file_directory",
        two_sides({}, Side({"a/b.txt": "ours\n"}), Side({"a": "theirs\n"})),
        (b"a~theirs",),
        FILE_DIRECTORY,
    ),
    case(
        "our changed file, their directory",
        "file_directory",
        two_sides({"a": LINES}, Side({"a": OUR_LINE}), Side({"a/b.txt": "theirs\n"}, delete=["a"])),
        (b"a~ours",),
        FILE_DIRECTORY,
        MODIFY_DELETE,
    ),
    case(
        "our changed directory, their file",
        "file_directory",
        two_sides({"a/b.txt": LINES}, Side({"a/b.txt": OUR_LINE}), Side({"a": "theirs\n"}, delete=["a"])),
        (b"a/b.txt", b"a~theirs"),
        FILE_DIRECTORY,
        MODIFY_DELETE,
    ),
    case(
        "our renamed file, their directory",
        "file_directory",
        two_sides({"a.txt": LINES}, Side(move={"a.txt": "a"}), Side({"a/b.txt": "theirs\n"})),
        (b"a~ours",),
        FILE_DIRECTORY,
    ),
)

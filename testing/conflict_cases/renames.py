"""Files, and whole directories, that one or both sides renamed."""

from testing.conflict_cases.case import (
    CONTENTS,
    MODIFY_DELETE,
    RENAME_COLLIDES,
    RENAME_DELETE,
    RENAME_RENAME,
    ConflictCase,
    case,
)
from testing.conflict_cases.stories import LINES, OUR_LINE, THEIR_LINE, Side, directory, two_sides
from testing.content import Append

_ABC = (b"a.txt", b"b.txt", b"c.txt")
_B = (b"b.txt",)
_DIRECTORY = directory("old", "a", "b", "c")
_TRIPLES = tuple(f"{name}/{letter}.py".encode() for name in ("old", "one", "two") for letter in "abc")

RENAME_CASES: tuple[ConflictCase, ...] = (
    case(
        "rename/rename 1to2",
        "rename_rename",
        two_sides({"a.txt": LINES}, Side(move={"a.txt": "b.txt"}), Side(move={"a.txt": "c.txt"})),
        _ABC,
        RENAME_RENAME,
    ),
    case(
        "rename/rename 1to2 with content",
        "rename_rename",
        two_sides(
            {"a.txt": LINES},
            Side({"b.txt": OUR_LINE}, {"a.txt": "b.txt"}),
            Side({"c.txt": THEIR_LINE}, {"a.txt": "c.txt"}),
        ),
        _ABC,
        RENAME_RENAME,
    ),
    case(
        "rename/rename 1to2 onto an added file",
        "rename_rename",
        two_sides(
            {"a.txt": LINES},
            Side(move={"a.txt": "b.txt"}),
            Side({"b.txt": "new\n"}, {"a.txt": "c.txt"}),
        ),
        _ABC,
        RENAME_RENAME,
        CONTENTS,
    ),
    case(
        "rename/rename 2to1",
        "rename_rename",
        two_sides(
            {"a.txt": LINES, "b.txt": "b\n" * 9},
            Side(move={"a.txt": "c.txt"}),
            Side(move={"b.txt": "c.txt"}),
        ),
        (b"c.txt",),
        CONTENTS,
    ),
    case(
        "rename/rename 2to1 with content",
        "rename_rename",
        two_sides(
            {"a.txt": LINES, "b.txt": "b\n" * 9},
            Side({"c.txt": OUR_LINE, "b.txt": Append("ours\n")}, {"a.txt": "c.txt"}),
            Side({"a.txt": THEIR_LINE}, {"b.txt": "c.txt"}),
        ),
        (b"c.txt",),
        CONTENTS,
        RENAME_COLLIDES,
    ),
    case(
        "directory renamed to two places",
        "rename_rename",
        two_sides(_DIRECTORY, Side(move={"old": "one"}), Side(move={"old": "two"})),
        _TRIPLES,
        RENAME_RENAME,
    ),
    case(
        "rename/add, we renamed",
        "rename_add",
        two_sides({"a.txt": LINES}, Side(move={"a.txt": "b.txt"}), Side({"b.txt": "new\n"})),
        _B,
        CONTENTS,
    ),
    case(
        "rename/add, they renamed",
        "rename_add",
        two_sides({"a.txt": LINES}, Side({"b.txt": "new\n"}), Side(move={"a.txt": "b.txt"})),
        _B,
        CONTENTS,
    ),
    case(
        "rename/add with content",
        "rename_add",
        two_sides(
            {"a.txt": LINES},
            Side({"b.txt": OUR_LINE}, {"a.txt": "b.txt"}),
            Side({"a.txt": THEIR_LINE, "b.txt": "new\n"}),
        ),
        _B,
        CONTENTS,
        RENAME_COLLIDES,
    ),
    case(
        "rename/delete, they deleted",
        "rename_delete",
        two_sides({"a.txt": LINES}, Side(move={"a.txt": "b.txt"}), Side(delete=["a.txt"])),
        _B,
        RENAME_DELETE,
    ),
    case(
        "rename/delete, we deleted",
        "rename_delete",
        two_sides({"a.txt": LINES}, Side(delete=["a.txt"]), Side(move={"a.txt": "b.txt"})),
        _B,
        RENAME_DELETE,
    ),
    case(
        "rename/delete with content",
        "rename_delete",
        two_sides({"a.txt": LINES}, Side({"b.txt": OUR_LINE}, {"a.txt": "b.txt"}), Side(delete=["a.txt"])),
        _B,
        RENAME_DELETE,
        MODIFY_DELETE,
    ),
    case(
        "rename/delete onto an added file",
        "rename_delete",
        two_sides({"a.txt": LINES}, Side(move={"a.txt": "b.txt"}), Side({"b.txt": "new\n"}, delete=["a.txt"])),
        _B,
        RENAME_DELETE,
        CONTENTS,
    ),
)

"""Submodules: checked out or not, moved apart, rewound, or in the way of something else."""

from testing.conflict_cases.case import (
    CONTENTS,
    DISTINCT_MODES,
    FILE_DIRECTORY,
    MODIFY_DELETE,
    SUBMODULE,
    SUBMODULE_NO_BASE,
    SUBMODULE_NO_HISTORY,
    SUBMODULE_NOT_INITIALIZED,
    SUBMODULE_POSSIBLE,
    SUBMODULE_REWINDS,
    ConflictCase,
    case,
)
from testing.conflict_cases.stories import LINES, OUR_LINE, THEIR_LINE, Side, submodule, two_sides, unborn
from testing.content import Submodule, Symlink

_SUB = (b"sub",)

SUBMODULE_CASES: tuple[ConflictCase, ...] = (
    case(
        "submodule not checked out",
        "submodule",
        two_sides(
            {"sub": Submodule(unborn(0))},
            Side({"sub": Submodule(unborn(1))}),
            Side({"sub": Submodule(unborn(2))}),
        ),
        _SUB,
        SUBMODULE_NOT_INITIALIZED,
        CONTENTS,
    ),
    case(
        "submodule moved apart",
        "submodule",
        submodule(lambda sub: (sub.base.oid, sub.left.oid, sub.right.oid)),
        _SUB,
        SUBMODULE,
        CONTENTS,
    ),
    case(
        "submodule has the merge",
        "submodule",
        submodule(lambda sub: (sub.base.oid, sub.left.oid, sub.right.oid), merges=1),
        _SUB,
        SUBMODULE_POSSIBLE,
        CONTENTS,
    ),
    case(
        "submodule has two merges",
        "submodule",
        submodule(lambda sub: (sub.base.oid, sub.left.oid, sub.right.oid), merges=2),
        _SUB,
        SUBMODULE_POSSIBLE,
        CONTENTS,
    ),
    case(
        "submodule rewound",
        "submodule",
        submodule(lambda sub: (sub.left.oid, sub.base.oid, sub.right.oid)),
        _SUB,
        SUBMODULE_REWINDS,
        CONTENTS,
    ),
    case(
        "submodule commit missing",
        "submodule",
        submodule(lambda sub: (sub.base.oid, sub.left.oid, unborn(0))),
        _SUB,
        SUBMODULE_NO_HISTORY,
        CONTENTS,
    ),
    case(
        "submodule added by both",
        "submodule",
        submodule(lambda sub: (None, sub.left.oid, sub.right.oid)),
        _SUB,
        SUBMODULE_NO_BASE,
        CONTENTS,
    ),
    case(
        "submodule moved, they deleted",
        "submodule",
        two_sides({"sub": Submodule(unborn(0))}, Side({"sub": Submodule(unborn(1))}), Side(delete=["sub"])),
        _SUB,
        MODIFY_DELETE,
    ),
    case(
        "our submodule, their changed directory",
        "submodule",
        two_sides({"sub/a.txt": LINES}, Side({"sub": Submodule(unborn(0))}), Side({"sub/a.txt": THEIR_LINE})),
        (b"sub/a.txt", b"sub~ours"),
        FILE_DIRECTORY,
        MODIFY_DELETE,
    ),
    case(
        "our file, their submodule",
        "submodule",
        two_sides({}, Side({"sub": "ours\n"}), Side({"sub": Submodule(unborn(0))})),
        (b"sub", b"sub~ours"),
        DISTINCT_MODES,
    ),
    case(
        "our changed file, their submodule",
        "submodule",
        two_sides({"sub": LINES}, Side({"sub": OUR_LINE}), Side({"sub": Submodule(unborn(0))})),
        (b"sub", b"sub~ours"),
        DISTINCT_MODES,
    ),
    case(
        "our symlink, their submodule",
        "submodule",
        two_sides({}, Side({"sub": Symlink("ours")}), Side({"sub": Submodule(unborn(0))})),
        (b"sub~ours", b"sub~theirs"),
        DISTINCT_MODES,
    ),
)

"""Symbolic links, executable bits, and what is a file for one side only."""

from testing.conflict_cases.case import CONTENTS, DISTINCT_MODES, ConflictCase, case
from testing.conflict_cases.stories import LINES, OUR_LINE, Side, two_sides
from testing.content import File, Symlink

LINK_CASES: tuple[ConflictCase, ...] = (
    case(
        "symlink",
        "symlink",
        two_sides({"l": Symlink("base")}, Side({"l": Symlink("ours")}), Side({"l": Symlink("theirs")})),
        (b"l",),
        CONTENTS,
    ),
    case(
        "symlink added by both",
        "symlink",
        two_sides({}, Side({"l": Symlink("ours")}), Side({"l": Symlink("theirs")})),
        (b"l",),
        CONTENTS,
    ),
    case(
        "our file, their symlink",
        "symlink",
        two_sides({}, Side({"l": "ours\n"}), Side({"l": Symlink("theirs")})),
        (b"l", b"l~ours"),
        DISTINCT_MODES,
    ),
    case(
        "our changed file, their symlink",
        "symlink",
        two_sides({"l": LINES}, Side({"l": OUR_LINE}), Side({"l": Symlink("theirs")})),
        (b"l", b"l~ours"),
        DISTINCT_MODES,
    ),
    case(
        "mode only",
        "mode",
        two_sides({}, Side({"x.sh": "exit\n"}), Side({"x.sh": File("exit\n", executable=True)})),
        (b"x.sh",),
        CONTENTS,
    ),
    case(
        "mode and content",
        "mode",
        two_sides({}, Side({"x.sh": "exit 1\n"}), Side({"x.sh": File("exit 2\n", executable=True)})),
        (b"x.sh",),
        CONTENTS,
    ),
)

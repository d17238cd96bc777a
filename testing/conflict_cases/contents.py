"""Both sides changed the same file, or one deleted it."""

from testing.conflict_cases.case import BINARY, CONTENTS, MODIFY_DELETE, ConflictCase, case
from testing.conflict_cases.stories import (
    LINES,
    OUR_LINE,
    THEIR_LINE,
    Side,
    appended,
    criss_cross,
    criss_cross_disagreeing,
    two_sides,
)
from testing.content import Chmod, Replace

_CRLF = LINES.replace("\n", "\r\n")
_LATIN1 = b"caf\xe9.txt"
_STRANGE = b'new\nline, "quotes" and\ttab.txt'
_A = (b"a.txt",)
_B = (b"b.txt",)

CONTENT_CASES: tuple[ConflictCase, ...] = (
    case(
        "content",
        "content",
        two_sides({"a.txt": LINES}, Side({"a.txt": OUR_LINE}), Side({"a.txt": THEIR_LINE})),
        _A,
        CONTENTS,
    ),
    case(
        "content of a file we renamed",
        "content",
        two_sides({"a.txt": LINES}, Side({"b.txt": OUR_LINE}, {"a.txt": "b.txt"}), Side({"a.txt": THEIR_LINE})),
        _B,
        CONTENTS,
    ),
    case(
        "content of a file both renamed alike",
        "content",
        two_sides(
            {"a.txt": LINES},
            Side({"b.txt": OUR_LINE}, {"a.txt": "b.txt"}),
            Side({"b.txt": THEIR_LINE}, {"a.txt": "b.txt"}),
        ),
        _B,
        CONTENTS,
    ),
    case(
        "content with CRLF",
        "content",
        two_sides(
            {"a.txt": _CRLF},
            Side({"a.txt": Replace("line 4\r\n", "line 4, ours\r\n")}),
            Side({"a.txt": Replace("line 4\r\n", "line 4, theirs\r\n")}),
        ),
        _A,
        CONTENTS,
    ),
    case(
        "line endings against content",
        "content",
        two_sides({"a.txt": LINES}, Side({"a.txt": _CRLF}), Side({"a.txt": THEIR_LINE})),
        _A,
        CONTENTS,
    ),
    case(
        "no newline at the end",
        "content",
        two_sides({"a.txt": LINES}, Side(appended("ours")), Side(appended("theirs"))),
        _A,
        CONTENTS,
    ),
    case(
        "content and path not UTF-8",
        "content",
        two_sides({_LATIN1: b"\xe9\n"}, Side({_LATIN1: b"\xe9\xe8\n"}), Side({_LATIN1: b"\xe9\xe7\n"})),
        (_LATIN1,),
        CONTENTS,
    ),
    case(
        "path with newline, quotes and tab",
        "content",
        two_sides({_STRANGE: LINES}, Side({_STRANGE: OUR_LINE}), Side({_STRANGE: THEIR_LINE})),
        (_STRANGE,),
        CONTENTS,
    ),
    case("criss-cross", "content", criss_cross, _A, CONTENTS),
    case("criss-cross with bases in conflict", "content", criss_cross_disagreeing, _A, CONTENTS),
    case(
        "add/add",
        "add_add",
        two_sides({}, Side({"a.txt": "ours\n"}), Side({"a.txt": "theirs\n"})),
        _A,
        CONTENTS,
    ),
    case(
        "binary",
        "binary",
        two_sides({"a.bin": b"\0"}, Side({"a.bin": b"\0ours"}), Side({"a.bin": b"\0theirs"})),
        (b"a.bin",),
        CONTENTS,
        BINARY,
    ),
    case(
        "binary added by both",
        "binary",
        two_sides({}, Side({"a.bin": b"\0ours"}), Side({"a.bin": b"\0theirs"})),
        (b"a.bin",),
        CONTENTS,
        BINARY,
    ),
    case(
        "modify/delete, they deleted",
        "modify_delete",
        two_sides({"a.txt": LINES}, Side({"a.txt": OUR_LINE}), Side(delete=["a.txt"])),
        _A,
        MODIFY_DELETE,
    ),
    case(
        "modify/delete, we deleted",
        "modify_delete",
        two_sides({"a.txt": LINES}, Side(delete=["a.txt"]), Side({"a.txt": THEIR_LINE})),
        _A,
        MODIFY_DELETE,
    ),
    case(
        "mode changed, they deleted",
        "modify_delete",
        two_sides({"a.txt": LINES}, Side({"a.txt": Chmod(executable=True)}), Side(delete=["a.txt"])),
        _A,
        MODIFY_DELETE,
    ),
)

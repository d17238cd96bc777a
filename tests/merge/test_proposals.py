"""What holds for every resolver, whatever it is given."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.git import BlobId, CommitId
from syncline.git.versions import Version
from syncline.merge.attempted import Attempt, Attempted
from syncline.merge.case import FileCase
from syncline.merge.ladder.facts import facts_of_hunk, squeeze
from syncline.merge.model import Side
from syncline.merge.past_versions import PastVersions
from syncline.merge.proposal import Proposal
from syncline.merge.proposals import MAX_BYTES, MAX_HUNKS, propose_all
from syncline.merge.recorded import Recorded
from syncline.merge.resolvers import attempted, recorded, repeated
from testing.cases import file_case

PATHS = (b"a.py", b"a.js", b"a.go", b"A.java", b"a.json", b"a.yaml", b"a.toml", b"pom.xml", b"CHANGELOG.md",
         b".gitignore", b"requirements.txt", b"a.unknown", b"a.c", b"a.php", b"a.rb", b"a.ts", b"a.rs", b"a.cs",
         b"a.kt", b"a.scala", b"a.properties", b"go.mod", b"CODEOWNERS", b"a/pom.xml", b"strings.xml")  # fmt: skip
SOME = (
    "import os", "import sys", "from a import b, c", "def f(a, b=1):", "    return a + b", "class C:",
    "    x: int = 1", "    y: int = 2", "}", "{", '"k": 1,', '"k": 2,', '"n": {', "k = 1", "- item",
    "version = 1.2.3", "## 1.2.0", "version = 1.3.0-SNAPSHOT", "* entry", "", "  ", "# comment", "// comment",
    "val k = 1", "k=2", "\trequire a.b/c v1.2.3", "/src @owner", "<artifactId>k</artifactId>", "fn f() {}",
    "foo(bar, baz)", "foo(", "    bar,", ")", "<a>1</a>", "\t'unclosed", "\x00", "é",
)  # fmt: skip
LINES = st.sampled_from(SOME)
TEXT = st.lists(LINES, max_size=12).map(lambda lines: "".join(f"{line}\n" for line in lines))
FOREIGN = st.binary(max_size=80)


COMMIT = CommitId("12" * 20)


class Seen(PastVersions):
    """Every version each side had: what base, itself and the other side have now."""

    def __init__(self, case: FileCase) -> None:
        self._case = case

    def texts(self, path: bytes, side: Side) -> Iterator[tuple[Version, bytes]]:
        del path
        known = (self._case.ours, self._case.theirs)
        for number, text in enumerate((*(known if side is Side.OURS else known[::-1]), self._case.base)):
            yield Version(BlobId("34" * 20), COMMIT, "2024-05-01T10:00:00+00:00", "Ann", f"step {number}"), text


def further(case: FileCase) -> Iterator[Proposal]:
    """What those say who were asked before: here and in attempts somebody took each side, or kept both."""
    for ways in (("ours",), ("theirs",), ("ours", "theirs")):
        store = Recorded()
        store.add(
            case, [tuple(line for way in ways for line in getattr(hunk, way)) for hunk in case.hunks], COMMIT
        )
        yield from recorded.propose(case, store)
        yield from repeated.propose(case, store)
        yield from attempted.propose(case, Attempted([Attempt(COMMIT, store)]))


def all_offers(case: FileCase) -> list[Proposal]:
    """What is proposed for the case by all who are ever asked."""
    return list(propose_all(case, Seen(case), further))


def offers(case: FileCase) -> list[tuple[int, bytes]]:
    """What all resolvers offer, by hunk."""
    return [(proposal.hunk, b"".join(proposal.lines)) for proposal in all_offers(case)]


@given(base=TEXT, ours=TEXT, theirs=TEXT, path=st.sampled_from(PATHS))
def test_no_line_is_lost_that_all_three_versions_have_once(base: str, ours: str, theirs: str, path: bytes) -> None:
    case = file_case(base.encode(), ours.encode(), theirs.encode(), path)
    once = [
        {line for line, count in Counter(map(squeeze, zip(lines))).items() if count == 1 and line}
        for lines in (case.base_lines, case.our_lines, case.their_lines)
    ]
    common = once[0] & once[1] & once[2]
    for index, text in offers(case):
        hunk = case.hunks[index]
        inside = [{squeeze([line]) for line in lines} for lines in (hunk.base, hunk.ours, hunk.theirs)]
        kept = squeeze([text])
        for line in common & inside[0] & inside[1] & inside[2]:
            assert line in kept


@given(content=FOREIGN, ours=FOREIGN, theirs=FOREIGN, path=st.sampled_from(PATHS))
def test_any_bytes_are_declined_or_answered(content: bytes, ours: bytes, theirs: bytes, path: bytes) -> None:
    for base in (content, None):
        case = file_case(base, ours, theirs, path)
        found = all_offers(case)
        for hunk in case.hunks:
            facts = facts_of_hunk(hunk, [p for p in found if p.hunk == hunk.index])
            assert {"ours", "theirs"} <= {c.kind for c in facts.candidates} or squeeze(hunk.ours) == squeeze(
                hunk.theirs
            )


@given(base=TEXT, side=TEXT, path=st.sampled_from(PATHS))
def test_equal_sides_have_one_answer(base: str, side: str, path: bytes) -> None:
    # White space apart: git itself sees no conflict where the sides are the same.
    case = file_case(base.encode(), side.encode(), side.replace("    ", "\t").encode(), path)
    for offer in propose_all(case, Seen(case)):
        hunk, text = case.hunks[offer.hunk], b"".join(offer.lines)
        # Git's borders may differ by a line that the other side's has elsewhere.
        if squeeze(hunk.ours) == squeeze(hunk.theirs):
            assert squeeze([text]) == squeeze(hunk.ours)


def test_all_who_are_ever_asked_speak_here() -> None:
    text = "a = 1\nb = 2\nc = {}\nd = 4\ne = 5\n".format
    case = file_case(text("3").encode(), text("f(3)").encode(), text("g(3)").encode(), b"a.py")
    assert {"subsumption", "recorded", "repeated", "attempted"} <= {offer.resolver for offer in all_offers(case)}


def big_json() -> tuple[bytes, bytes, bytes]:
    """100,000 lines, both sides changed the same one."""
    rows = [b'  "key%06d": %d,\n' % (number, number) for number in range(100_000)]
    changed = []
    for value in (b"1", b"2", b"3"):
        rows[50_000] = b'  "key050000": ' + value + b",\n"
        changed.append(b"{\n" + b"".join(rows) + b'  "end": 0\n}\n')
    return changed[0], changed[1], changed[2]


def minified() -> tuple[bytes, bytes, bytes]:
    """One line of a megabyte and more."""
    body = b"function a(b,c){return b+c};" * 50_000
    return body, body.replace(b"b+c", b"b-c", 1), body.replace(b"b+c", b"b*c", 1)


HOSTILE = {
    "10 MB": (b"x = 1\n" * 1_700_000, b"x = 1\n" * 1_700_000 + b"y = 1\n", b"x = 1\n" * 1_700_000 + b"z = 1\n"),
    "100,000 lines of JSON": big_json(),
    "minified": minified(),
    "mixed endings": (b"a\r\nb\nc\r\n", b"a\r\nB\nc\r\n", b"a\r\nbb\r\nc\r\n"),
    "tabs": (b"\tif a:\n\t\tb\n", b"\tif a:\n\t\tB\n", b"        if a:\n                bb\n"),
    "byte order mark": (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfA\n", b"aa\n"),
    "no newline at the end": (b"a\nb", b"a\nB", b"a\nbb"),
    "markers inside": (b"a\n=======\nb\n", b"a\n=======\nB\n", b"a\n=======\nbb\n"),
    "whole markers inside": tuple(
        b"<<<<<<< HEAD\n%s\n=======\nb\n>>>>>>> x\n" % text for text in (b"a", b"A", b"aa")
    ),
    "syntax error in ours": (b"def f():\n    return 1\n", b"def f(:\n    return 2\n", b"def f():\n    return 3\n"),
    "Python 2": (b"print 'a'\n", b"print 'b'\n", b"print `c`\n"),
    "a template": (b"{% if a %}<b>\n", b"{% if b %}<b>\n", b"{% if c %}</b>\n"),
    "not UTF-8": (b"caf\xe9 = 1\n", b"caf\xe9 = 2\n", b"caf\xe9 = 3\n"),
    "UTF-16": ("a = 1\n".encode("utf-16"), "a = 2\n".encode("utf-16"), "a = 3\n".encode("utf-16")),
    "deep": (b"[" * 5_000 + b"\n1", b"[" * 5_000 + b"\n2", b"[" * 5_000 + b"\n3"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "path"),
    [("10 MB", b"a.py")]
    + [(name, path) for name in HOSTILE if name != "10 MB" for path in (b"a.py", b"a.js", b"a.json", b"a.txt")],
)
def test_hostile_input_is_declined_or_answered(name: str, path: bytes) -> None:
    base, ours, theirs = HOSTILE[name]
    case = file_case(base, ours, theirs, path)
    for index, text in offers(case):
        assert 0 <= index < len(case.hunks)
        assert b"<<<<<<< OURS" not in text


def test_a_huge_file_is_not_looked_at() -> None:
    rows = b"x" * 99 + b"\n"
    rows *= MAX_BYTES // 100 + 1
    assert not offers(file_case(rows, rows + b"a\n", rows + b"b\n", b"a.py"))


def test_a_file_of_very_many_hunks_is_not_looked_at() -> None:
    base, ours, theirs = (
        b"".join(b"%s%d\nsame\n\n\nkeep %d\n" % (name, number, number) for number in range(MAX_HUNKS + 1))
        for name in (b"a", b"b", b"c")
    )
    case = file_case(base, ours, theirs, b"a.txt")
    assert len(case.hunks) > MAX_HUNKS
    assert not offers(case)


@pytest.mark.parametrize("path", [b"uv.lock", b"a/package-lock.json", b"go.sum", b"Cargo.lock"])
def test_lock_files_are_left_to_their_tools(path: bytes) -> None:
    assert not offers(file_case(b"a\nb\nc\n", b"A\nb\nc\n", b"aa\nb\nc\n", path))

"""What is known of a hunk before anyone is asked."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.git import BlobId, Entry, Mode
from syncline.git.merge_tree import Stages
from syncline.merge.file_group import FileGroup
from syncline.merge.ladder.facts import MAX_WORDS, facts_of_conflict, facts_of_hunk, squeeze
from syncline.merge.ladder.memory import LEVELS
from syncline.merge.model import Conflict, ConflictKind
from testing.cases import file_case
from tests.merge.ladder.hunks import a_hunk, candidate, facts, proposes, texts


def test_both_sides_are_candidates_whoever_speaks() -> None:
    known = facts()
    assert [(one.kind, one.text, one.voices) for one in known.candidates] == [
        ("ours", b"x=2", ()),
        ("theirs", b"x=f(1)", ()),
    ]
    assert (known.path, known.hunk, known.group) == (b"src/a.py", 0, FileGroup.CODE)


def test_sides_that_say_the_same_are_one_candidate() -> None:
    known = facts(ours=b"x = 2\n", theirs=b"x  = 2\n")
    assert [(one.kind, one.lines) for one in known.candidates] == [("ours", (b"x = 2\n",))]


def test_proposals_of_one_text_stand_together() -> None:
    known = facts(
        proposes(b"x = f(2)\n", "token-merge", "gap-3"),
        proposes(b"x=f(2)\n", "structure"),
        proposes(b"x = f( 1 )\n", "superset", "one-way"),
    )
    assert texts(known.candidates) == [b"x=2", b"x=f(1)", b"x=f(2)"]
    merged = candidate(known, "merged")
    assert merged.lines == (b"x = f(2)\n",)  # as the first one laid it out
    assert merged.voices == ("token-merge", "token-merge:gap-3", "structure")
    assert candidate(known, "theirs").voices == ("superset", "superset:one-way")


def test_further_proposals_may_come_later() -> None:
    hunk = a_hunk()
    first = facts_of_hunk(hunk, [proposes(b"x = f(2)\n")])
    later = first.with_proposals([proposes(b"x = f(2)\n", "recorded"), proposes(b"x = 3\n", "recorded")], hunk)
    assert [one.voices for one in later.candidates] == [(), (), ("token-merge", "recorded"), ("recorded",)]
    both = [proposes(b"x = f(2)\n"), proposes(b"x = f(2)\n", "recorded"), proposes(b"x = 3\n", "recorded")]
    assert later == facts_of_hunk(hunk, both)


def test_a_candidate_tells_what_it_loses() -> None:
    known = facts(proposes(b"x = g(2)\n"), base=b"old\n", ours=b"x = 2\n", theirs=b"x = f(1)\n")
    ours, theirs, merged = (candidate(known, kind).numbers for kind in ("ours", "theirs", "merged"))
    assert (ours["loses_ours"], theirs["loses_theirs"]) == (0, 0)
    assert ours["loses_theirs"] == pytest.approx(4 / 6)  # f ( 1 )
    assert merged["new_words"] == pytest.approx(1 / 6)  # g
    assert candidate(facts(proposes(b"old\nx = 2\n"), base=b"old\n"), "merged").numbers["undoes_ours"] == 1


@pytest.mark.parametrize(
    ("versions", "name", "value"),
    [
        ({"base": b""}, "no_base", 1),
        ({"ours": b""}, "no_ours", 1),
        ({"theirs": b""}, "no_theirs", 1),
        ({"base": b"v 1\n", "ours": b"v 2\n", "theirs": b"v 3\n"}, "numbers_only", 1),
        ({"base": b"a b c d\n", "ours": b"a b c D\n", "theirs": b"A b c d\n"}, "gap", math.log1p(2)),
        ({"base": b"a b c d\n", "ours": b"a b X d\n", "theirs": b"a b Y d\n"}, "touching", 1),
        ({"base": b"import a\n", "ours": b"import b\n", "theirs": b"import c\n"}, "imports", 1),
        ({"base": b"# a\n", "ours": b"# b\n", "theirs": b"// c\n"}, "comments", 1),
        ({"base": b"a\n", "ours": b"a b\n", "theirs": b"\n"}, "only_adds_ours", 1),
        ({"base": b"a b\n", "ours": b"a\n", "theirs": b"c\n"}, "only_drops_ours", 1),
        ({"base": b"a\n", "ours": b"a  \n", "theirs": b"b\n"}, "unchanged_ours", 1),
    ],
)
def test_numbers(versions: dict[str, bytes], name: str, value: float) -> None:
    assert facts(**versions).numbers[name] == pytest.approx(value)


def test_it_is_remembered_by_path_form_and_text() -> None:
    one, other = facts(path=b"lib/x/a.test.py").keys, facts(path=b"lib/x/a.test.py", base=b"y\n").keys
    assert (one["all"], one["path"], one["directory"], one["top"], one["suffix"]) == (
        "code", "lib/x/a.test.py", "lib/x", "lib//py", "py",
    )  # fmt: skip
    assert one["same"] == other["same"]
    assert one["exact"] != other["exact"]
    assert facts(path=b"Makefile").keys["suffix"] == "Makefile"
    assert facts(path=b"\xff/a").keys["path"] == "\udcff/a"
    numbers = [facts(ours=ours, theirs=b"v 3\n") for ours in (b"v 1\n", b"v 2\n")]
    assert numbers[0].keys["digits"] == numbers[1].keys["digits"]
    assert numbers[0].keys["same"] != numbers[1].keys["same"]


def test_long_texts_are_compared_by_lines() -> None:
    many = b"".join(b"a b c %d\n" % number for number in range(MAX_WORDS // 10))
    known = facts(base=b"".join(many.splitlines(keepends=True)[::-1]), ours=many, theirs=many + b"more\n")
    assert known.numbers["base_kept_ours"] < 0.1
    assert known.numbers["ours_in_theirs"] in {0, 1}  # git may have merged the common part


def entry(digit: str) -> Entry:
    return Entry(Mode.FILE, BlobId(digit * 40))


def a_conflict(stages: Stages, kind: ConflictKind = ConflictKind.MODIFY_DELETE) -> Conflict:
    return Conflict(b"a/b.md", kind, (), stages, (b"a/b.md",), ())


def test_a_conflict_without_text_is_between_the_sides() -> None:
    known = facts_of_conflict(a_conflict(Stages(entry("1"), None, entry("2"))), (10, 0, 12), 0.97)
    assert [(one.kind, one.lines) for one in known.candidates] == [("ours", None), ("theirs", None)]
    assert known.keys["shape"] == "modify/delete/b-t/same"
    assert (known.numbers["ours_absent"], known.numbers["theirs_absent"], known.numbers["alike"]) == (1, 0, 0.97)
    far = facts_of_conflict(a_conflict(Stages(entry("1"), entry("2"), None)), (10, 9, 0), 0.1)
    assert far.keys["shape"] == "modify/delete/bo-/far"
    nothing = facts_of_conflict(a_conflict(Stages(), ConflictKind.FILE_DIRECTORY), (0, 0, 0), 0.0)
    assert nothing.keys["shape"] == "file/directory/---/far"


lines = st.lists(
    st.sampled_from(
        [b"a\n", b"import b\n", b"x = 12\n", b"\n", b"  }\n", b"\xff\x00\xe9\n", b"# c", b"deadbeef1\n"]
    ),
    max_size=6,
).map(b"".join)


@given(lines, lines, lines, st.lists(lines, max_size=3), st.binary(min_size=1, max_size=8))
def test_facts_of_anything(base: bytes, ours: bytes, theirs: bytes, offered: list[bytes], path: bytes) -> None:
    for hunk in file_case(base, ours, theirs, path).hunks:
        known = facts_of_hunk(hunk, [proposes(text) for text in offered])
        assert all(math.isfinite(value) for value in known.numbers.values())
        assert known.keys.keys() == set(LEVELS)
        said = texts(known.candidates)
        assert len(said) == len(set(said))
        assert {squeeze(hunk.ours), squeeze(hunk.theirs), *(squeeze([text]) for text in offered)} == set(said)
        for one in known.candidates:
            assert one.text == squeeze(one.lines or ())
            assert all(0 <= value <= 1 for value in one.numbers.values())

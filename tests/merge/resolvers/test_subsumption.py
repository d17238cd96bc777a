import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.git import CommitId, Repository
from syncline.git.merge_tree import merge_tree
from syncline.git.versions import RangeWalk
from syncline.merge.conflicts import conflicts_of
from syncline.merge.model import Side
from syncline.merge.past_versions import HistoryWalks, PastVersions
from syncline.merge.proposal import Proposal
from syncline.merge.read_cases import read_cases
from syncline.merge.resolvers import subsumption
from testing.builder import RepositoryBuilder
from testing.cases import file_case

Told = tuple[str, str, str]
"""Commit message, author, the file's middle."""

ABOVE = "def area(shape):\n    check(shape)\n"
BELOW = "    log(shape)\n    return result\n"


def offers(
    builder: RepositoryBuilder, ours: Sequence[Told], theirs: Sequence[Told], base: str = "    result = 0\n"
) -> list[Proposal]:
    """What is offered for the only hunk, after both branches wrote these versions of the file."""
    start = builder.branch("ours")
    start.commit("start", {"shapes.py": ABOVE + base + BELOW})
    other = start.branch("theirs")
    for branch, versions in ((start, ours), (other, theirs)):
        for message, author, middle in versions:
            branch.commit(message, {"shapes.py": ABOVE + middle + BELOW}, author=author)
    built = builder.finish()
    one, two = CommitId(built["ours"]), CommitId(built["theirs"])
    with Repository.open(built.path) as repository:
        walks = HistoryWalks(repository, one, two)
        merged = merge_tree(repository, one, two)
        conflicts = conflicts_of(merged, ours=one, theirs=two)
        history = walks.start(conflicts).finish()
        cases = [case for _, case in read_cases(repository, merged.tree, conflicts, one, two) if case]
        return [offer for case in cases for offer in subsumption.propose(case, history)]


OLD = "    result = shape.width * shape.height\n"
NEW = "    result = abs(shape.width * shape.height)\n"
OTHER = "    result = shape.area()\n"


def test_source_has_gone_further(builder: RepositoryBuilder) -> None:
    (offer,) = offers(
        builder,
        [("Compute the area (#12)", "Ann", OLD)],
        [("Compute the area properly (#12)", "Ben", OLD), ("Areas are not negative", "Ben", NEW)],
    )
    assert b"".join(offer.lines).decode() == NEW
    assert offer.marks == ("new", "wide", "whole-file", "twin")
    assert [why.text for why in offer.evidence] == [
        'source had these lines, as target has now, since "Compute the area properly (#12)"',
        'source went on with "Areas are not negative"',
        'target got this by the same change "Compute the area (#12)"',
    ]
    assert all(why.commit for why in offer.evidence)


def test_target_has_gone_further(builder: RepositoryBuilder) -> None:
    (offer,) = offers(
        builder, [("one", "Ann", OLD), ("two", "Ann", NEW)], [("elsewhere", "Ann", OTHER), ("port", "Ann", OLD)]
    )
    assert b"".join(offer.lines).decode() == NEW
    assert {"new", "same-author"} <= set(offer.marks)
    assert "twin" not in offer.marks


def test_a_revert_is_told(builder: RepositoryBuilder) -> None:
    told = [("first", "Ann", OTHER), ("second", "Ann", OLD), ("back to the first", "Ann", OTHER)]
    (offer,) = offers(builder, [("port", "Ben", OLD)], told)
    assert b"".join(offer.lines).decode() == OTHER
    assert "revert" in offer.marks
    assert 'source went back to what it had before with "back to the first"' in [w.text for w in offer.evidence]


def test_what_was_deleted_there_and_written_anew(builder: RepositoryBuilder) -> None:
    (offer,) = offers(builder, [("cut", "Ben", "")], [("cut", "Ann", ""), ("again", "Ann", NEW)])
    assert b"".join(offer.lines).decode() == NEW
    assert "empty" in offer.marks


def test_each_was_where_the_other_is(builder: RepositoryBuilder) -> None:
    both = offers(builder, [("a", "Ann", OLD), ("b", "Ann", NEW)], [("c", "Ben", NEW), ("d", "Ben", OLD)])
    assert [b"".join(offer.lines).decode() for offer in both] == [OLD, NEW]
    assert all("both-ways" in offer.marks for offer in both)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ([("a", "Ann", OLD)], [("b", "Ben", NEW)]),
        ([("a", "Ann", OLD)], [("b", "Ben", OTHER), ("c", "Ben", NEW)]),
        ([("a", "Ann", "    x = 1\n" + OLD)], [("b", "Ben", OLD), ("c", "Ben", NEW)]),
    ],
)
def test_no_old_state_no_offer(builder: RepositoryBuilder, ours: list[Told], theirs: list[Told]) -> None:
    assert offers(builder, ours, theirs) == []


def test_history_under_another_name(builder: RepositoryBuilder) -> None:
    main = builder.branch("ours")
    main.commit("start", {"old.py": "1\n2\n3\n"})
    other = main.branch("theirs")
    other.commit("two", {"old.py": "two\n2\n3\n"})
    other.commit("move", {}, move={"old.py": "new.py"})
    built = builder.finish()
    one, two = CommitId(built["ours"]), CommitId(built["theirs"])
    with Repository.open(built.path) as repository:
        known = RangeWalk(repository, two, one).start([b"old.py", b"new.py"]).finish()
        tied = PastVersions(repository, {b"new.py": (b"new.py", b"old.py")}, {}, known)
        alone = PastVersions(repository, {}, {}, known)
        assert [version.subject for version in tied.versions(b"new.py", Side.THEIRS)] == ["move", "two"]
        assert [version.subject for version in alone.versions(b"new.py", Side.THEIRS)] == ["move"]
        assert [content for _, content in tied.texts(b"new.py", Side.THEIRS)] == [b"two\n2\n3\n"] * 2
        assert list(tied.texts(b"absent", Side.OURS)) == []


lines = st.lists(st.sampled_from([b"a\n", b"b\n", b" a\n", b"\n", b"c\r\n", b"d", b"\xff\x00\n"]), max_size=7)
texts = lines.map(b"".join)


@given(st.lists(texts, min_size=1, max_size=3), st.lists(texts, min_size=1, max_size=3), texts)
@settings(max_examples=20)
def test_whatever_the_history(ours: list[bytes], theirs: list[bytes], base: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        builder = RepositoryBuilder(Path(place) / "repo", bare=True)
        main = builder.branch("ours")
        main.commit("start", {"f": base})
        other = main.branch("theirs")
        for branch, versions in ((main, ours), (other, theirs)):
            for number, text in enumerate(versions):
                branch.commit(f"step {number}", {"f": text})
        built = builder.finish()
        one, two = CommitId(built["ours"]), CommitId(built["theirs"])
        with Repository.open(built.path) as repository:
            known = [RangeWalk(repository, *tips).start([b"f"]).finish() for tips in ((one, two), (two, one))]
            history = PastVersions(repository, {}, *known)
            case = file_case(base, ours[-1], theirs[-1], b"f")
            for offer in subsumption.propose(case, history):
                hunk = case.hunks[offer.hunk]
                assert offer.lines in {hunk.ours, hunk.theirs}
                assert b"".join(b"".join(hunk.ours).split()) != b"".join(b"".join(hunk.theirs).split())
                assert ("new" in offer.marks) != ("in-base" in offer.marks)


@pytest.mark.parametrize("renames", ["ours", "theirs"])
def test_what_stood_under_the_name_before_a_rename_counts(builder: RepositoryBuilder, renames: str) -> None:
    middle = "".join(f"    step({number})\n" for number in range(20))

    def text(body: str) -> str:
        return ABOVE + body + BELOW + middle

    start = builder.branch("ours")
    start.commit("start", {"shapes.py": text("    result = 0\n"), "other.py": "1\n"})
    theirs = start.branch("theirs")
    start.commit("First (#1)", {"shapes.py": text(OLD)})
    if renames == "ours":
        start.commit("Move", move={"shapes.py": "src/forms.py"})
    start.commit("Second (#2)", {"src/forms.py" if renames == "ours" else "shapes.py": text(NEW)})
    if renames == "theirs":
        theirs.commit("Move", move={"shapes.py": "src/forms.py"})
    theirs.commit("First on main (#3)", {"src/forms.py" if renames == "theirs" else "shapes.py": text(OLD)})
    built = builder.finish()
    one, two = CommitId(built["ours"]), CommitId(built["theirs"])
    with Repository.open(built.path) as repository:
        walks = HistoryWalks(repository, one, two)
        merged = merge_tree(repository, one, two)
        conflicts = conflicts_of(merged, ours=one, theirs=two)
        assert [conflict.path for conflict in conflicts] == [b"src/forms.py"]
        history = walks.start(conflicts).finish()
        ((_, case),) = read_cases(repository, merged.tree, conflicts, one, two)
        assert case is not None
        (offer,) = subsumption.propose(case, history)
    assert b"".join(offer.lines).decode() == NEW
    assert offer.evidence[0].text == 'target had these lines, as source has now, since "First (#1)"'

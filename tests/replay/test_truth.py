"""What people did with the conflicts of a merge."""

from collections.abc import Callable

import pytest

from syncline.git import CommitId, Repository
from syncline.merge.model import Side
from syncline.replay.past import PastMerge
from syncline.replay.truth import LeftOut, Replayed, has_markers, replay
from testing.builder import Branch, RepositoryBuilder
from testing.repository import BuiltRepository
from tests.replay.histories import begin, past_merges, text

OURS, THEIRS = text(l3="ours 3", l12="ours 12"), text(l3="theirs 3", l12="theirs 12")


def replayed(built: BuiltRepository, index: int = -1) -> Replayed:
    with Repository.open(built.path) as repository:
        return replay(repository, past_merges(built)[index])


def merged(builder: RepositoryBuilder, settled: str) -> Replayed:
    """A merge with two hunks in a.py, which was committed as `settled`."""
    main, dev = begin(builder)
    main.commit("Main", {"a.py": THEIRS, "more": ""})
    dev.commit("Dev", {"a.py": OURS, "own": ""})
    dev.merge(main, "Sync", {"a.py": settled})
    return replayed(builder.finish(head="dev"))


@pytest.mark.parametrize(
    ("settled", "answers"),
    [
        (text(l3="ours 3", l12="theirs 12"), ["ours 3\n", "theirs 12\n"]),
        (text(l3="ours 3\ntheirs 3", l12="new"), ["ours 3\ntheirs 3\n", "new\n"]),
        (text(l3="", l12="  ours 12"), ["", "  ours 12\n"]),
        # What people changed elsewhere in the file is no answer.
        (text(l3="ours 3", l12="theirs 12", l8="by hand", l18=""), ["ours 3\n", "theirs 12\n"]),
    ],
)
def test_the_region_between_the_lines_around_is_the_answer(
    builder: RepositoryBuilder, settled: str, answers: list[str]
) -> None:
    found = merged(builder, settled)
    assert found.left_out is None
    (conflict,) = found.conflicts
    assert conflict.side is None
    assert [b"".join(lines or ()).decode() for lines in conflict.answers] == answers
    assert conflict.hunks == 2


@pytest.mark.parametrize(("settled", "side"), [(OURS, Side.OURS), (THEIRS, Side.THEIRS)])
def test_a_side_taken_whole_is_the_answer_of_all_hunks(
    builder: RepositoryBuilder, settled: str, side: Side
) -> None:
    (conflict,) = merged(builder, settled).conflicts
    assert conflict.side is side
    assert conflict.case is not None
    sides = {Side.OURS: "ours", Side.THEIRS: "theirs"}
    assert conflict.answers == tuple(getattr(hunk, sides[side]) for hunk in conflict.case.hunks)


def test_a_file_that_was_removed_has_no_answers(builder: RepositoryBuilder) -> None:
    main, dev = begin(builder)
    main.commit("Main", {"a.py": THEIRS})
    dev.commit("Dev", {"a.py": OURS})
    dev.merge(main, "Sync", delete=["a.py"])
    (conflict,) = replayed(builder.finish(head="dev")).conflicts
    assert (conflict.committed, conflict.side, conflict.answers) == (None, None, (None, None))


Settle = Callable[[Branch, Branch], object]


@pytest.mark.parametrize(
    ("settle", "side"),
    [
        (lambda dev, main: dev.merge(main, "Sync", delete=["a.py"]), Side.OURS),
        (lambda dev, main: dev.merge(main, "Sync", {"a.py": THEIRS}), Side.THEIRS),
        (lambda dev, main: dev.merge(main, "Sync", {"a.py": "by hand\n"}), None),
    ],
)
def test_modified_here_deleted_there_is_one_hunk(
    builder: RepositoryBuilder, settle: Settle, side: Side | None
) -> None:
    main, dev = begin(builder)
    main.commit("Main", {"a.py": THEIRS, "more": ""})
    dev.commit("Dev", {"own": ""}, delete=["a.py"])
    settle(dev, main)
    (conflict,) = replayed(builder.finish(head="dev")).conflicts
    assert (conflict.case, conflict.side, conflict.answers) == (None, side, (None,))


def test_both_added_the_file(builder: RepositoryBuilder) -> None:
    main, dev = begin(builder)
    main.commit("Main", {"new.py": "a\nb\n"})
    dev.commit("Dev", {"new.py": "a\nc\n"})
    dev.merge(main, "Sync", {"new.py": "a\nc\nb\n"})
    (conflict,) = replayed(builder.finish(head="dev")).conflicts
    assert conflict.case is not None
    assert not conflict.case.has_base
    assert conflict.answers == ((b"c\n", b"b\n"),)


def test_what_is_not_scored(builder: RepositoryBuilder) -> None:
    main, dev = begin(builder)
    files = {"a.py": text(l3="x")}
    main.commit("Main 0", {"other": ""})
    dev.commit("Dev 0", {"own": ""})
    dev.merge(main, "Clean")
    for turn, name in enumerate(("ours", "theirs", "markers"), 1):
        main.commit(f"Main {turn}", {"a.py": text(l3=f"main {turn}")})
        dev.commit(f"Dev {turn}", {"a.py": text(l3=f"dev {turn}"), f"own {turn}": ""})
        if name == "markers":
            dev.merge(main, "Markers", {"a.py": text(l3="<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main")})
        else:
            dev.merge(main, f"As {name}", tree_of=dev if name == "ours" else main)
    dev.commit("Again", files)
    built = builder.finish(head="dev")
    found = [replayed(built, index) for index in range(4)]
    assert [one.left_out for one in found] == [LeftOut.CLEAN, LeftOut.ONE_SIDE, LeftOut.ONE_SIDE, LeftOut.MARKERS]
    assert all(one.conflicts == () for one in found)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", True),
        (b"<<<<<<< a\r\n>>>>>>> b", True),
        (b"", False),
        (b"<<<<<<< a\n", False),
        (b">>>>>>> b\n", False),
        (b" <<<<<<< a\n >>>>>>> b\n", False),
        (b"Title\n=======\n", False),
    ],
)
def test_markers(content: bytes, found: bool) -> None:  # noqa: FBT001
    assert has_markers(content) is found


def test_parents_in_the_other_order(builder: RepositoryBuilder) -> None:
    main, dev = begin(builder)
    main.commit("Main", {"a.py": THEIRS, "more": ""})
    dev.commit("Dev", {"a.py": OURS, "own": ""})
    dev.merge(main, "Sync", {"a.py": OURS})
    built = builder.finish(head="dev")
    past = past_merges(built)[0]
    with Repository.open(built.path) as repository:
        swapped = replay(repository, PastMerge(past.merge, past.theirs, past.ours, past.date))
    assert swapped.conflicts[0].side is Side.THEIRS
    assert swapped.past.ours == CommitId(built.oid("Main"))

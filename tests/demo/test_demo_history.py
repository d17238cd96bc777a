from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from syncline.demo.history import Branch, publish
from syncline.demo.people import MEI
from syncline.errors import FenceError, GitError
from syncline.git import CommitId, Mode, Repository
from syncline.git.commit import read_commit
from syncline.git.create import create_repository
from tests.demo.sync import NOON, branch_tip


@pytest.fixture
def branch(tmp_path: Path) -> Iterator[Branch]:
    create_repository(tmp_path / "new", default_branch="main")
    with Repository.open(tmp_path / "new") as repository:
        made = Branch(repository, "main", repository.empty_tree)
        made.commit("first", by=MEI, when=NOON, write={"a": "1\n2\n", "d/b": "b\n"}, executable=["d/b"])
        yield made


def test_files_come_change_move_and_go(branch: Branch) -> None:
    first = branch.tip
    tip = branch.commit(
        "second", by=MEI, when=NOON, move={"d/b": "c"}, change={"c": [("b\n", "B\n")]}, delete=["a"]
    )
    assert read_commit(branch.repository, tip).parents == (first,)
    assert branch.text("c") == "B\n"
    entries = branch.repository.tree(branch.tree)
    assert {name: entry.mode for name, entry in entries.items()} == {b"c": Mode.EXECUTABLE}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda branch: branch.commit("x", by=MEI, when=NOON, delete=["nothing"]),
        lambda branch: branch.commit("x", by=MEI, when=NOON, move={"nothing": "b"}),
        lambda branch: branch.commit("x", by=MEI, when=NOON, change={"d": [("1", "2")]}),
        lambda branch: branch.commit("x", by=MEI, when=NOON, executable=["nothing"]),
    ],
)
def test_a_file_that_is_not_there_is_refused(branch: Branch, wrong: Callable[[Branch], CommitId]) -> None:
    before = branch.tip
    with pytest.raises(GitError, match="was expected on branch main"):
        wrong(branch)
    assert branch.tip == before


@pytest.mark.parametrize("old", ["3\n", "\n"])
def test_a_replacement_must_fit_once(branch: Branch, old: str) -> None:
    with pytest.raises(ValueError, match="expected exactly once"):
        branch.commit("x", by=MEI, when=NOON, change={"a": [(old, "4\n")]})


def test_a_merge_has_both_sides(branch: Branch) -> None:
    other = branch.fork("other")
    other.commit("theirs", by=MEI, when=NOON, write={"new": "n\n"})
    branch.commit("ours", by=MEI, when=NOON, change={"a": [("1\n", "one\n")]})
    branch.merge(other, "merge", by=MEI, when=NOON)
    assert (branch.text("a"), branch.text("new")) == ("one\n2\n", "n\n")


def test_a_merge_with_conflicts_is_refused(branch: Branch) -> None:
    other = branch.fork("other")
    other.commit("theirs", by=MEI, when=NOON, change={"a": [("1\n", "eins\n")]})
    branch.commit("ours", by=MEI, when=NOON, change={"a": [("1\n", "one\n")]})
    with pytest.raises(ValueError, match="has conflicts"):
        branch.merge(other, "merge", by=MEI, when=NOON)


def test_published_once_and_never_over_another(branch: Branch) -> None:
    publish([branch], why="test")
    assert branch_tip(branch.repository, "main") == branch.tip
    with pytest.raises(FenceError):
        publish([branch], why="test")

import tempfile
from pathlib import Path

from hypothesis import Phase, find, given, settings

from testing.content import File
from testing.merge_tree import merge_tree
from testing.random_history import RandomHistory, Step, random_histories


@given(random_histories())
@settings(max_examples=25)
def test_every_history_builds_soundly_and_git_can_merge_it(history: RandomHistory) -> None:
    with tempfile.TemporaryDirectory() as directory:
        repo = history.build(Path(directory) / "repo")
        assert repo.git("fsck", "--strict", "--no-dangling") == b""
        assert repo.text("merge-base", "ours", "theirs") == repo.oid("base")
        assert len(merge_tree(repo).tree) == 40


def test_a_history_is_built_as_it_reads(tmp_path: Path) -> None:
    steps = (
        Step("move", files=((b"new", File("x\n", executable=True)),), move=((b"d", b"e"),)),
        Step("delete", delete=(b"gone",)),
    )
    base = ((b"d/a", File("a\n")), (b"d/b", File("b\n")), (b"gone", File("g\n")))
    repo = RandomHistory(base, steps, ()).build(tmp_path)
    assert sorted(repo.entries("theirs")) == [b"d/a", b"d/b", b"gone"]
    assert sorted(repo.entries("ours")) == [b"e/a", b"e/b", b"new"]
    assert repo.text("log", "--format=%s", "ours").split() == ["delete", "move", "base"]


def test_both_clean_and_conflicted_merges_come_up() -> None:
    def is_clean(history: RandomHistory) -> bool:
        with tempfile.TemporaryDirectory() as directory:
            return merge_tree(history.build(Path(directory))).clean

    seldom_shrunk = settings(phases=[Phase.generate])
    find(random_histories(), is_clean, settings=seldom_shrunk)
    find(random_histories(), lambda history: not is_clean(history), settings=seldom_shrunk)

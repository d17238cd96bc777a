import tempfile
from pathlib import Path

from hypothesis import given, settings

from syncline.git import CommitId, Repository
from syncline.git.diff import LineCount, changes, line_counts, patch, renamed
from testing.builder import RepositoryBuilder
from testing.content import File, Submodule, Symlink
from testing.random_history import RandomHistory, random_histories
from testing.repository import BuiltRepository
from tests.git.opened import opened, tip
from tests.merge.merging import as_built

LINES = "".join(f"line {number}\n" for number in range(20))


@given(random_histories())
@settings(max_examples=25)
def test_changes_are_all_that_differs(history: RandomHistory) -> None:
    with tempfile.TemporaryDirectory() as directory:
        built = history.build(Path(directory) / "repo")
        ours, theirs = built.entries("ours"), built.entries("theirs")
        with Repository.open(built.path) as repository:
            one, other = CommitId(built["ours"]), CommitId(built["theirs"])
            found = {
                change.path: (as_built(change.old), as_built(change.new))
                for change in changes(repository, one, other)
            }
            difference = patch(repository, one, other)
            whole = {count.path: count for count in line_counts(repository, one, other)}
        paths = ours.keys() | theirs.keys()
        assert found == {
            path: (ours.get(path), theirs.get(path)) for path in paths if ours.get(path) != theirs.get(path)
        }
        assert difference == built.git("diff-tree", "-r", "-p", "--full-index", "--no-renames", one, other)
        assert bool(whole) == bool(found)
        assert whole.keys() <= found.keys()


def counted(builder: RepositoryBuilder) -> BuiltRepository:
    main = builder.branch("main")
    main.commit(
        "start",
        {"a.txt": LINES, "moved.txt": LINES + "moved\n", "bin": b"\0\1", "l": Symlink("a"), "gone": "g\nh\n"},
    )
    main.branch("dev").commit(
        "dev",
        {
            "a.txt": LINES.replace("line 3\n", "x\ny\n"), "new\tname\n": "1\n", "bin": b"\0\2",
            "run": File("", executable=True), b"caf\xe9": "no end", "s": Submodule("1" * 40), "l": Symlink("b"),
        },
        move={"moved.txt": "there/moved again.txt"}, delete=["gone"],
    )  # fmt: skip
    return builder.finish()


def test_line_counts(builder: RepositoryBuilder) -> None:
    built = counted(builder)
    with opened(built) as repository:
        counts = line_counts(repository, tip(built, "main"), tip(built, "dev"))
    assert {count.path: (count.added, count.deleted) for count in counts} == {
        b"a.txt": (2, 1), b"new\tname\n": (1, 0), b"bin": (None, None), b"run": (0, 0), b"caf\xe9": (1, 0),
        b"s": (1, 0), b"l": (1, 1), b"there/moved again.txt": (0, 0), b"gone": (0, 2),
    }  # fmt: skip
    assert LineCount(b"bin", None, None) in counts


def test_renamed(builder: RepositoryBuilder) -> None:
    built = counted(builder)
    with opened(built) as repository:
        main, dev = tip(built, "main"), tip(built, "dev")
        wanted = {b"there/moved again.txt": b"moved.txt"}
        assert renamed(repository, main, dev, among=[b"moved.txt", b"there/moved again.txt"]) == wanted
        assert renamed(repository, main, dev, among=[b"gone", b"run"]) == {}
        assert renamed(repository, main, dev, among=[b"x" * 40_000, b"y" * 40_000]) == wanted
        assert renamed(repository, main, main, among=[b"a.txt"]) == {}


def test_a_patch_of_exact_names(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"*": "1\n", "a": "1\n", ":(top)a": "1\n", "-x": "1\n"})
    main.branch("dev").commit("dev", {"*": "2\n", "a": "2\n", ":(top)a": "2\n", "-x": "2\n"})
    built = builder.finish()
    with opened(built) as repository:
        for name in (b"*", b":(top)a", b"-x"):
            text = patch(repository, tip(built, "main"), tip(built, "dev"), [name])
            assert text.count(b"diff --git") == 1
            assert b"--- a/" + name in text
        assert b"@@" in patch(repository, tip(built, "main"), tip(built, "dev"), [b"a"], context=0)

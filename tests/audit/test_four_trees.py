from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from syncline.audit.four_trees import LARGEST, FourTrees, Versions
from syncline.git import CommitId, Repository
from syncline.merge.model import Side
from testing.audited import task_of
from testing.builder import RepositoryBuilder
from testing.missing import lose

LINES = "".join(f"line {number}\n" for number in range(30))


def named(trees: FourTrees) -> dict[bytes, Versions]:
    return {file.path: file for file in trees.files}


def test_files_that_differ_anywhere_are_listed_with_all_their_versions(tmp_path: Path) -> None:
    base = {"same": "1\n", "both": "1\n", "mine": "1\n", "hand": "1\n", "gone": "1\n"}
    ours = {"both": "2\n", "mine": "2\n", "new": "n\n"}
    with task_of(tmp_path, base, ours, {"both": "3\n"}, {"both": "4\n", "hand": "h\n"},
                 delete=((), ("gone",), ())) as task:  # fmt: skip
        found = named(task.trees)
        assert set(found) == {b"both", b"mine", b"hand", b"gone", b"new"}
        assert [file.path for file in task.trees.mixed] == [b"both", b"hand"]
        assert found[b"gone"].merged is found[b"gone"].theirs is None
        assert found[b"both"].lost_by(Side.OURS)
        assert found[b"both"].lost_by(Side.THEIRS)
        assert not found[b"mine"].lost_by(Side.OURS)
        contents = task.trees.contents(found[b"both"])
        assert contents is not None
        assert (contents.base, contents.ours, contents.theirs, contents.merged) == (b"1\n", b"2\n", b"3\n", b"4\n")


def test_a_rename_that_the_merge_took_is_one_file(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "r")
    dev = builder.branch("dev")
    dev.commit("base", {"old.py": LINES})
    main = dev.branch("main")
    dev.commit("ours", move={"old.py": "new.py"})
    main.commit("theirs", {"old.py": LINES + "more\n"})
    dev.merge(main, "merge", {"new.py": LINES + "more\n"}, delete=["old.py"])
    built = builder.finish()
    with Repository.open(built.path) as repository:
        trees = FourTrees(repository, *(CommitId(built.oid(name)) for name in ("ours", "theirs", "merge")))
        (file,) = trees.files
        assert (file.path, file.our_path, file.their_path) == (b"new.py", b"new.py", b"old.py")
        assert file.base is not None
        assert file.merged == file.theirs


def test_a_rename_that_the_merge_did_not_take_is_one_file(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "r")
    dev = builder.branch("dev")
    dev.commit("base", {"old.py": LINES})
    main = dev.branch("main")
    dev.commit("ours", {"new.py": LINES + "mine\n"}, delete=["old.py"])
    main.commit("theirs", {"old.py": LINES + "more\n"})
    dev.merge(main, "merge", {"old.py": LINES + "more\n"}, delete=["new.py"])
    built = builder.finish()
    with Repository.open(built.path) as repository:
        trees = FourTrees(repository, *(CommitId(built.oid(name)) for name in ("ours", "theirs", "merge")))
        (file,) = trees.files
        assert (file.path, file.our_path, file.their_path) == (b"old.py", b"new.py", b"old.py")
        assert file.lost_by(Side.OURS)


def test_unrelated_histories_have_an_empty_base(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "r")
    one, two = builder.branch("one"), builder.branch("two")
    one.commit("ours", {"a": "1\n"})
    two.commit("theirs", {"b": "1\n"})
    one.merge(two, "merge", {"b": "1\n"})
    built = builder.finish()
    with Repository.open(built.path) as repository:
        trees = FourTrees(repository, *(CommitId(built.oid(name)) for name in ("ours", "theirs", "merge")))
        assert trees.bases == ()
        assert trees.automatic is None
        assert {file.path: file.base for file in trees.files} == {b"a": None, b"b": None}


def test_criss_cross_history_has_the_base_git_makes(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "r")
    dev = builder.branch("dev")
    dev.commit("base", {"a": "1\n", "b": "1\n"})
    main = dev.branch("main")
    a = dev.commit("a", {"a": "2\n"})
    b = main.commit("b", {"b": "2\n"})
    dev.merge(b, "ours")
    main.merge(a, "theirs", {"c": "1\n"})
    dev.merge(main, "merge")
    built = builder.finish()
    with Repository.open(built.path) as repository:
        trees = FourTrees(repository, *(CommitId(built.oid(name)) for name in ("ours", "theirs", "merge")))
        assert len(trees.bases) == 2
        assert [file.path for file in trees.files] == [b"c"]


def test_binary_and_huge_files_have_no_contents(tmp_path: Path) -> None:
    huge = b"x\n" * LARGEST
    with task_of(tmp_path, {"bin": b"\0a", "huge": "1\n"}, {"bin": b"\0b", "huge": huge}, {}, {}) as task:
        assert [task.trees.contents(file) for file in task.trees.files] == [None, None]


FILES = st.dictionaries(st.sampled_from(["a", "b", "c/d", "c/e"]), st.sampled_from(["1\n", "2\n", "3\n"]))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(base=FILES, ours=FILES, theirs=FILES, merged=FILES)
def test_every_version_is_what_the_commit_has(
    tmp_path_factory: pytest.TempPathFactory,
    base: dict[str, str],
    ours: dict[str, str],
    theirs: dict[str, str],
    merged: dict[str, str],
) -> None:
    with task_of(tmp_path_factory.mktemp("r"), {"z": "z\n"} | base, ours, theirs, merged) as task:
        trees, repository = task.trees, task.trees.repository
        for file in trees.files:
            for commit, path, entry in (
                (trees.bases[0], file.path, file.base), (trees.ours, file.our_path, file.ours),
                (trees.theirs, file.their_path, file.theirs),
            ):  # fmt: skip
                side = {trees.ours: Side.OURS, trees.theirs: Side.THEIRS}.get(commit)
                if side is not None:
                    assert repository.entry(trees.tree_of(side), path) == entry
            assert repository.entry(trees.merged_tree, file.path) == file.merged


def test_what_is_not_here_is_told_and_the_rest_is_compared(tmp_path: Path) -> None:
    with task_of(tmp_path, {"a": "1\n", "b": "1\n"}, {"a": "2\n", "b": "3\n"}, {"c": "1\n"}, {}) as task:
        repository = task.trees.repository
        entry = repository.entry(task.trees.tree_of(Side.OURS), b"a")
        assert entry is not None
        lose(repository.common_dir, entry.oid)
        assert [file.path for file in task.trees.files] == [b"b", b"c"]
        assert task.trees.unread["files"] == "versions of a are missing here"


def test_a_merged_file_that_is_too_large_to_be_audited_is_told(tmp_path: Path) -> None:
    huge = "x\n" * LARGEST
    with task_of(tmp_path, {"a": "1\n"}, {"a": huge}, {"a": "2\n"}, {"a": huge + "2\n"}) as task:
        (file,) = task.trees.files
        assert task.trees.contents(file) is None
        assert task.trees.unread == {"a": "a version has more than 1,000,000 bytes"}

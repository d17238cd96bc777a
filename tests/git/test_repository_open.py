import os
from collections.abc import Callable
from pathlib import Path

import pytest

from syncline.errors import GitError
from syncline.git import Repository
from testing.builder import RepositoryBuilder
from testing.content import ObjectFormat
from testing.repository import BuiltRepository
from testing.state import differences, snapshot


def build(path: Path, *, bare: bool = False, object_format: ObjectFormat = "sha1") -> BuiltRepository:
    builder = RepositoryBuilder(path, bare=bare, object_format=object_format)
    builder.branch("main").commit("start", {"a.txt": "a\n", "d/b.txt": "b\n"})
    return builder.finish()


NAMES = ("plain", "with space", "new\nline", "two\n\nlines\n", "'quotes\" and $HOME", "caf\udce9", "-dash")


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_whatever_the_directory_is_called(name: str, tmp_path: Path, *, bare: bool) -> None:
    built = build(tmp_path / name, bare=bare)
    with Repository.open(built.path) as repository:
        assert repository.common_dir == repository.git_dir == built.git_dir
        assert repository.work_tree == (None if bare else built.path)
        assert not repository.is_shallow
        assert repository.blob(repository.write_blob(b"text\n")) == b"text\n"
        assert repository.state_dir == built.git_dir / "syncline"


def test_from_a_subdirectory(tmp_path: Path) -> None:
    built = build(tmp_path / "repo")
    with Repository.open(built.path / "d") as repository:
        assert (repository.git_dir, repository.work_tree) == (built.git_dir, built.path)


def test_from_inside_the_git_directory(tmp_path: Path) -> None:
    built = build(tmp_path / "repo")
    for place in (built.git_dir, built.git_dir / "refs"):
        with Repository.open(place) as repository:
            assert (repository.git_dir, repository.work_tree) == (built.git_dir, None)


def test_a_relative_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = build(tmp_path / "repo")
    monkeypatch.chdir(tmp_path)
    for place in (Path("repo"), Path("repo/d/..")):
        with Repository.open(place) as repository:
            assert repository.git_dir == built.git_dir
    monkeypatch.chdir(built.path / "d")
    with Repository.open(Path()) as repository:
        assert repository.work_tree == built.path


def test_through_a_symbolic_link(tmp_path: Path) -> None:
    built = build(tmp_path / "repo")
    (tmp_path / "link").symlink_to(built.path)
    with Repository.open(tmp_path / "link") as repository:
        assert repository.git_dir == built.git_dir


def test_a_linked_work_tree(tmp_path: Path) -> None:
    built = build(tmp_path / "repo")
    linked = tmp_path / "new\nline"
    built.git("worktree", "add", "--quiet", "-b", "topic", linked)
    with Repository.open(linked) as repository:
        assert repository.common_dir == built.git_dir
        assert repository.git_dir.parent == built.git_dir / "worktrees"
        assert repository.work_tree == linked
        assert repository.objects_dir == built.git_dir / "objects"


def test_sha256(tmp_path: Path) -> None:
    built = build(tmp_path / "repo", object_format="sha256")
    with Repository.open(built.path) as repository:
        assert (repository.object_format, len(repository.null_oid)) == ("sha256", 64)
        assert repository.empty_tree == built.text("hash-object", "-t", "tree", os.devnull)
        assert repository.null_oid.is_null


def test_a_shallow_clone(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "repo")
    main = builder.branch("main")
    main.commit("one", {"a": "1\n"})
    main.commit("two", {"a": "2\n"})
    clone = builder.finish().shallow_clone(tmp_path / "clone", 1)
    with Repository.open(clone.path) as repository:
        assert repository.is_shallow


def missing(path: Path) -> Path:
    return path / "missing"


def a_file(path: Path) -> Path:
    (path / "file").write_text("")
    return path / "file"


def no_repository(path: Path) -> Path:
    (path / "empty").mkdir()
    return path / "empty"


def broken(path: Path) -> Path:
    (path / "broken" / ".git").mkdir(parents=True)
    (path / "broken" / ".git" / "HEAD").write_text("nonsense\n")
    return path / "broken"


def dangling(path: Path) -> Path:
    (path / "dangling").mkdir()
    (path / "dangling" / ".git").write_text("gitdir: /nowhere/at/all\n")
    return path / "dangling"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (missing, "no such directory"),
        (a_file, "there is a file"),
        (no_repository, "no usable git repository"),
        (broken, "no usable git repository"),
        (dangling, "no usable git repository"),
    ],
)
def test_what_is_no_repository(
    place: Callable[[Path], Path], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    directory = place(tmp_path)
    with pytest.raises(GitError, match=words) as caught:
        Repository.open(directory)
    assert str(directory) in caught.value.message
    assert "-C DIR" in caught.value.hint


def test_the_callers_git_variables_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built, other = build(tmp_path / "repo"), build(tmp_path / "other")
    for name in ("GIT_DIR", "GIT_COMMON_DIR"):
        monkeypatch.setenv(name, str(other.git_dir))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    with Repository.open(built.path) as repository:
        assert repository.git_dir == built.git_dir
        assert repository.work_tree == built.path


def test_opening_and_closing_leaves_nothing(tmp_path: Path) -> None:
    built = build(tmp_path / "repo")
    before = snapshot(built)
    with Repository.open(built.path) as repository:
        scratch = repository.temporary
        with repository.temporary_directory("purpose") as place:
            assert place.is_dir()
            locked = place / "locked"
            locked.mkdir()
            (locked / "file").write_text("x")
            locked.chmod(0o500)
        assert not place.exists()
        repository.write_blob(b"x")
    assert not scratch.exists()
    assert differences(before, snapshot(built)) == []
    repository.close()  # twice does no harm


def test_a_closed_repository_can_be_used_again(tmp_path: Path) -> None:
    built = build(tmp_path / "repo")
    repository = Repository.open(built.path)
    blob = repository.write_blob(b"one")
    repository.close()
    assert repository.blob(blob) == b"one"
    repository.close()
    assert str(built.git_dir) in repr(repository)

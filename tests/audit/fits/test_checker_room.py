"""The directory in which checkers find the files of a tree: what it holds, whatever befell it."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from syncline.audit.fits.room import Room
from syncline.errors import GitError
from syncline.git import Entry, Mode, Repository
from syncline.git.extract import files_of
from syncline.git.oid import BlobId, CommitId
from testing.builder import RepositoryBuilder
from testing.content import File, Symlink


def test_a_room_holds_one_tree_after_the_other(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "repo")
    main = builder.branch("main")
    main.commit("one", {"a": "1\n", "d/e/f": "2\n", "same": "3\n", "link": Symlink("/etc/passwd")})
    main.commit("two", {"a/b": "4\n", "d/e": File("5\n", executable=True)}, delete=["a", "d/e/f"])
    built = builder.finish()
    with Repository.open(built.path) as repository:
        room = Room(repository, tmp_path / "room")
        first, second = (list(files_of(repository, CommitId(built.oid(name)))) for name in ("one", "two"))
        for files, expected in (
            (first, {"a": "1\n", "d/e/f": "2\n", "same": "3\n"}),
            (second, {"a/b": "4\n", "d/e": "5\n", "same": "3\n"}),
            (first, {"a": "1\n", "d/e/f": "2\n", "same": "3\n"}),
            ([], {}),
        ):
            place = room.holding([(path, entry) for path, entry in files if entry.mode.is_file])
            found = {str(path.relative_to(place)): path.read_text() for path in place.rglob("*") if path.is_file()}
            assert found == expected


def _written(place: Path) -> dict[str, str]:
    return {str(path.relative_to(place)): path.read_text() for path in place.rglob("*") if path.is_file()}


def _linked(place: Path, target: str) -> None:
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink()
    place.symlink_to(target)


def _copied(place: Path) -> None:
    """Put another file in its place that looks the same."""
    place.rename(place.with_name("b"))
    shutil.copy2(place.with_name("b"), place)


VANDALS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda _: None,
    "altered": lambda tree: (tree / "a").write_text("no\n"),
    "one more": lambda tree: (tree / "d" / "more").write_text("no\n"),
    "one less": lambda tree: (tree / "d/e/f").unlink(),
    "a link": lambda tree: _linked(tree / "a", "/etc/passwd"),
    "a linked directory": lambda tree: _linked(tree / "d", "/etc"),
    "another file of its name": lambda tree: _copied(tree / "a"),
    "the whole a link": lambda tree: _linked(tree, "../precious"),
    "the whole gone": shutil.rmtree,
    "the whole a file": lambda tree: (shutil.rmtree(tree), tree.write_text("no\n")),
    "left in haste": lambda tree: (tree.parent / "tree.json").unlink(),
    "a broken list": lambda tree: (tree.parent / "tree.json").write_text('["tree-0", [["a", "100644"'),
    "a list of nonsense": lambda tree: (tree.parent / "tree.json").write_text('["tree-0", [["a", "7", 3], 5]]'),
    "a list of elsewhere": lambda tree: (tree.parent / "tree.json").write_text('["../precious", []]'),
}


@pytest.mark.parametrize("how", VANDALS)
def test_a_room_that_is_kept_holds_what_is_asked_for_whatever_befell_it(tmp_path: Path, how: str) -> None:
    builder = RepositoryBuilder(tmp_path / "repo")
    main = builder.branch("main")
    main.commit("one", {"a": "1\n", "d/e/f": "2\n", "same": "3\n", b"\xff\n": "4\n"})
    main.commit("two", {"a": "5\n"}, delete=["d/e/f"])
    built = builder.finish()
    shelf, precious = tmp_path / "shelf", tmp_path / "precious"
    precious.mkdir()
    (precious / "x").write_text("keep me\n")
    with Repository.open(built.path) as repository:
        first, second = (list(files_of(repository, CommitId(built.oid(name)))) for name in ("one", "two"))
        with Room.kept(repository, shelf, tmp_path) as room:
            room.holding(first)
        (tree,) = shelf.glob("tree-*")
        VANDALS[how](tree)
        for files in (first, second, first):
            with Room.kept(repository, shelf, tmp_path) as room:
                expected = {os.fsdecode(path): repository.blob(entry.blob).decode() for path, entry in files}
                assert _written(room.holding(files)) == expected
        assert not list(tmp_path.glob("tree*"))
        assert len(list(shelf.glob("tree-*"))) == 1
        assert sorted(path.name for path in precious.iterdir()) == ["x"]


def test_a_room_that_is_kept_is_not_written_anew(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "repo")
    builder.branch("main").commit("one", {"a": "1\n", "d/e/f": "2\n"})
    built = builder.finish()
    with Repository.open(built.path) as repository:
        files = list(files_of(repository, CommitId(built.oid("one"))))
        stamps = set()
        for _ in range(3):
            with Room.kept(repository, tmp_path / "shelf", tmp_path) as room:
                place = room.holding(files)
                stamps.add(tuple((place / name).stat().st_ino for name in ("a", "d/e/f")))
        assert len(stamps) == 1


def test_who_finds_the_room_taken_works_beside_it(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "repo")
    builder.branch("main").commit("one", {"a": "1\n"})
    built = builder.finish()
    shelf = tmp_path / "shelf"
    with Repository.open(built.path) as repository:
        files = list(files_of(repository, CommitId(built.oid("one"))))
        (tmp_path / "1").mkdir()
        with Room.kept(repository, shelf, tmp_path / "1") as room, TemporaryDirectory() as aside:
            assert room.holding(files).parent == shelf
            with Room.kept(repository, shelf, Path(aside)) as other:
                assert other.holding(files) == Path(aside) / "tree"
        (tmp_path / "file").write_text("")
        with Room.kept(repository, tmp_path / "file" / "shelf", tmp_path) as room:
            assert _written(room.holding(files)) == {"a": "1\n"}


def test_what_a_killed_process_may_still_write_to_is_left_behind(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "repo")
    builder.branch("main").commit("one", {"a": "1\n"})
    built = builder.finish()
    shelf = tmp_path / "shelf"
    with Repository.open(built.path) as repository:
        files = list(files_of(repository, CommitId(built.oid("one"))))
        with Room.kept(repository, shelf, tmp_path) as room:
            before = room.holding(files)
        (shelf / "tree.json").unlink()  # as while somebody is in it
        with Room.kept(repository, shelf, tmp_path) as room:
            assert room.holding(files) != before
        assert not before.exists()


def test_after_an_error_nothing_is_taken_for_granted(tmp_path: Path) -> None:
    builder = RepositoryBuilder(tmp_path / "repo")
    main = builder.branch("main")
    main.commit("one", {"a": "1\n"})
    main.commit("two", {"a": "2\n", "b": "3\n"})
    built = builder.finish()
    shelf = tmp_path / "shelf"
    lost = Entry(Mode.FILE, BlobId("12" * 20))
    with Repository.open(built.path) as repository:
        first, second = (list(files_of(repository, CommitId(built.oid(name)))) for name in ("one", "two"))
        with Room.kept(repository, shelf, tmp_path) as room:
            room.holding(first)
            with pytest.raises(GitError):
                room.holding([*second, (b"lost", lost)])
        assert not (shelf / "tree.json").exists()
        with Room.kept(repository, shelf, tmp_path) as room:
            room.holding(first)
            with pytest.raises(GitError):
                room.holding([*second, (b"lost", lost)])
            assert _written(room.holding(first)) == {"a": "1\n"}
        with Room.kept(repository, shelf, tmp_path) as room:
            assert _written(room.holding(first)) == {"a": "1\n"}

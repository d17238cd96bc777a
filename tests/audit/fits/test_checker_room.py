"""The directory in which checkers find the files of a tree: what it holds, whatever befell it."""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from syncline.audit.fits.room import Room
from syncline.git import Repository
from syncline.git.extract import files_of
from syncline.git.oid import CommitId
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


def _vandalise(tree: Path, how: str) -> None:
    if how == "altered":
        (tree / "a").write_text("no\n")
    elif how == "one more":
        (tree / "d" / "more").write_text("no\n")
    elif how == "one less":
        (tree / "d/e/f").unlink()
    elif how == "a link":
        (tree / "a").unlink()
        (tree / "a").symlink_to("/etc/passwd")
    elif how == "a linked directory":
        shutil.rmtree(tree / "d")
        (tree / "d").symlink_to("/etc")
    elif how == "another file of its name":
        (tree / "a").rename(tree / "b")
        shutil.copy2(tree / "b", tree / "a")
    elif how == "left in haste":
        (tree.parent / "tree.json").unlink()
    elif how == "a broken list":
        (tree.parent / "tree.json").write_text('[["a", "100644"')
    elif how == "a list of nonsense":
        (tree.parent / "tree.json").write_text('[["a", "7", 3, null], 5]')


@pytest.mark.parametrize(
    "how",
    ["nothing", "altered", "one more", "one less", "a link", "a linked directory", "another file of its name",
     "left in haste", "a broken list", "a list of nonsense"],
)  # fmt: skip
def test_a_room_that_is_kept_holds_what_is_asked_for_whatever_befell_it(tmp_path: Path, how: str) -> None:
    builder = RepositoryBuilder(tmp_path / "repo")
    main = builder.branch("main")
    main.commit("one", {"a": "1\n", "d/e/f": "2\n", "same": "3\n", b"\xff\n": "4\n"})
    main.commit("two", {"a": "5\n"}, delete=["d/e/f"])
    built = builder.finish()
    shelf = tmp_path / "shelf"
    with Repository.open(built.path) as repository:
        first, second = (list(files_of(repository, CommitId(built.oid(name)))) for name in ("one", "two"))
        with Room.kept(repository, shelf, tmp_path) as room:
            room.holding(first)
        _vandalise(shelf / "tree", how)
        for files in (first, second, first):
            with Room.kept(repository, shelf, tmp_path) as room:
                expected = {os.fsdecode(path): repository.blob(entry.blob).decode() for path, entry in files}
                assert _written(room.holding(files)) == expected
        assert not list(tmp_path.glob("tree*"))


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
        with Room.kept(repository, shelf, tmp_path / "1") as room, TemporaryDirectory() as aside:
            assert room.holding(files) == shelf / "tree"
            with Room.kept(repository, shelf, Path(aside)) as other:
                assert other.holding(files) == Path(aside) / "tree"
        (tmp_path / "file").write_text("")
        with Room.kept(repository, tmp_path / "file" / "shelf", tmp_path) as room:
            assert _written(room.holding(files)) == {"a": "1\n"}

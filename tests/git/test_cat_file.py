import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.errors import GitError
from syncline.git import BlobId, Oid, Repository
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from tests.git.opened import opened, tip, tree_of


@pytest.fixture
def built(builder: RepositoryBuilder) -> BuiltRepository:
    builder.branch("main").commit("start", {"a.txt": "a\n"})
    return builder.finish()


NOWHERE = Oid("1" * 40)
Shared = tuple[Repository, list[BlobId]]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shared]:
    build = RepositoryBuilder(tmp_path_factory.mktemp("shared") / "repo", bare=True)
    build.branch("main").commit("start", {"a": ""})
    with opened(build.finish()) as repository:
        yield repository, [repository.write_blob(b"%d" % number) for number in range(80)]


def test_many_objects_come_in_the_order_asked(built: BuiltRepository) -> None:
    contents = [b"%d\n" % (number % 97) * (number % 7) for number in range(500)]
    with opened(built) as repository:
        oids = [repository.write_blob(content) for content in contents]
        assert list(repository.blobs(iter(oids))) == contents
        assert list(repository.blobs(reversed(oids))) == contents[::-1]
        assert list(repository.blobs([])) == []


def test_a_large_blob_among_small_ones(built: BuiltRepository) -> None:
    large = bytes(range(256)) * (20 * 4096)
    with opened(built) as repository:
        oids = [repository.write_blob(content) for content in (b"", large, b"small")]
        assert list(repository.blobs(oids)) == [b"", large, b"small"]
        assert built.text("cat-file", "-s", oids[1]) == str(len(large))


def test_types(built: BuiltRepository) -> None:
    main = tip(built, "main")
    with opened(built) as repository:
        assert repository.commit_object(main) == built.git("cat-file", "commit", main)
        assert list(repository.tree(tree_of(built, "main"))) == [b"a.txt"]
        with pytest.raises(GitError, match="expected to be a blob, it is a commit"):
            repository.blob(main)
        with pytest.raises(GitError, match="a blob was wanted"):
            list(repository.blobs([main]))


def test_after_a_missing_object_the_next_request_is_answered_rightly(built: BuiltRepository) -> None:
    with opened(built) as repository:
        oids = [repository.write_blob(b"%d" % number) for number in range(40)]
        with pytest.raises(GitError, match=f"object {NOWHERE} cannot be read") as caught:
            list(repository.blobs([*oids[:5], NOWHERE, *oids[5:]]))
        assert "git fsck" in caught.value.hint
        with pytest.raises(GitError, match="a blob was wanted"):
            list(repository.blobs([tip(built, "main"), *oids]))
        assert list(repository.blobs(oids)) == [b"%d" % number for number in range(40)]


def test_requests_may_overlap(built: BuiltRepository) -> None:
    with opened(built) as repository:
        oids = [repository.write_blob(b"%d" % number) for number in range(100)]
        seen = []
        for content in repository.blobs(oids):
            assert repository.blob(oids[7]) == b"7"
            seen.append(content)
        assert seen == [b"%d" % number for number in range(100)]


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(1, 45)),
        min_size=1,
        max_size=30,
    )
)
@settings(max_examples=25)
def test_readers_that_take_turns_and_stop_anywhere(shared: Shared, turns: list[tuple[int, int]]) -> None:
    repository, oids = shared
    readers = [repository.blobs(oids), repository.blobs(oids[::-1]), repository.blobs(oids[10:])]
    orders = [range(80), range(79, -1, -1), range(10, 80)]
    position = [0, 0, 0]
    for reader, count in turns:
        for _ in range(count):
            content = next(readers[reader], None)
            order = orders[reader]
            expected = b"%d" % order[position[reader]] if position[reader] < len(order) else None
            assert content == expected
            position[reader] += 1


def test_an_object_that_is_damaged(built: BuiltRepository) -> None:
    with opened(built) as repository:
        oid = repository.write_blob(b"content " * 9000)
    place = built.git_dir / "objects" / oid[:2] / oid[2:]
    place.chmod(0o600)
    place.write_bytes(place.read_bytes()[:-30])
    with opened(built) as repository:
        with pytest.raises(GitError, match=f"object {oid} cannot be read"):
            repository.blob(oid)
        with pytest.raises(GitError):
            repository.blob(oid)


def test_when_git_was_killed(built: BuiltRepository) -> None:
    with opened(built) as repository:
        blob = repository.write_blob(b"x")
        process: subprocess.Popen[bytes] = repository.objects._process
        process.kill()
        process.wait()
        with pytest.raises(GitError):
            repository.blob(blob)


def test_writing_any_content(built: BuiltRepository, tmp_path: Path) -> None:
    for content in (b"", b"\n", b"\r\n", b"\0\xff", b"x" * 100_000):
        with opened(built) as repository:
            oid = repository.write_blob(content)
        (tmp_path / "file").write_bytes(content)
        assert built.text("hash-object", "--no-filters", tmp_path / "file") == oid
        assert built.git("cat-file", "blob", oid) == content


def test_an_object_directory_that_cannot_be_written(built: BuiltRepository) -> None:
    fan_out = built.git("hash-object", "--stdin", input=b"x")[:2].decode()
    (built.git_dir / "objects" / fan_out).write_text("a file in the way")
    with opened(built) as repository, pytest.raises(GitError, match="hash-object") as caught:
        repository.write_blob(b"x")
    assert str(built.git_dir) in caught.value.message

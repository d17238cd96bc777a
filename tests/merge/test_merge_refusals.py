from pathlib import Path

import pytest

from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.merge.merge import merge
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository


def attempt(built: BuiltRepository, ours: str, theirs: str) -> None:
    with Repository.open(built.path) as repository:
        merge(repository, CommitId(ours), CommitId(theirs))


def test_unrelated_histories(builder: RepositoryBuilder) -> None:
    builder.branch("ours").commit("ours", {"a": "a\n"})
    builder.branch("theirs").commit("theirs", {"a": "b\n"})
    built = builder.finish()
    with pytest.raises(GitError, match="no common ancestor") as caught:
        attempt(built, built["ours"], built["theirs"])
    assert "--allow-unrelated-histories" in caught.value.hint


def test_a_shallow_clone(builder: RepositoryBuilder, tmp_path: Path) -> None:
    ours = builder.branch("ours")
    ours.commit("start", {"a": "a\n"})
    theirs = ours.branch("theirs")
    ours.commit("ours", {"b": "b\n"})
    theirs.commit("theirs", {"c": "c\n"})
    shallow = builder.finish().shallow_clone(tmp_path / "shallow", 1)
    with pytest.raises(GitError, match="shallow clone") as caught:
        attempt(shallow, shallow["ours"], shallow["theirs"])
    assert "git fetch --unshallow" in caught.value.hint


def test_a_commit_that_is_not_there(builder: RepositoryBuilder) -> None:
    builder.branch("ours").commit("start", {"a": "a\n"})
    built = builder.finish()
    with pytest.raises(GitError, match=r"not a valid commit|Not a valid commit|not something we can merge"):
        attempt(built, built["ours"], "1" * 40)


def test_a_missing_blob_is_told(builder: RepositoryBuilder) -> None:
    ours = builder.branch("ours")
    ours.commit("start", {"a": "1\n2\n3\n"})
    theirs = ours.branch("theirs")
    ours.commit("ours", {"a": "1 ours\n2\n3\n"})
    theirs.commit("theirs", {"a": "1\n2\n3 theirs\n"})
    built = builder.finish()
    lost = built.entries("theirs")[b"a"].oid
    built.git("unpack-objects", "-q", input=b"".join(hidden_packs(built)))
    (built.git_dir / "objects" / lost[:2] / lost[2:]).unlink()
    with pytest.raises(GitError) as caught:
        attempt(built, built["ours"], built["theirs"])
    assert "git fsck" in caught.value.hint


def hidden_packs(built: BuiltRepository) -> list[bytes]:
    """Takes the packs away, so that their objects can be unpacked one by one."""
    contents = []
    for pack in sorted((built.git_dir / "objects" / "pack").glob("*.pack")):
        contents.append(pack.read_bytes())
        for file in pack.parent.glob(pack.stem + ".*"):
            file.unlink()
    return contents

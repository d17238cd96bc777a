"""A shadow begins as the repository is, and nothing that is done there reaches it."""

from pathlib import Path

import pytest

from syncline.git import CommitId, Repository
from syncline.git.refs import RefChange, change_refs, find_commit
from syncline.git.remote import fetch_branches, remote_heads
from syncline.git.shadow import refs_of, shadow
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from testing.sealed import git
from testing.state import differences, snapshot


@pytest.fixture(params=["work tree", "bare", "sha256"])
def built(request: pytest.FixtureRequest, tmp_path: Path) -> BuiltRepository:
    """A repository with a remote whose path is a relative one, and odd names."""
    other = RepositoryBuilder(tmp_path / "other", object_format="sha256" if request.param == "sha256" else "sha1")
    other.branch("main").commit("there", {"a": "there\n"})
    other.finish()
    build = RepositoryBuilder(
        tmp_path / 'a "quoted"\\place', bare=request.param == "bare",
        object_format="sha256" if request.param == "sha256" else "sha1",
    )  # fmt: skip
    build.branch("main").commit("here", {"a": "here\n"})
    repo = build.finish()
    git(repo.path, "remote", "add", "origin", "../other")
    git(repo.path, "update-ref", "refs/odd/bl\u00f6b", git(repo.path, "rev-parse", "main:a").decode().strip())
    # A submodule's git directory says so; from elsewhere that leads nowhere.
    if request.param != "bare":
        git(repo.path, "config", "core.worktree", str(repo.path))
    return repo


def test_it_is_the_same_and_apart(built: BuiltRepository) -> None:
    before = snapshot(built, ())
    with Repository.open(built.path) as original, shadow(original) as other:
        assert refs_of(other, "refs/") == refs_of(original, "refs/") != {}
        main = find_commit(other, "refs/heads/main")
        assert main is not None
        assert other.commit_object(main) == original.commit_object(main)
        written = other.write_blob(b"only there\n")
        change_refs(other, [RefChange("refs/heads/new", None, main)], why="test")
        there = remote_heads(other, "origin", ["main"])["main"]
        fetch_branches(other, "origin", {"main": "refs/syncline/lanes/x/source"})
        assert find_commit(other, "refs/syncline/lanes/x/source") == there
        assert not original.has(written)
        assert not original.has(CommitId(there))
        assert other.state_dir != original.state_dir
        place = other.git_dir
        assert place.exists()
    assert not place.exists()
    assert differences(before, snapshot(built, ())) == []

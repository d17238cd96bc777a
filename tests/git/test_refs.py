import pytest

from syncline.errors import FenceError, GitError
from syncline.git import CommitId, Repository
from syncline.git.refs import (
    RefChange,
    branch_ref,
    change_refs,
    delete_ref,
    find_commit,
    is_ref_name,
    list_refs,
    resolve_commit,
)
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from tests.git.opened import opened, tip


@pytest.fixture
def built(builder: RepositoryBuilder) -> BuiltRepository:
    main = builder.branch("main")
    first = main.commit("one", {"a": "1\n"})
    main.commit("two", {"a": "2\n"})
    builder.branch("dev", at=first).commit("dev", {"b": "1\n"})
    builder.tag("v1", at=first, message="annotated")
    builder.point("refs/remotes/upstream/topic", at=first)
    return builder.finish()


def commits(built: BuiltRepository) -> tuple[CommitId, CommitId]:
    return tip(built, "main"), tip(built, "dev")


@pytest.mark.parametrize("revision", ["main", "refs/heads/dev", "v1", "main~1", "HEAD", "upstream/topic", "@"])
def test_names_of_commits(revision: str, built: BuiltRepository) -> None:
    with opened(built) as repository:
        assert resolve_commit(repository, revision) == built.tip(revision)


@pytest.mark.parametrize(
    "revision", ["", "none", "a\0b", "main:a", "--help", "-C", "main~9", "1" * 40, "a b", "\udcff"]
)
def test_names_of_no_commit(revision: str, built: BuiltRepository) -> None:
    with opened(built) as repository:
        assert find_commit(repository, revision) is None
        with pytest.raises(GitError, match="no commit is named"):
            resolve_commit(repository, revision)


def test_a_name_that_a_remote_has_is_hinted_at(built: BuiltRepository) -> None:
    with opened(built) as repository, pytest.raises(GitError) as caught:
        resolve_commit(repository, "topic")
    assert "upstream/topic" in caught.value.hint


def test_replaced_and_grafted_commits_are_what_they_were(built: BuiltRepository) -> None:
    main, dev = commits(built)
    built.git("replace", main, dev)
    (built.git_dir / "info").mkdir(exist_ok=True)
    (built.git_dir / "info" / "grafts").write_text(f"{main} {dev}\n")
    with opened(built) as repository:
        assert resolve_commit(repository, "main") == main
        assert resolve_commit(repository, "main~1") == built.oid("one")
        assert repository.commit_object(main) == built.git("--no-replace-objects", "cat-file", "commit", main)


def change(built: BuiltRepository, *changes: RefChange) -> None:
    with opened(built) as repository:
        change_refs(repository, changes, why="test: move")


def test_all_changes_or_none(built: BuiltRepository) -> None:
    main, dev = commits(built)
    change(built, RefChange("refs/heads/main", main, dev), RefChange("refs/syncline/a", None, dev),
           RefChange("refs/heads/dev", dev, None))  # fmt: skip
    assert (built.tip("main"), built.tip("refs/syncline/a"), built.tip("dev")) == (dev, dev, dev)
    with pytest.raises(FenceError):
        change(built, RefChange("refs/heads/dev", dev, main), RefChange("refs/heads/main", main, main))
    assert built.tip("dev") == dev


ODD_NAMES = (
    "feature/ünï",
    "a.b",
    "x@y",
    "with'quote",
    'with"double',
    "$HOME",
    "-dash",
    "a/b/c/d",
    "x\u2028y",
    "caf\udce9",
)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_branch_names(name: str, built: BuiltRepository) -> None:
    main, dev = commits(built)
    ref = branch_ref(name)
    with opened(built) as repository:
        assert is_ref_name(repository, ref)
        change_refs(repository, [RefChange(ref, None, main)], why="make")
        assert find_commit(repository, ref) == main
        assert ref in [found.name for found in list_refs(repository, "refs/heads")]
        change_refs(repository, [RefChange(ref, main, dev)], why="move")
        delete_ref(repository, ref, dev)
        assert find_commit(repository, ref) is None


@pytest.mark.parametrize(
    "name", ["refs/heads/a..b", "refs/heads/a b", "refs/heads/.a", "main.lock/", "refs/heads/x~1"]
)
def test_names_git_refuses(name: str, built: BuiltRepository) -> None:
    with opened(built) as repository:
        assert not is_ref_name(repository, name)
        with pytest.raises(GitError) as caught:
            change_refs(repository, [RefChange(name, None, tip(built, "main"))], why="make")
        assert not isinstance(caught.value, FenceError)


def fences(built: BuiltRepository) -> dict[str, RefChange]:
    main, dev = commits(built)
    return {
        "moved": RefChange("refs/heads/main", dev, dev),
        "moved, only looked at": RefChange("refs/heads/main", dev, None),
        "made by someone else": RefChange("refs/heads/main", None, dev),
        "made by someone else, only looked at": RefChange("refs/heads/main", None, None),
        "gone": RefChange("refs/heads/gone", main, dev),
        "gone, only looked at": RefChange("refs/heads/gone", main, None),
    }


FENCES = (
    "moved",
    "moved, only looked at",
    "made by someone else",
    "made by someone else, only looked at",
    "gone",
    "gone, only looked at",
)


@pytest.mark.parametrize("name", FENCES)
def test_a_ref_elsewhere_is_a_fence(name: str, built: BuiltRepository) -> None:
    before = built.text("for-each-ref")
    with pytest.raises(FenceError, match=r"a ref moved before the change \(test: move\)"):
        change(built, RefChange("refs/syncline/new", None, tip(built, "dev")), fences(built)[name])
    assert built.text("for-each-ref") == before


def test_packed_refs_are_fenced_alike(built: BuiltRepository) -> None:
    built.git("pack-refs", "--all")
    for name in fences(built):
        test_a_ref_elsewhere_is_a_fence(name, built)


def test_what_deciding_again_cannot_help_is_no_fence(built: BuiltRepository) -> None:
    main, _ = commits(built)
    with pytest.raises(GitError, match="cannot create") as caught:
        change(built, RefChange("refs/heads/main/below", None, main))
    assert not isinstance(caught.value, FenceError)
    (built.git_dir / "refs" / "heads" / "main.lock").write_text("")
    with pytest.raises(GitError, match=r"main\.lock") as caught:
        change(built, RefChange("refs/heads/main", main, tip(built, "dev")))
    assert not isinstance(caught.value, FenceError)


def test_deleting(built: BuiltRepository) -> None:
    main, dev = commits(built)
    with opened(built) as repository:
        with pytest.raises(FenceError):
            delete_ref(repository, "refs/heads/dev", main)
        assert built.tip("dev") == dev
        delete_ref(repository, "refs/heads/dev", dev)
        assert find_commit(repository, "dev") is None
        with pytest.raises(FenceError):
            delete_ref(repository, "refs/heads/dev", dev)


def test_the_reflog_says_why(built: BuiltRepository) -> None:
    main, dev = commits(built)
    change(built, RefChange("refs/heads/main", main, dev))
    assert built.text("log", "-1", "-g", "--format=%gs", "main") == "test: move"


def test_listing(built: BuiltRepository) -> None:
    built.git("update-ref", "refs/heads/blob", built.entries("main")[b"a"].oid, check=False)
    with opened(built) as repository:
        found = {ref.name: ref for ref in list_refs(repository, "refs/heads")}
    assert {name: ref.oid for name, ref in found.items()} == {
        "refs/heads/main": built["main"], "refs/heads/dev": built["dev"],
    }  # fmt: skip
    assert found["refs/heads/main"].checked_out == str(built.path)
    assert found["refs/heads/dev"].checked_out == ""


def test_hooks_do_not_run(built: BuiltRepository) -> None:
    hooks = built.git_dir / "hooks"
    hooks.mkdir()
    for name in ("reference-transaction", "post-checkout", "update"):
        (hooks / name).write_text('#!/bin/sh\ntouch "$GIT_DIR/ran"\nexit 1\n')
        (hooks / name).chmod(0o755)
    main, dev = commits(built)
    with Repository.open(built.path) as repository:
        change_refs(repository, [RefChange("refs/heads/main", main, dev)], why="move")
        delete_ref(repository, "refs/heads/dev", dev)
    assert not (built.git_dir / "ran").exists()

from pathlib import Path

import pytest

from syncline.errors import FenceError, GitError
from syncline.git import Repository
from syncline.git.command import failure, mask
from syncline.git.remote import fetch_branches, push_branch, remote_heads
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from testing.state import differences, snapshot
from tests.git.opened import opened, tip

ODD = "feature/x\u2028ü"


@pytest.fixture
def served(tmp_path: Path) -> BuiltRepository:
    build = RepositoryBuilder(tmp_path / "served", bare=True)
    main = build.branch("main")
    main.commit("one", {"a": "1\n"})
    main.branch("dev").commit("dev", {"b": "1\n"})
    main.commit("two", {"a": "2\n"})
    return build.finish()


@pytest.fixture
def clone(served: BuiltRepository, tmp_path: Path) -> BuiltRepository:
    return served.clone(tmp_path / "clone")


def add_odd(served: BuiltRepository) -> str:
    served.git("update-ref", f"refs/heads/{ODD}", served["dev"])
    return served["dev"]


def urls(served: BuiltRepository) -> tuple[str, ...]:
    return "origin", str(served.path), f"file://{served.path}", "../served"


def grow(served: BuiltRepository) -> str:
    build = RepositoryBuilder.resume(served)
    build.branch("main").commit("three", {"a": "3\n"})
    return build.finish()["main"]


def test_where_branches_stand(served: BuiltRepository, clone: BuiltRepository) -> None:
    odd = add_odd(served)
    with opened(clone) as repository:
        for remote in urls(served):
            heads = remote_heads(repository, remote, ["main", ODD, "none", "v"])
            assert heads == {"main": served["main"], ODD: odd}
        assert remote_heads(repository, "origin", []) == {}


def test_fetching_touches_only_the_refs_named(served: BuiltRepository, clone: BuiltRepository) -> None:
    served.git("tag", "v1", "main")
    clone.git("config", "remote.origin.prune", "true")
    clone.git("config", "remote.origin.tagOpt", "--tags")
    clone.git("config", "fetch.pruneTags", "true")
    clone.git("tag", "mine", "HEAD")
    new = grow(served)
    add_odd(served)
    before = snapshot(clone)
    with opened(clone) as repository:
        for number, remote in enumerate(urls(served)):
            fetch_branches(repository, remote, {"main": f"refs/syncline/{number}", ODD: "refs/syncline/odd"})
            assert clone.tip(f"refs/syncline/{number}") == new
        fetch_branches(repository, "origin", {})
    assert differences(before, snapshot(clone)) == []
    assert not (clone.git_dir / "FETCH_HEAD").exists()
    assert clone.text("tag") == "mine"


def test_fetching_follows_a_forced_push(served: BuiltRepository, clone: BuiltRepository) -> None:
    with opened(clone) as repository:
        fetch_branches(repository, "origin", {"main": "refs/syncline/main"})
        served.git("update-ref", "refs/heads/main", served["dev"])
        fetch_branches(repository, "origin", {"main": "refs/syncline/main"})
    assert clone.tip("refs/syncline/main") == served["dev"]


def test_a_branch_that_is_not_there(clone: BuiltRepository) -> None:
    with opened(clone) as repository, pytest.raises(GitError, match="refs/heads/none"):
        fetch_branches(repository, "origin", {"none": "refs/syncline/none"})


@pytest.mark.parametrize("remote", ["nowhere", "../missing", "file:///missing", "-x", "--upload-pack=touch ran"])
def test_a_remote_that_is_not_there(remote: str, clone: BuiltRepository) -> None:
    with opened(clone) as repository:
        for attempt in (
            lambda: remote_heads(repository, remote, ["main"]),
            lambda: fetch_branches(repository, remote, {"main": "refs/syncline/x"}),
            lambda: push_branch(repository, remote, "x", new=tip(clone, "main"), old=None),
        ):
            with pytest.raises(GitError) as caught:
                attempt()
            assert not isinstance(caught.value, FenceError)
    assert not (clone.path / "ran").exists()


def test_pushing_with_a_lease(served: BuiltRepository, clone: BuiltRepository) -> None:
    main, dev = tip(served, "main"), tip(served, "dev")
    clone.git("config", "push.followTags", "true")
    clone.git("tag", "-a", "-m", "mine", "v1", "main")
    before = snapshot(clone)
    with opened(clone) as repository:
        for remote in urls(served):
            push_branch(repository, remote, "sync/ü", new=main, old=None)
            push_branch(repository, remote, "sync/ü", new=dev, old=main)
            assert served.tip("refs/heads/sync/ü") == dev
            for new, old in ((main, main), (main, None), (None, main)):
                with pytest.raises(FenceError, match="moved before the push"):
                    push_branch(repository, remote, "sync/ü", new=new, old=old)
            assert served.tip("refs/heads/sync/ü") == dev
            push_branch(repository, remote, "sync/ü", new=None, old=dev)
            with pytest.raises(FenceError):
                push_branch(repository, remote, "sync/ü", new=main, old=dev)
    assert served.text("tag") == ""
    assert differences(before, snapshot(clone)) == []


def test_a_remote_that_refuses(served: BuiltRepository, clone: BuiltRepository) -> None:
    hooks = served.git_dir / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-receive").write_text("#!/bin/sh\necho 'no pushes on Sundays' >&2\nexit 1\n")
    (hooks / "pre-receive").chmod(0o755)
    with opened(clone) as repository, pytest.raises(GitError) as caught:
        push_branch(repository, "origin", "x", new=tip(served, "main"), old=None)
    assert "no pushes on Sundays" in caught.value.message
    assert not isinstance(caught.value, FenceError)


def test_own_hooks_do_not_run(served: BuiltRepository, clone: BuiltRepository, tmp_path: Path) -> None:
    canary = tmp_path / "ran"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-push", "reference-transaction", "post-update", "pre-auto-gc", "post-checkout"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch '{canary}'\nexit 1\n")
        (hooks / name).chmod(0o755)
    clone.git("config", "core.hooksPath", str(hooks))
    clone.git("config", "core.fsmonitor", f"touch {canary}")
    with opened(clone) as repository:
        fetch_branches(repository, "origin", {"main": "refs/syncline/main"})
        push_branch(repository, "origin", "sync", new=tip(served, "main"), old=None)
    assert not canary.exists()


@pytest.mark.parametrize(
    "url",
    [
        "https://user:s3cret@example.org/x.git",
        "https://s3cret@example.org/x",
        "ssh://user:p@s3cret@host/x",
        "https://x:it's-s3cret@h/",
    ],
)
def test_no_error_shows_credentials(url: str, clone: BuiltRepository) -> None:
    assert "s3cret" not in mask(f"fatal: unable to access '{url}': no")
    long = f"fatal: {'x' * 1990} {url}"
    for cut in range(0, 60, 7):
        assert (
            "s3cret"
            not in failure(["fetch", url], 128, (long + " " * cut + "." * cut).encode(), clone.path).message
        )
    local = url.replace("https://", "nosuch://").replace("ssh://", "nosuch://")
    with Repository.open(clone.path) as repository:
        for attempt in (
            lambda: remote_heads(repository, local, ["main"]),
            lambda: fetch_branches(repository, local, {"main": "refs/syncline/x"}),
            lambda: push_branch(repository, local, "x", new=tip(clone, "main"), old=None),
        ):
            with pytest.raises(GitError) as caught:
                attempt()
            assert "s3cret" not in str(caught.value)


def test_addresses_without_credentials_stay_readable() -> None:
    for text in ("https://example.org/a@b.git", "git@example.org:x", "mail me@example.org"):
        assert mask(text) == text

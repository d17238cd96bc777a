import stat
from pathlib import Path

import pytest

from syncline.errors import GitError
from syncline.git.checkout import checkout
from testing.builder import RepositoryBuilder
from testing.content import File, Submodule, Symlink
from testing.repository import BuiltRepository
from testing.sealed import git
from testing.state import differences, snapshot
from tests.git.opened import opened, tip


@pytest.fixture
def built(builder: RepositoryBuilder) -> BuiltRepository:
    main = builder.branch("main")
    main.commit("first", {"a.txt": "1\n"})
    main.commit(
        "second",
        {
            "a.txt": "lf\n",
            "crlf.txt": "kept\r\n",
            "asked.bat": "line\n",
            "run.sh": File("exit 0\n", executable=True),
            "link": Symlink("a.txt"),
            "outside": Symlink("/etc/passwd"),
            "sub": Submodule("1" * 40),
            b"d/caf\xe9": "x\n",
            "model.bin": "version https://git-lfs.github.com/spec/v1\n",
            ".gitattributes": "*.bat text eol=crlf\n*.bin filter=lfs\nlink merge=ours\n",
        },
    )
    return builder.finish()


def test_the_files_are_the_commits(built: BuiltRepository) -> None:
    before = snapshot(built)
    with opened(built) as repository:
        with checkout(repository, tip(built, "main")) as place:
            assert (place / "a.txt").read_bytes() == b"lf\n"
            assert (place / "crlf.txt").read_bytes() == b"kept\r\n"
            assert (place / "asked.bat").read_bytes() == b"line\r\n"
            assert (place / "run.sh").stat().st_mode & stat.S_IXUSR
            assert (place / "link").readlink() == Path("a.txt")
            assert (place / "outside").is_symlink()
            assert (place / "sub").is_dir()
            assert (place / "model.bin").read_bytes().startswith(b"version")
            assert git(place, "rev-parse", "HEAD").decode().strip() == built["main"]
            assert git(place, "status", "--porcelain") == b""
            assert git(place, "log", "--format=%s").split() == [b"second", b"first"]
            assert git(place, "for-each-ref") == b""
        assert not place.parent.exists()
    assert differences(before, snapshot(built)) == []


def test_what_is_done_there_stays_there(built: BuiltRepository) -> None:
    before = snapshot(built)
    objects = built.text("count-objects", "-v")
    with opened(built) as repository, checkout(repository, tip(built, "main")) as place:
        (place / "a.txt").write_text("changed\n")
        git(place, "add", "-A")
        git(place, "commit", "--quiet", "-m", "there")
        git(place, "branch", "there")
        git(place, "config", "user.name", "someone")
        read_only = place / "cache" / "deep"
        read_only.mkdir(parents=True)
        (read_only / "file").write_text("x")
        (read_only / "file").chmod(0o400)
        read_only.chmod(0o500)
        read_only.parent.chmod(0o500)
    assert not place.exists()
    assert differences(before, snapshot(built)) == []
    assert built.text("count-objects", "-v") == objects


def test_filters_and_hooks_do_not_run(built: BuiltRepository, tmp_path: Path) -> None:
    canary = tmp_path / "ran"
    for key in ("filter.lfs.smudge", "filter.lfs.process", "filter.lfs.clean", "core.fsmonitor"):
        built.git("config", key, f"touch {canary}")
    built.git("config", "filter.lfs.required", "true")
    hook = built.git_dir / "hooks" / "post-checkout"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {canary}\n")
    hook.chmod(0o755)
    with opened(built) as repository, checkout(repository, tip(built, "main")) as place:
        assert (place / "model.bin").exists()
    assert not canary.exists()


@pytest.mark.parametrize("name", ["new\nline", 'quote"\nand\\back', "space \n"])
def test_from_a_directory_of_any_name(name: str, tmp_path: Path) -> None:
    build = RepositoryBuilder(tmp_path / name)
    build.branch("main").commit("start", {"a": "1\n"})
    built = build.finish()
    with opened(built) as repository, checkout(repository, tip(built, "main")) as place:
        assert (place / "a").read_text() == "1\n"


def test_a_shallow_clone(built: BuiltRepository, tmp_path: Path) -> None:
    clone = built.shallow_clone(tmp_path / "shallow", 1)
    with opened(clone) as repository, checkout(repository, tip(built, "main")) as place:
        assert git(place, "log", "--format=%s").split() == [b"second"]


def test_nothing_is_left_after_a_failure(built: BuiltRepository) -> None:
    with opened(built) as repository:
        with pytest.raises(RuntimeError, match="in the block"), checkout(repository, tip(built, "main")) as place:
            raise RuntimeError("in the block")
        assert not place.exists()
        built.git("update-ref", "-d", "refs/heads/main")
        with pytest.raises(GitError), checkout(repository, type(tip(built, "main"))("1" * 40)):
            pass
        assert not list(repository.temporary.glob("checkout-*"))


def test_a_tree_that_names_the_git_directory_is_refused(built: BuiltRepository) -> None:
    blob = built.entries("main")[b"a.txt"].oid
    inner = built.git("mktree", input=f"100644 blob {blob}\tconfig\n".encode()).decode().strip()
    tree = built.git("mktree", input=f"040000 tree {inner}\t.git\n".encode()).decode().strip()
    commit = built.text("commit-tree", "-m", "evil", tree)
    with (
        opened(built) as repository,
        pytest.raises(GitError),
        checkout(repository, type(tip(built, "main"))(commit)),
    ):
        pass

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from testing.builder import RepositoryBuilder
from testing.content import Symlink
from testing.repository import BuiltRepository
from testing.state import differences, snapshot

Change = Callable[[BuiltRepository], object]


@pytest.fixture
def repo(builder: RepositoryBuilder) -> BuiltRepository:
    main = builder.branch("main")
    main.commit("start", {"a.txt": "a\n", "d/b.txt": "b\n", "link": Symlink("a.txt")})
    main.branch("dev").commit("dev", {"a.txt": "dev\n"})
    built = builder.finish()
    (built.git_dir / "hooks").mkdir()
    return built


def same_time(repo: BuiltRepository, text: str) -> None:
    path = repo.path / "a.txt"
    time = path.stat().st_mtime_ns
    path.write_text(text)
    os.utime(path, ns=(time, time))


def relink(repo: BuiltRepository) -> None:
    (repo.path / "link").unlink()
    (repo.path / "link").symlink_to("d")


CHANGES: dict[str, tuple[Change, set[str]]] = {
    "HEAD": (lambda repo: repo.git("symbolic-ref", "HEAD", "refs/heads/absent"), {"head", "status"}),
    "branch moved": (lambda repo: repo.git("update-ref", "refs/heads/dev", "main"), {"refs"}),
    "tag added": (lambda repo: repo.git("tag", "v1"), {"refs"}),
    "branch deleted": (lambda repo: repo.git("branch", "-D", "dev"), {"refs"}),
    "index": (lambda repo: repo.git("rm", "--cached", "a.txt"), {"index", "status"}),
    "config": (lambda repo: repo.git("config", "core.bigFileThreshold", "1m"), {"config"}),
    "hook": (lambda repo: (repo.git_dir / "hooks" / "pre-push").write_text("exit 1\n"), {"hooks"}),
    "file content": (lambda repo: (repo.path / "a.txt").write_text("other\n"), {"status", "files"}),
    "file content, time kept": (lambda repo: same_time(repo, "b\n"), {"files"}),
    "file time": (lambda repo: os.utime(repo.path / "a.txt", ns=(1, 1)), {"files"}),
    "file mode": (lambda repo: (repo.path / "a.txt").chmod(0o755), {"status", "files"}),
    "file deleted": (lambda repo: (repo.path / "d/b.txt").unlink(), {"status", "files"}),
    "file added": (lambda repo: (repo.path / "new").write_text(""), {"status", "files"}),
    "link": (relink, {"status", "files"}),
    "empty directory": (lambda repo: (repo.path / "empty").mkdir(), {"files"}),
    "merge under way": (lambda repo: (repo.git_dir / "MERGE_HEAD").write_text(repo["dev"]), {"operations"}),
    "lock left": (lambda repo: (repo.git_dir / "index.lock").touch(), {"operations"}),
    "work tree": (
        lambda repo: repo.git("worktree", "add", "--detach", "../elsewhere", "dev"),
        {"worktrees"},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_is_seen(name: str, repo: BuiltRepository) -> None:
    change, where = CHANGES[name]
    before = snapshot(repo)
    change(repo)
    after = snapshot(repo)
    assert after != before
    seen = {line.partition(":")[0] for line in differences(before, after)}
    # Whether status notices a change of content with the old time depends on the clock.
    assert seen - ({"status"} if "time kept" in name else set()) == where


def test_looking_changes_nothing(repo: BuiltRepository) -> None:
    before = snapshot(repo)
    assert snapshot(repo.path) == before
    assert differences(before, snapshot(repo)) == []


def test_own_refs_are_left_out(repo: BuiltRepository) -> None:
    before = snapshot(repo, own_refs=("refs/syncline/", "refs/heads/sync-"))
    repo.git("update-ref", "refs/syncline/run/1", "dev")
    repo.git("branch", "sync-main-dev", "dev")
    assert snapshot(repo, own_refs=("refs/syncline/", "refs/heads/sync-")) == before
    assert differences(before, snapshot(repo)) == [f"refs: refs/heads/sync-main-dev: None is now {repo['dev']}"]


def test_bare_repositories_and_linked_work_trees(repo: BuiltRepository, tmp_path: Path) -> None:
    bare = repo.clone(tmp_path / "bare", bare=True)
    before = snapshot(bare)
    assert (before.status, dict(before.files), before.index) == (None, {}, None)
    bare.git("branch", "new")
    assert differences(before, snapshot(bare)) == [f"refs: refs/heads/new: None is now {repo['main']}"]
    repo.git("worktree", "add", "--quiet", tmp_path / "linked", "dev")
    linked = snapshot(tmp_path / "linked")
    assert linked.head == "ref: refs/heads/dev\n"
    assert linked.config == snapshot(repo).config

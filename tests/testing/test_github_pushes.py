"""The loopback GitHub: pushes are refused in GitHub's words, ref by ref."""

from pathlib import Path

import pytest

from testing.github.push_rules import (
    LARGE_FILE,
    PROTECTED,
    RULES,
    SECRET,
    WORKFLOW,
    Refusal,
    accept_pushes,
)
from testing.github.small import small_github
from testing.sealed import git, run_git


@pytest.mark.parametrize("refusal", [PROTECTED, RULES, LARGE_FILE, WORKFLOW, SECRET])
def test_a_push_is_refused_with_a_reason(tmp_path: Path, refusal: Refusal) -> None:
    with small_github(tmp_path) as server:
        git(tmp_path, "clone", "--quiet", server.path, "work")
        git(tmp_path / "work", "commit", "--quiet", "--allow-empty", "-m", "by hand")
        before = server.world.bare.tip("main")
        server.refuse_pushes("refs/heads/main", refusal)
        push = ("push", "--porcelain", "origin", "HEAD:refs/heads/main", "HEAD:refs/heads/fresh")
        done = run_git(tmp_path / "work", *push)
        assert done.returncode == 1
        assert f"[remote rejected] ({refusal.reason})" in done.stdout.decode()
        for line in refusal.says.replace("REF", "refs/heads/main").splitlines():
            assert f"remote: {line}".rstrip() in done.stderr.decode()
        pushed = git(tmp_path / "work", "rev-parse", "HEAD").decode().strip()
        assert (server.world.bare.tip("main"), server.world.bare.tip("fresh")) == (before, pushed)
        accept_pushes(server.path)
        assert (
            run_git(tmp_path / "work", "push", "origin", "HEAD:refs/heads/main", ":refs/heads/fresh").returncode
            == 0
        )
        assert (server.world.bare.tip("main"), server.world.bare.tip("fresh")) == (pushed, None)


def test_a_lease_still_holds(tmp_path: Path) -> None:
    with small_github(tmp_path) as server:
        server.refuse_pushes("refs/heads/o*", PROTECTED)
        git(tmp_path, "clone", "--quiet", "--branch=topic", server.path, "work")
        seen = git(tmp_path / "work", "rev-parse", "HEAD").decode().strip()
        pushed = server.people.push("topic", {"x.txt": "x\n"})
        git(tmp_path / "work", "commit", "--quiet", "--amend", "--allow-empty", "-m", "rewritten")
        done = run_git(tmp_path / "work", "push", f"--force-with-lease=topic:{seen}", "origin", "topic")
        assert b"stale info" in done.stderr
        assert server.world.bare.tip("topic") == pushed

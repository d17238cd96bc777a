"""`syncline merge --evidence` where there is no lane: who says what is likely, and what nobody looked at."""

import pytest

from syncline.merge import proposals
from testing.builder import RepositoryBuilder
from testing.cli import Result, run_syncline
from testing.repository import BuiltRepository


def both_changed(build: RepositoryBuilder, path: str, hunks: int = 1, size: int = 0) -> BuiltRepository:
    """A repository whose main and dev are in conflict in each of so many places of one file."""

    def text(word: str) -> str:
        kept = "".join(f"kept {line}\n" for line in range(size // 10))
        return kept + "".join(f"{word} {turn}\n" + "between\n" * 8 for turn in range(hunks))

    main = build.branch("main")
    main.commit("Start", {path: text("base")})
    dev = main.branch("dev")
    main.commit("Source", {path: text("source")})
    dev.commit("Target", {path: text("target")})
    return build.finish(head="dev")


def merge(repo: BuiltRepository, *more: str) -> Result:
    done = run_syncline("merge", "dev", "main", "--evidence", *more, repo=repo)
    assert done.code == 1, done.err
    return done


def test_without_a_lane_no_record_is_claimed(builder: RepositoryBuilder) -> None:
    out = merge(both_changed(builder, "words.txt")).out
    assert "(no resolver; by what is usual elsewhere, 0." in out
    assert "lane's record" not in out


@pytest.mark.parametrize("path", ["pnpm-lock.yaml", "sub/uv.lock"])
def test_a_lock_file_has_one_line(builder: RepositoryBuilder, path: str) -> None:
    repo = both_changed(builder, path, hunks=5)
    out = merge(repo).out
    assert f"{path}  [content]  a lock file: only its tool settles it, or a path rule\n" in out
    assert "hunk 1" not in out
    (found,) = merge(repo, "--json").json()["paths"]
    assert [hunk["candidates"] for hunk in found["hunks"]] == [[]] * 5
    assert found["status"] == "unresolved"


def test_a_file_of_too_many_hunks_says_so(builder: RepositoryBuilder) -> None:
    repo = both_changed(builder, "words.txt", hunks=proposals.MAX_HUNKS + 1)
    out = merge(repo).out
    assert "words.txt  [content]  401 hunks: not looked at, 400 are the most\n" in out
    assert "hunk 1" not in out
    (found,) = merge(repo, "--json").json()["paths"]
    assert len(found["hunks"]) == 401


def test_as_many_hunks_as_may_be_are_looked_at(builder: RepositoryBuilder) -> None:
    assert "hunk 1: open" in merge(both_changed(builder, "words.txt", hunks=proposals.MAX_HUNKS)).out


def test_a_file_that_is_too_long_says_so(builder: RepositoryBuilder) -> None:
    out = merge(both_changed(builder, "words.txt", size=proposals.MAX_BYTES)).out
    assert " MB: not looked at, 4 MB are the most\n" in out
    assert "hunk 1" not in out

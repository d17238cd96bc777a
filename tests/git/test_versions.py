import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.git import CommitId, Repository
from syncline.git.versions import RangeWalk, parse_versions
from testing.builder import RepositoryBuilder
from tests.git.opened import opened, tip
from tests.git.test_history import PATHS, Step, built_of, steps


@given(steps)
@settings(max_examples=15)
def test_against_git(story: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        built = built_of(Path(directory) / "repo", story)
        one, other = CommitId(built["b0"]), CommitId(built["b1"])
        with Repository.open(built.path) as repository:
            told = RangeWalk(repository, one, other).start(PATHS).finish()
        for path, versions in told.items():
            for version in versions:
                assert built.entries(version.commit)[path].oid == version.blob
                author, subject = built.text("show", "-s", "--format=%an%n%s", version.commit).splitlines()
                assert (version.author, version.subject) == (author, subject)
        between = built.text("rev-list", one, f"^{other}").split()
        assert {version.commit for versions in told.values() for version in versions} <= set(between)
        # What the side has now, and made itself, is told first.
        if between and len(built.text("rev-parse", f"{one}^@").split()) == 1:
            parent, here = built.entries(f"{one}^"), built.entries(one)
            for path in (p for p in PATHS if here.get(p) != parent.get(p)):
                assert told[path][0].commit == one


def test_newest_first_deletions_and_directories_left_out(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"a": "1\n", "b": "1\n"})
    side = main.branch("side")
    side.commit("two", {"a": "2\n"}, author="Zoë")
    side.commit("gone", {}, delete=["a"])
    side.commit("a directory", {"a/inside": "x\n"})
    side.commit("away", {}, delete=["a/inside"])
    side.commit("back", {"a": "3\n"})
    main.commit("not of the side", {"a": "9\n"})
    built = builder.finish()
    with opened(built) as repository:
        told = RangeWalk(repository, tip(built, "side"), tip(built, "main")).start([b"a", b"b"]).finish()
    assert [(v.subject, v.author) for v in told[b"a"]] == [("back", "Sync Tester"), ("two", "Zoë")]
    assert b"b" not in told


def test_no_paths_no_walk(builder: RepositoryBuilder) -> None:
    builder.branch("main").commit("start", {"a": "1\n"})
    built = builder.finish()
    with opened(built) as repository:
        assert RangeWalk(repository, tip(built, "main"), tip(built, "main")).start([]).finish() == {}


def test_a_long_range_is_walked_in_part(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"a": "0\n"})
    side = main.branch("side")
    for number in range(1, 9):
        side.commit(f"step {number}", {"a": f"{number}\n"})
    built = builder.finish()
    with opened(built) as repository:
        walk = RangeWalk(repository, tip(built, "side"), tip(built, "main"), most_commits=3)
        told = walk.start([b"a"]).finish()[b"a"]
    assert told[0].subject == "step 8"
    assert 3 <= len(told) <= 4


@pytest.mark.parametrize("count", [1, 70])
def test_many_paths_are_told_apart(builder: RepositoryBuilder, count: int) -> None:
    main = builder.branch("main")
    main.commit("start", {"other": "1\n"})
    names = [f"d/{number}" for number in range(count)]
    side = main.branch("side")
    side.commit("all", dict.fromkeys((*names, "other"), "2\n"))
    built = builder.finish()
    with opened(built) as repository:
        walk = RangeWalk(repository, tip(built, "side"), tip(built, "main"))
        told = walk.start([name.encode() for name in names]).finish()
    assert sorted(told) == sorted(name.encode() for name in names)


@given(st.lists(st.sampled_from([b"//", b"//" + b"a" * 40, b"", b"\n", b"\n:", b":100644 100644 a b M", b"a"])))
def test_whatever_git_prints_it_ends(fields: list[bytes]) -> None:
    with contextlib.suppress(ValueError):
        list(parse_versions(b"\0".join(fields), {b"a"}))

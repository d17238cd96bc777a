import tempfile
from collections.abc import Iterable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.git import CommitId, Repository
from syncline.git.history import (
    count_apart,
    count_between,
    first_parent_line,
    is_ancestor,
    last_touches,
    merge_bases,
)
from testing.builder import Branch, RepositoryBuilder
from testing.repository import BuiltRepository
from tests.git.opened import opened, tip

PATHS = (b"a", b"b", b"\nfirst", b"\x01odd", b"d/c", b"caf\xe9")

Step = tuple[int, int, int]
"""Which branch, which path (or a merge of the next branch), which content."""
steps = st.lists(st.tuples(st.integers(0, 2), st.integers(-1, len(PATHS) - 1), st.integers(0, 3)), max_size=14)


def built_of(place: Path, story: list[Step]) -> BuiltRepository:
    build = RepositoryBuilder(place, bare=True)
    first = build.branch("b0")
    first.commit("start", {path: f"{number}\n" for number, path in enumerate(PATHS)}, author="Zoë")
    branches = [first, first.branch("b1"), first.branch("b2")]
    for number, (which, path, content) in enumerate(story):
        branch = branches[which]
        if path < 0:
            merge(branch, branches[(which + 1) % 3], content)
        else:
            # Every commit changes something, so that git has something to tell.
            branch.commit(f"step {number}", {PATHS[path]: f"{number} {content}\n"}, author=f"Author {which}")
    return build.finish()


def merge(branch: Branch, other: Branch, content: int) -> None:
    if content == 3:
        branch.merge(other, "evil merge", {b"a": f"merged {branch.name}\n"}, take="ours")
    else:
        branch.merge(other, "merge", take="theirs" if content == 2 else "ours")


@given(steps)
@settings(max_examples=25)
def test_against_git(story: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        built = built_of(Path(directory) / "repo", story)
        one, other = CommitId(built["b0"]), CommitId(built["b1"])
        with Repository.open(built.path) as repository:
            bases = merge_bases(repository, one, other)
            assert set(bases) == set(built.text("merge-base", "--all", one, other).split())
            assert is_ancestor(repository, bases[0], one)
            assert is_ancestor(repository, one, other) == (one in bases)
            ours, theirs = count_apart(repository, one, other)
            assert ours == len(built.text("rev-list", f"{other}..{one}").split())
            assert theirs == count_between(repository, one, other)
            line = first_parent_line(repository, one, other)
            assert line == built.text("rev-list", "--first-parent", "--reverse", other, f"^{one}").split()
            touches = last_touches(repository, bases, other, (*PATHS, b"absent"))
        assert {path: (touch.commit, touch.author, touch.subject) for path, touch in touches.items()} == {
            path: tuple(built.git("show", "-s", "--format=%H%n%an%n%s", commit).decode().splitlines())
            for path, commit in newest(built, other, bases).items()
        }


def newest(built: BuiltRepository, tip: str, bases: Iterable[str]) -> dict[bytes, str]:
    """The newest commit that made of each path what no parent has."""
    found: dict[bytes, str] = {}
    for commit in built.text("rev-list", tip, *(f"^{base}" for base in bases)).split():
        parents = built.text("rev-parse", f"{commit}^@").split()
        here = built.entries(commit)
        before = [built.entries(parent) for parent in parents]
        for path in PATHS:
            if all(here.get(path) != entries.get(path) for entries in before):
                found.setdefault(path, commit)
    return found


def test_a_merge_counts_for_what_it_settled_itself(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    start = main.commit("start", {"a": "1\n", "b": "1\n"})
    topic = main.branch("topic")
    topic.commit("on topic", {"a": "2\n", "c": "2\n"}, author="Eve")
    main.commit("on main", {"a": "3\n"})
    main.merge(topic, "Merge topic", {"a": "23\n"})
    builder.branch("empty", at=main).commit("nothing \x02 at all\n\nbody", {}, author="")
    built = builder.finish()
    with opened(built) as repository:
        touches = last_touches(repository, [CommitId(start.oid)], tip(built, "empty"), [b"a", b"b", b"c"])
    assert {path: (touch.subject, touch.author) for path, touch in touches.items()} == {
        b"a": ("Merge topic", "Sync Tester"),
        b"c": ("on topic", "Eve"),
    }


def test_unrelated_histories_have_no_base(builder: RepositoryBuilder) -> None:
    builder.branch("one").commit("one", {"a": "1\n"})
    builder.branch("other").commit("other", {"a": "2\n"})
    built = builder.finish()
    with opened(built) as repository:
        assert merge_bases(repository, tip(built, "one"), tip(built, "other")) == ()
        assert count_apart(repository, tip(built, "one"), tip(built, "other")) == (1, 1)
        assert not is_ancestor(repository, tip(built, "one"), tip(built, "other"))

"""Slices: exactly the oldest commits of source's first-parent line."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.errors import GitError
from syncline.git import CommitId, Repository
from syncline.plan.make_plan import make_plan
from syncline.plan.model import Plan
from testing.builder import Branch, RepositoryBuilder
from testing.repository import BuiltRepository
from testing.state import differences, snapshot


def plan_of(built: BuiltRepository, size: int, source: str = "main", target: str = "dev") -> Plan:
    with Repository.open(built.path) as repository:
        return make_plan(
            repository, source=CommitId(built[source]), target=CommitId(built[target]), slice_size=size
        )


@pytest.fixture
def five(builder: RepositoryBuilder) -> BuiltRepository:
    """Main is five commits of its first-parent line ahead, the third a merge of two; dev is one ahead."""
    main = builder.branch("main")
    main.commit("start", {"a": "0\n"})
    builder.branch("dev", at=main).commit("on dev", {"dev": "1\n"})
    main.commit("m1", {"a": "1\n"})
    topic = main.branch("topic")
    topic.commit("t1", {"t": "1\n"})
    topic.commit("t2", {"t": "2\n"})
    main.commit("m2", {"a": "2\n"})
    main.merge(topic, "m3")
    main.commit("m4", {"a": "4\n"})
    main.commit("m5", {"a": "5\n"})
    return builder.finish()


SLICES = [
    # size, commits of the line, imported, boundary, left
    (0, ["m1", "m2", "m3", "m4", "m5"], 7, None, 0),
    (1, ["m1"], 1, "m2", 4),
    (2, ["m1", "m2"], 2, "m3", 3),
    (3, ["m1", "m2", "m3"], 5, "m4", 2),
    (5, ["m1", "m2", "m3", "m4", "m5"], 7, None, 0),
    (99, ["m1", "m2", "m3", "m4", "m5"], 7, None, 0),
]


@pytest.mark.parametrize(("size", "commits", "imported", "boundary", "left"), SLICES)
def test_slices(
    size: int, commits: list[str], imported: int, boundary: str | None, left: int, five: BuiltRepository
) -> None:
    before = snapshot(five)
    plan = plan_of(five, size)
    assert plan.slice is not None
    assert list(plan.slice.commits) == [five.oid(label) for label in commits]
    assert plan.slice.tip == five.oid(commits[-1])
    assert plan.slice.boundary == (None if boundary is None else five.oid(boundary))
    assert (plan.slice.imported, plan.slice.left) == (imported, left)
    assert (plan.ahead, plan.behind) == (1, 7)
    assert plan.bases == (five.oid("start"),)
    assert not plan.nothing_to_do
    assert differences(before, snapshot(five)) == []


def test_slices_follow_each_other_until_nothing_is_left(five: BuiltRepository) -> None:
    build = RepositoryBuilder.resume(five)
    dev, taken = build.branch("dev"), []
    built = five
    while (part := plan_of(built, 2).slice) is not None:
        taken += part.commits
        label = next(label for label, oids in five.labels.items() if part.tip in oids)
        dev.merge(build.commit_of(label), f"Sync {label}", take="theirs")
        built = build.finish()
        build = RepositoryBuilder.resume(built)
        dev = build.branch("dev")
    assert taken == [five.oid(label) for label in ("m1", "m2", "m3", "m4", "m5")]


def test_nothing_to_do(five: BuiltRepository) -> None:
    for source, target in (("main", "main"), ("topic", "main")):
        plan = plan_of(five, 3, source, target)
        assert plan.nothing_to_do
        assert plan.slice is None
        assert plan.behind == 0


def test_a_part_that_target_has_through_a_side_branch_is_not_imported_again(five: BuiltRepository) -> None:
    build = RepositoryBuilder.resume(five)
    build.branch("dev").merge(build.commit_of("t2"), "Merge topic early")
    built = build.finish()
    plan = plan_of(built, 2)
    assert plan.slice is not None
    # m1 came with the topic
    assert plan.slice.commits == (built.oid("m2"), built.oid("m3"))
    assert plan.slice.imported == 2


def test_unrelated_histories(builder: RepositoryBuilder) -> None:
    builder.branch("main").commit("main", {"a": "1\n"})
    builder.branch("dev").commit("dev", {"a": "2\n"})
    with pytest.raises(GitError, match="no common ancestor") as caught:
        plan_of(builder.finish(), 1)
    assert "--allow-unrelated-histories" in caught.value.hint


def test_a_shallow_clone(five: BuiltRepository, tmp_path: Path) -> None:
    with pytest.raises(GitError, match="shallow clone"):
        plan_of(five.shallow_clone(tmp_path / "clone", 2), 1)


def test_branches_that_crossed_have_several_bases(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"a": "0\n"})
    dev = main.branch("dev")
    from_main, from_dev = main.commit("m", {"m": "1\n"}), dev.commit("d", {"d": "1\n"})
    main.merge(from_dev, "Merge dev")
    dev.merge(from_main, "Merge main")
    built = builder.finish()
    plan = plan_of(built, 0)
    assert set(plan.bases) == {built.oid("m"), built.oid("d")}
    assert plan.slice is not None
    assert plan.slice.commits == (built.oid("Merge dev"),)


Step = tuple[int, int]
"""Which branch grows, and what it merges (negative: an ordinary commit)."""
stories = st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 3)), max_size=16)


def grown(place: Path, story: list[Step]) -> BuiltRepository:
    build = RepositoryBuilder(place, bare=True)
    main = build.branch("main")
    main.commit("start", {"main": "0\n"})
    branches: list[Branch] = [main, main.branch("dev"), main.branch("one"), main.branch("two")]
    for number, (which, other) in enumerate(story):
        branch = branches[which]
        if other >= 0 and branches[other].tip is not branch.tip:
            branch.merge(branches[other], f"merge {number}", take="ours")
        else:
            branch.commit(f"commit {number}", {branch.name: f"{number}\n"})
    return build.finish()


@given(stories, st.integers(0, 5))
@settings(max_examples=40)
def test_any_history_any_size(story: list[Step], size: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        built = grown(Path(directory) / "repo", story)
        plan = plan_of(built, size)
        parents = {
            line.split()[0]: line.split()[1:] for line in built.text("rev-list", "--all", "--parents").splitlines()
        }
    has = ancestors(parents, built["dev"])
    source = ancestors(parents, built["main"])
    assert (plan.ahead, plan.behind) == (len(has - source), len(source - has))
    line = [built["main"]]
    while parents[line[-1]]:
        line.append(parents[line[-1]][0])
    missing = [commit for commit in reversed(line) if commit not in has]
    if not missing:
        assert plan.slice is None
        return
    part = plan.slice
    assert part is not None
    count = min(size or len(missing), len(missing))
    assert list(part.commits) == missing[:count]
    assert part.tip == missing[count - 1]
    assert part.boundary == (missing[count] if count < len(missing) else None)
    assert part.left == len(missing) - count
    brought = ancestors(parents, part.tip) - has
    assert part.imported == len(brought)
    assert part.boundary is None or part.boundary not in brought | has


def ancestors(parents: dict[str, list[str]], tip: str) -> set[str]:
    found, ahead = set(), [tip]
    while ahead:
        commit = ahead.pop()
        if commit not in found:
            found.add(commit)
            ahead += parents[commit]
    return found

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from syncline.propose.model import Excerpt
from syncline.propose.texts import fair_size, remerge_diff, shrink
from testing.builder import RepositoryBuilder
from testing.content import File, Symlink


@given(st.lists(st.integers(0, 1000), max_size=20), st.integers(0, 5000))
def test_a_fair_size_uses_the_room_and_not_more(sizes: list[int], total: int) -> None:
    cap = fair_size(sizes, total)
    assert sum(min(size, cap) for size in sizes) <= total
    if sum(sizes) > total:
        assert sum(min(size, cap + 1) for size in sizes) > total


@pytest.mark.parametrize(
    ("text", "size", "kept", "cut"),
    [
        ("a\nb\nc\n", 6, "a\nb\nc\n", ""),
        ("a\nb\nc\n", 5, "a\nb\n", "1 of 3 lines are not shown"),
        ("a\nb\nc\n", 1, "a", "2 of 3 lines are not shown"),
        ("abcdef\n", 3, "abc", "4 of 7 characters are not shown"),
        ("a\nb\n", 0, "", "2 of 2 lines are not shown"),
    ],
)
def test_an_excerpt_says_what_is_missing(text: str, size: int, kept: str, cut: str) -> None:
    whole = Excerpt(text, text.count("\n"), len(text), "")
    shrunk = shrink(whole, size)
    assert (shrunk.text, shrunk.cut) == (kept, cut)
    assert (shrunk.lines, shrunk.size) == (whole.lines, whole.size)


def test_shrinking_twice_counts_from_the_whole() -> None:
    whole = Excerpt("a\nb\nc\nd\n", 4, 8, "")
    assert shrink(shrink(whole, 6), 4).cut == "2 of 4 lines are not shown"


def test_each_path_gets_its_own_diff(builder: RepositoryBuilder) -> None:
    branch = builder.branch("main")
    # Two batches of paths, a change of type in the middle of the first, and names that git would quote or glob.
    names = [b"%03d.txt" % number for number in range(80)] + [b"caf\xe9\n.txt", b"[a]*?.txt", b":(glob)x"]
    branch.commit("old", {name: b"old " + name + b"\n" for name in names} | {b"m.sh": "x\n"})
    branch.commit(
        "new",
        {name: b"new " + name + b"\n" for name in names}
        | {b"030.txt": Symlink("elsewhere"), b"m.sh": File("x\n", executable=True), b"bin": b"\0\1"},
    )
    built = builder.finish()
    with Repository.open(built.path) as repository:
        old = read_commit(repository, CommitId(built.oid("old"))).tree
        diffs = {diff.path: diff for diff in remerge_diff(repository, old, CommitId(built.oid("new")))}
    assert len(diffs) == len(names) + 2
    for name in set(names) - {b"030.txt", b"caf\xe9\n.txt"}:
        assert f"+new {name.decode()}\n" in diffs[name.decode()].patch.text
    assert "+elsewhere" in diffs["030.txt"].patch.text
    assert diffs["m.sh"].patch.text == "old mode 100644\nnew mode 100755\n"
    assert "Binary files" in diffs["bin"].patch.text
    assert (diffs["031.txt"].added, diffs["031.txt"].deleted) == (1, 1)


def test_a_long_diff_is_cut_at_a_line(builder: RepositoryBuilder) -> None:
    branch = builder.branch("main")
    branch.commit("old", {"a.py": "", "golden_values.json": ""})
    many = "".join(f"line {number}\n" for number in range(5000))
    branch.commit("new", {"a.py": many, "golden_values.json": many})
    built = builder.finish()
    with Repository.open(built.path) as repository:
        old = read_commit(repository, CommitId(built.oid("old"))).tree
        code, golden = remerge_diff(repository, old, CommitId(built.oid("new")))
    assert code.added == golden.added == 5000
    assert code.patch.text.endswith("+line 598\n")
    assert code.patch.cut == "4,401 of 5,001 lines are not shown"
    # Generated data is worth less room.
    assert golden.patch.cut == "4,881 of 5,001 lines are not shown"

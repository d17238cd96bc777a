import pytest

from syncline.merge.model import Side, Status
from testing.blobs import Files
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from tests.merge.merging import coupled, lane, merged, rule

START = {"pyproject.toml": "v1\n", "uv.lock": "lock 1\n", "other.txt": "o\n"}
TOGETHER = coupled("together", "pyproject.toml", "uv.lock")


def built(builder: RepositoryBuilder, ours: Files, theirs: Files) -> BuiltRepository:
    our_branch = builder.branch("ours")
    our_branch.commit("start", START)
    their_branch = our_branch.branch("theirs")
    our_branch.commit("ours", ours)
    their_branch.commit("theirs", theirs)
    return builder.finish()


PROJECT, LOCK = "pyproject.toml", "uv.lock"
OURS, THEIRS = "ours\n", "theirs\n"
MOVES: list[tuple[dict[str, str], dict[str, str], str | None]] = [
    # what ours changed, what theirs changed, the side the set takes (None: one must be chosen)
    ({}, {PROJECT: THEIRS, LOCK: THEIRS}, "theirs"),
    ({}, {LOCK: THEIRS}, "theirs"),
    ({PROJECT: OURS}, {}, "ours"),
    ({PROJECT: OURS, LOCK: OURS}, {"other.txt": THEIRS}, "ours"),
    ({PROJECT: OURS}, {LOCK: THEIRS}, None),
    ({PROJECT: OURS, LOCK: OURS}, {PROJECT: THEIRS, LOCK: THEIRS}, None),
    ({PROJECT: "same\n", LOCK: OURS}, {PROJECT: "same\n", LOCK: THEIRS}, None),
    ({PROJECT: "same\n"}, {PROJECT: "same\n", LOCK: THEIRS}, "theirs"),
]


@pytest.mark.parametrize("number", range(len(MOVES)))
def test_the_side_that_moved_a_set_gives_all_of_it(number: int, builder: RepositoryBuilder) -> None:
    ours, theirs, side = MOVES[number]
    repo = built(builder, {"kept": ""} | ours, {"added": ""} | theirs)
    result = merged(repo, lane(sets=[TOGETHER]))
    tree, wanted = repo.entries(result.tree), repo.entries(side or "ours")
    for path in (PROJECT.encode(), LOCK.encode()):
        assert tree[path] == wanted[path]
    assert result.clean is (side is not None)
    assert {decision.path for decision in result.unresolved} == (
        set() if side else {path.encode() for path in (*ours, *theirs) if ours.get(path) != theirs.get(path)}
    )
    assert all("coupled set 'lock' (syncline.toml:9)" in str(one.evidence[0]) for one in result.decisions)


def test_a_set_has_a_side_by_policy(builder: RepositoryBuilder) -> None:
    repo = built(builder, {PROJECT: OURS, LOCK: OURS}, {PROJECT: THEIRS, LOCK: THEIRS})
    for side in ("ours", "theirs"):
        result = merged(repo, lane(sets=[coupled(side, PROJECT, LOCK)]))
        assert result.clean
        assert repo.entries(result.tree) == repo.entries(side)
        assert {decision.resolver for decision in result.decisions} == {"coupled"}


def test_a_protected_member_binds_its_set(builder: RepositoryBuilder) -> None:
    repo = built(builder, {"kept": ""}, {PROJECT: THEIRS, LOCK: THEIRS})
    for take in ("together", "theirs"):
        result = merged(repo, lane(rule("protect", PROJECT), sets=[coupled(take, PROJECT, LOCK)]))
        assert repo.entries(result.tree) == repo.entries("ours")
        decision = next(one for one in result.decisions if one.path == LOCK.encode())
        assert (decision.status, decision.side) == (Status.KEPT, Side.OURS)
        assert "pyproject.toml is protected" in str(decision.evidence[0])


def test_a_set_wins_over_rules_for_its_members(builder: RepositoryBuilder) -> None:
    repo = built(builder, {"kept": ""}, {PROJECT: THEIRS, LOCK: THEIRS, "other.txt": THEIRS})
    result = merged(repo, lane(rule("ours", "*", always=True), sets=[TOGETHER]))
    assert repo.read(result.tree, LOCK) == b"theirs\n"
    assert repo.read(result.tree, PROJECT) == b"theirs\n"
    assert repo.read(result.tree, "other.txt") == b"o\n"


def test_added_and_deleted_members_move_too(builder: RepositoryBuilder) -> None:
    our_branch = builder.branch("ours")
    our_branch.commit("start", START)
    their_branch = our_branch.branch("theirs")
    our_branch.commit("ours", {"other.txt": "ours\n"})
    their_branch.commit("theirs", {"uv2.lock": "new\n", PROJECT: "v2\n"}, delete=[LOCK])
    repo = builder.finish()
    kept = merged(repo, lane(sets=[coupled("ours", PROJECT, "uv*.lock")]))
    assert repo.entries(kept.tree) == repo.entries("ours")
    taken = merged(repo, lane(sets=[coupled("together", PROJECT, "uv*.lock")]))
    assert set(repo.entries(taken.tree)) == {b"other.txt", b"pyproject.toml", b"uv2.lock"}


def test_a_path_of_two_sets_belongs_to_the_first(builder: RepositoryBuilder) -> None:
    repo = built(builder, {"kept": ""}, {PROJECT: THEIRS, LOCK: THEIRS})
    result = merged(repo, lane(sets=[coupled("together", LOCK), coupled("ours", "*", name="all")]))
    assert repo.read(result.tree, LOCK) == b"theirs\n"
    assert repo.read(result.tree, PROJECT) == b"v1\n"

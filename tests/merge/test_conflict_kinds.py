from collections.abc import Callable
from functools import cache

import pytest

from syncline.git import CommitId, Repository
from syncline.git.merge_tree import MergeTree, Message
from syncline.git.oid import TreeId
from syncline.merge.as_json import merge_as_json
from syncline.merge.conflicts import conflicts_of, notes_of
from syncline.merge.merge import merge
from syncline.merge.model import Conflict, ConflictKind, Side, Status
from testing.conflicts import CONFLICT_CASES, ConflictCase
from testing.content import Entry
from testing.merge_tree import merge_tree
from testing.repository import BuiltRepository
from testing.state import differences, snapshot
from tests.merge.merging import Take, Unresolved, as_built, lane, merged, merged_each, rule

Builds = Callable[[ConflictCase], BuiltRepository]
KINDS = {"directory_rename": ConflictKind.DIRECTORY_RENAME}
SIDES: tuple[Unresolved, ...] = ("ours", "theirs", "markers")

# The paths people know: git's name for a file that found no room (`a~ours`) is none of them.
DIRECTORY_WENT = {
    "file in the way of a renamed directory": {b"new/added.py"},
    "two renamed directories collide": {b"new/added.py"},
    "renamed directory split evenly": {b"old"},
}
"""Git leaves no path of these in conflict; the message's first one stands for them."""

every_case = pytest.mark.parametrize("case", CONFLICT_CASES, ids=lambda case: case.name)


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Builds:
    """Builds each case once: a merge changes nothing."""

    @cache
    def build(case: ConflictCase) -> BuiltRepository:
        return case.build(tmp_path_factory.mktemp("case") / "repo")

    return build


def kind_of(case: ConflictCase) -> ConflictKind:
    return KINDS.get(case.kind) or ConflictKind(case.kind.replace("_", "/"))


def known_paths(case: ConflictCase) -> set[bytes]:
    own = {path.removesuffix(b"~ours").removesuffix(b"~theirs") for path in case.paths}
    return own or DIRECTORY_WENT[case.name]


@every_case
def test_every_path_survives_with_its_kind(case: ConflictCase, builds: Builds) -> None:
    built = builds(case)
    result = merged(built)
    assert {conflict.path for conflict in result.conflicts} == known_paths(case)
    by_git = merge_tree(built, built["ours"], built["theirs"])
    beside = {name for conflict in result.conflicts for name in conflict.aside}
    assert set(by_git.stages) <= known_paths(case) | beside
    assert kind_of(case) in {conflict.kind for conflict in result.conflicts}
    for conflict in result.conflicts:
        assert conflict.kind is not ConflictKind.OTHER
        assert conflict.path in conflict.group
        assert conflict.messages
    assert not result.clean
    assert {decision.status for decision in result.decisions} == {Status.UNRESOLVED}


@every_case
def test_the_tree_holds_the_side_the_lane_names(case: ConflictCase, builds: Builds) -> None:
    built = builds(case)
    results = merged_each(built, {side: lane(unresolved=side) for side in SIDES})
    assert results["markers"].tree == results["markers"].git_tree
    for side in ("ours", "theirs"):
        result, here = results[side], built.entries(side)
        if case.name in DIRECTORY_WENT:
            assert result.tree == result.git_tree
            continue
        tree = built.entries(result.tree)
        assert not any(b"~" in path for path in tree)
        wanted = {conflict.path: version(conflict, side, here) for conflict in result.conflicts}
        assert {path: tree.get(path) for path in wanted} == wanted
        assert not [path for path in wanted if has_markers(built, tree.get(path))]


def version(conflict: Conflict, side: str, here: dict[bytes, Entry]) -> Entry | None:
    """What a side has at a path; where the other side renamed the file, what git staged of this one."""
    stages = conflict.stages
    if is_only_its_place(conflict.kind, stages.ours is None, stages.theirs is None):
        return as_built(stages.ours or stages.theirs)
    return here.get(conflict.path, as_built(stages.ours if side == "ours" else stages.theirs))


def is_only_its_place(kind: ConflictKind, *absent: bool) -> bool:
    return kind is ConflictKind.DIRECTORY_RENAME and absent[0] != absent[1]


def has_markers(built: BuiltRepository, entry: Entry | None) -> bool:
    if entry is None or entry.mode == b"160000":
        return False
    return b"<<<<<<<" in built.git("cat-file", "blob", entry.oid)


FILE_CONFLICTS = tuple(case for case in CONFLICT_CASES if case.name not in DIRECTORY_WENT)


TAKES: tuple[Take, ...] = ("ours", "theirs", "delete", "protect")


@pytest.mark.parametrize("case", FILE_CONFLICTS, ids=lambda case: case.name)
def test_a_rule_for_everything_settles_every_conflict(case: ConflictCase, builds: Builds) -> None:
    built = builds(case)
    sides = {name: built.entries(name) for name in ("ours", "theirs")}
    for take, result in merged_each(built, {take: lane(rule(take, "*")) for take in TAKES}).items():
        assert result.clean, result.unresolved
        tree = built.entries(result.tree)
        if take == "protect":
            assert tree == sides["ours"]
        decisions = {decision.path: decision for decision in result.decisions}
        for conflict in result.conflicts:
            decision = decisions[conflict.path]
            assert decision.resolver == "path-rule"
            assert "(syncline.toml:7)" in decision.evidence[0].text
            if take == "delete":
                assert tree.get(conflict.path) is None
                assert decision.side is Side.NEITHER
            elif conflict.path in sides.get(take, {}):
                assert tree[conflict.path] == sides[take][conflict.path]


UNION_CAN = {"content", "add_add", "mode"}


@every_case
def test_union_settles_texts_and_leaves_the_rest_open(case: ConflictCase, builds: Builds) -> None:
    built = builds(case)
    before = snapshot(built)
    result = merged(built, lane(rule("union", "*")))
    assert differences(before, snapshot(built)) == []
    for decision in result.decisions:
        if decision.side is Side.BOTH:
            text = built.read(result.tree, decision.path)
            assert b"<<<<<<<" not in text
            assert b">>>>>>>" not in text
    if case.kind in UNION_CAN:
        assert result.clean
    if case.kind in {"modify_delete", "binary", "submodule", "symlink", "file_directory"}:
        assert result.unresolved
        words = str(result.unresolved[0].evidence[0])
        assert "cannot be applied here" in words


@every_case
def test_combine_needs_two_texts(case: ConflictCase, builds: Builds) -> None:
    built = builds(case)
    before = snapshot(built)
    result = merged(built, lane(rule("combine", "*")))
    assert differences(before, snapshot(built)) == []
    assert all(
        decision.side in {Side.OURS, Side.BOTH} or decision in result.unresolved for decision in result.decisions
    )


def test_union_of_a_collision_with_markers_inside_stays_open(builds: Builds) -> None:
    case = next(case for case in CONFLICT_CASES if case.name == "rename/rename 2to1 with content")
    result = merged(builds(case), lane(rule("union", "*")))
    assert [decision.status for decision in result.decisions] == [Status.UNRESOLVED]


@every_case
def test_json_has_the_public_shape(case: ConflictCase, builds: Builds) -> None:
    built = builds(case)
    with Repository.open(built.path) as repository:
        result = merge(repository, CommitId(built["ours"]), CommitId(built["theirs"]))
        document = merge_as_json(repository, result, 1.23456)
    assert {"tree", "clean", "paths", "seconds"} <= document.keys()
    assert (document["tree"], document["clean"], document["seconds"]) == (result.tree, False, 1.235)
    assert len(document["paths"]) == len(result.decisions)
    for row, decision in zip(document["paths"], result.decisions, strict=True):
        assert row.keys() >= {"path", "kind", "status", "resolver", "confidence", "evidence", "hunks"}
        assert row["kind"] == decision.kind
        assert row["status"] in {"resolved", "unresolved", "kept"}
        assert all(set(evidence) == {"why", "sha"} for evidence in row["evidence"])
        assert len(row["hunks"]) >= (decision.conflict is not None)
        for index, hunk in enumerate(row["hunks"]):
            assert hunk.keys() == {"index", "status", "resolver", "confidence", "candidates"}
            assert (hunk["index"], hunk["status"]) == (index, "unresolved")
    assert len({row["path"] for row in document["paths"]}) == len(document["paths"])


def test_words_of_git_that_are_no_conflict_are_notes(builds: Builds) -> None:
    case = next(case for case in CONFLICT_CASES if case.name == "added to a renamed directory by both")
    built = builds(case)
    assert not merged(built).notes
    messages = (
        Message("Auto-merging", (b"a",), "Auto-merging a"),
        Message("Submodule fast-forwarded", (b"s",), "Fast-forwarding submodule s"),
    )
    said = MergeTree(TreeId("0" * 40), clean=True, stages={}, messages=messages)
    assert notes_of(said) == ("Fast-forwarding submodule s",)
    assert conflicts_of(said, ours="a", theirs="b") == ()


def test_a_kind_of_the_future_is_kept_with_gits_words() -> None:
    message = Message("CONFLICT (time travel)", (b"a.txt", b"b.txt"), "it will have been")
    said = MergeTree(TreeId("0" * 40), clean=False, stages={}, messages=(message,))
    (conflict,) = conflicts_of(said, ours="a", theirs="b")
    assert (conflict.path, conflict.kind) == (b"a.txt", ConflictKind.OTHER)
    assert conflict.messages == ("it will have been",)
    assert conflict.group == (b"a.txt", b"b.txt")

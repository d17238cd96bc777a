from collections.abc import Sequence

import pytest

from syncline.config.models import PathRule
from syncline.git.paths import path_text
from syncline.merge.model import Side, Status
from syncline.merge.resolvers.path_rule import evidence_for, first_rule
from syncline.merge.resolvers.patterns import matches
from testing.blobs import Files
from testing.builder import RepositoryBuilder
from testing.content import Append, File, Symlink
from testing.repository import BuiltRepository
from tests.merge.merging import lane, merged, rule

LINES = "".join(f"line {number}\n" for number in range(9))


def both(
    builder: RepositoryBuilder,
    start: Files,
    ours: Files,
    theirs: Files,
    *,
    ours_deletes: Sequence[str] = (),
    theirs_deletes: Sequence[str] = (),
    theirs_moves: dict[str, str] | None = None,
    ours_moves: dict[str, str] | None = None,
) -> BuiltRepository:
    our_branch = builder.branch("ours")
    our_branch.commit("start", {"kept": "kept\n"} | dict(start))
    their_branch = our_branch.branch("theirs")
    our_branch.commit("ours", ours, delete=ours_deletes, move=ours_moves)
    their_branch.commit("theirs", theirs, delete=theirs_deletes, move=theirs_moves)
    return builder.finish()


@pytest.fixture
def one_conflict(builder: RepositoryBuilder) -> BuiltRepository:
    """`a.txt` in conflict, `b.txt` changed by theirs only, `c.txt` by ours only, `new.txt` added by theirs."""
    start = {"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"}
    ours = {"a.txt": "a ours\n", "c.txt": "c ours\n"}
    return both(builder, start, ours, {"a.txt": "a theirs\n", "b.txt": "b theirs\n", "new.txt": "new\n"})


RULES: list[tuple[tuple[PathRule, ...], dict[str, str | None]]] = [
    ((), {"a.txt": "a ours\n", "b.txt": "b theirs\n", "c.txt": "c ours\n", "new.txt": "new\n"}),
    ((rule("ours", "*"),), {"a.txt": "a ours\n", "b.txt": "b theirs\n", "new.txt": "new\n"}),
    (
        (rule("ours", "*", always=True),),
        {"a.txt": "a ours\n", "b.txt": "b\n", "c.txt": "c ours\n", "new.txt": None},
    ),
    ((rule("protect", "*"),), {"a.txt": "a ours\n", "b.txt": "b\n", "c.txt": "c ours\n", "new.txt": None}),
    ((rule("theirs", "*"),), {"a.txt": "a theirs\n", "b.txt": "b theirs\n", "c.txt": "c ours\n"}),
    ((rule("theirs", "*", always=True),), {"a.txt": "a theirs\n", "c.txt": "c\n", "new.txt": "new\n"}),
    ((rule("delete", "[abc].txt"),), {"a.txt": None, "b.txt": "b theirs\n", "c.txt": "c ours\n"}),
    (
        (rule("delete", "[abc].txt", always=True),),
        {"a.txt": None, "b.txt": None, "c.txt": None, "new.txt": "new\n"},
    ),
    ((rule("union", "*"),), {"a.txt": "a ours\na theirs\n", "b.txt": "b theirs\n"}),
    # The first rule that matches wins, even where only a later one is about clean merges.
    ((rule("theirs", "a.txt"), rule("protect", "*")), {"a.txt": "a theirs\n", "b.txt": "b\n"}),
    ((rule("ours", "b.txt"), rule("ours", "*", always=True)), {"b.txt": "b theirs\n", "new.txt": None}),
    ((rule("protect", "a.txt"), rule("theirs", "*", always=True)), {"a.txt": "a ours\n", "c.txt": "c\n"}),
]


@pytest.mark.parametrize("number", range(len(RULES)))
def test_what_rules_do(number: int, one_conflict: BuiltRepository) -> None:
    rules, expected = RULES[number]
    result = merged(one_conflict, lane(*rules))
    tree = one_conflict.entries(result.tree)
    for path, content in expected.items():
        if content is None:
            assert path.encode() not in tree
        else:
            assert one_conflict.read(result.tree, path) == content.encode()


def test_only_what_a_rule_changes_is_a_decision(one_conflict: BuiltRepository) -> None:
    result = merged(one_conflict, lane(rule("protect", "b.txt", "c.txt")))
    decisions = [(decision.path, decision.status, decision.kind) for decision in result.decisions]
    assert decisions == [(b"a.txt", Status.UNRESOLVED, "content"), (b"b.txt", Status.KEPT, "clean")]


def test_the_lane_says_what_stays_in_the_tree(one_conflict: BuiltRepository) -> None:
    assert b"<<<<<<<" in one_conflict.read(merged(one_conflict, lane(unresolved="markers")).tree, "a.txt")
    assert one_conflict.read(merged(one_conflict, lane(unresolved="theirs")).tree, "a.txt") == b"a theirs\n"


def test_a_protected_name_of_a_renamed_file_stays(builder: RepositoryBuilder) -> None:
    moves = {"ours_moves": {"a.txt": "b.txt"}, "theirs_moves": {"a.txt": "c.txt"}}
    built = both(builder, {"a.txt": LINES}, {}, {}, **moves)
    result = merged(built, lane(rule("theirs", "a.txt"), rule("protect", "b.txt")))
    tree = built.entries(result.tree)
    assert tree[b"b.txt"] == built.entries("ours")[b"b.txt"]
    assert tree[b"c.txt"] == built.entries("theirs")[b"c.txt"]


def test_a_rule_for_one_name_settles_all_names_of_a_rename(builder: RepositoryBuilder) -> None:
    moves = {"ours_moves": {"a.txt": "b.txt"}, "theirs_moves": {"a.txt": "c.txt"}}
    built = both(builder, {"a.txt": LINES}, {}, {}, **moves)
    result = merged(built, lane(rule("theirs", "c.txt")))
    assert result.clean
    assert set(built.entries(result.tree)) == {b"kept", b"c.txt"}


def test_a_protected_file_stays_where_they_made_a_directory(builder: RepositoryBuilder) -> None:
    built = both(builder, {"d": "file\n"}, {"kept": "ours\n"}, {"d/x": "x\n", "d/y": "y\n"}, theirs_deletes=["d"])
    result = merged(built, lane(rule("protect", "/d")))
    assert result.clean
    assert built.entries(result.tree) == built.entries("ours")
    # pattern `/d` names what is below too; each path says so itself
    assert {decision.path for decision in result.decisions} == {b"d", b"d/x", b"d/y"}


def test_a_protected_directory_stays_where_they_made_a_file(builder: RepositoryBuilder) -> None:
    built = both(builder, {"d/x": "x\n"}, {"kept": "ours\n"}, {"d": "file\n"}, theirs_deletes=["d/x"])
    result = merged(built, lane(rule("protect", "d/x")))
    assert built.entries(result.tree) == built.entries("ours")
    gone = next(decision for decision in result.decisions if decision.path == b"d")
    assert (gone.status, gone.result) == (Status.KEPT, None)
    assert "leaves no room" in gone.evidence[-1].text


def test_what_cannot_stand_together_is_left_open(builder: RepositoryBuilder) -> None:
    built = both(builder, {"d/x": "x\n"}, {"d/x": "x ours\n"}, {"d": "file\n"}, theirs_deletes=["d/x"])
    result = merged(built, lane(rule("ours", "d/x"), rule("theirs", "/d")))
    by_path = {decision.path: decision for decision in result.decisions}
    assert by_path[b"d"].resolver == "path-rule"
    assert (by_path[b"d/x"].status, by_path[b"d/x"].side) == (Status.UNRESOLVED, Side.NEITHER)
    assert set(built.entries(result.tree)) == {b"d", b"kept"}


def test_a_mode_and_a_link_are_protected_too(builder: RepositoryBuilder) -> None:
    start = {"run.sh": "exit\n", "link": Symlink("kept")}
    built = both(
        builder, start, {"kept": "x\n"}, {"run.sh": File("exit\n", executable=True), "link": Symlink("a")}
    )
    result = merged(built, lane(rule("protect", "run.sh", "link")))
    assert built.entries(result.tree) == built.entries("ours")


def test_delete_takes_only_the_file_where_the_other_side_has_a_directory(builder: RepositoryBuilder) -> None:
    built = both(builder, {}, {"d": "ours\n"}, {"d/x": "x\n"})
    result = merged(built, lane(rule("delete", "/d"), rule("theirs", "d/x")))
    assert set(built.entries(result.tree)) == {b"d/x", b"kept"}


def test_a_directory_renamed_to_two_places_is_never_deleted(builder: RepositoryBuilder) -> None:
    start = {f"old/{name}.py": LINES + f"{name}\n" * 3 for name in "abcd"}
    moves = {f"old/{name}.py": f"{'one' if name in 'ab' else 'two'}/{name}.py" for name in "abcd"}
    built = both(builder, start, {}, {"old/added.py": "new\n"}, ours_moves=moves)
    for take in ("ours", "theirs", "delete"):
        result = merged(built, lane(rule(take, "old*")))
        assert built.read(result.tree, "old/added.py") == b"new\n"
        assert [decision.status for decision in result.decisions] == [Status.UNRESOLVED]


PATTERNS = [
    ("*.lock", b"a/b/c.lock", True),
    ("/setup.py", b"setup.py", True),
    ("/setup.py", b"lib/setup.py", False),
    ("docs/", b"docs/a/b.md", True),
    ("docs/", b"docs", False),
    ("caf\udce9", b"caf\xe9", True),
    ("a b", b"a b", True),
    ("new*", b"new\nline", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), PATTERNS)
def test_patterns_are_gitignores(pattern: str, path: bytes, *, expected: bool) -> None:
    assert matches([pattern], path) is expected
    assert path_text(path).encode("utf-8", "surrogateescape") == path


def test_first_rule_and_its_evidence() -> None:
    one = PathRule(match=("a*", "b*"), take="theirs", reason="they own it", line=12)
    rules = (one, rule("ours", "*"))
    assert first_rule(rules, [b"b.txt"]) is one
    assert first_rule(rules, [b"z", b"a"]) is one
    assert first_rule(rules, [b"z"]) is rules[1]
    assert first_rule(rules[:1], [b"z"]) is None
    assert str(evidence_for(one)) == "path rule `theirs` for a*, b* (syncline.toml:12): they own it"


def test_appended_lines_of_both_sides(builder: RepositoryBuilder) -> None:
    built = both(builder, {"CHANGES": LINES}, {"CHANGES": Append("ours\n")}, {"CHANGES": Append("theirs\n")})
    result = merged(built, lane(rule("union", "CHANGES")))
    assert built.read(result.tree, "CHANGES").endswith(b"line 8\nours\ntheirs\n")
    assert result.decisions[0].side is Side.BOTH


FUNCTIONS = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
OF_OURS = FUNCTIONS.replace("return 2", "return 20")
OF_THEIRS = FUNCTIONS.replace("return 2", "return 21") + "\n\ndef three():\n    return 3\n"


def test_combine_keeps_targets_file_and_takes_what_it_lacks(builder: RepositoryBuilder) -> None:
    built = both(builder, {"a.py": FUNCTIONS}, {"a.py": OF_OURS}, {"a.py": OF_THEIRS})
    result = merged(built, lane(rule("combine", "*.py")))
    assert built.read(result.tree, "a.py").decode() == OF_OURS + "\n\ndef three():\n    return 3\n"
    (decision,) = result.decisions
    assert (decision.status, decision.side, decision.resolver) == (Status.RESOLVED, Side.BOTH, "path-rule")
    assert [str(said) for said in decision.evidence] == [
        "path rule `combine` for *.py (syncline.toml:7)",
        "target's text with source's three, which target lacks",
    ]


def test_combine_that_takes_nothing_is_targets_side(builder: RepositoryBuilder) -> None:
    theirs = FUNCTIONS.replace("return 2", "return 21")
    result = merged(
        both(builder, {"a.py": FUNCTIONS}, {"a.py": OF_OURS}, {"a.py": theirs}), lane(rule("combine", "*"))
    )
    assert (result.decisions[0].status, result.decisions[0].side) == (Status.RESOLVED, Side.OURS)


@pytest.mark.parametrize(
    ("path", "base", "ours", "theirs", "why"),
    [
        ("a.txt", "1\n", "2\n", "3\n", "no definitions can be told apart in both versions"),
        (
            "a.json", '{"a": 1}\n', '{"a": 2}\n', '{"a": 3}\n',
            "no definitions can be told apart in both versions",
        ),
        (
            "a.js",
            "import { a } from 'x';\n\nexport const n = 1;\n",
            "import { a } from 'x';\n\nexport const n = 2;\n",
            "import D, { a } from 'x';\n\nexport const n = 3;\nexport const m = D();\n",
            "target's file with source's missing definitions",
        ),
    ],
)  # fmt: skip
def test_combine_says_why_it_leaves_a_file_open(
    builder: RepositoryBuilder, path: str, base: str, ours: str, theirs: str, why: str
) -> None:
    result = merged(both(builder, {path: base}, {path: ours}, {path: theirs}), lane(rule("combine", "*")))
    (decision,) = result.unresolved
    assert f"which cannot be applied here: {why}" in str(decision.evidence[0])

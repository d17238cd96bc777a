"""Path rules drawn from what people did: plain cases."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.merge.resolvers.patterns import is_pattern, matches
from syncline.replay.suggest import Seen, Suggestion, suggest

OURS, THEIRS, MIXED = "o", "t", "-"


def syncs(*files: Mapping[str, str]) -> list[Seen]:
    """One sync a day, oldest first; each maps paths to the side that was committed."""
    sides = {OURS: "ours", THEIRS: "theirs", MIXED: None}
    return [
        Seen(path.encode(), f"sync{day}", f"2026-06-{day:02}T10:00:00+00:00", sides[side])  # pyrefly: ignore
        for day, one in enumerate(files, 1)
        for path, side in one.items()
    ]


def rules(found: Sequence[Suggestion]) -> list[tuple[str, str]]:
    return [(one.pattern, one.take) for one in found]


def test_the_same_side_in_three_syncs_is_a_rule() -> None:
    (one,) = suggest(syncs(*[{"a/run.sh": OURS}] * 3))
    assert (one.pattern, one.take, one.right, one.total, one.syncs) == ("/a/run.sh", "ours", 3, 3, 3)
    assert one.record == "ours 3 of 3 times in 3 syncs since 2026-06-01"
    assert suggest(syncs(*[{"a/run.sh": OURS}] * 2)) == ()


def test_many_files_of_one_sync_are_no_policy() -> None:
    assert suggest(syncs({f"a/{name}": OURS for name in range(50)})) == ()


@pytest.mark.parametrize(
    ("files", "pattern"),
    [
        ([{"docs/a.md": OURS}, {"docs/b.txt": OURS}, {"docs/deep/c": OURS}], "/docs/"),
        ([{"x/a.gold": OURS}, {"b.gold": OURS}, {"y/c.gold": OURS}], "*.gold"),
        ([{"x/OWNERS": OURS}, {"OWNERS": OURS}, {"y/OWNERS": OURS}], "OWNERS"),
        ([{"t/a.json": OURS, "t/a.py": MIXED}, {"t/u/b.json": OURS, "c.json": MIXED}, {"t/c.json": OURS}],
         "/t/**/*.json"),
        ([{"a b/[x]!.gold": OURS}, {"a b/[x]!.gold": OURS}, {"a b/[x]!.gold": OURS}], "/a\\ b/\\[x\\]\\!.gold"),
    ],
)  # fmt: skip
def test_the_most_special_pattern_that_covers_all(files: list[dict[str, str]], pattern: str) -> None:
    found = suggest(syncs(*files))
    assert rules(found) == [(pattern, "ours")]
    assert all(matches([pattern], path.encode()) for one in files for path, side in one.items() if side == OURS)


def test_an_exception_comes_before_the_wider_rule() -> None:
    one = {"g/a.json": THEIRS, "g/b.json": THEIRS, "g/c.json": THEIRS, "g/own.json": OURS}
    found = suggest(syncs(*[one] * 4))
    assert ("/g/own.json", "ours") in rules(found)
    wide = [rule for rule in rules(found) if rule[1] == "theirs"]
    # As written, the first match wins: every file gets what people gave it.
    for path, side in one.items():
        take = next(take for pattern, take in rules(found) if matches([pattern], path.encode()))
        assert take == ("ours" if side == OURS else "theirs")
    assert wide


def test_a_file_that_is_neither_side_s_speaks_against_it() -> None:
    assert suggest(syncs(*[{"a.py": OURS}, {"a.py": MIXED}] * 4)) == ()


def test_what_was_contradicted_lately_is_no_rule() -> None:
    steady = [{"a.lock": THEIRS}] * 30
    assert rules(suggest(syncs(*steady))) == [("/a.lock", "theirs")]
    assert suggest(syncs(*steady, {"a.lock": OURS})) == ()
    assert suggest(syncs(*steady, {"a.lock": MIXED}, {"a.lock": THEIRS})) == ()


def test_one_old_exception_among_many_is_told_in_the_record() -> None:
    (one,) = suggest(syncs({"a": OURS}, {"a": THEIRS}, *[{"a": OURS}] * 25))
    assert (one.right, one.total, one.syncs, one.before) == (26, 27, 27, None)


def test_a_policy_that_turned_counts_from_its_turn() -> None:
    (one,) = suggest(syncs(*[{"a": THEIRS}] * 10, *[{"a": OURS}] * 3))
    assert (one.take, one.right, one.total, one.since) == ("ours", 3, 3, "2026-06-11")
    assert one.before is not None
    assert (one.before.right, one.before.total, one.before.until) == (0, 10, "2026-06-10")
    assert "the policy turned then: before, until 2026-06-10, ours 0 of 10 times" in one.record
    # Two syncs after the turn are too few for the new way, and the old one does not hold any more.
    assert suggest(syncs(*[{"a": THEIRS}] * 10, *[{"a": OURS}] * 2)) == ()


def test_one_exception_before_is_no_policy_that_turned() -> None:
    (one,) = suggest(syncs({"a": THEIRS}, *[{"a": OURS}] * 3))
    assert (
        one.record == "ours 3 of 3 times in 3 syncs since 2026-06-02; before, until 2026-06-01, ours 0 of 1 times"
    )
    # Many files of one sync are none either.
    same_day = {f"d/{name}.x": THEIRS for name in "abc"}
    assert not any("turned" in one.record for one in suggest(syncs(same_day, *[{"d/a.x": OURS}] * 3)))


def test_a_wider_pattern_needs_three_files_since_the_turn() -> None:
    found = suggest(syncs({"x/OWNERS": THEIRS, "y/OWNERS": THEIRS}, *[{"x/OWNERS": OURS}] * 4))
    assert rules(found) == [("/x/OWNERS", "ours")]
    two = {"x/OWNERS": OURS, "y/OWNERS": OURS}
    assert rules(suggest(syncs(*[two] * 4))) == [("/x/OWNERS", "ours"), ("/y/OWNERS", "ours")]
    assert rules(suggest(syncs(*[two | {"z/OWNERS": OURS}] * 4))) == [("OWNERS", "ours")]


def test_a_wider_pattern_with_exceptions_of_old_is_no_rule() -> None:
    three = {"lib/a.c": OURS, "lib/b.c": OURS, "lib/c.c": OURS}
    before = [{"lib/d.c": THEIRS, "lib/e.c": OURS}] * 3
    found = rules(suggest(syncs(*before, *[three] * 4)))
    assert [pattern for pattern, _ in found] == [f"/lib/{name}.c" for name in "abcde"]
    turned = [{"lib/d.c": THEIRS, "lib/e.c": THEIRS}] * 3
    assert rules(suggest(syncs(*turned, *[three] * 4))) == [("/lib/**/*.c", "ours")]


def test_a_directory_of_manifests_and_code_is_no_rule() -> None:
    one = {"lib/a.c": OURS, "lib/b.h": OURS, "lib/package.json": OURS}
    found = suggest(syncs(*[one] * 4))
    assert "/lib/" not in [pattern for pattern, _ in rules(found)]
    assert ("/lib/package.json", "ours") in rules(found)


def test_paths_that_toml_cannot_hold_are_left_out() -> None:
    odd = [Seen(b"\xff.x", f"s{day}", "2026-06-01", "ours") for day in range(5)]
    assert suggest(odd) == ()
    assert suggest([Seen(b"a\nb", f"s{day}", "2026-06-01", "ours") for day in range(5)]) == ()


PATHS = st.text("ab/.[]*! #\\é", min_size=1, max_size=8).filter(lambda text: all(text.split("/")))


@given(st.lists(st.dictionaries(PATHS, st.sampled_from([OURS, THEIRS, MIXED]), max_size=4), max_size=8))
def test_every_suggestion_is_a_pattern_with_a_true_record(history: list[dict[str, str]]) -> None:
    found = suggest(syncs(*history))
    assert len({(one.pattern, one.take) for one in found}) == len(found)
    for one in found:
        assert is_pattern(one.pattern)
        assert not one.pattern.startswith(("#", "!"))
        assert one.syncs >= 3
        assert 0 < one.right <= one.total
        matching = [path for sync in history for path in sync if matches([one.pattern], path.encode())]
        assert len(matching) >= one.total

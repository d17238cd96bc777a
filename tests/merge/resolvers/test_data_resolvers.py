"""Data, configuration and documents: what each resolver offers, and what none may ever do."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from syncline.merge.alignment import squeezed
from syncline.merge.case import FileCase
from syncline.merge.proposal import Proposal
from syncline.merge.resolvers import both_added, changelog, keyed_data, line_set, sorted_lines, versions
from syncline.merge.resolvers.versions import version_key
from testing.cases import file_case

Propose = Callable[[FileCase], Iterator[Proposal]]
ALL: tuple[Propose, ...] = tuple(
    module.propose for module in (both_added, changelog, keyed_data, line_set, sorted_lines, versions)
)


def offers(propose: Propose, path: str, base: str, ours: str, theirs: str) -> dict[str, tuple[str, ...]]:
    """Return each offered text of the one hunk and its marks."""
    case = file_case(base.encode(), ours.encode(), theirs.encode(), path.encode())
    assert len(case.hunks) == 1
    return {b"".join(offer.lines).decode(): offer.marks for offer in propose(case)}


KEYED = [
    pytest.param(
        "package.json",
        '{\n  "a": 1,\n  "b": 2\n}\n',
        '{\n  "a": 1,\n  "b": 3,\n  "c": 4\n}\n',
        '{\n  "a": 5,\n  "b": 2\n}\n',
        '  "a": 5,\n  "b": 3,\n  "c": 4\n',
        id="json: a new last entry, the comma where it belongs",
    ),
    pytest.param(
        "package.json",
        '{\n  "x": "^1.2.0",\n  "y": "1.0.0"\n}\n',
        '{\n  "x": "^1.3.0",\n  "y": "1.0.0"\n}\n',
        '{\n  "x": "^1.10.0",\n  "y": "2.0.0"\n}\n',
        '  "x": "^1.10.0",\n  "y": "2.0.0"\n',
        id="json: the higher of two versions",
    ),
    pytest.param(
        "ci.yml",
        "build:\n  os: linux\n  cpu: 2\n",
        "build:\n  os: mac\n  cpu: 2\n",
        "build:\n  os: linux\n  # twice as many\n  cpu: 4\n",
        "  os: mac\n  # twice as many\n  cpu: 4\n",
        id="yaml: a comment goes with its entry",
    ),
    pytest.param(
        "setup.cfg",
        "[a]\nx = 1\ny = 2\n",
        "[a]\nx = 1\ny = 3\nz = 4\n",
        "[a]\nx = 5\ny = 2\n",
        "x = 5\ny = 3\nz = 4\n",
        id="ini",
    ),
    pytest.param(
        "pom.xml",
        "<properties>\n  <a.version>1</a.version>\n  <b.version>2</b.version>\n</properties>\n",
        "<properties>\n  <a.version>1</a.version>\n  <b.version>3</b.version>\n</properties>\n",
        "<properties>\n  <a.version>4</a.version>\n  <b.version>2</b.version>\n</properties>\n",
        "  <a.version>4</a.version>\n  <b.version>3</b.version>\n",
        id="xml",
    ),
    pytest.param(
        "deps.py",
        "D = {\n    'a': 1,\n    'b': [\n        2,\n    ],\n}\n",
        "D = {\n    'a': 3,\n    'b': [\n        2,\n    ],\n}\n",
        "D = {\n    'a': 1,\n    'b': [\n        4,\n    ],\n}\n",
        "    'a': 3,\n    'b': [\n        4,\n    ],\n",
        id="a dictionary in code",
    ),
]


@pytest.mark.parametrize(("path", "base", "ours", "theirs", "merged"), KEYED)
def test_entries_are_merged_by_key(path: str, base: str, ours: str, theirs: str, merged: str) -> None:
    case = file_case(base.encode(), ours.encode(), theirs.encode(), path.encode())
    found = list(keyed_data.propose(case))
    whole = b"".join(
        b"".join(found[0].lines if part in case.hunks else part)
        if isinstance(part, tuple)
        else b"".join(found[0].lines)
        for part in case.cut.parts
    )
    assert merged.encode() in whole


UNSETTLED = [
    ("both_changed.json", '{\n  "a": 1\n}\n', '{\n  "a": "x"\n}\n', '{\n  "a": "y"\n}\n'),
    ("deleted.json", '{\n  "a": 1,\n  "b": 2\n}\n', '{\n  "b": 2\n}\n', '{\n  "a": 3,\n  "b": 2\n}\n'),
    ("twice.yml", "a: 1\na: 2\n", "a: 3\na: 2\n", "a: 1\na: 4\n"),
    (
        "package-lock.json",
        '{\n  "a": 1,\n  "b": 2\n}\n',
        '{\n  "a": 3,\n  "b": 2\n}\n',
        '{\n  "a": 1,\n  "b": 4\n}\n',
    ),
]


@pytest.mark.parametrize(("path", "base", "ours", "theirs"), UNSETTLED)
def test_what_keys_cannot_settle_is_left(path: str, base: str, ours: str, theirs: str) -> None:
    assert not offers(keyed_data.propose, path, base, ours, theirs)


def test_the_higher_version_and_the_targets_own_are_offered() -> None:
    found = offers(
        versions.propose, "a.json", '"version": "1.0.0"\n', '"version": "1.1.0-dev"\n', '"version": "1.1.0"\n'
    )
    assert found['"version": "1.1.0"\n'][:2] == ("source", "highest")
    assert found['"version": "1.1.0-dev"\n'] == ("own", "lower", "key-version", "ours-prerelease")


def test_a_fork_that_notes_its_upstream_follows_it() -> None:
    found = offers(
        keyed_data.propose,
        "package.json",
        '{\n  "name": "up",\n  "version": "24.1.0",\n}\n',
        '{\n  "name": "fork",\n  "version": "4.1.0",\n  "based": "24.1.0",\n}\n',
        '{\n  "name": "up",\n  "version": "24.2.0",\n}\n',
    )
    assert "follows-source" in found['  "name": "fork",\n  "version": "4.1.0",\n  "based": "24.2.0",\n']


def test_a_hash_goes_with_its_version() -> None:
    found = offers(
        versions.propose,
        "deps.bzl",
        "",
        "tag = 'v1.9'\nsha = '0123456789abcdef'\n",
        "tag = 'v1.10'\nsha = 'fedcba9876543210'\n",
    )
    assert next(iter(found)) == "tag = 'v1.10'\nsha = 'fedcba9876543210'\n"


def test_other_differences_are_no_versions() -> None:
    assert not offers(versions.propose, "a.txt", "a 1\n", "a 2\n", "b 3\n")


@pytest.mark.parametrize(
    ("ours", "theirs", "called"),
    [
        ("return 21", "return 22", "numbers"),
        ("lr = 0.5", "lr = 0.7", "numbers"),
        ("# Copyright 2025", "# Copyright 2026", "numbers"),
        ("version = 21", "version = 22", "versions"),
        ("a==1.5.0", "a==1.6.0", "versions"),
        ("uses: a@v3", "uses: a@v4", "versions"),
        ("a>=2-rc", "a>=2-beta", "versions"),
        ("f(1, '1.5.0')", "f(2, '1.6.0')", "numbers"),
        ("sha = '0123456789abcdef'", "sha = 'fedcba9876543210'", "hashes"),
    ],
)
def test_only_what_says_so_is_called_a_version(ours: str, theirs: str, called: str) -> None:
    case = file_case(b"above\n", b"above\n%s\n" % ours.encode(), b"above\n%s\n" % theirs.encode(), b"a.txt")
    told = {offer.evidence[0].text.partition(" differ: ")[0] for offer in versions.propose(case)}
    assert told == {f"only {called}"}


def test_versions_in_order() -> None:
    rising = [
        b"1.0-alpha",
        b"1.0-rc1",
        b"1.0-rc2",
        b"1.0",
        b"1.0.1",
        b"1.9",
        b"v1.10",
        b"2.0.0-SNAPSHOT",
        b"2.0.0",
    ]
    assert sorted(rising, key=version_key) == rising


def test_sorted_lists_stay_sorted() -> None:
    found = offers(
        sorted_lines.propose,
        ".gitignore",
        "*.a\n*.d\n*.h\n*.z\n",
        "*.a\n*.c\n*.d\n*.f\n*.h\n*.z\n",
        "*.a\n*.b\n*.d\n*.e\n*.z\n",
    )
    assert list(found) == ["*.b\n*.c\n*.d\n*.e\n*.f\n"]


def test_pinned_requirements() -> None:
    found = offers(
        sorted_lines.propose,
        "requirements.txt",
        "aaa==1\nbbb==1.0\nccc==1\nddd==1\n",
        "aaa==1\nbbb==1.2\nccc==1\nddd==1\n",
        "aaa==1\nbbb==1.10\nbbx==3\nccc==1\nddd==1\n",
    )
    assert list(found) == ["bbb==1.10\nbbx==3\n"]


def test_unsorted_lists_are_not_sorted() -> None:
    assert not offers(sorted_lines.propose, "list", "d\na\nz\nc\n", "d\na\nb\nz\nc\n", "d\na\ny\nz\nc\n")


def test_lists_of_lines_as_sets() -> None:
    found = offers(line_set.propose, "list", "d\na\nz\nc\n", "d\na\nq\nc\n", "d\na\nz\nm\nc\n")
    assert set(found) == {"q\nm\n", "m\nq\n"}
    assert found["q\nm\n"][0] == "ours-first"


def test_both_additions_are_kept_in_either_order() -> None:
    found = offers(both_added.propose, "a.py", "x\ny\n", "x\nred = 1\ny\n", "x\ngreen = 2\ny\n")
    assert set(found) == {"red = 1\ngreen = 2\n", "green = 2\nred = 1\n"}
    assert "distinct-keys" in found["red = 1\ngreen = 2\n"]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("red = 1\n", "red = 2\n"),
        ("def f(a): pass\n", "def f(b): pass\n"),
        ("a b c d e f g h i j k\n", "a b c d e f g h i j x\n"),
    ],
)
def test_two_versions_of_one_addition_are_not_both_kept(ours: str, theirs: str) -> None:
    assert not offers(both_added.propose, "a.py", "x\ny\n", f"x\n{ours}y\n", f"x\n{theirs}y\n")


@pytest.mark.parametrize(
    ("path", "above", "section", "entry"),
    [
        ("a.toml", "[a]\nx = 1\n", "[b]\nk = 1\n", "q = 3\n"),
        ("CHANGES.md", "## Unreleased\n\n", "## 1.1\n\n", "- new entry\n"),
        ("a.py", "class A:\n    x = 1\n", "class B:\n    y = 2\n", "    other = 3\n"),
        ("a.yaml", "a:\n  x: 1\n", "b:\n  y: 2\n", "  other: 3\n"),
    ],
)
def test_nothing_comes_to_stand_under_what_the_other_side_began(
    path: str, above: str, section: str, entry: str
) -> None:
    for turned in (False, True):
        sides = (entry, section) if turned else (section, entry)
        found = offers(both_added.propose, path, f"{above}end\n", *(f"{above}{side}end\n" for side in sides))
        assert list(found) == [f"{entry}{section}"]


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        ("a.toml", "[red]\nk = 1\n", "[green]\nm = 2\n"),
        ("a.py", "class Red:\n    y = 2\n", "def green():\n    return 3\n"),
    ],
)
def test_two_sections_may_stand_in_either_order(path: str, one: str, other: str) -> None:
    assert len(offers(both_added.propose, path, "x\ny\n", f"x\n{one}y\n", f"x\n{other}y\n")) == 2


def test_a_common_end_belongs_to_both_additions() -> None:
    found = offers(
        both_added.propose,
        "a.js",
        "x;\n\ny;\n",
        "x;\n\nfunction red() {\n  one(1);\n}\n\ny;\n",
        "x;\n\nfunction green() {\n  other(2);\n}\n\ny;\n",
    )
    first = "function red() {\n  one(1);\n}\n\nfunction green() {\n  other(2);\n"
    assert found[first][:2] == ("ours-first", "cut-edges")


def test_release_notes_by_heading() -> None:
    found = offers(
        changelog.propose,
        "CHANGELOG.md",
        "# Changes\n\n## 1.0\n\n- start\n",
        "# Changes\n\n## 1.1\n\n- ours\n\n## 1.0\n\n- start\n",
        "# Changes\n\n## 1.2\n\n- theirs\n\n## 1.0\n\n- start\n",
    )
    assert list(found) == ["## 1.2\n\n- theirs\n\n## 1.1\n\n- ours\n"]


def test_entries_under_the_same_heading() -> None:
    found = offers(changelog.propose, "NEWS.md", "## 2\n\n- a\n", "## 2\n\n- a\n- b\n", "## 2\n\n- a\n- c\n")
    assert set(found) == {"- b\n- c\n", "- c\n- b\n"}


def test_line_endings_and_a_missing_newline_are_kept() -> None:
    case = file_case(b'{\r\n"a": 1,\r\n"b": 2}', b'{\r\n"a": 3,\r\n"b": 2}', b'{\r\n"a": 1,\r\n"b": 4}', b"a.json")
    for propose in ALL:
        for offer in propose(case):
            assert all(line.endswith(b"\r\n") for line in offer.lines[:-1])


JSON = b'"a": 1,\n"b": 2\n  "c": "1.2.3",\n}\n{\n"d": {\n},'.split(b"\n")
OTHER = (
    b"a: x\n- a\na = 1\n[s]\n<a>1</a>\n<b>\n</b>\n## 1.2\n* note\n===\n\nimport a\n# c\na==1.2\n\xff\x00".split(
        b"\n"
    )
)
LINE = st.sampled_from(JSON) | st.sampled_from(OTHER)
PATHS = st.sampled_from(
    [b"a.json", b"a.yml", b"a.toml", b"pom.xml", b"a.py", b"CHANGES.md", b"requirements.txt", b"x"]
)


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    ending = draw(st.sampled_from([b"\n", b"\r\n"]))
    text = ending.join(draw(st.lists(LINE | st.binary(max_size=6), max_size=12)))
    return text + (ending if draw(st.booleans()) else b"")


def keys(lines: tuple[bytes, ...]) -> Counter[bytes]:
    return Counter(key for line in lines if (key := squeezed(line).rstrip(b",")))


@settings(max_examples=300, deadline=None)
@given(PATHS, texts() | st.none(), texts(), texts())
def test_nothing_breaks_and_nothing_that_all_kept_is_lost(
    path: bytes, base: bytes | None, ours: bytes, theirs: bytes
) -> None:
    case = file_case(base, ours, theirs, path)
    for propose in ALL:
        for offer in propose(case):
            hunk = case.hunks[offer.hunk]
            both = set(keys(hunk.ours)) & set(keys(hunk.theirs)) & set(keys(hunk.base))
            assert both <= set(keys(offer.lines))
            assert set(keys(offer.lines)) <= {
                key for side in (ours, theirs) for key in keys(tuple(side.split(b"\n")))
            } or (offer.resolver == versions.NAME)
            if keys(hunk.ours) == keys(hunk.theirs):
                assert keys(offer.lines) == keys(hunk.ours)


@pytest.mark.parametrize("propose", ALL)
def test_huge_or_minified_files_are_declined_at_once(propose: Propose) -> None:
    mini = b"{" + b'"a":1,' * 300_000 + b"}"
    for path in (b"a.json", b"a.js", b"CHANGES.md", b"list"):
        list(propose(file_case(mini, mini + b" 1.2", mini + b" 1.3", path)))
    odd = b"".join(b" " * 300 + b"::=," * 80 + b"(\n" for _ in range(900))
    list(propose(file_case(b"", odd + b"a\n", odd.replace(b"=", b"-") + b"b\n", b"a.py")))

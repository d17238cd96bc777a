import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.audit.files.lock_formats import FORMATS, LockFormat, missing, requirement

UV_LOCK = """version = 1
requires-python = ">=3.11"

[[package]]
name = "app"
source = { editable = "." }
dependencies = [
    { name = "rich" },
]

[package.metadata]
requires-dist = [
    { name = "rich", extras = ["jupyter"], specifier = ">=14,<16" },
    { name = "from-git", git = "https://example.org/x?rev=1" },
]

[[package]]
name = "member"
source = { editable = "packages/member" }

[package.metadata]
requires-dist = [{ name = "rich", specifier = ">=1" }]

[[package]]
name = "rich"
version = "14.0"
source = { registry = "https://pypi.org/simple" }
"""
PYPROJECT = """[project]
name = "app"
dependencies = ["Rich[jupyter] >=14, <16 ; python_version > '3'", "from_git @ git+https://example.org/x"]
[project.optional-dependencies]
all = ["app[x]"]
"""
CARGO_LOCK = """[[package]]
name = "app"
version = "1.0.0"
dependencies = [
 "serde",
 "rand 0.8.0",
]

[[package]]
name = "serde"
version = "1.0.0"
source = "registry+x"

[[package]]
name = "rand"
version = "0.8.0"

[[package]]
name = "rand"
version = "0.7.0"
"""
YARN_LOCK = """# yarn

"@a/b@^1.0", "@a/b@^1.1":
  version "1.1.0"

plain@~2.0.0:
  version "2.0.1"

"berry@npm:^3":
  version: 3
"""
POETRY_LOCK = '[[package]]\nname = "Rich"\nversion = "14.0"\n\n[[package]]\nname = "click"\nversion = "8"\n'
NPM = {"dependencies": {"a": "^1", "b": "~2"}, "devDependencies": {"c": "3"}}
COMPOSER_LOCK = {"packages": [{"name": "a/b", "provide": {"psr/log": "1"}}], "packages-dev": [{"name": "c/d"}]}
GO_MOD = """module x

go 1.22

require a.org/b v1.2.3

require (
\tc.org/d v0.1.0 // indirect
\te.org/f v2.0.0
)

replace e.org/f => ../f

exclude (
\tz.org/z v9.9.9
)
"""
GO_SUM = "a.org/b v1.2.3 h1:x=\na.org/b v1.2.3/go.mod h1:y=\nc.org/d v0.1.0/go.mod h1:z=\n"
GEMS = "GEM\n  specs:\n    rails (7)\n\nDEPENDENCIES\n  rails (~> 7)\n  pg!\n\nBUNDLED WITH\n   2.5\n"


def form(lock: bytes) -> LockFormat:
    return next(one for one in FORMATS if one.lock == lock)


# Lock file's name, a manifest in step with a lock, and what the lock lacks once "added" is in the manifest, too.
CASES: dict[str, tuple[bytes, str, str, str, set[str]]] = {
    "uv": (
        b"uv.lock", PYPROJECT, UV_LOCK,
        PYPROJECT.replace(">=14", ">=15") + 'b = ["new~=1.0"]\n', {"new ~=1.0", "rich <16,>=15"},
    ),
    "poetry": (
        b"poetry.lock", '[tool.poetry.dependencies]\npython = "^3"\nrich = "^14"\n', POETRY_LOCK,
        '[tool.poetry.group.x.dependencies]\nnew = "1"\nclick = "8"\n[project]\ndependencies = ["rich"]\n',
        {"new"},
    ),
    "cargo": (
        b"Cargo.lock", '[dependencies]\nserde = "1"\n[target.unix.dependencies]\nr = { package = "rand" }\n',
        CARGO_LOCK,
        '[dev-dependencies]\nnew = "1"\nshared = { workspace = true }\n', {"new"},
    ),
    "npm": (
        b"package-lock.json", json.dumps(NPM), json.dumps({"packages": {"": NPM}}),
        json.dumps(NPM | {"peerDependencies": {"new": "1"}}), {"new 1"},
    ),
    "yarn": (
        b"yarn.lock", '{"dependencies": {"@a/b": "^1.1", "plain": "~2.0.0", "berry": "^3", "l": "file:../l"}}',
        YARN_LOCK, '{"dependencies": {"plain": "~2.1.0"}}', {"plain ~2.1.0"},
    ),
    "composer": (
        b"composer.lock", '{"require": {"php": "8", "ext-x": "*", "A/b": "1", "psr/log": "1"}}',
        json.dumps(COMPOSER_LOCK), '{"require-dev": {"c/d": "1", "n/ew": "1"}}', {"n/ew"},
    ),
    "go": (b"go.sum", GO_MOD, GO_SUM, GO_MOD.replace("v1.2.3", "v1.3.0"), {"a.org/b v1.3.0"}),
    "ruby": (
        b"Gemfile.lock", "gem 'rails', '~> 7'\n", GEMS, "group :x do\n  gem \"pg\"\n  gem('new')\nend\n", {"new"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_dependency_that_the_lock_file_lacks(name: str) -> None:
    lock_name, manifest, lock, added, lacks = CASES[name]
    here = form(lock_name)
    held = here.held(lock.encode(), "")
    assert held is not None
    for content, expected in ((manifest, set()), (added, lacks)):
        wanted = here.wanted(content.encode())
        assert wanted, "the manifest wants nothing"
        assert missing(wanted, held) == expected


def test_every_format_is_tried() -> None:
    assert {one.lock for one in FORMATS} == {case[0] for case in CASES.values()}


def test_a_member_of_a_workspace_has_its_own_entries() -> None:
    assert form(b"uv.lock").held(UV_LOCK.encode(), "packages/other") is None
    assert form(b"uv.lock").held(UV_LOCK.encode(), "packages/member") == set()


SEVERAL = "{} is listed in several versions, app does not say which one it needs"
RICH = UV_LOCK[UV_LOCK.rindex("[[package]]") :]


@pytest.mark.parametrize(
    ("lock", "content", "faults"),
    [
        (b"uv.lock", UV_LOCK, set()),
        (b"uv.lock", UV_LOCK + RICH, {"rich 14.0 is listed twice", SEVERAL.format("rich")}),
        (b"uv.lock", UV_LOCK + RICH.replace("14.0", "15.0"), {SEVERAL.format("rich")}),
        (b"uv.lock", UV_LOCK.replace(RICH, ""), {"rich is not listed, app needs it"}),
        (b"Cargo.lock", CARGO_LOCK, set()),
        (b"Cargo.lock", CARGO_LOCK.replace('"rand 0.8.0"', '"rand"'), {SEVERAL.format("rand")}),
        (b"Cargo.lock", CARGO_LOCK.replace('"serde",', '"gone",'), {"gone is not listed, app needs it"}),
        (b"poetry.lock", POETRY_LOCK * 2, {"Rich 14.0 is listed twice", "click 8 is listed twice"}),
        (b"go.sum", GO_SUM, set()),
        (b"go.sum", GO_SUM + "a.org/b v1.2.3 h1:other=\n", {"a.org/b v1.2.3 has two hashes"}),
    ],
)  # fmt: skip
def test_lock_files_that_contradict_themselves(lock: bytes, content: str, faults: set[str]) -> None:
    assert form(lock).faults(content.encode()) == faults


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("Rich", "rich"), ("a_b.c [x] ( >=1 , <2 )", "a-b-c <2,>=1"), ("x @ https://e.org/x.whl", "x"),
        ("x==1.*; python_version<'3'", "x ==1.*"), ("", ""), ("-e .", ""),
    ],
)  # fmt: skip
def test_requirements(text: str, entry: str) -> None:
    assert requirement(text) == entry


@given(st.sampled_from(FORMATS), st.binary(), st.binary(), st.sampled_from(["", "a/b"]))
def test_any_bytes_are_borne(one: LockFormat, manifest: bytes, lock: bytes, directory: str) -> None:
    assert one.wanted(manifest) is None or missing(one.wanted(manifest) or frozenset(), frozenset()) is not None
    assert one.held(lock, directory) is None or isinstance(one.held(lock, directory), frozenset)
    assert isinstance(one.faults(lock), frozenset)


_JSON = st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=3))
_KEYS = st.sampled_from(
    ["dependencies", "packages", "packages-dev", "require", "", "name", "provide", "resolutions"]
)


@given(
    st.sampled_from(FORMATS), st.dictionaries(_KEYS, st.dictionaries(_KEYS, _JSON, max_size=3) | _JSON, max_size=4)
)
def test_json_of_any_shape_is_borne(one: LockFormat, document: dict[str, object]) -> None:
    content = json.dumps(document).encode()
    assert one.wanted(content) is None or isinstance(one.wanted(content), frozenset)
    assert one.held(content, "") is None or isinstance(one.held(content, ""), frozenset)

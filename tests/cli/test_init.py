"""`syncline init`: which lane it proposes, what it writes, and that it writes nothing else."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.config.load import load
from syncline.config.models import Lane
from syncline.config.starter.files import pattern_of
from syncline.config.starter.page import key, quoted
from syncline.config.starter.pairs import Wish
from syncline.config.starter.survey import Survey, look
from syncline.config.starter.text import starter_text
from syncline.errors import ConfigError
from syncline.git import Repository
from syncline.merge.resolvers.patterns import matches
from testing.builder import RepositoryBuilder
from testing.cli import run_syncline
from testing.content import Symlink
from testing.repository import BuiltRepository
from testing.state import differences, snapshot


def story(builder: RepositoryBuilder, branches: Mapping[str, int], files: Mapping[str, str]) -> BuiltRepository:
    """`main` (or the first branch) and others from its first commit, each with so many commits of its own."""
    first, *others = branches
    root = builder.branch(first)
    start = root.commit("start", {"README.md": "hello\n", **files})
    for name in others:
        builder.branch(name, at=start)
    for name, count in branches.items():
        for number in range(count):
            builder.branch(name).commit(f"{name} {number}", {f"{name}-{number}.txt": f"{number}\n"})
    return builder.finish()


def survey_of(repo: BuiltRepository | Path, wish: Wish | None = None) -> tuple[Survey, str]:
    path = repo.path if isinstance(repo, BuiltRepository) else repo
    with Repository.open(path) as repository:
        seen = look(repository, wish or Wish())
    return seen, starter_text(seen)


def loaded(text: str, place: Path) -> Lane:
    place.mkdir(exist_ok=True)
    file = place / "syncline.toml"
    file.write_text(text, encoding="utf-8")
    return load(file).lane()


def switched_on(text: str) -> str:
    """The file with all suggestions taken."""
    return re.sub(r"^#(?! )", "", text, flags=re.MULTILINE)


def unexplained(text: str) -> Iterator[str]:
    """Lines of TOML that no comment stands above, in their part of the file."""
    explained = False
    for line in text.splitlines():
        if line.startswith("# "):
            explained = True
        elif not line:
            explained = False
        elif not explained:
            yield line


@dataclass(frozen=True)
class Choice:
    branches: Mapping[str, int]
    source: str
    target: str
    wish: Wish = field(default_factory=Wish)


CHOICES = {
    "main line and development line": Choice({"main": 2, "dev": 3}, "main", "dev"),
    "names win over distance": Choice({"main": 2, "develop": 1, "feature": 9}, "main", "develop"),
    "master and next": Choice({"master": 1, "next": 1}, "master", "next"),
    "the diverged one of two": Choice({"trunk": 1, "dev": 0, "next": 1}, "trunk", "next"),
    "nothing new yet": Choice({"main": 0, "dev": 2}, "main", "dev"),
    "newer into newest, by number": Choice(
        {"main": 0, "release-1.9": 1, "release-1.10": 2, "release-1.2": 3}, "release-1.9", "release-1.10"
    ),
    "a release into the main line": Choice({"main": 2, "release/v3": 1}, "release/v3", "main"),
    "bare version numbers": Choice({"6.4": 1, "7.0": 1}, "6.4", "7.0"),
    "upper case": Choice({"Main": 1, "DEV": 1}, "Main", "DEV"),
    "a branch that went its own way": Choice({"main": 1, "lts": 2, "merged": 0}, "main", "lts"),
    "the farthest of several": Choice({"main": 1, "a": 1, "b": 4}, "main", "b"),
    "HEAD names the main line": Choice({"product": 1, "customer": 1}, "product", "customer"),
    "own branches do not count": Choice({"main": 1, "syncline/x/1": 8, "y": 2}, "main", "y"),
    "both said": Choice({"main": 1, "dev": 1}, "dev", "main", Wish("dev", "main")),
    "source said": Choice({"main": 1, "dev": 1, "old": 1}, "old", "main", Wish("old")),
    "target said": Choice({"main": 1, "dev": 1, "old": 5}, "main", "dev", Wish(target="dev")),
    "target said, no known pair": Choice({"main": 1, "x": 0}, "main", "x", Wish(target="x")),
}


@pytest.mark.parametrize("case", CHOICES.values(), ids=CHOICES.keys())
def test_the_lane_that_is_proposed(builder: RepositoryBuilder, tmp_path: Path, case: Choice) -> None:
    repo = story(builder, case.branches, {})
    seen, text = survey_of(repo, case.wish)
    lane = loaded(text, tmp_path / "out")
    assert (lane.source, lane.target, lane.source_at, lane.target_at) == (case.source, case.target, None, None)
    ahead, behind = case.branches[case.target], case.branches[case.source]
    assert (
        f"{case.target} is {ahead} commit{'s' * (ahead != 1)} ahead of {case.source} and {behind} behind it"
        in (seen.branch_evidence())
    )


NOTHING = {
    "one branch": ({"main": 1}, Wish(), 'there is "main"'),
    "only merged branches": ({"main": 1, "x": 0}, Wish(), "no two branches look like a lane"),
    "the same twice": ({"main": 1, "dev": 1}, Wish("dev", "dev"), "two different branches"),
    "a branch that is not there": ({"main": 1, "dev": 1}, Wish("mian"), '--source: there is no branch "mian"'),
    "a remote that is not there": ({"main": 1, "dev": 1}, Wish(remote="orgin"), 'found "orgin"; there is none'),
    "nothing at this repository": ({"main": 1}, Wish(remote="."), 'there is "main"'),
}


@pytest.mark.parametrize(("branches", "wish", "said"), NOTHING.values(), ids=NOTHING.keys())
def test_nothing_plausible_says_what_was_seen(
    builder: RepositoryBuilder, branches: Mapping[str, int], wish: Wish, said: str
) -> None:
    repo = story(builder, branches, {})
    with pytest.raises(ConfigError) as caught:
        survey_of(repo, wish)
    assert said in caught.value.message
    assert caught.value.hint


def test_unrelated_branches_are_no_lane_unless_both_are_named(builder: RepositoryBuilder, tmp_path: Path) -> None:
    builder.branch("main").commit("start", {"a": "1\n"})
    builder.branch("pages").commit("pages", {"index.html": "<p>\n"})
    repo = builder.finish()
    with pytest.raises(ConfigError, match="no two branches look like a lane"):
        survey_of(repo)
    seen, text = survey_of(repo, Wish("main", "pages"))
    assert any("no common commit" in line for line in seen.branch_evidence())
    assert loaded(text, tmp_path / "out").target == "pages"


# --- Files -----------------------------------------------------------------------------------------------

FILES = {
    "CODEOWNERS": "* @all\n",
    ".github/CODEOWNERS": "* @all\n",
    "pyproject.toml": "[tool.black]\nline-length = 100\n[tool.isort]\nprofile = 'black'\n[tool.ruff]\n",
    "uv.lock": "",
    "web app/package.json": "{}",
    "web app/yarn.lock": "",
    "web app/package-lock.json": "{}",
    "go/go.sum": "",  # its manifest is not there
    "node_modules/x/package.json": "{}",
    "node_modules/x/package-lock.json": "{}",
    "tests/golden/deep/golden/a.json": "{}",
    "tests/__snapshots__/b.snap": "",
    "tests/cases/golden_values_dev.json": "{}",
    "src/a.py": "a = 1\n",
}


def test_rules_for_the_files_that_are_there(builder: RepositoryBuilder, tmp_path: Path) -> None:
    _, text = survey_of(story(builder, {"main": 1, "dev": 1}, FILES))
    lane = loaded(text, tmp_path / "out")
    assert [(rule.match, rule.take) for rule in lane.paths] == [
        (("/CODEOWNERS", "/.github/CODEOWNERS"), "protect"),
    ]
    assert [(couple.name, couple.paths, couple.take) for couple in lane.coupled] == [
        ("python dependencies", ("/pyproject.toml", "/uv.lock"), "together"),
        (
            "javascript dependencies (web app)",
            ("/web app/package.json", "/web app/package-lock.json", "/web app/yarn.lock"),
            "together",
        ),
    ]
    assert [(check.name, check.command) for check in lane.checks] == [
        ("compiles", ("python3", "-m", "compileall", "-q", "."))
    ]
    assert lane.gate.sentinel == ("compiles",)
    assert (lane.formatters, lane.identity, lane.schedule) == ((), None, None)


def test_every_suggestion_can_be_switched_on(builder: RepositoryBuilder, tmp_path: Path) -> None:
    _, text = survey_of(story(builder, {"main": 1, "dev": 1}, FILES))
    lane = loaded(switched_on(text), tmp_path / "out")
    assert [rule.take for rule in lane.paths] == ["protect", "ours", "union"]
    golden = lane.paths[1].match
    assert golden == ("/tests/__snapshots__/", "/tests/golden/", "golden*value*.json")
    assert [formatter.command[0] for formatter in lane.formatters] == ["black", "isort"]
    assert [check.name for check in lane.checks] == ["compiles", "tests"]
    assert (lane.slice, lane.identity is not None, lane.gate.required) == (100, True, ("tests",))


def test_without_python_the_gate_is_only_suggested(builder: RepositoryBuilder, tmp_path: Path) -> None:
    _, text = survey_of(story(builder, {"main": 1, "dev": 1}, {"Cargo.toml": "", "Cargo.lock": ""}))
    plain, full = loaded(text, tmp_path / "plain"), loaded(switched_on(text), tmp_path / "full")
    assert (plain.checks, plain.gate.sentinel) == ((), ())
    assert "Without any check a proposal never becomes ready" in text
    assert [check.command for check in full.checks] == [("cargo", "test")]
    assert full.gate.sentinel == ("tests",)


FORMATTERS = {
    "ruff alone": ("[tool.ruff]\nline-length = 99\n", {}, ["ruff"]),
    "ruff to lint beside black": ("[tool.black]\n[tool.ruff]\n", {}, ["black"]),
    "ruff formats too": ("[tool.black]\n[tool.ruff.format]\n", {}, ["black", "ruff"]),
    "a file of its own": ("", {"ruff.toml": "line-length = 99\n"}, ["ruff"]),
    "tool is no table": ("tool = 1\n", {}, []),
    "not TOML": ("[tool.black\n", {}, []),
    "not UTF-8": ("[tool.black]\n# \udcff\n", {}, []),
}


@pytest.mark.parametrize(("pyproject", "files", "wanted"), FORMATTERS.values(), ids=FORMATTERS.keys())
def test_formatters_are_found_in_their_settings(
    builder: RepositoryBuilder, pyproject: str, files: Mapping[str, str], wanted: list[str]
) -> None:
    main = builder.branch("main")
    main.commit("start", {"pyproject.toml": pyproject.encode("utf-8", "surrogateescape"), **files})
    dev = main.branch("dev")
    main.commit("m", {"m": "m\n"})
    dev.commit("d", {"d": "d\n"})
    seen, _ = survey_of(builder.finish())
    assert [formatter.name for formatter in seen.formatters] == wanted
    assert all(formatter.same for formatter in seen.formatters)


def test_settings_that_differ_are_told(builder: RepositoryBuilder) -> None:
    main = builder.branch("main")
    main.commit("start", {"pyproject.toml": "[tool.black]\nline-length = 80\n"})
    dev = main.branch("dev")
    main.commit("m", {"m": "m\n"})
    dev.commit("d", {"pyproject.toml": "[tool.black]\nline-length = 100\n"})
    _, text = survey_of(builder.finish())
    assert "has settings for black; source's settings differ." in text


def test_everything_written_is_explained(builder: RepositoryBuilder) -> None:
    _, text = survey_of(story(builder, {"main": 1, "dev": 1}, FILES))
    assert list(unexplained(text)) == []
    assert list(unexplained(switched_on(text))) == []


# --- Names nobody would choose ---------------------------------------------------------------------------

ODD_BRANCHES = [
    ('ma"in', "dev'"),
    ("umläut", "日本"),
    ("a]b#c", "x=y"),
    ("left\u202eright", "non\u00a0breaking"),
    ("$(touch-x)", "`id`"),
    ("{source}", "{lane}"),
    ("m" * 240, "d" * 240),
    ("x.lock.y", "1.0"),
    ("ü", "é"),
    ("syncline", "other"),
    ("a/b", "syncline/a-b-to-syncline-a-b-to"),
]


@pytest.mark.parametrize(("source", "target"), ODD_BRANCHES)
def test_odd_branch_names_are_read_back_as_they_are(
    builder: RepositoryBuilder, tmp_path: Path, source: str, target: str
) -> None:
    repo = story(builder, {source: 1, target: 1}, {})
    _, text = survey_of(repo, Wish(source, target))
    for number, version in enumerate((text, switched_on(text))):
        lane = loaded(version, tmp_path / str(number))
        assert (lane.source, lane.target) == (source, target)
    assert all(char.isprintable() for char in text.replace("\n", ""))


ODD_DIRECTORIES = [
    b"a b", b"a*b", b"[ab]", b"a?", b"back\\slash", b"#hash", b"!bang", b"trailing ", b"quo\"te'", "ä".encode(),
    b"**", b"x" * 200, b"~", b"$HOME", b"{a,b}",
]  # fmt: skip


def test_odd_directories_are_matched_by_their_patterns_alone(builder: RepositoryBuilder, tmp_path: Path) -> None:
    main = builder.branch("main")
    main.commit("start", {d + b"/" + name: "" for d in ODD_DIRECTORIES for name in (b"Cargo.toml", b"Cargo.lock")})
    dev = main.branch("dev")
    main.commit("m", {"m": "m\n"})
    dev.commit("d", {"d": "d\n"})
    _, text = survey_of(builder.finish())
    lane = loaded(text, tmp_path / "out")
    every = [d + b"/" + name for d in ODD_DIRECTORIES for name in (b"Cargo.toml", b"Cargo.lock", b"other")]
    matched = sorted(sorted(path for path in every if matches(couple.paths, path)) for couple in lane.coupled)
    assert matched == sorted([d + b"/Cargo.lock", d + b"/Cargo.toml"] for d in ODD_DIRECTORIES)


def test_names_that_cannot_be_written_are_left_out_and_told(builder: RepositoryBuilder, tmp_path: Path) -> None:
    files = {
        b"caf\xe9/Cargo.toml": "",
        b"caf\xe9/Cargo.lock": "",
        b"new\nline/go.mod": "",
        b"new\nline/go.sum": "",
    }
    main = builder.branch("main")
    main.commit("start", {**files, "CODEOWNERS": Symlink("elsewhere")})
    dev = main.branch("dev")
    main.commit("m", {"m": "m\n"})
    dev.commit("d", {"d": "d\n"})
    repo = builder.finish()
    repo.git("update-ref", b"refs/heads/caf\xe9", repo["main"])
    seen, text = survey_of(repo)
    lane = loaded(text, tmp_path / "out")
    assert (lane.coupled, lane.paths) == ((), ())
    assert "left out 4 files with a name that is not plain UTF-8 text" in seen.file_evidence()
    assert "left out 1 branch with a name this file cannot hold" in seen.branch_evidence()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_a_toml_string_on_one_line(text: str) -> None:
    for written in (quoted(text), key(text)):
        assert written.isprintable()
    assert tomllib.loads(f"{key(text)} = {quoted(text)}") == {text: text}


PARTS = st.text(st.sampled_from("ab *?[]!#\\~-^{}$.'\"é"), min_size=1, max_size=6).filter(
    lambda part: part not in {".", ".."}
)


@given(st.lists(PARTS, min_size=1, max_size=3), PARTS)
def test_a_pattern_matches_its_path_and_not_another(parts: list[str], other: str) -> None:
    path, sibling = "/".join(parts), "/".join([*parts[:-1], other])
    pattern = (pattern_of(path),)
    assert matches(pattern, path.encode())
    assert matches(pattern, sibling.encode()) == (sibling == path)
    assert not matches(pattern, b"deeper/" + path.encode())


# --- Remotes ---------------------------------------------------------------------------------------------


def test_branches_that_live_at_a_remote_only(builder: RepositoryBuilder, tmp_path: Path) -> None:
    clone = story(builder, {"main": 1, "dev": 1}, {}).clone(tmp_path / "clone")
    lane = loaded(survey_of(clone)[1], tmp_path / "out")
    assert (lane.source, lane.target, lane.source_at, lane.target_at) == ("main", "dev", "origin", "origin")


def test_local_branches_come_first_and_the_remote_is_suggested(builder: RepositoryBuilder, tmp_path: Path) -> None:
    clone = story(builder, {"main": 1, "dev": 1}, {}).clone(tmp_path / "clone")
    clone.git("branch", "dev", "origin/dev")
    _, text = survey_of(clone)
    assert loaded(text, tmp_path / "out").remote is None
    assert loaded(switched_on(text), tmp_path / "out").remote == "origin"
    assert loaded(survey_of(clone, Wish(remote="origin"))[1], tmp_path / "out").remote == "origin"


UPSTREAMS = {
    "by itself": Wish(),
    "the target said": Wish(target="main"),
    "the same name twice": Wish("main", "main"),
    "as git shows it": Wish("upstream/main", "main"),
}


@pytest.mark.parametrize("wish", UPSTREAMS.values(), ids=UPSTREAMS.keys())
def test_an_upstream_and_its_fork(builder: RepositoryBuilder, tmp_path: Path, wish: Wish) -> None:
    upstream = story(builder, {"main": 1}, {})
    fork = upstream.clone(tmp_path / "fork")
    fork.git("remote", "rename", "origin", "upstream")
    fork.git("commit", "--quiet", "--allow-empty", "-m", "ours")
    lane = loaded(survey_of(fork, wish)[1], tmp_path / "out")
    assert (lane.name, lane.source_at, lane.target_at) == ("upstream-main-to-main", "upstream", None)


def test_a_remote_whose_name_holds_a_slash(builder: RepositoryBuilder, tmp_path: Path) -> None:
    clone = story(builder, {"main": 1, "dev": 1}, {}).clone(tmp_path / "clone")
    clone.git("remote", "rename", "origin", "team/one")
    assert loaded(survey_of(clone)[1], tmp_path / "out").remote == "team/one"


def test_a_bare_clone_asks_the_remote_it_was_told(builder: RepositoryBuilder, tmp_path: Path) -> None:
    bare = story(builder, {"main": 1, "dev": 1}, {}).clone(tmp_path / "bare.git", bare=True)
    assert loaded(survey_of(bare)[1], tmp_path / "out").remote is None
    assert loaded(survey_of(bare, Wish(remote="origin"))[1], tmp_path / "out").remote == "origin"


def test_a_shallow_clone_says_that_it_counted_in_one(builder: RepositoryBuilder, tmp_path: Path) -> None:
    clone = story(builder, {"main": 2, "dev": 2}, {}).shallow_clone(tmp_path / "clone", 1)
    seen, _ = survey_of(clone)
    assert any("shallow clone" in line for line in seen.branch_evidence())


# --- The command -----------------------------------------------------------------------------------------


def test_only_the_file_appears_and_the_next_command_reads_it(builder: RepositoryBuilder) -> None:
    repo = story(builder, {"main": 1, "dev": 1}, FILES)
    before = snapshot(repo)
    done = run_syncline("init", "--json", repo=repo)
    assert (done.code, done.err) == (0, "")
    said = done.json()
    assert {key: said[key] for key in ("path", "lane", "source", "target", "remote", "written")} == {
        "path": str(repo.path / "syncline.toml"),
        "lane": "main-to-dev",
        "source": "main",
        "target": "dev",
        "remote": None,
        "written": True,
    }
    assert "dev is 1 commit ahead of main and 1 behind it" in said["evidence"]
    changed = differences(before, snapshot(repo))
    assert [line.split(":")[:2] for line in changed if line.startswith("files")] == [["files", " syncline.toml"]]
    assert [line.split(":")[0] for line in changed] == ["status", "files"]
    assert load(repo.path / "syncline.toml").lane().target == "dev"


def test_it_never_overwrites_without_force(builder: RepositoryBuilder) -> None:
    repo = story(builder, {"main": 1, "dev": 1}, {})
    file = repo.path / "syncline.toml"
    file.write_text("mine\n")
    before = snapshot(repo)
    refused = run_syncline("init", repo=repo)
    assert (refused.code, refused.out) == (2, "")
    assert f"there is a configuration already: {file}" in refused.err
    assert "--force" in refused.err
    assert differences(before, snapshot(repo)) == []
    assert run_syncline("init", "--force", repo=repo).code == 0
    assert load(file).lane().source == "main"


def _dangling(repo: BuiltRepository) -> None:
    (repo.path / "syncline.toml").symlink_to("../outside.toml")


def _in_git_directory(repo: BuiltRepository) -> None:
    (repo.git_dir / "syncline.toml").write_text("mine\n")


def _directory(repo: BuiltRepository) -> None:
    (repo.path / "syncline.toml").mkdir()


@pytest.mark.parametrize("put", [_dangling, _in_git_directory, _directory])
def test_what_stands_in_the_way_is_not_touched(
    builder: RepositoryBuilder, put: Callable[[BuiltRepository], None]
) -> None:
    repo = story(builder, {"main": 1, "dev": 1}, {})
    put(repo)
    before = snapshot(repo)
    assert run_syncline("init", repo=repo).code == 2
    assert differences(before, snapshot(repo)) == []
    assert not (repo.path.parent / "outside.toml").exists()


def test_force_replaces_a_link_and_leaves_what_it_names(builder: RepositoryBuilder) -> None:
    repo = story(builder, {"main": 1, "dev": 1}, {})
    outside = repo.path.parent / "outside.toml"
    outside.write_text("not ours\n")
    (repo.path / "syncline.toml").symlink_to(outside)
    assert run_syncline("init", "--force", repo=repo).code == 0
    assert outside.read_text() == "not ours\n"
    assert not (repo.path / "syncline.toml").is_symlink()


def test_a_directory_is_not_replaced_even_by_force(builder: RepositoryBuilder) -> None:
    repo = story(builder, {"main": 1, "dev": 1}, {})
    _directory(repo)
    before = snapshot(repo)
    done = run_syncline("init", "--force", repo=repo)
    assert done.code == 2
    assert "cannot be written" in done.err
    assert differences(before, snapshot(repo)) == []


def test_print_writes_nothing_even_where_a_file_is(builder: RepositoryBuilder, tmp_path: Path) -> None:
    repo = story(builder, {"main": 1, "dev": 1}, {})
    (repo.path / "syncline.toml").write_text("mine\n")
    before = snapshot(repo)
    done = run_syncline("init", "--print", repo=repo)
    assert done.code == 0
    assert loaded(done.out, tmp_path / "out").name == "main-to-dev"
    said = run_syncline("init", "--print", "--json", repo=repo).json()
    assert (said["written"], said["text"]) == (False, done.out)
    assert differences(before, snapshot(repo)) == []


def test_a_bare_repository_keeps_it_in_the_git_directory(tmp_path: Path) -> None:
    repo = story(RepositoryBuilder(tmp_path / "bare.git", bare=True), {"main": 1, "dev": 1}, {})
    before = snapshot(repo)
    assert run_syncline("init", repo=repo).code == 0
    assert load(repo.git_dir / "syncline.toml").lane().target == "dev"
    assert differences(before, snapshot(repo)) == []


def test_from_below_the_top_and_to_another_place(builder: RepositoryBuilder, tmp_path: Path) -> None:
    repo = story(builder, {"main": 1, "dev": 1}, {"sub/a": "a\n"})
    assert run_syncline("init", repo=repo.path / "sub").code == 0
    assert (repo.path / "syncline.toml").is_file()
    elsewhere = tmp_path / "elsewhere.toml"
    assert run_syncline("init", "--config", elsewhere, "-C", repo.path).code == 0
    assert load(elsewhere).lane().source == "main"
    missing = run_syncline("init", "--config", tmp_path / "no" / "x.toml", "-C", repo.path)
    assert missing.code == 2
    assert "cannot be written: No such file or directory" in missing.err


@pytest.mark.parametrize("branch", [None, "main"])
def test_too_few_branches_ask_for_them(builder: RepositoryBuilder, branch: str | None) -> None:
    if branch:
        builder.branch(branch).commit("start", {"a": "a\n"})
    repo = builder.finish()
    before = snapshot(repo)
    done = run_syncline("init", repo=repo)
    assert (done.code, done.out) == (2, "")
    assert "a lane needs two branches" in done.err
    assert "--source BRANCH --target BRANCH" in done.err
    assert differences(before, snapshot(repo)) == []

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from syncline.config.models import Lane
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from syncline.git.trailers import parse_trailers
from syncline.merge.resolvers.patterns import matches
from syncline.propose.settle import accepting_commands, settling_commands, shell_quote, trailer_pattern
from syncline.trailer_names import SETTLED
from testing.builder import RepositoryBuilder

HERE = Lane(name="nightly", source="main", target="dev", remote=".")
REMOTE = Lane(name="nightly", source="main", target="dev", remote="origin")
NAMES = [
    b"a.txt",
    b"with space.txt",
    b"it's.txt",
    b'"quoted" $HOME `id`.txt',
    b"glob[a]*?.txt",
    b"back\\slash.txt",
    b"-dash.txt",
    b":colon.txt",
    b"!bang.txt",
    b"#hash.txt",
    b"new\nline.txt",
    b"caf\xe9.txt",
    "日本.txt".encode(),
    b"trailing ",
    b"dir/deep.txt",
]


@given(st.binary(max_size=20).filter(lambda raw: b"\0" not in raw))
def test_a_shell_reads_back_what_was_quoted(raw: bytes) -> None:
    assert _bash(b"printf %s " + shell_quote(raw).encode()) == raw


@pytest.mark.parametrize("path", NAMES)
def test_a_pattern_names_its_path_and_no_other(path: bytes) -> None:
    pattern = trailer_pattern(path)
    assert pattern.isprintable()
    assert [other for other in NAMES if matches([pattern], other)] == [path]
    assert not matches([pattern], b"below/" + path)


@given(
    st.lists(
        st.sampled_from([*"ab \\*?[]!#\t\r-:", "\x1c", "\x85", "\xa0", "\u2003", "\u3000"]), min_size=1, max_size=5
    )
)
def test_a_path_is_found_again_by_the_trailer_of_a_commit(parts: list[str]) -> None:
    path = "".join(parts).encode()
    message = f"x\n\nSyncline-Settled: {trailer_pattern(path)}\nSyncline-Agent: one\n"
    assert matches([dict(parse_trailers(message))["Syncline-Settled"]], path)


def test_the_commands_for_one_path() -> None:
    assert settling_commands(REMOTE, "syncline/n/1", [b"a.txt"]) == (
        "git fetch origin",
        "git switch syncline/n/1",
        "# edit the file, then:",
        "git add -- a.txt",
        "git commit -m 'Settle a conflict'",
        "git push origin syncline/n/1",
        "git switch -",
        "syncline sync nightly",
    )
    assert accepting_commands(HERE, "syncline/n/1", [b"a.txt"], "target's side") == (
        "git switch syncline/n/1",
        "git commit --allow-empty -m \"Keep target's side\" --trailer 'Syncline-Settled: /a.txt'",
        "git switch -",
        "syncline sync nightly",
    )


def test_many_paths_are_not_listed_one_by_one() -> None:
    paths = [b"%d.txt" % number for number in range(40)]
    assert "git add --update" in settling_commands(HERE, "b", paths)
    assert any("'Syncline-Settled: *'" in line for line in accepting_commands(HERE, "b", paths, "target's side"))


def test_nothing_open_needs_no_command() -> None:
    assert settling_commands(HERE, "b", []) == accepting_commands(HERE, "b", [], "x") == ()


def _run(commands: tuple[str, ...], where: Path) -> None:
    own = "\n".join(line for line in commands if not line.startswith("syncline "))
    _bash(own.encode(), where)


def _bash(script: bytes, where: Path | None = None) -> bytes:
    words = ["bash", "-e", "-c", script]  # bash is whatever the machine's is
    return subprocess.run(words, cwd=where, check=True, capture_output=True).stdout


@pytest.mark.parametrize("path", NAMES)
def test_the_commands_do_what_they_say(builder: RepositoryBuilder, path: bytes) -> None:
    main = builder.branch("main")
    main.commit("start", {path: "one\n", "other.txt": "other\n"})
    main.branch("proposal")
    repo = builder.finish()
    (repo.path / path.decode("utf-8", "surrogateescape")).write_text("two\n")
    (repo.path / "other.txt").write_text("changed too\n")
    _run(settling_commands(HERE, "proposal", [path]), repo.path)
    assert repo.git("diff-tree", "-r", "-z", "--name-only", "main", "proposal") == path + b"\0"
    _run(accepting_commands(HERE, "proposal", [path], "target's side"), repo.path)
    with Repository.open(repo.path) as repository:
        commit = read_commit(repository, CommitId(repo.tip("proposal")))
    assert commit.subject == "Keep target's side"
    assert [matches([pattern], path) for pattern in commit.trailers(SETTLED)] == [True]

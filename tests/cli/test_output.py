"""What is printed where it cannot be printed as it is: another encoding, a terminal, a document."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from testing.builder import RepositoryBuilder
from testing.cli import run_syncline
from testing.lane import POLICY, LaneStory, build_lane
from testing.sealed import sealed_environment, sealed_home

ASCII = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
LOG = b"plain\n\x1b[31mred\x1b[0m\ttab\n\x1b]0;title\x07 10%\r20%\nn\xc3\xa4chst \xff\xe2\x80\xaeend\n"
CHECK = f"""
[[lanes.nightly.checks]]
name = "noisy"
command = ["{sys.executable}", "-c", "import os; os.write(1, bytes.fromhex('{LOG.hex()}'))"]
[lanes.nightly.gate]
required = ["noisy"]
"""


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> LaneStory:
    """A lane whose titles, paths and check's output hold what ASCII has not."""
    policy = (
        POLICY.replace('labels = ["sync"]', 'labels = ["s\\u00fcnc"]\ntitle = "Abgleich \\u2192 {slice}"') + CHECK
    )
    story = build_lane(tmp_path_factory.mktemp("caf\u00e9"), policy=policy, conflict=True)
    story.run("sync")
    return story


COMMANDS = (
    "plan",
    "merge dev main",
    "status",
    "proposals",
    "show 1",
    "gate 1",
    "sync",
    "merge dev n\u00f6",
    "plan n\u00f6",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_an_encoding_that_lacks_characters_ends_no_command(story: LaneStory, command: str) -> None:
    words = [*command.split(), "--config", str(story.config)]
    text = run_syncline(*words, repo=story.repo, env=ASCII)
    assert text.code == run_syncline(*words, repo=story.repo).code
    assert (text.out + text.err).isascii()
    assert "bug" not in text.err
    document = run_syncline(*words, "--json", repo=story.repo, env=ASCII)
    assert json.loads(document.out)
    assert document.out.encode("utf-8", "surrogateescape").decode("utf-8")


def test_json_is_utf_8_in_any_locale(story: LaneStory) -> None:
    done = run_syncline("show", "1", "--json", repo=story.repo, env=ASCII)
    assert "Abgleich \u2192" in done.out
    assert done.json()["labels"] == ["s\u00fcnc"]


def test_half_characters_of_a_path_are_escaped(tmp_path: Path) -> None:
    done = run_syncline("-C", tmp_path / os.fsdecode(b"n\xf6"), "plan", "--json", env=ASCII)
    assert done.code == 2
    assert "\\udcf6" in done.out
    assert "\udcf6" in json.loads(done.out)["error"]


def test_a_log_as_a_document(story: LaneStory) -> None:
    document = run_syncline("show", "1", "--log", "noisy", "--json", repo=story.repo).json()
    assert sorted(document) == ["check", "log", "sha"]
    assert document["check"] == "noisy"
    assert document["sha"] == run_syncline("show", "1", "--json", repo=story.repo).json()["head"]
    assert document["log"].encode() == LOG.replace(b"\xff", b"\\xff")


def test_a_log_into_a_pipe_is_its_bytes(story: LaneStory) -> None:
    done = run_syncline("show", "1", "--log", "noisy", repo=story.repo)
    assert done.out.encode("utf-8", "surrogateescape") == LOG


def test_a_log_on_a_terminal_does_not_steer_it(story: LaneStory) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "syncline", "show", "1", "--log", "noisy"],
        cwd=story.repo.path, env=sealed_environment(sealed_home()), stdin=subprocess.DEVNULL, stdout=theirs,
    ):  # fmt: skip
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 4096):
                seen += part
        except OSError:  # how a terminal whose other side has closed says so
            pass
    os.close(ours)
    lines = seen.decode().replace("\r\n", "\n").splitlines()
    assert lines == [
        "plain",
        "\\x1b[31mred\\x1b[0m\ttab",
        "\\x1b]0;title\\x07 10%",
        "20%",
        "n\u00e4chst \\xff\\u202eend",
    ]


@pytest.mark.parametrize("closed", ["<&- >&-", "<&- >&- 2>&-"])
def test_closed_streams_end_no_command(story: LaneStory, closed: str) -> None:
    command = f'exec "$0" -P -m syncline status --json --config "$1" {closed}'
    words = ["sh", "-c", command, sys.executable, str(story.config)]
    done = subprocess.run(
        words, cwd=story.repo.path, env=sealed_environment(sealed_home()), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (story.run("status").code, b"")


@pytest.mark.parametrize("files", [1, 300])
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_reader_that_has_gone_is_no_finding(builder: RepositoryBuilder, files: int, more: list[str]) -> None:
    # A few lines fail when they are flushed at the end, many while they are written.
    names = [f"{number}{'x' * 60}.txt" for number in range(files)]
    main = builder.branch("main")
    main.commit("Start", dict.fromkeys(names, "base\n"))
    dev = main.branch("dev")
    for branch in (main, dev):
        branch.commit(branch.name, dict.fromkeys(names, f"{branch.name}\n"))
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "syncline", "merge", "dev", "main", *more],
            cwd=builder.finish(head="dev").path, env=sealed_environment(sealed_home()), stdin=subprocess.DEVNULL,
            stdout=write, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    finally:
        os.close(write)
    # 128 and SIGPIPE, as shells know it of other programs.
    assert (done.returncode, done.stderr) == (141, b"")

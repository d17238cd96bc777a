"""SIGINT and SIGTERM at any moment: exit code 130, one line that says so, no second document, no traceback."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from syncline.cli.interrupted import left_by
from testing.cli import Result
from testing.lane import LaneStory, build_lane
from testing.sealed import sealed_environment, sealed_home

# Counts what the interpreter does (imports, files, processes, statements to the database; PEP 578) from the
# first line of ours on, and gets a signal at the N-th of them. N = 0: never; the number is printed at the end.
RUNNER = """
import os, signal, sys
number, wanted = int(sys.argv[1]), int(sys.argv[2])
del sys.argv[1:3]
count = 0
def hook(event, arguments):
    global count
    if event in {"import", "open", "subprocess.Popen", "sqlite3.connect", "os.remove", "os.mkdir", "compile"}:
        count += 1
        if count == wanted:
            os.kill(os.getpid(), number)
import syncline.cli.main
if not wanted:
    syncline.cli.main.leave = sys.exit  # so that there is somebody to print the number
sys.addaudithook(hook)
try:
    syncline.cli.main.main()
finally:
    if not wanted:
        sys.stderr.write(f"\\n{count}\\n")
"""
MOMENTS = 7
COMMANDS = ("plan --json", "merge dev main", "merge dev main --json", "status --json", "sync --json", "--help")


def runner(story: LaneStory, number: int, moment: int, command: str) -> Result:
    config = [] if command == "--help" else ["--config", str(story.config)]
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUNNER, str(number), str(moment), *command.split(), *config],
        cwd=story.repo.path, env=sealed_environment(sealed_home()), stdin=subprocess.DEVNULL,
        capture_output=True, encoding="utf-8", check=False, timeout=120,
    )  # fmt: skip
    return Result(done.returncode, done.stdout, done.stderr)


def check_end(done: Result, command: str) -> None:
    assert done.code == 130, done
    assert done.err.splitlines()[-1].startswith("interrupted; "), done.err
    for words in ("Traceback", "Exception ignored", "Aborted", "bug"):
        assert words not in done.err
    if "--json" in command:
        # One document: that there was an interrupt, or the answer if it came after that.
        assert json.loads(done.out).get("error", "interrupted") == "interrupted"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_signal_between_any_two_steps(tmp_path: Path, command: str, number: signal.Signals) -> None:
    story = build_lane(tmp_path / "first")
    free = runner(story, number, 0, command)
    assert free.code in {0, 1}, free.err
    total = int(free.err.split()[-1])
    assert total > MOMENTS
    early = [1, 2, 3, 5]
    for moment in (*early, *(total * part // MOMENTS for part in range(1, MOMENTS))):
        if command.startswith("sync"):  # it has nothing to do a second time
            story = build_lane(tmp_path / str(moment))
        check_end(runner(story, number, moment, command), command)


SLOW = """
[[lanes.nightly.checks]]
name = "slow"
command = ["sh", "-c", "echo started > {mark}; sleep 600"]
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3])
def test_a_signal_while_a_check_runs(tmp_path: Path, number: signal.Signals, delay: float) -> None:
    story = build_lane(tmp_path)
    mark = tmp_path / "mark"
    with story.config.open("a") as config:
        config.write(SLOW.replace("{mark}", str(mark)))
    command = [sys.executable, "-P", "-m", "syncline", "sync", "--json", "--config", str(story.config)]
    with subprocess.Popen(
        command, cwd=story.repo.path, env=sealed_environment(sealed_home()), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    ) as child:  # fmt: skip
        deadline = time.monotonic() + 60
        while not mark.exists():
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.02)
        time.sleep(delay)
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
    check_end(Result(child.returncode, out, err), "sync --json")
    assert json.loads(out)["error"] == "interrupted"


LOST = """
import os, signal, sys, time
from syncline.cli import app, main
class Lost:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0)
def command(*_, **__):
    Lost()
    time.sleep(60)
app.app = command
main.main()
"""


def test_an_interrupt_that_python_drops_comes_again() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", LOST, "plan", "--json"], env=sealed_environment(sealed_home()),
        capture_output=True, encoding="utf-8", check=False, timeout=30,
    )  # fmt: skip
    check_end(Result(done.returncode, done.stdout, done.stderr), "plan --json")


WRAPPED = """
import os, signal, sys, time
from syncline.cli import app, main
def command(*_, **__):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    except KeyboardInterrupt as error:
        raise RuntimeError("made of it by a library") from error
app.app = command
main.main()
"""


def test_an_interrupt_that_became_another_error_is_one() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", WRAPPED, "plan", "--json"], env=sealed_environment(sealed_home()),
        capture_output=True, encoding="utf-8", check=False, timeout=30,
    )  # fmt: skip
    check_end(Result(done.returncode, done.stdout, done.stderr), "plan --json")


@pytest.mark.parametrize(("arguments", "words"), [
    ("sync nightly", "the next `syncline tick` goes on from here"),
    ("--json tick", "the next `syncline tick` goes on from here"),
    ("-C sync --config tick replay --last 5", "a replay cannot go on from here; the same command begins anew"),
    ("learn", "nothing was learned, the record is as it was; run the same command again"),
    ("merge dev main", "nothing was changed; run the same command again"),
    ("sync --dry-run", "nothing was changed; run the same command again"),
    ("demo", "run the same command again"),
    ("--version", "run the same command again"),
    ("-C", "run the same command again"),
    ("", "run the same command again"),
])  # fmt: skip
def test_each_command_says_what_it_left(arguments: str, words: str) -> None:
    assert left_by(arguments.split()) == words


def test_the_words_are_those_of_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", WRAPPED, "replay", "--last", "5"], env=sealed_environment(sealed_home()),
        capture_output=True, encoding="utf-8", check=False, timeout=30,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "interrupted; a replay cannot go on from here; the same command begins anew\n"

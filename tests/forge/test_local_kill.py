"""Time-outs, cancelling, and kill -9: nothing survives, nothing is done twice, work goes on."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import uuid
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest

from syncline.checks.model import CheckState, Conclusion
from syncline.forge.local.attempts import MAX_DEATHS
from syncline.forge.local.forge import LocalForge
from syncline.forge.local.workers import is_alive, worker
from syncline.programs.leftovers import boot_id, kill_leftovers, start_time
from tests.forge.support import (
    MARK,
    SHA,
    Spec,
    conclusions,
    environment,
    is_living,
    log_of,
    newest,
    python,
    survivors,
    wait_until,
    work,
)

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")

# A child in the group, a grandchild whose parent is gone, and one in a session of its own.
FAMILY = """
import os, subprocess, sys, time
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
{ignore}
subprocess.Popen(sleep)
subprocess.Popen(["sh", "-c", "sleep 600 & exit"]).wait()
subprocess.Popen(sleep, start_new_session=True)
print("started", flush=True)
{then}
"""
IGNORE_TERM = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"


@pytest.fixture
def mark() -> str:
    return uuid.uuid4().hex


def family(mark: str, *, ignore: str = "", then: str = "time.sleep(600)", timeout: int = 600) -> Spec:
    return python("a", FAMILY.format(ignore=ignore, then=then), env={MARK: mark}, timeout=timeout)


@pytest.mark.parametrize("ignore", ["", IGNORE_TERM])
def test_a_time_out_ends_the_whole_family(forge: LocalForge, mark: str, ignore: str) -> None:
    check = newest(work(forge, [family(mark, ignore=ignore, timeout=1)]))["a"]
    assert survivors(mark) == []
    assert check.conclusion is Conclusion.TIMED_OUT
    assert check.summary == "over its time limit of 1 s: started"
    assert log_of(check) == b"started\n[syncline: over its time limit of 1 s]\n"


@pytest.mark.parametrize("then", ["pass", "sys.exit(1)"])
def test_what_a_finished_command_leaves_running_is_ended(forge: LocalForge, mark: str, then: str) -> None:
    check = newest(work(forge, [family(mark, then=then)]))["a"]
    assert survivors(mark) == []
    assert check.conclusion is (Conclusion.SUCCESS if then == "pass" else Conclusion.FAILURE)


def test_what_is_left_running_may_tidy_up(forge: LocalForge, tmp_path: Path) -> None:
    left = f"trap 'touch {tmp_path}/tidied; exit' TERM; touch {tmp_path}/ready; while :; do sleep 0.02; done"
    script = f'sh -c "{left}" & until test -e {tmp_path}/ready; do sleep 0.02; done'
    assert conclusions(work(forge, [Spec("a", ("sh", "-c", script))])) == {"a": Conclusion.SUCCESS}
    assert (tmp_path / "tidied").exists()


def test_a_command_may_tidy_up_when_its_time_is_over(forge: LocalForge) -> None:
    script = "trap 'echo tidied; exit 0' TERM; echo started; sleep 600 & wait"
    check = newest(work(forge, [Spec("a", ("sh", "-c", script), timeout=1)]))["a"]
    assert check.conclusion is Conclusion.TIMED_OUT
    assert log_of(check).startswith(b"started\ntidied\n")


def test_cancelling_ends_what_runs_and_starts_nothing_more(forge: LocalForge, mark: str) -> None:
    cancelled = threading.Event()
    specs = [family(mark), Spec("b", needs=("a",)), python("c", "import time; time.sleep(600)", env={MARK: mark})]

    def cancel_when_started() -> None:
        wait_until(lambda: len(survivors(mark)) >= 5)
        cancelled.set()

    helper = threading.Thread(target=cancel_when_started)
    helper.start()
    rollup = work(forge, specs, cancelled=cancelled)
    helper.join()
    assert survivors(mark) == []
    assert conclusions(rollup) == {
        "a": Conclusion.CANCELLED,
        "b": CheckState.QUEUED,
        "c": Conclusion.CANCELLED,
    }
    assert work(forge, specs, cancelled=cancelled) == rollup


def test_cancelled_checks_are_taken_up_again(forge: LocalForge, tmp_path: Path) -> None:
    cancelled = threading.Event()
    flag = tmp_path / "flag"
    script = f"test -e {flag} && exit 0; touch {flag}; sleep 600"
    helper = threading.Thread(target=lambda: (wait_until(flag.exists), cancelled.set()))
    helper.start()
    work(forge, [Spec("a", ("sh", "-c", script))], cancelled=cancelled)
    helper.join()
    rollup = work(forge, [Spec("a", ("sh", "-c", script))])
    assert [check.conclusion for check in rollup.checks] == [Conclusion.CANCELLED, Conclusion.SUCCESS]


def test_a_supervisor_killed_from_outside_fails_the_check(forge: LocalForge, mark: str) -> None:
    # The command's parent is its supervisor.
    code = "import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); time.sleep(600)"
    check = newest(work(forge, [python("a", code, env={MARK: mark})]))["a"]
    assert survivors(mark) == []
    assert (check.conclusion, check.summary) == (Conclusion.FAILURE, "its supervisor was killed from outside")


class Program:
    """`worker_program` in a process of its own."""

    def __init__(self, state_dir: Path, specs: Sequence[Spec], *death: str) -> None:
        path = state_dir.with_suffix(".json")
        path.write_text(json.dumps([asdict(spec) for spec in specs]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.forge.worker_program", str(state_dir), str(path), *death],
            env=environment(state_dir.parent),
        )

    def kill(self) -> None:
        self.process.kill()
        assert self.process.wait() == -signal.SIGKILL


def counting(
    name: str, mark: str, directory: Path, *, first: str = "sleep 600", needs: tuple[str, ...] = ()
) -> Spec:
    """A check that hangs at its first attempt and counts starts and ends."""
    script = (
        f"echo x >> {directory}/{name}.starts; "
        f"test $(wc -l < {directory}/{name}.starts) = 1 && {first}; echo x >> {directory}/{name}.ends"
    )
    return Spec(name, ("sh", "-c", script), env={MARK: mark}, needs=needs)


def lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_a_killed_worker_takes_its_commands_along_and_the_next_goes_on(
    state_dir: Path, tmp_path: Path, mark: str
) -> None:
    specs = [counting("a", mark, tmp_path), counting("b", mark, tmp_path, needs=("a",), first="true")]
    program = Program(state_dir, specs)
    wait_until(lambda: lines(tmp_path / "a.starts") == 1)
    program.kill()
    wait_until(lambda: survivors(mark) == [])  # nobody but the supervisor is there to do it
    with LocalForge(state_dir, "demo", grace=1.0) as forge:
        assert newest(forge.rollup(SHA))["a"].state is CheckState.RUNNING
        rollup = work(forge, specs)
        assert conclusions(rollup) == {"a": Conclusion.SUCCESS, "b": Conclusion.SUCCESS}
        of_a = [check for check in rollup.checks if check.name == "a"]
        assert [check.conclusion for check in of_a] == [Conclusion.CANCELLED, Conclusion.SUCCESS]
        assert of_a[0].summary == "cut off: the syncline that ran it has died"
    assert (lines(tmp_path / "a.ends"), lines(tmp_path / "b.ends")) == (1, 1)
    assert not list((state_dir / "workers").iterdir())


def test_commands_that_outlive_worker_and_supervisor_are_ended_before_the_next_attempt(
    state_dir: Path, tmp_path: Path, mark: str
) -> None:
    specs = [counting("a", mark, tmp_path)]
    program = Program(state_dir, specs)
    wait_until(lambda: lines(tmp_path / "a.starts") == 1)
    with closing(sqlite3.connect(state_dir / "forge.db")) as db:
        supervisor, start, boot = db.execute("SELECT pid, pid_start, boot FROM attempts").fetchone()
    assert (start_time(supervisor), boot_id()) == (start, boot)
    os.kill(supervisor, signal.SIGSTOP)
    program.kill()
    os.kill(supervisor, signal.SIGKILL)
    wait_until(lambda: not is_living(supervisor))
    assert survivors(mark)
    with LocalForge(state_dir, "demo") as forge:
        rollup = forge.start_checks(SHA, specs)
        assert survivors(mark) == []
        assert [check.conclusion or check.state for check in rollup.checks] == [
            Conclusion.CANCELLED,
            CheckState.QUEUED,
        ]
        assert forge.start_checks(SHA, specs) == rollup


WRITES = 7
"""Transactions of a worker with two checks: one to queue, and claim, process and result of each."""


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_every_effect(state_dir: Path, tmp_path: Path, mark: str, when: str) -> None:
    """The worker dies at its first effect, its successor at the second, ... until one lives to the end."""
    specs = [
        counting("a", mark, tmp_path, first="true"),
        counting("b", mark, tmp_path, needs=("a",), first="true"),
    ]
    for number in range(1, WRITES + 2):
        own = state_dir.with_name(f"state-{number}")
        for count in tmp_path.glob("*.*s"):
            count.unlink()
        program = Program(own, specs, str(number), when)
        died = program.process.wait() != 0
        assert died is (number <= WRITES)
        wait_until(lambda: survivors(mark) == [])
        with LocalForge(own, "demo", grace=1.0) as forge:
            rollup = work(forge, specs)
        assert conclusions(rollup) == {"a": Conclusion.SUCCESS, "b": Conclusion.SUCCESS}
        for name in "ab":
            results = [check.conclusion for check in rollup.checks if check.name == name]
            assert results.count(Conclusion.SUCCESS) == 1
            # Ran to the end twice only if it had ended and the result was not written down yet.
            assert 1 <= lines(tmp_path / f"{name}.ends") <= len(results)
        assert not list((own / "workers").iterdir())


def test_a_check_that_keeps_killing_its_worker_is_given_up(state_dir: Path, mark: str) -> None:
    # The command's grandparent is the worker.
    code = (
        "import os, signal, time\n"
        "parent = open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1]\n"
        "os.kill(int(parent), signal.SIGKILL)\n"
        "time.sleep(600)"
    )
    specs = [python("a", code, env={MARK: mark}), Spec("b", needs=("a",))]
    for _ in range(MAX_DEATHS):
        assert Program(state_dir, specs).process.wait() == -signal.SIGKILL
    with LocalForge(state_dir, "demo", grace=1.0) as forge:
        rollup = work(forge, specs)
        assert conclusions(rollup) == {"a": Conclusion.FAILURE, "b": Conclusion.SKIPPED}
        assert (
            newest(rollup)["a"].summary
            == f"cut off: the syncline that ran it has died, {MAX_DEATHS} times in a row"
        )
        assert len(rollup.checks) == MAX_DEATHS + 1
        assert survivors(mark) == []
        # A person may still ask for another try.
        assert conclusions(forge.retry(SHA, ["a"]))["a"] is CheckState.QUEUED


def test_two_workers_share_the_checks_of_a_commit(state_dir: Path, tmp_path: Path, mark: str) -> None:
    specs = [counting(f"check-{number}", mark, tmp_path, first="sleep 0.1") for number in range(6)]
    programs = [Program(state_dir, specs) for _ in range(3)]
    assert [program.process.wait() for program in programs] == [0, 0, 0]
    with LocalForge(state_dir, "demo") as forge:
        rollup = forge.rollup(SHA)
    assert len(rollup.checks) == 6
    assert set(conclusions(rollup).values()) == {Conclusion.SUCCESS}
    assert {lines(tmp_path / f"{spec.name}.starts") for spec in specs} == {1}


def test_a_worker_waits_for_what_another_runs_and_takes_over_when_it_dies(
    state_dir: Path, tmp_path: Path, mark: str
) -> None:
    specs = [counting("a", mark, tmp_path)]
    first = Program(state_dir, specs)
    wait_until(lambda: lines(tmp_path / "a.starts") == 1)
    second = Program(state_dir, specs)
    wait_until(lambda: len(list((state_dir / "workers").iterdir())) == 2)
    first.kill()
    assert second.process.wait() == 0
    with LocalForge(state_dir, "demo") as forge:
        assert [check.conclusion for check in forge.rollup(SHA).checks] == [
            Conclusion.CANCELLED,
            Conclusion.SUCCESS,
        ]


def test_a_process_that_only_has_the_same_id_is_left_alone() -> None:
    # Waits for input that never comes.
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    try:
        start = start_time(bystander.pid)
        assert start is not None
        assert kill_leftovers("", bystander.pid, start + "0", boot_id()) == 0
        assert kill_leftovers("", bystander.pid, start, "another boot") == 0
        assert kill_leftovers("", bystander.pid, None, boot_id()) == 0
        assert kill_leftovers("token of nobody") == 0
        assert is_living(bystander.pid)
        assert kill_leftovers("", bystander.pid, start, boot_id()) == 1
        assert bystander.wait() == -signal.SIGKILL
    finally:
        bystander.kill()
        bystander.communicate()


def test_a_worker_lives_as_long_as_its_block(tmp_path: Path) -> None:
    with worker(tmp_path) as name:
        assert is_alive(tmp_path, name)
    assert not is_alive(tmp_path, name)
    (tmp_path / "left-behind.lock").touch()
    assert not is_alive(tmp_path, "left-behind")
    with worker(tmp_path) as first, worker(tmp_path) as second:
        assert {path.stem for path in tmp_path.iterdir()} == {first, second}

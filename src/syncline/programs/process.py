"""Runs one command to its end, from the outside: output into a log, a time limit, a way to stop it.

Knows nothing of the database. The inside, which outlives syncline just long enough to end the command, is
supervise.py.
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from syncline.checks.model import Conclusion
from syncline.programs.leftovers import TOKEN_VARIABLE, kill_leftovers
from syncline.programs.logfile import BoundedLog, one_line

STOPPED: Final = "stopped"
"""Cut off: syncline was asked to stop, and the command had no say."""

GRACE = 5.0
"""Seconds between SIGTERM and SIGKILL."""

_SUPERVISE = str(Path(__file__).with_name("supervise.py"))
_POLL = 0.1
_PATIENCE = 15.0
"""Seconds beyond the grace after which a supervisor that should have ended is killed itself."""
_DRAIN = 1.0
"""Seconds for the last output to arrive after all processes have ended."""
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Command:
    """What to run. `env` is the whole environment; `timeout` and `grace` are seconds."""

    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str]
    token: str
    timeout: float
    grace: float = GRACE
    output: Path | None = None
    """A file that takes its standard output, which is in the log otherwise."""
    input: Path | None = None
    """A file that is its standard input, which is empty otherwise."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How an attempt ended. `cut_off` is set if it was stopped from outside and never had its say."""

    conclusion: Conclusion
    summary: str
    cut_off: str = ""
    status: int | None = None
    """Its exit status, if it ended by itself."""


def run(command: Command, log: BoundedLog, *, started: Callable[[int], None], stop: Callable[[], bool]) -> Ended:
    """Run a command until it ends, its time is over, or `stop()` is true.

    `started` gets the supervisor's process id; the command starts only after it has returned. When this
    returns or raises, no process of the command is left (those that left both its group and its environment
    behind excepted). Raises OSError if not even the supervisor can be started.
    """
    status_read, status_write = os.pipe()
    try:
        with os.fdopen(status_read, "rb", buffering=0) as status:
            try:
                supervisor = _spawn(command, status_write)
            finally:
                os.close(status_write)
            with supervisor:
                watch = _Watch(command, supervisor, status.fileno(), log)
                try:
                    started(supervisor.pid)
                    _order(command, supervisor)
                    watch.until_ended(stop)
                finally:
                    _end(command, supervisor)
                watch.drain()
    except BaseException:
        log.note("given up because of an error in syncline")
        raise
    return watch.ended()


def _spawn(command: Command, status: int) -> subprocess.Popen[bytes]:
    # -I and -S: neither the checked-out files nor the caller's environment have a say in the supervisor.
    return subprocess.Popen(
        [sys.executable, "-I", "-S", _SUPERVISE, str(status), str(command.grace)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        cwd=command.cwd,
        env={"PATH": command.env.get("PATH", os.defpath), TOKEN_VARIABLE: command.token},
        pass_fds=(status,),
        start_new_session=True,
    )


def _order(command: Command, supervisor: subprocess.Popen[bytes]) -> None:
    output, given = (None if file is None else str(file) for file in (command.output, command.input))
    told = {"argv": list(command.argv), "env": dict(command.env), "output": output, "input": given}
    order = json.dumps(told).encode() + b"\n"
    assert supervisor.stdin is not None  # noqa: S101  it was asked for
    with contextlib.suppress(BrokenPipeError):  # killed from outside: its missing report says so
        view = memoryview(order)
        while view:
            view = view[supervisor.stdin.write(view) :]


def _end(command: Command, supervisor: subprocess.Popen[bytes]) -> None:
    """See the supervisor and all that is left of the command gone."""
    _let_go(supervisor)
    try:
        supervisor.wait(command.grace + _PATIENCE)
    except subprocess.TimeoutExpired:
        supervisor.kill()
    kill_leftovers(command.token)


def _let_go(supervisor: subprocess.Popen[bytes]) -> None:
    """Close the lifeline: the supervisor ends the command and then itself."""
    assert supervisor.stdin is not None  # noqa: S101  it was asked for
    supervisor.stdin.close()


class _Watch:
    """Reads a running command's output and its supervisor's report."""

    def __init__(
        self, command: Command, supervisor: subprocess.Popen[bytes], status: int, log: BoundedLog
    ) -> None:
        assert supervisor.stdout is not None  # noqa: S101  it was asked for
        self._command = command
        self._supervisor = supervisor
        self._output = supervisor.stdout.fileno()
        self._status = status
        self._log = log
        self._report = b""
        self._stopped: Conclusion | None = None

    def until_ended(self, stop: Callable[[], bool]) -> None:
        """Return when the supervisor has closed its report: nothing of the command's group is left then."""
        time_out = time.monotonic() + self._command.timeout
        give_up = None
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._status, selectors.EVENT_READ)
            while self._status in selector.get_map():
                for key, _ in selector.select(_POLL):
                    self._read(selector, key.fd)
                now = time.monotonic()
                if not self._report and self._stopped is None and (stop() or now >= time_out):
                    self._stopped = Conclusion.TIMED_OUT if now >= time_out else Conclusion.CANCELLED
                    _let_go(self._supervisor)
                if give_up is None and (self._report or self._stopped):
                    give_up = now + self._command.grace + _PATIENCE
                if give_up is not None and now >= give_up:
                    return

    def drain(self) -> None:
        """Take what output is left in the pipe. Its writers are dead, unless one has hidden from us."""
        os.set_blocking(self._output, False)
        deadline = time.monotonic() + _DRAIN
        while time.monotonic() < deadline:
            try:
                data = os.read(self._output, _CHUNK)
            except BlockingIOError:
                time.sleep(0.01)
                continue
            if not data:
                return
            self._log.write(data)

    def ended(self) -> Ended:
        """The attempt's result; also writes it under the log where the output doesn't tell it."""
        conclusion, text = self._judge()
        if conclusion is not Conclusion.SUCCESS:
            self._log.note(text)
        words = ": ".join(part for part in (text, self._log.summary()) if part)
        if self._log.trouble:
            words = f"{self._log.trouble}; {words}"
        cut_off = STOPPED if conclusion is Conclusion.CANCELLED else ""
        return Ended(conclusion, one_line(words), cut_off, self._told().get("exit"))

    def _read(self, selector: selectors.BaseSelector, fd: int) -> None:
        data = os.read(fd, _CHUNK)
        if not data:
            selector.unregister(fd)
        elif fd == self._status:
            self._report += data
        else:
            self._log.write(data)

    def _told(self) -> dict[str, Any]:
        return json.loads(self._report) if self._report.endswith(b"\n") else {}

    def _judge(self) -> tuple[Conclusion, str]:
        report = self._told()
        if self._stopped is not None:
            limit = f"over its time limit of {self._command.timeout:g} s"
            stopped = "stopped before its end"
            return self._stopped, limit if self._stopped is Conclusion.TIMED_OUT else stopped
        if "error" in report:
            return Conclusion.STARTUP_FAILURE, f"could not be started: {report['error']}"
        if "signal" in report:
            return Conclusion.FAILURE, f"killed by {_signal_name(report['signal'])}"
        if "exit" not in report:
            return Conclusion.FAILURE, "its supervisor was killed from outside"
        if report["exit"] != 0:
            return Conclusion.FAILURE, f"exit code {report['exit']}"
        return Conclusion.SUCCESS, ""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

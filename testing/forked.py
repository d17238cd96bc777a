"""Runs the command line in forks of a process that has imported it.

Starting Python and importing syncline takes longer than most of what tests have it do. A fork is a process of its
own like any other, with the environment, directory and files it is given; only how Python itself starts is not
gone through. What depends on that (see `fits`) is started the long way.
"""

import atexit
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from testing.sealed import sealed_environment, sealed_home

_AT_START = (
    "PYTHON", "LC_", "LANG", "TERM", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "CI",
)  # fmt: skip
"""Variables that Python, typer and rich read when they are started or imported."""
_SEEDS = 2
"""So many servers take turns: one order of sets by hash must not pass for all."""


def fits(environment: Mapping[str, str]) -> bool:
    """Whether a run with these variables beside the sealed ones may be forked."""
    return not any(key.startswith(_AT_START) for key in environment)


class _Server:
    def __init__(self) -> None:
        mine, its = socket.socketpair()
        home = sealed_home()
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).with_name("fork_server.py")), str(its.fileno())],
            cwd=home, env=sealed_environment(home), pass_fds=(its.fileno(),), stdin=subprocess.DEVNULL,
        )  # fmt: skip
        its.close()
        self._socket = mine

    def run(self, files: Sequence[IO[bytes]], timeout: float) -> int:
        """Have a request run; return its exit code, -9 for one that took too long and was killed."""
        socket.send_fds(self._socket, [b"."], [file.fileno() for file in files])
        pid = self._number(None)
        try:
            return self._number(timeout)
        except TimeoutError:
            os.kill(pid, 9)
            self._number(None)
            raise

    def _number(self, timeout: float | None) -> int:
        self._socket.settimeout(timeout)
        said = b""
        while len(said) < 8:
            more = self._socket.recv(8 - len(said))
            if not more:
                raise AssertionError(f"the fork server ended with {self._process.wait()}")
            said += more
        return int(struct.unpack("!q", said)[0])

    def close(self) -> None:
        """End it."""
        self._socket.close()
        self._process.wait()


_idle: deque[_Server] = deque()
_all: list[_Server] = []


def _server() -> _Server:
    """Take a server that is idle: tests may run several commands at a time."""
    if len(_all) < _SEEDS or not _idle:
        if not _all:
            atexit.register(lambda: [server.close() for server in _all])
        _all.append(_Server())
        return _all[-1]
    return _idle.popleft()


def run(
    args: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    input: bytes | None,  # noqa: A002 - the name subprocess.run has for it
    timeout: float,
    kill: int | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run `syncline ARGS`; `kill`: with SIGKILL at so many effects (see `testing.kill`).

    Raises:
        subprocess.TimeoutExpired: it took more than `timeout` seconds, and was killed.
    """
    with ExitStack() as stack:
        request, given, out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(4))
        request.write(json.dumps({"args": list(args), "cwd": str(cwd), "env": dict(env), "kill": kill}).encode())
        given.write(input or b"")
        for file in (request, given):
            file.seek(0)
        server = _server()
        try:
            code = server.run((request, given, out, err), timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired(list(args), timeout) from None
        finally:
            _idle.append(server)
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(list(args), code, out.read(), err.read())

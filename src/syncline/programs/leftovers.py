"""Which process is which, and the end of those that outlive their check. Linux tells it in /proc (proc(5)).

Elsewhere nothing is found here, and the supervisor alone sees to it that commands end with syncline.

Two ways to know a process for one of ours, because process ids are used again: it carries the attempt's
token in its environment, or it belongs to the session of the supervisor that was written down, and a
supervisor with that id, that start time and in this boot still lives.
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

TOKEN_VARIABLE = "SYNCLINE_ATTEMPT"  # noqa: S105  a variable's name, no secret
"""In every command's environment; inherited by what it starts."""

_PROC = Path("/proc")
_SESSION, _START = 3, 19
"""Fields 6 and 22 of /proc/PID/stat, counted from the third."""
_PATIENCE = 5.0
"""Seconds for killed processes to be gone."""


def boot_id() -> str:
    """What tells this boot from others; empty where the system does not say."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def start_time(pid: int) -> str | None:
    """When a living process started, in clock ticks since boot; None if it is gone or a zombie."""
    fields = _stat(pid)
    return fields[_START] if fields else None


def kill_leftovers(token: str, pid: int | None = None, start: str | None = None, boot: str | None = None) -> int:
    """Kill what is left of an attempt; returns how many processes were found.

    None survives, unless the kernel cannot let go of one in _PATIENCE.

    `pid`, `start` and `boot` are those of its supervisor, if they are known.
    """
    found: set[int] = set()
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        alive = set(_processes(token, pid, start, boot))
        if not alive:
            break
        found |= alive
        time.sleep(0.02)
    return len(found)


def _processes(token: str, pid: int | None, start: str | None, boot: str | None) -> Iterator[int]:
    """Send SIGKILL to each living process of the attempt, and name it."""
    session = (
        pid if pid is not None and start is not None and boot == boot_id() and start_time(pid) == start else None
    )
    for entry in _PROC.glob("[0-9]*"):
        other = int(entry.name)
        if other == os.getpid():
            continue
        with contextlib.suppress(OSError):  # it ended meanwhile, or is another user's
            handle = os.pidfd_open(other)
            try:
                # Looked at only now: the handle stays with this process even if its id is used again.
                if _is_ours(other, token, session):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                    yield other
            finally:
                os.close(handle)


def _is_ours(pid: int, token: str, session: int | None) -> bool:
    fields = _stat(pid)
    if not fields:
        return False
    if session is not None and fields[_SESSION] == str(session):
        return True
    wanted = f"{TOKEN_VARIABLE}={token}".encode()
    return token != "" and wanted in (_PROC / str(pid) / "environ").read_bytes().split(b"\0")


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third on; none if the process is gone or a zombie."""
    try:
        text = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return []
    # The second field is the program's name in brackets, and may itself hold blanks and brackets.
    fields = text.rpartition(b")")[2].split()
    return [] if fields[0] in {b"Z", b"X"} else [field.decode() for field in fields]

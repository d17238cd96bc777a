"""The small program between syncline and a check's command. A script that needs only the standard library.

    python -I -S supervise.py STATUS_FD GRACE

It reads one line of JSON from its standard input (`argv`, `env`, and `output` and `input`: null, or files for the
standard output and input), starts the command in a process group of its own, and waits. Its standard input is a
lifeline: when it closes, because syncline wants the command stopped or because syncline was killed (kill -9
included), the group gets SIGTERM and, GRACE seconds later, SIGKILL. If the lifeline closes before the line is
complete, nothing is started. What a finished command leaves running in its group is ended too.

It writes one line of JSON to STATUS_FD when the command has ended: `{"exit": code}`, `{"signal": number}`
or, if it could not be started, `{"error": text}`. It closes STATUS_FD when nothing of the group is left.
"""

import contextlib
import glob
import json
import os
import select
import signal
import sys
import time

_LIFELINE = 0
_STEP = 0.02
_AFTER_KILL = 5.0
"""Seconds to wait for a killed group to be gone; not enough only if the kernel can't let go."""


def main() -> None:
    """Read the order, run it, see it end."""
    status, grace = int(sys.argv[1]), float(sys.argv[2])
    os.set_inheritable(status, False)  # noqa: FBT003  the name of the function says it
    wake, wake_write = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    order = _order()
    if order is None:
        return
    argv = order[0]
    try:
        child = _start(*order)
    except (OSError, ValueError) as error:
        _report(status, error=f"{argv[0]}: {getattr(error, 'strerror', None) or error}")
        return
    _release_output()
    ended = _wait(child, wake)
    if ended is not None:
        _report_end(status, ended)
        _end_group(child, grace, ended)
    else:
        _report_end(status, _end_group(child, grace, None))


def _order() -> tuple[list[str], dict[str, str], str | None, str | None] | None:
    """Program, environment, where output goes and input is; None if syncline let go before it said."""
    data = b""
    while not data.endswith(b"\n"):
        part = os.read(_LIFELINE, 65536)
        if not part:
            return None
        data += part
    order = json.loads(data)
    return order["argv"], order["env"], order["output"], order["input"]


def _start(argv: list[str], env: dict[str, str], output: str | None, given: str | None) -> int:
    # posix_spawnp looks the program up in this process's PATH, not in env's.
    os.environ["PATH"] = env.get("PATH", os.defpath)
    files: list[tuple[int, int, str, int, int]] = [(os.POSIX_SPAWN_OPEN, 0, given or os.devnull, os.O_RDONLY, 0)]
    if output is not None:
        files.append((os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    # Python ignores SIGPIPE and SIGXFSZ; an ignored signal stays ignored in the command unless it is reset.
    defaults = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
    return os.posix_spawnp(
        argv[0],
        argv,
        env,
        file_actions=files,
        setpgroup=0,
        setsigmask=(),
        setsigdef=defaults,
    )


def _release_output() -> None:
    """Give up the output, so that its reader sees the end when the command's last process closes it."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)


def _wait(child: int, wake: int) -> int | None:
    """The child's wait status, or None if it has to be stopped."""
    while True:
        pid, ended = os.waitpid(child, os.WNOHANG)
        if pid:
            return ended
        ready, _, _ = select.select([_LIFELINE, wake], [], [])
        if wake in ready:
            numbers = os.read(wake, 4096)
            if any(number != signal.SIGCHLD for number in numbers):
                return None
        if _LIFELINE in ready:
            # Ended and let go at the same time: the command's own end counts.
            pid, ended = os.waitpid(child, os.WNOHANG)
            return ended if pid else None


def _end_group(group: int, grace: float, ended: int | None) -> int:
    """End all of the group; gives its leader's wait status, which is `ended` if it was reaped before."""
    for number, patience in ((signal.SIGTERM, grace), (signal.SIGKILL, _AFTER_KILL)):
        present = _signal_group(group, number)
        deadline = time.monotonic() + patience
        while (present or ended is None) and time.monotonic() < deadline:
            if ended is None:
                pid, status = os.waitpid(group, os.WNOHANG)
                ended = status if pid else None
            time.sleep(_STEP)
            present = _signal_group(group, 0) and _has_living(group)
        if ended is not None and not present:
            break
    return os.waitpid(group, 0)[1] if ended is None else ended


def _signal_group(group: int, number: int) -> bool:
    """Whether there was anybody to signal."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        # Only processes of another user are left (a set-user-ID program): out of reach.
        return False
    return True


def _has_living(group: int) -> bool:
    """Whether the group is more than zombies, which an init that never reaps (many a container's) leaves."""
    stats = glob.glob("/proc/[0-9]*/stat")  # noqa: PTH207  pathlib would double the start-up time
    for path in stats:
        with contextlib.suppress(OSError), open(path, "rb") as file:  # noqa: PTH123  the same
            state, _, member_of = file.read().rpartition(b")")[2].split()[:3]
            if int(member_of) == group and state not in {b"Z", b"X"}:
                return True
    return not stats  # no /proc, no way to tell


def _report_end(status: int, ended: int) -> None:
    code = os.waitstatus_to_exitcode(ended)
    if code < 0:
        _report(status, signal=-code)
    else:
        _report(status, exit=code)


def _report(status: int, **what: object) -> None:
    with contextlib.suppress(BrokenPipeError):  # syncline is gone; the command still has to be ended
        os.write(status, json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    main()

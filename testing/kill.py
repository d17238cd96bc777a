"""Runs syncline and kills it (SIGKILL, no farewell) at its N-th effect on the system.

Effects are told by Python's audit events (https://docs.python.org/3/library/audit_events.html): a process
started, a file opened for writing, a rename, a removal, a directory made, a database opened. With N = 0 nothing
is killed and the last line on stderr is the number of effects, so that a test can go through them all.
"""

import os
import signal
import sys
from typing import NoReturn

_EVENTS = frozenset({"subprocess.Popen", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "sqlite3.connect"})
_WRITING = os.O_WRONLY | os.O_RDWR


def _is_effect(event: str, arguments: tuple[object, ...]) -> bool:
    if event == "open":
        path, _, flags = arguments
        # A number is a pipe that exists already.
        writes = isinstance(flags, int) and bool(flags & _WRITING) and not isinstance(path, int)
        return writes and not str(path).startswith("/dev/")
    return event in _EVENTS


def run_to(wanted: int, arguments: list[str]) -> NoReturn:
    """Run syncline, count its effects, and die at the N-th; syncline is imported already."""
    # Compiling a module is no effect of syncline, and happens only the first time.
    sys.dont_write_bytecode = True
    count = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count
        if _is_effect(event, arguments):
            count += 1
            if count == wanted:
                os.kill(os.getpid(), signal.SIGKILL)

    from syncline.cli.main import run  # noqa: PLC0415 - imports are no effects

    sys.addaudithook(hook)
    code = run(arguments)
    sys.stderr.write(f"\n{count}\n")
    sys.stderr.flush()
    sys.exit(code)

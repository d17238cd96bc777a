"""Runs syncline and kills it (SIGKILL, no farewell) at its N-th effect on the system.

    python -m testing.kill N -- ARGUMENTS OF SYNCLINE

Effects are told by Python's audit events (https://docs.python.org/3/library/audit_events.html): a process
started, a file opened for writing, a rename, a removal, a directory made, a database opened. With N = 0 nothing
is killed and the last line on stderr is the number of effects, so that a test can go through them all.
"""

import os
import signal
import sys

_EVENTS = frozenset({"subprocess.Popen", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "sqlite3.connect"})
_WRITING = os.O_WRONLY | os.O_RDWR


def _is_effect(event: str, arguments: tuple[object, ...]) -> bool:
    if event == "open":
        path, _, flags = arguments
        # A number is a pipe that exists already.
        writes = isinstance(flags, int) and bool(flags & _WRITING) and not isinstance(path, int)
        return writes and not str(path).startswith("/dev/")
    return event in _EVENTS


def main() -> None:
    """Count effects, die at the N-th."""
    # Compiling a module is no effect of syncline, and happens only the first time.
    sys.dont_write_bytecode = True
    wanted = int(sys.argv[1])
    count = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count
        if _is_effect(event, arguments):
            count += 1
            if count == wanted:
                os.kill(os.getpid(), signal.SIGKILL)

    # Imported before the hook: imports are no effects.
    import syncline.cli.app  # noqa: F401, PLC0415
    from syncline.cli.main import run  # noqa: PLC0415

    sys.addaudithook(hook)
    code = run(sys.argv[3:])
    sys.stderr.write(f"\n{count}\n")
    sys.stderr.flush()
    sys.exit(code)


if __name__ == "__main__":
    main()

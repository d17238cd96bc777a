"""The small program that a command is started by when it may write only below some directories (Linux's Landlock).

    python -I -S confine.py DIRECTORY... -- PROGRAM ARGUMENT...

From then on the program, and all it starts, can change nothing elsewhere, and signal no process outside, whatever
their user may do; it reads and runs what it could before. A kernel without Landlock (before 5.13, or where it is
switched off) confines nothing, and the program is started all the same: whoever asks `abi` knows.

It needs only the standard library. See landlock(7), and the kernel's Documentation/userspace-api/landlock.rst.
"""

import ctypes
import os
import struct
import sys

# The numbers are the same on every architecture that has these calls.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38
_WRITE_FILE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))
"""Writing, removing and making files of every kind."""
_SIGNALS_AND_SOCKETS = 0b11
"""Abstract Unix sockets, and signals, of processes outside."""
_DEVICES = ("/dev", "/proc")
"""Where nothing is made, but what is there may be written to (/dev/null)."""


def abi() -> int:
    """Return the version of Landlock that the kernel has; 0 where it has none."""
    return max(0, _call(_CREATE_RULESET, None, 0, _ASK_VERSION))


def confine(directories: list[str]) -> None:
    """Let this process, and all it starts, write only below these directories.

    Raises:
        OSError: a directory is not there, or the kernel refuses; nothing is confined then.
    """
    version = abi()
    if version == 0:
        return
    handled = _CHANGES | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    fields = (handled, 0, _SIGNALS_AND_SOCKETS)[: 1 if version < 4 else 2 if version < 6 else 3]
    attributes = struct.pack(f"{len(fields)}Q", *fields)
    ruleset = _checked(_call(_CREATE_RULESET, attributes, len(attributes), 0))
    try:
        for directory in directories:
            _allow(ruleset, directory, handled)
        for directory in _DEVICES:
            if os.path.isdir(directory):  # noqa: PTH112  pathlib would double the start-up time
                _allow(ruleset, directory, handled & (_WRITE_FILE | _TRUNCATE))
        libc = ctypes.CDLL(None, use_errno=True)
        _checked(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
        _checked(_call(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, directory: str, access: int) -> None:
    handle = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _checked(_call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", access, handle), 0))
    finally:
        os.close(handle)


def _call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    words = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return int(libc.syscall(ctypes.c_long(number), *words))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def main() -> None:
    """Confine, and become the program."""
    end = sys.argv.index("--")
    program = sys.argv[end + 1 :]
    try:
        confine(sys.argv[1:end])
        os.execvp(program[0], program)  # noqa: S606  it is the whole point, and there is no shell in it
    except OSError as error:
        sys.exit(f"{program[0]}: could not be started: {error.strerror}")


if __name__ == "__main__":
    main()

"""The way in: runs a command and turns every end into an exit code.

0 done, nothing wrong; 1 done, and there is something to act on; 2 the request could not be carried out;
130 interrupted; 141 whoever read the output has gone. Nothing is imported before there is somebody to catch an
interrupt, and nothing heavy at all here: `--help` must be instant.
"""

import os
import sys
from io import TextIOWrapper
from typing import NoReturn

from syncline.cli import interrupt, interrupted


def main() -> None:
    """Run the command line and exit."""
    _fill_streams()
    try:
        interrupt.listen()
        code = run(sys.argv[1:])
        interrupt.ignore()
    except KeyboardInterrupt:
        code = _interrupted(sys.argv[1:])
    leave(code)


def _fill_streams() -> None:
    """Put nothing in the place of a closed stream: a file opened next would get its number, and our words."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - it stays open, and pathlib costs time


def leave(code: int) -> NoReturn:
    """End the process: everything is closed and written, and to take the interpreter apart only takes time."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # who read us has gone, or the disk is full: `run` has told what could be told
        sys.exit(code)
    os._exit(code)


def run(arguments: list[str]) -> int:
    """Run the command line `arguments` and return the exit code."""
    wants_json = "--json" in arguments
    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                # What this terminal has no character for is shown escaped; it never ends a command.
                stream.reconfigure(errors="backslashreplace")
        code = _command(arguments)
    except KeyboardInterrupt:
        return _interrupted(arguments)
    except BrokenPipeError:
        _give_up_output()
        return 141
    except Exception as error:  # noqa: BLE001 - the last net: a bug must not look like a finding
        if interrupt.asked():
            return _interrupted(arguments)
        return _explain(error, wants_json=wants_json)
    # typer makes an exit of an interrupt; and a library may have made nothing of it.
    if code == 130 or interrupt.asked():
        return _interrupted(arguments)
    if code == 2 and wants_json:
        return _failed("wrong usage; stderr tells what is wrong", "see --help", wants_json=True)
    return code


def _command(arguments: list[str]) -> int:
    from syncline.cli.app import app  # noqa: PLC0415 - an interrupt may come while this is imported

    stdout = sys.stdout
    try:
        app(arguments, prog_name="syncline", standalone_mode=True)
    except SystemExit as ended:
        if sys.stdout is not stdout:
            # How typer says that whoever read us has gone; its exit code is that of findings.
            raise BrokenPipeError from ended
        # Now and not at the interpreter's end, where a full disk could only be complained about.
        sys.stdout.flush()
        return ended.code if isinstance(ended.code, int) else 0
    return 0


def _interrupted(arguments: list[str]) -> int:
    interrupt.ignore()
    hint = interrupted.left_by(arguments)
    if "--json" in arguments:
        _answer({"error": "interrupted", "hint": hint})
    print(f"interrupted; {hint}", file=sys.stderr)  # noqa: T201
    return 130


def _explain(error: Exception, *, wants_json: bool) -> int:
    from syncline.errors import SynclineError  # noqa: PLC0415

    if isinstance(error, SynclineError):
        return _failed(error.message, error.hint, error.exit_code, wants_json=wants_json)
    if isinstance(error, OSError):
        where = f": {error.filename}" if error.filename else ""
        words = f"the system refused: {error.strerror or error}{where}"
        hint = "free some space and run the same command again" if error.errno == 28 else ""
        return _failed(words, hint, wants_json=wants_json)
    place = _write_traceback()
    words = f"syncline has a bug here: {type(error).__name__}: {error}"
    return _failed(words, f"please report it with {place}", wants_json=wants_json)


def _failed(message: str, hint: str, code: int = 2, *, wants_json: bool) -> int:
    if wants_json:
        _answer({"error": message, "hint": hint or None})
    else:
        print(f"error: {message}" + (f"\n  hint: {hint}" if hint else ""), file=sys.stderr)  # noqa: T201
    return code


def _answer(document: dict[str, str | None]) -> None:
    """Give the JSON document of a command that has not come to give its own."""
    from syncline.cli import answer  # noqa: PLC0415

    if answer.given():
        return
    try:
        answer.give(document)
    except OSError:  # a closed pipe or a full disk; the exit code still tells
        _give_up_output()


def _give_up_output() -> None:
    """Keep the interpreter from complaining again, at its end, that nobody takes our output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_traceback() -> str:
    import tempfile  # noqa: PLC0415
    import traceback  # noqa: PLC0415

    handle, name = tempfile.mkstemp(prefix="syncline-bug-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        traceback.print_exc(file=file)
    return name

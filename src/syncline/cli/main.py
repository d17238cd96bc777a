"""The way in: runs a command and turns every end into an exit code.

0 done, nothing wrong; 1 done, and there is something to act on; 2 the request could not be carried out;
130 interrupted. Nothing heavy is imported here: `--help` must be instant.
"""

import json
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path
from types import FrameType

from syncline.cli.app import app
from syncline.errors import SynclineError


def main() -> None:
    """Run the command line and exit."""
    signal.signal(signal.SIGTERM, _terminate)
    sys.exit(run(sys.argv[1:]))


def _terminate(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def run(arguments: list[str]) -> int:
    """Run the command line `arguments` and return the exit code."""
    wants_json = "--json" in arguments
    try:
        code = app(arguments, prog_name="syncline", standalone_mode=True)
    except SystemExit as ended:
        code = ended.code
        if wants_json and code == 2:
            return _failed("wrong usage; stderr tells what is wrong", "see --help", 2, wants_json=True)
    except SynclineError as error:
        return _failed(error.message, error.hint, error.exit_code, wants_json=wants_json)
    except KeyboardInterrupt:
        print("interrupted; the next `syncline tick` goes on from here", file=sys.stderr)  # noqa: T201
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; keep the interpreter from complaining about it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        words = f"the system refused: {error.strerror or error}{where}"
        hint = "free some space and run the same command again" if error.errno == 28 else ""
        return _failed(words, hint, 2, wants_json=wants_json)
    except Exception as error:  # noqa: BLE001 - the last net: a bug must not look like a finding
        place = _write_traceback()
        return _failed(
            f"syncline has a bug here: {type(error).__name__}: {error}", f"please report it with {place}", 2,
            wants_json=wants_json,
        )  # fmt: skip
    return code if isinstance(code, int) else 0


def _failed(message: str, hint: str, code: int, *, wants_json: bool) -> int:
    if wants_json:
        print(json.dumps({"error": message, "hint": hint or None}, ensure_ascii=False))  # noqa: T201
    else:
        print(f"error: {message}" + (f"\n  hint: {hint}" if hint else ""), file=sys.stderr)  # noqa: T201
    return code


def _write_traceback() -> Path:
    handle, name = tempfile.mkstemp(prefix="syncline-bug-", suffix=".txt")
    with os.fdopen(handle, "w") as file:
        traceback.print_exc(file=file)
    return Path(name)

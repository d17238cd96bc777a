"""Runs a program that people configured, once: no shell, an environment of its own, nothing left after."""

import os
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from syncline.programs.leftovers import TOKEN_VARIABLE
from syncline.programs.logfile import BoundedLog
from syncline.programs.process import Command, Ended, run
from syncline.search_path import clean_path

_KEEP = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL")
_GRACE = 2.0
"""Seconds between asking what a program left running to end, and ending it."""


def run_sealed(
    arguments: Sequence[str],
    place: Path,
    timeout: float,
    log: BoundedLog,
    *,
    variables: Mapping[str, str] | None = None,
    output: Path | None = None,
    given: Path | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run a program in a directory to its end, whatever that is, and see that nothing it started is left.

    Args:
        arguments: the program and its arguments.
        place: where it runs.
        timeout: seconds, after which it is stopped.
        log: where its output goes.
        variables: what its environment has beside PATH (without relative entries), HOME, TMPDIR and the language.
        output: a file that takes its standard output, of any size; `stop` may bound it. In the log otherwise.
        given: a file that is its standard input, which is empty otherwise.
        stop: asked again and again; true stops it.
    """
    token = uuid.uuid4().hex
    kept = {name: os.environ[name] for name in _KEEP if name in os.environ}
    # Of a relative PATH a program that is committed would run: it is looked up where the program is started.
    if path := clean_path(kept.pop("PATH", "")):
        kept["PATH"] = path
    environment = kept | dict(variables or {}) | {TOKEN_VARIABLE: token}
    command = Command(arguments, place, environment, token, timeout, _GRACE, output, given)
    return run(command, log, started=lambda _pid: None, stop=stop)

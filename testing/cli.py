"""Runs the command line as its users do: another process, here in the sealed environment."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testing.repository import BuiltRepository
from testing.sealed import sealed_environment, sealed_home


@dataclass(frozen=True, slots=True)
class Result:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)


def run_syncline(
    *args: str | Path,
    repo: BuiltRepository | Path | None = None,
    env: Mapping[str, str] | None = None,
    input: str | None = None,  # noqa: A002 - the name subprocess.run has for it
    timeout: float = 120,
) -> Result:
    """`syncline args...` with `repo`, or else the sealed home, as the current directory.

    `env` is added to the sealed environment. Output that is not UTF-8 is kept as surrogates.

    Raises:
        AssertionError: a traceback was printed, which no input may cause.
        subprocess.TimeoutExpired: it took more than `timeout` seconds.
    """
    where = repo.path if isinstance(repo, BuiltRepository) else repo
    home = sealed_home()
    done = subprocess.run(
        # -P: a directory called syncline in the repository must not pass for the product.
        [sys.executable, "-P", "-m", "syncline", *args],
        cwd=where or home,
        env=sealed_environment(home) | dict(env or {}),
        input=input,
        stdin=subprocess.DEVNULL if input is None else None,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=timeout,
        check=False,
    )
    assert "Traceback (most recent call last)" not in done.stderr, done.stderr
    return Result(done.returncode, done.stdout, done.stderr)

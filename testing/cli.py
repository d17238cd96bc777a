"""Runs the command line as its users do: another process, here in the sealed environment."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testing import forked
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
    where = (repo.path if isinstance(repo, BuiltRepository) else repo) or sealed_home()
    done = _run([os.fspath(word) for word in args], where, dict(env or {}), input, timeout)
    assert "Traceback (most recent call last)" not in done.err, done.err
    return done


def run_killed(
    number: int, *args: str | Path, env: Mapping[str, str] | None = None, timeout: float = 120
) -> Result:
    """`syncline args...`, killed at its `number`-th effect (see `testing.kill`); 0 and it is only counted."""
    home = sealed_home()
    words = [os.fspath(word) for word in args]
    environment = sealed_environment(home) | dict(env or {})
    done = forked.run(words, cwd=home, env=environment, input=None, timeout=timeout, kill=number)
    result = Result(done.returncode, _text(done.stdout), _text(done.stderr))
    assert "Traceback (most recent call last)" not in result.err, result.err
    return result


def _run(words: list[str], where: Path, env: dict[str, str], given: str | None, timeout: float) -> Result:
    environment = sealed_environment(sealed_home()) | env
    data = None if given is None else given.encode("utf-8", "surrogateescape")
    if forked.fits(env):
        done = forked.run(words, cwd=where, env=environment, input=data, timeout=timeout)
    else:
        # -P: a directory called syncline in the repository must not pass for the product.
        done = subprocess.run(
            [sys.executable, "-P", "-m", "syncline", *words], cwd=where, env=environment, input=data or b"",
            capture_output=True, timeout=timeout, check=False,
        )  # fmt: skip
    return Result(done.returncode, _text(done.stdout), _text(done.stderr))


def _text(output: bytes) -> str:
    return output.decode("utf-8", "surrogateescape")

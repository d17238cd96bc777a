"""`uv lock --check`: whether uv itself takes a lock file for right. Nothing is fetched and nothing is built."""

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from syncline.programs.logfile import BoundedLog
from syncline.programs.sealed import run_sealed
from syncline.search_path import clean_path

_SECONDS = 60.0
_VERDICTS = ("needs to be updated", "Failed to parse `uv.lock`", "needs to be regenerated")
"""What uv says of the lock file; whatever else it says is about this machine."""


@dataclass(frozen=True, slots=True)
class UvSays:
    """What uv said: right, wrong (and why), or nothing on the lock file (and why)."""

    right: bool
    wrong: str = ""
    trouble: str = ""


def uv_check(uv: str, manifest: bytes, lock: bytes) -> UvSays:
    """Ask uv about a manifest and its lock file, alone in a directory.

    Args:
        uv: the program.
        manifest: the content of `pyproject.toml`.
        lock: the content of `uv.lock`.
    """
    with tempfile.TemporaryDirectory(prefix="syncline-uv-") as directory:
        place = Path(directory)
        (place / "pyproject.toml").write_bytes(manifest)
        (place / "uv.lock").write_bytes(lock)
        arguments = [uv, "lock", "--check", "--offline", "--no-build", "--no-progress", "--color", "never"]
        variables = {"UV_PYTHON_DOWNLOADS": "never", "UV_CACHE_DIR": str(place / ".cache")}
        log = place / ".log"
        with BoundedLog(log, limit=1 << 20, head=1 << 18) as output:
            ended = run_sealed(arguments, place, _SECONDS, output, variables=variables)
        said = log.read_bytes().decode("utf-8", "replace")
    if ended.status == 0:
        return UvSays(right=True)
    verdict = next((line.strip() for line in said.splitlines() if any(words in line for words in _VERDICTS)), "")
    if verdict:
        cause = next((line.strip() for line in said.splitlines() if line.strip().startswith("cause:")), "")
        return UvSays(right=False, wrong=" ".join(filter(None, (verdict.removeprefix("error: "), cause))))
    return UvSays(right=False, trouble=ended.summary or "it ended without a word")


def find_uv() -> str | None:
    """Return where uv is; None when it is not installed. One in the repository is not it."""
    return shutil.which("uv", path=clean_path(os.environ.get("PATH", os.defpath)))

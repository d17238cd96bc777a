"""What several tests of the forge share: a check to run, a place to run it, a look at who is alive."""

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from syncline.checks.model import Check, CheckState, Conclusion, Rollup
from syncline.forge.local.forge import LocalForge
from syncline.forge.protocol import CheckSpec

SHA = "a" * 40
OTHER_SHA = "b" * 40
MARK = "SYNCLINE_TEST_MARK"
"""A variable by which a test finds the processes of its checks, independently of how the product does."""
PATIENCE = 60.0
"""Seconds before a test that waits for something gives up. Never the thing tested."""


@dataclass(frozen=True)
class Spec:
    name: str
    command: tuple[str, ...] = ("true",)
    timeout: int = 60
    needs: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


def python(name: str, code: str, **more: Any) -> Spec:
    """A check that runs Python code."""
    return Spec(name, (sys.executable, "-c", code), **more)


@contextmanager
def checkout(sha: str) -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"checkout-{sha[:7]}-") as directory:
        yield Path(directory)


def work(
    forge: LocalForge,
    specs: Sequence[CheckSpec],
    *,
    on_event: Callable[[Check], None] = lambda check: None,  # noqa: ARG005
    **more: Any,
) -> Rollup:
    given: dict[str, Any] = {"checkout": checkout, "parallel": 2, "cancelled": threading.Event(), **more}
    return forge.work(SHA, specs, on_event=on_event, **given)


def newest(rollup: Rollup) -> dict[str, Check]:
    return {check.name: check for check in sorted(rollup.checks, key=lambda check: check.order)}


def conclusions(rollup: Rollup) -> dict[str, Conclusion | CheckState]:
    return {name: check.conclusion or check.state for name, check in newest(rollup).items()}


def log_of(check: Check) -> bytes:
    return Path(check.log).read_bytes()


def survivors(mark: str) -> list[int]:
    """Living processes that were started with MARK=mark."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            zombie = (entry / "stat").read_bytes().rpartition(b")")[2].split()[0] in {b"Z", b"X"}
            environment = (entry / "environ").read_bytes().split(b"\0")
            if not zombie and f"{MARK}={mark}".encode() in environment:
                found.append(int(entry.name))
    return found


def is_living(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in {b"Z", b"X"}
    except OSError:
        return False


def wait_until(what: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def environment(temporary: Path) -> dict[str, str]:
    """For programs a test starts: this repository importable, and litter left where pytest sweeps."""
    root = Path(__file__).parents[2]
    return {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join([str(root), str(root / "src")])}

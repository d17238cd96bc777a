"""A worker in a process of its own, for tests that kill it: the checks of a JSON file, run to their end.

    python -m tests.forge.worker_program STATE_DIR SPECS.json [KILL_AT before|after]

With KILL_AT it kills itself (SIGKILL) just before or just after its KILL_AT-th transaction is committed.
"""

import json
import os
import signal
import sqlite3
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from syncline.forge.local.forge import LocalForge
from syncline.forge.local.store import Store
from tests.forge.support import Spec, work


def kill_at(number: int, when: str) -> None:
    """Arrange for the death of this process at one of its effects."""
    write = Store.write
    count = 0

    @contextmanager
    def counting(self: Store) -> Generator[sqlite3.Connection]:
        nonlocal count
        count += 1
        with write(self) as db:
            yield db
            if when == "before" and count == number:
                os.kill(os.getpid(), signal.SIGKILL)
        if when == "after" and count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    Store.write = counting


def main(state_dir: str, specs: str, *death: str) -> None:
    if death:
        kill_at(int(death[0]), death[1])
    rows: list[dict[str, Any]] = json.loads(Path(specs).read_text())
    checks = [Spec(row["name"], tuple(row["command"]), 60, tuple(row["needs"]), row["env"]) for row in rows]
    with LocalForge(Path(state_dir), "demo", grace=1.0) as forge:
        work(forge, checks)


if __name__ == "__main__":
    main(*sys.argv[1:])

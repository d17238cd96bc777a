"""One syncline at a time on a lane. The kernel frees the lock when the process ends, however it ends."""

import fcntl
import json
import os
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from syncline.errors import LaneBusyError

_POLL_SECONDS = 0.2


@contextmanager
def hold_lane(state_dir: Path, lane: str, *, wait: float = 0.0) -> Generator[None]:
    """Hold the lane while the block runs.

    Args:
        state_dir: where syncline keeps its state.
        lane: the lane's name.
        wait: how many seconds to wait for another holder.

    Raises:
        LaneBusyError: when another one still holds it; says who, where and since when.
    """
    place = state_dir / "locks" / f"{lane}.lock"
    place.parent.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + wait
    with place.open("a+") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise LaneBusyError(
                        f"lane {lane!r} is held by {_holder(place)}",
                        hint="wait for it (--wait SECONDS), or end that process; a dead one holds nothing",
                    ) from None
                time.sleep(_POLL_SECONDS)
        file.truncate(0)
        who = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        file.write(json.dumps(who))
        file.flush()
        yield


def _holder(place: Path) -> str:
    try:
        who = json.loads(place.read_text())
        return f"process {who['pid']} on {who['host']} since {who['since']}"
    except (OSError, ValueError, KeyError):
        return "another process"  # it took the lock a moment ago and has not yet written who it is

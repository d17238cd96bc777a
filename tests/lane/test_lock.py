"""One syncline at a time on a lane."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from syncline.errors import LaneBusyError
from syncline.lane.lock import hold_lane


def _holder(state: Path) -> subprocess.Popen[str]:
    code = textwrap.dedent(f"""
        import time, pathlib
        from syncline.lane.lock import hold_lane
        with hold_lane(pathlib.Path({str(state)!r}), "nightly"):
            print("held", flush=True)
            time.sleep(60)
    """)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_one_is_told_who_holds_it(tmp_path: Path) -> None:
    with _holder(tmp_path) as other:
        with (
            pytest.raises(LaneBusyError, match=f"process {other.pid} on .* since "),
            hold_lane(tmp_path, "nightly"),
        ):
            pass
        with hold_lane(tmp_path, "another lane is free"):
            pass
        other.kill()


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    with _holder(tmp_path) as other:
        os.kill(other.pid, signal.SIGKILL)
        other.wait()
        with hold_lane(tmp_path, "nightly", wait=5):
            pass


def test_waiting_ends_when_the_other_ends(tmp_path: Path) -> None:
    with _holder(tmp_path) as other:
        subprocess.Popen(["/bin/sh", "-c", f"sleep 0.4; kill -9 {other.pid}"]).wait()
        with hold_lane(tmp_path, "nightly", wait=30):
            pass

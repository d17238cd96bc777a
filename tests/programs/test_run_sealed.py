"""Programs that run sealed: where their output goes, and how their end is told."""

import os
import sys
from pathlib import Path

import pytest

from syncline.checks.model import Conclusion
from syncline.programs.logfile import BoundedLog
from syncline.programs.process import Ended
from syncline.programs.sealed import run_sealed

TALKS = "import sys; print('for the file'); print('for the log', file=sys.stderr); sys.exit(3)"


def run(place: Path, *arguments: str, output: Path | None = None) -> tuple[Ended, str]:
    with BoundedLog(place / "log") as log:
        ended = run_sealed(arguments, place, 60, log, output=output)
    return ended, (place / "log").read_text()


def test_standard_output_may_go_to_a_file_of_its_own(tmp_path: Path) -> None:
    ended, log = run(tmp_path, sys.executable, "-c", TALKS, output=tmp_path / "out")
    assert (tmp_path / "out").read_text() == "for the file\n"
    assert "for the file" not in log
    assert (ended.conclusion, ended.status) == (Conclusion.FAILURE, 3)
    assert ended.summary == "exit code 3: for the log"


def test_both_are_in_the_log_otherwise(tmp_path: Path) -> None:
    _, log = run(tmp_path, sys.executable, "-c", TALKS)
    assert "for the file" in log
    assert "for the log" in log


def test_a_program_that_a_signal_ended_has_no_status(tmp_path: Path) -> None:
    ended, _ = run(tmp_path, sys.executable, "-c", "import os; os.kill(os.getpid(), 9)")
    assert (ended.conclusion, ended.status) == (Conclusion.FAILURE, None)


def test_an_output_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    ended, _ = run(tmp_path, sys.executable, "-c", "pass", output=tmp_path / "none" / "out")
    assert ended.conclusion is Conclusion.STARTUP_FAILURE


@pytest.mark.parametrize("extra", ["", ".", "bin"])
def test_a_program_of_the_directory_it_runs_in_is_not_found(
    tmp_path: Path, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty entry of PATH, which a colon at its end makes, means the current directory."""
    for place in (tmp_path, tmp_path / "bin"):
        place.mkdir(exist_ok=True)
        (place / "committed").write_text("#!/bin/sh\necho it ran\n")
        (place / "committed").chmod(0o755)
    for path in (extra, os.pathsep.join((os.defpath, extra))):
        monkeypatch.setenv("PATH", path)
        ended, log = run(tmp_path, "committed")
        assert ended.conclusion is Conclusion.STARTUP_FAILURE
        assert "it ran" not in log

"""Rows of attempts: each step is taken once, whoever else tries."""

import sqlite3
from collections.abc import Generator
from pathlib import Path

import pytest

from syncline.checks.model import CheckState, Conclusion
from syncline.forge.local import attempts
from syncline.forge.local.attempts import Attempt
from syncline.forge.local.store import Store
from syncline.programs.process import STOPPED
from tests.forge.support import SHA


@pytest.fixture
def db(state_dir: Path) -> Generator[sqlite3.Connection]:
    with Store(state_dir / "forge.db") as store, store.write() as db:
        attempts.queue_missing(db, SHA, {"a": "x"}, 1.0)
        yield db


def now(db: sqlite3.Connection) -> Attempt:
    return attempts.latest(db, SHA)["a"]


def claim(db: sqlite3.Connection, attempt: Attempt, worker: str) -> bool:
    return attempts.claim(db, attempt, worker=worker, token="t", log="l", spec="x", now=2.0)  # noqa: S106  no secret


def finish(db: sqlite3.Connection, attempt: Attempt, conclusion: Conclusion, cut_off: str = "") -> bool:
    return attempts.finish(db, attempt, conclusion=conclusion, summary="s", now=5.0, cut_off=cut_off)


def test_only_one_worker_gets_a_queued_attempt(db: sqlite3.Connection) -> None:
    queued = now(db)
    assert claim(db, queued, "first")
    assert not claim(db, queued, "second")
    assert now(db).worker == "first"


def test_a_running_attempt_is_not_skipped(db: sqlite3.Connection) -> None:
    queued = now(db)
    claim(db, queued, "first")
    assert not attempts.skip(db, queued, blocked_by="b", summary="s", spec="x", now=3.0)
    assert now(db).state is CheckState.RUNNING


def test_a_result_is_written_once(db: sqlite3.Connection) -> None:
    claim(db, now(db), "first")
    running = now(db)
    assert finish(db, running, Conclusion.CANCELLED, attempts.DIED)
    assert not finish(db, running, Conclusion.SUCCESS)
    assert now(db).conclusion is Conclusion.CANCELLED


def test_a_worker_does_not_end_what_another_runs(db: sqlite3.Connection) -> None:
    queued = now(db)
    claim(db, queued, "first")
    assert not finish(db, queued, Conclusion.SUCCESS)
    assert now(db).state is CheckState.RUNNING


def test_only_the_newest_deaths_in_a_row_count(db: sqlite3.Connection) -> None:
    deaths = []
    for cut_off in (attempts.DIED, attempts.DIED, STOPPED, attempts.DIED):
        claim(db, now(db), "w")
        finish(db, now(db), Conclusion.CANCELLED, cut_off)
        deaths.append(attempts.deaths_in_a_row(db, SHA, "a", spec="x"))
        attempts.queue(db, SHA, "a", 6.0, spec="x")
    assert deaths == [1, 2, 0, 1]
    assert [one.number for one in attempts.of_commit(db, SHA)] == [1, 2, 3, 4, 5]


def test_seconds_are_those_it_ran(db: sqlite3.Connection, tmp_path: Path) -> None:
    claim(db, now(db), "w")
    finish(db, now(db), Conclusion.SUCCESS)
    check = now(db).check(tmp_path)
    assert (check.seconds, check.log, check.order) == (3.0, str(tmp_path / "l"), now(db).id)

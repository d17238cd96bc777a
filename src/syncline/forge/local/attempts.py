"""Attempts at checks, as rows. Each function is called inside a transaction of the store.

A check on a commit has one attempt or more; the newest is what it stands at. An attempt goes from queued to
running to completed and never back: a second try is a new row.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from syncline.checks.model import Check, CheckState, Conclusion
from syncline.programs.process import STOPPED

DIED: Final = "died"
"""Cut off: the worker died. Queued again, but not for ever: the check itself may be what kills it."""

MAX_DEATHS = 3
"""So many attempts in a row may lose their worker before the check counts as failed."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One row. Times are seconds since the epoch; `pid`, `pid_start` and `boot` identify its supervisor."""

    id: int
    sha: str
    name: str
    number: int
    state: CheckState
    conclusion: Conclusion | None
    summary: str
    log: str
    started: float | None
    ended: float | None
    worker: str
    token: str
    pid: int | None
    pid_start: str | None
    boot: str | None
    cut_off: str
    blocked_by: str
    spec: str

    def check(self, state_dir: Path) -> Check:
        """The row as every forge's results look. Logs are stored relative to `state_dir`."""
        seconds = None if self.started is None or self.ended is None else max(0.0, self.ended - self.started)
        return Check(
            name=self.name,
            sha=self.sha,
            state=self.state,
            conclusion=self.conclusion,
            order=self.id,
            summary=self.summary,
            log=str(state_dir / self.log) if self.log else "",
            seconds=seconds,
            spec=self.spec,
        )


def of_commit(db: sqlite3.Connection, sha: str) -> tuple[Attempt, ...]:
    """Every attempt at every check of a commit, oldest first."""
    rows = db.execute("SELECT * FROM attempts WHERE sha = ? ORDER BY id", (sha,))
    return tuple(_attempt(row) for row in rows.fetchall())


def latest(db: sqlite3.Connection, sha: str) -> dict[str, Attempt]:
    """The newest attempt at each check of a commit, by name."""
    return {attempt.name: attempt for attempt in of_commit(db, sha)}


def running(db: sqlite3.Connection) -> tuple[Attempt, ...]:
    """Every attempt of any commit that is said to run."""
    rows = db.execute("SELECT * FROM attempts WHERE state = 'running' ORDER BY id")
    return tuple(_attempt(row) for row in rows.fetchall())


def queue(db: sqlite3.Connection, sha: str, name: str, now: float, *, spec: str) -> None:
    """Queue the next attempt at a check, to run what `spec` is the digest of."""
    db.execute(
        "INSERT INTO attempts (sha, name, attempt, queued, spec)"
        " SELECT ?1, ?2, coalesce(max(attempt), 0) + 1, ?3, ?4 FROM attempts WHERE sha = ?1 AND name = ?2",
        (sha, name, now, spec),
    )


def to_be_queued(found: Mapping[str, Attempt], specs: Mapping[str, str]) -> frozenset[str]:
    """The names that need another attempt. `found` are the newest ones, `specs` the digests by name.

    That is: those without an attempt, those whose last one was stopped or ran something else under the name,
    and those that were skipped because of one of these.
    """
    wanted = {
        name
        for name, spec in specs.items()
        if name not in found
        or found[name].cut_off == STOPPED
        or (found[name].state is CheckState.COMPLETED and found[name].spec != spec)
    }
    while more := {name for name in specs if name in found and found[name].blocked_by in wanted} - wanted:
        wanted |= more
    return frozenset(wanted)


def queue_missing(db: sqlite3.Connection, sha: str, specs: Mapping[str, str], now: float) -> None:
    """Queue what has to be (see `to_be_queued`); what is queued already is queued for the present digest."""
    found = latest(db, sha)
    wanted = to_be_queued(found, specs)
    for name, spec in specs.items():
        if name in wanted:
            queue(db, sha, name, now, spec=spec)
        elif found[name].spec != spec:
            db.execute("UPDATE attempts SET spec = ? WHERE id = ? AND state = 'queued'", (spec, found[name].id))


def claim(
    db: sqlite3.Connection, attempt: Attempt, *, worker: str, token: str, log: str, spec: str, now: float
) -> bool:
    """Make a queued attempt this worker's, who runs what `spec` says; False if another was faster."""
    return _changed(
        db,
        "UPDATE attempts SET state = 'running', worker = ?, token = ?, log = ?, spec = ?, started = ?"
        " WHERE id = ? AND state = 'queued'",
        (worker, token, log, spec, now, attempt.id),
    )


def set_process(db: sqlite3.Connection, attempt_id: int, pid: int, pid_start: str | None, boot: str) -> None:
    """Note the process that runs the attempt, so that a later worker can end what is left of it."""
    db.execute(
        "UPDATE attempts SET pid = ?, pid_start = ?, boot = ? WHERE id = ?",
        (pid, pid_start, boot, attempt_id),
    )


def finish(
    db: sqlite3.Connection,
    attempt: Attempt,
    *,
    conclusion: Conclusion,
    summary: str,
    now: float,
    cut_off: str = "",
) -> bool:
    """Write the result of a running attempt, once: False if it has one already."""
    return _changed(
        db,
        "UPDATE attempts SET state = 'completed', conclusion = ?, summary = ?, ended = ?, cut_off = ?"
        " WHERE id = ? AND state = 'running' AND worker = ?",
        (conclusion.value, summary, now, cut_off, attempt.id, attempt.worker),
    )


def skip(
    db: sqlite3.Connection, attempt: Attempt, *, blocked_by: str, summary: str, spec: str, now: float
) -> bool:
    """End a queued attempt without running it; False if it is not queued any more.

    `spec` is the digest of what was not run; empty where nothing of that name is configured, so that it is
    queued when it is again.
    """
    return _changed(
        db,
        "UPDATE attempts"
        " SET state = 'completed', conclusion = 'skipped', summary = ?, ended = ?, blocked_by = ?, spec = ?"
        " WHERE id = ? AND state = 'queued'",
        (summary, now, blocked_by, spec, attempt.id),
    )


def deaths_in_a_row(db: sqlite3.Connection, sha: str, name: str, *, spec: str) -> int:
    """How many of the newest completed attempts at a check, running what `spec` says, have lost their worker."""
    rows = db.execute(
        "SELECT cut_off, spec FROM attempts WHERE sha = ? AND name = ? AND state = 'completed' ORDER BY id DESC",
        (sha, name),
    )
    deaths = 0
    for cut_off, ran in rows.fetchall():
        if cut_off != DIED or ran != spec:
            break
        deaths += 1
    return deaths


def _changed(db: sqlite3.Connection, sql: str, values: tuple[object, ...]) -> bool:
    return db.execute(sql, values).rowcount == 1


def _attempt(row: sqlite3.Row) -> Attempt:
    return Attempt(
        id=row["id"],
        sha=row["sha"],
        name=row["name"],
        number=row["attempt"],
        state=CheckState(row["state"]),
        conclusion=None if row["conclusion"] is None else Conclusion(row["conclusion"]),
        summary=row["summary"],
        log=row["log"],
        started=row["started"],
        ended=row["ended"],
        worker=row["worker"],
        token=row["token"],
        pid=row["pid"],
        pid_start=row["pid_start"],
        boot=row["boot"],
        cut_off=row["cut_off"],
        blocked_by=row["blocked_by"],
        # A database that can only be read may be older than this column.
        spec=row["spec"] if "spec" in row.keys() else "",  # noqa: SIM118 - a row iterates over its values
    )

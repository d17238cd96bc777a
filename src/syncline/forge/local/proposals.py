"""Proposals, their labels and comments, as rows. Each function is called inside a transaction."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from syncline.errors import EndedError, FenceError, ForgeError
from syncline.forge.protocol import Comment, Proposal, ProposalState


@dataclass(frozen=True, slots=True)
class NewProposal:
    """What is known of a proposal before it has a number."""

    lane: str
    run: str
    branch: str
    target: str
    title: str
    body: str
    head_sha: str


def find(
    db: sqlite3.Connection, label: str, lane: str | None, state: ProposalState | None
) -> tuple[Proposal, ...]:
    """The proposals of `lane` in `state` (None: any), by number. `label` names the repository in URLs."""
    rows = db.execute(
        "SELECT * FROM proposals WHERE (?1 IS NULL OR lane = ?1) AND (?2 IS NULL OR state = ?2) ORDER BY number",
        (lane, state),
    )
    return tuple(_proposal(db, label, row) for row in rows.fetchall())


def get(db: sqlite3.Connection, label: str, number: int) -> Proposal:
    """One proposal; ForgeError if there is none of that number."""
    row = db.execute("SELECT * FROM proposals WHERE number = ?", (number,)).fetchone()
    if row is None:
        raise ForgeError(f"there is no proposal {number} in {label}", hint="list them with `syncline proposals`")
    return _proposal(db, label, row)


def insert(db: sqlite3.Connection, label: str, new: NewProposal, now: datetime) -> tuple[Proposal, bool]:
    """The proposal of the run: the one there is, or a new draft; and whether it is new."""
    row = db.execute("SELECT * FROM proposals WHERE run = ?", (new.run,)).fetchone()
    if row is not None:
        if row["lane"] != new.lane:
            raise ForgeError(f"run {new.run} belongs to lane {row['lane']}, not to {new.lane}")
        return _proposal(db, label, row), False
    for other in find(db, label, new.lane, ProposalState.OPEN):
        raise ForgeError(
            f"lane {new.lane} already has the open proposal {other.number} of run {other.run}",
            hint=f"close proposal {other.number} first",
        )
    number = db.execute(
        "INSERT INTO proposals (lane, run, branch, target, title, body, head_sha, created)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (new.lane, new.run, new.branch, new.target, new.title, new.body, new.head_sha, now.timestamp()),
    ).lastrowid
    assert number is not None  # noqa: S101  an INSERT that did not raise has a row id
    return get(db, label, number), True


def update(
    db: sqlite3.Connection, found: Proposal, *, title: str | None, body: str | None, head_sha: str | None
) -> None:
    """Change what is given; a head that moves makes the proposal a draft in the same stroke."""
    if head_sha not in {None, found.head_sha}:
        _require_open(found, "get a new head")
        db.execute("UPDATE proposals SET head_sha = ?, draft = 1 WHERE number = ?", (head_sha, found.number))
    if title is not None:
        db.execute("UPDATE proposals SET title = ? WHERE number = ?", (title, found.number))
    if body is not None:
        db.execute("UPDATE proposals SET body = ? WHERE number = ?", (body, found.number))


def mark_ready(db: sqlite3.Connection, found: Proposal, head_sha: str) -> None:
    """Make it ready for exactly `head_sha`; FenceError if that is no longer its head."""
    _require_open(found, "become ready")
    if found.head_sha != head_sha:
        raise FenceError(
            f"proposal {found.number} was to become ready at {head_sha}, but its head is {found.head_sha}",
            hint="look at its new head and decide again",
        )
    db.execute("UPDATE proposals SET draft = 0 WHERE number = ?", (found.number,))


def mark_draft(db: sqlite3.Connection, found: Proposal) -> None:
    """Make it a draft."""
    _require_open(found, "become a draft")
    db.execute("UPDATE proposals SET draft = 1 WHERE number = ?", (found.number,))


def add_labels(db: sqlite3.Connection, number: int, labels: Iterable[str]) -> None:
    """Add the labels that are not there yet."""
    db.executemany("INSERT OR IGNORE INTO labels VALUES (?, ?)", [(number, label) for label in labels])


def close(db: sqlite3.Connection, found: Proposal, state: ProposalState, superseded_by: int | None) -> None:
    """End it, or complete how it ended."""
    if state is ProposalState.OPEN:
        raise ForgeError(f"proposal {found.number} cannot be closed as open")
    if superseded_by is not None and state is not ProposalState.SUPERSEDED:
        raise ForgeError(f"proposal {found.number} cannot be {state} and have a successor, {superseded_by}")
    if superseded_by == found.number:
        raise ForgeError(f"proposal {found.number} cannot supersede itself")
    if found.state not in {ProposalState.OPEN, state} or (
        superseded_by is not None and found.superseded_by not in {None, superseded_by}
    ):
        by = f" by {found.superseded_by}" if found.superseded_by is not None else ""
        raise EndedError(f"proposal {found.number} is already {found.state}{by}")
    db.execute(
        "UPDATE proposals SET state = ?, superseded_by = coalesce(?, superseded_by) WHERE number = ?",
        (state, superseded_by, found.number),
    )


def comment(db: sqlite3.Connection, number: int, marker: str, body: str, now: datetime) -> Comment:
    """Write or rewrite the comment `marker`."""
    db.execute(
        "INSERT INTO comments (proposal, marker, body, created) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (proposal, marker) DO UPDATE SET body = excluded.body",
        (number, marker, body, now.timestamp()),
    )
    row = db.execute("SELECT * FROM comments WHERE proposal = ? AND marker = ?", (number, marker)).fetchone()
    return _comment(row)


def comments(db: sqlite3.Connection, number: int) -> tuple[Comment, ...]:
    """The comments of a proposal, oldest first."""
    rows = db.execute("SELECT * FROM comments WHERE proposal = ? ORDER BY number", (number,))
    return tuple(_comment(row) for row in rows.fetchall())


def _require_open(found: Proposal, what: str) -> None:
    if found.state is not ProposalState.OPEN:
        raise EndedError(f"proposal {found.number} is {found.state}, so it cannot {what}")


def _proposal(db: sqlite3.Connection, label: str, row: sqlite3.Row) -> Proposal:
    labels = db.execute("SELECT label FROM labels WHERE proposal = ? ORDER BY rowid", (row["number"],))
    return Proposal(
        number=row["number"],
        lane=row["lane"],
        run=row["run"],
        branch=row["branch"],
        target=row["target"],
        title=row["title"],
        body=row["body"],
        draft=bool(row["draft"]),
        state=ProposalState(row["state"]),
        head_sha=row["head_sha"],
        labels=tuple(label for (label,) in labels.fetchall()),
        created=datetime.fromtimestamp(row["created"], UTC),
        superseded_by=row["superseded_by"],
        url=f"local:{label}#{row['number']}",
    )


def _comment(row: sqlite3.Row) -> Comment:
    return Comment(
        number=row["number"],
        proposal=row["proposal"],
        marker=row["marker"],
        body=row["body"],
        created=datetime.fromtimestamp(row["created"], UTC),
    )

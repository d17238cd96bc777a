"""The database of the local forge: one file, one connection per process, one transaction per effect.

Knows SQLite and nothing of proposals or checks. Several processes may use the file at once: readers never
wait (write-ahead log where the file system has it), writers take turns.
"""

import errno
import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from syncline.errors import ForgeError
from syncline.forge.local.schema import APPLICATION_ID, MIGRATIONS

BUSY_SECONDS = 30.0
"""How long a writer waits for the others. Each holds the file for milliseconds."""

_HINTS = {
    "SQLITE_CORRUPT": "it is damaged: move it away, and the forge starts empty; no commit is lost",
    "SQLITE_NOTADB": "it is no SQLite file: move it away, and the forge starts empty; no commit is lost",
    "SQLITE_READONLY": "make the file and its directory writable",
    "SQLITE_PERM": "make the file and its directory writable",
    "SQLITE_CANTOPEN": "its directory must exist and be writable",
    "SQLITE_FULL": "the disk is full: make room and run again, nothing was half done",
    "SQLITE_IOERR": "the disk may be full or failing: check it and run again, nothing was half done",
    "SQLITE_BUSY": f"another process has held it for {BUSY_SECONDS:.0f} s: see which with `fuser`",
}


class Store:
    """The database at `path`, opened (and made or migrated) when first used.

    Safe to share between threads: transactions of one Store take turns. Close it, or use it as a context
    manager. All trouble with the file is a ForgeError that names it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._pid = 0
        self._inherited: list[sqlite3.Connection] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the next use opens it again."""
        with self._lock:
            if self._db is not None and self._pid == os.getpid():
                self._db.close()
            self._db = None

    @contextmanager
    def read(self) -> Generator[sqlite3.Connection]:
        """A transaction that sees one state of the database throughout."""
        with self._transaction("BEGIN") as db:
            yield db

    @contextmanager
    def write(self) -> Generator[sqlite3.Connection]:
        """A transaction that may write: all of it happens, or none if the block raises."""
        with self._transaction("BEGIN IMMEDIATE") as db:
            yield db

    @contextmanager
    def _transaction(self, begin: str) -> Generator[sqlite3.Connection]:
        with self._lock, self._clear_errors():
            db = self._connection()
            db.execute(begin)
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                # SQLite has rolled back by itself after some errors (a full disk).
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _clear_errors(self) -> Generator[None]:
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise  # a bug of ours, not trouble with the file
        except sqlite3.Error as error:
            kind = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
            raise ForgeError(
                f"the local forge's database {self.path} cannot be used: {error}", hint=_HINTS.get(kind, "")
            ) from error
        except OSError as error:
            kind = {errno.EACCES: "SQLITE_PERM", errno.EROFS: "SQLITE_READONLY", errno.ENOSPC: "SQLITE_FULL"}
            raise ForgeError(
                f"the local forge's database {self.path} cannot be used: {error}",
                hint=_HINTS.get(kind.get(error.errno or 0, ""), ""),
            ) from error

    def _connection(self) -> sqlite3.Connection:
        if self._db is not None and self._pid == os.getpid():
            return self._db
        if self._db is not None:
            # SQLite forbids carrying a connection over a fork, even to close it.
            self._inherited.append(self._db)
            self._db = None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA foreign_keys = ON")
            self._migrate(db)
            _prefer_wal(db)
        except BaseException:
            db.close()
            raise
        self._db, self._pid = db, os.getpid()
        return db

    def _migrate(self, db: sqlite3.Connection) -> None:
        if self._version(db) == len(MIGRATIONS):
            return
        db.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have migrated it while this one waited.
            for step in MIGRATIONS[self._version(db) :]:
                for statement in step:
                    db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def _version(self, db: sqlite3.Connection) -> int:
        """How many steps of the schema the database has seen; refuses files that are not ours to touch."""
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        application = int(db.execute("PRAGMA application_id").fetchone()[0])
        if version > len(MIGRATIONS) and application == APPLICATION_ID:
            raise ForgeError(
                f"the local forge's database {self.path} has schema {version}, "
                f"this syncline knows up to {len(MIGRATIONS)}",
                hint="use the newer syncline that wrote it",
            )
        tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != APPLICATION_ID and (application or version or tables):
            raise ForgeError(
                f"{self.path} is another program's database, not a forge of syncline",
                hint="move it away, or give syncline another state directory",
            )
        return version


def _prefer_wal(db: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; a file system without shared memory silently keeps the old journal."""
    if db.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    try:
        db.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # Another process is in the file right now; whoever opens it next tries again. Both modes are safe.
        if error.sqlite_errorname not in {"SQLITE_BUSY", "SQLITE_LOCKED"}:
            raise

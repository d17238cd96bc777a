"""The database of the local forge: one file, one connection per process, one transaction per effect.

Knows SQLite and nothing of proposals or checks. Several processes may use the file at once: readers never
wait (write-ahead log where the file system has it), writers take turns.
"""

import errno
import os
import sqlite3
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from syncline.errors import ForgeError
from syncline.forge.local.schema import APPLICATION_ID, MIGRATIONS

BUSY_SECONDS = 30.0
"""How long a writer waits for the others. Each holds the file for milliseconds."""

_EFFECTIVE = os.access in os.supports_effective_ids

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
    """The database at `path`: opened when first used, made when first written to, migrated by whoever may write.

    Reading makes nothing: what is not there reads as empty, and what may not be written to is only read.
    Safe to share between threads: transactions of one Store take turns. Close it, or use it as a context
    manager. All trouble with the file is a ForgeError that names it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._pid = 0
        self._read_only = False
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
        """A transaction that sees one state of the database throughout; an empty one while there is no file."""
        with self._lock:
            if self._there():
                with self._transaction("BEGIN", writes=False) as db:
                    yield db
            else:
                with closing(self._empty()) as db:
                    yield db

    @contextmanager
    def write(self) -> Generator[sqlite3.Connection]:
        """A transaction that may write: all of it happens, or none if the block raises."""
        with self._transaction("BEGIN IMMEDIATE", writes=True) as db:
            yield db

    def _there(self) -> bool:
        with self._clear_errors():
            try:
                self.path.stat()
            except FileNotFoundError:
                return False
            return True

    @contextmanager
    def _transaction(self, begin: str, *, writes: bool) -> Generator[sqlite3.Connection]:
        with self._lock, self._clear_errors():
            db = self._connection(writes=writes)
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

    def _connection(self, *, writes: bool) -> sqlite3.Connection:
        if self._db is not None and self._pid == os.getpid():
            if not (self._read_only and writes):
                return self._db
            self.close()
        if self._db is not None:
            # SQLite forbids carrying a connection over a fork, even to close it.
            self._inherited.append(self._db)
            self._db = None
        read_only = not writes and not _may_write(self.path)
        db = self._read_only_connection() if read_only else self._writable_connection()
        self._db, self._pid, self._read_only = db, os.getpid(), read_only
        return db

    def _writable_connection(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = _connect(self.path)
        try:
            self._migrate(db)
            _prefer_wal(db)
        except BaseException:
            db.close()
            raise
        return db

    def _read_only_connection(self) -> sqlite3.Connection:
        """Look at a database nobody can write to through us; an older schema stays as it is.

        A write-ahead log wants files beside the database; where they cannot be made, SQLite reads the
        database alone if it is told that nothing changes it (https://sqlite.org/wal.html, 7). That would
        pass over a log that is there, so then it is an error.
        """
        address = self.path.as_uri()
        log = self.path.with_name(self.path.name + "-wal")
        try:
            return self._checked(_connect(f"{address}?mode=ro"))
        except sqlite3.OperationalError:
            if log.exists() and log.stat().st_size:
                raise
            return self._checked(_connect(f"{address}?mode=ro&immutable=1"))

    def _checked(self, db: sqlite3.Connection) -> sqlite3.Connection:
        try:
            made = self._version(db) > 0
        except BaseException:
            db.close()
            raise
        if made:
            return db
        db.close()  # whoever makes it has not come to its tables
        return self._empty()

    def _empty(self) -> sqlite3.Connection:
        db = _connect(":memory:")
        self._migrate(db)
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
        with _snapshot(db):
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
            application = int(db.execute("PRAGMA application_id").fetchone()[0])
            tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version > len(MIGRATIONS) and application == APPLICATION_ID:
            raise ForgeError(
                f"the local forge's database {self.path} has schema {version}, "
                f"this syncline knows up to {len(MIGRATIONS)}",
                hint="use the newer syncline that wrote it",
            )
        if application != APPLICATION_ID and (application or version or tables):
            raise ForgeError(
                f"{self.path} is another program's database, not a forge of syncline",
                hint="move it away, or give syncline another state directory",
            )
        return version


@contextmanager
def _snapshot(db: sqlite3.Connection) -> Generator[None]:
    """Read in one transaction: another process may make the very tables between two of the questions."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def _connect(place: Path | str) -> sqlite3.Connection:
    """A connection to a file or a `file:` URI."""
    db = sqlite3.connect(
        place, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=isinstance(place, str)
    )
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA foreign_keys = ON")
    return db


def _may_write(path: Path) -> bool:
    """Whether SQLite could write to a database: the file, and a journal beside it."""
    return all(os.access(place, os.W_OK, effective_ids=_EFFECTIVE) for place in (path, path.parent))


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

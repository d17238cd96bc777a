"""The database file: transactions, migrations, and every way it can be unusable."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from syncline.errors import ForgeError
from syncline.forge.local import store
from syncline.forge.local.forge import LocalForge
from syncline.forge.local.schema import APPLICATION_ID, MIGRATIONS
from syncline.forge.local.store import Store
from testing.unprivileged import without_override
from tests.forge.support import SHA, Spec


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "state" / "forge.db"


def scalar(path: Path, sql: str) -> object:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchone()[0]


def test_it_is_made_when_first_written_to_and_not_before(path: Path) -> None:
    with Store(path) as store:
        assert not path.parent.exists()
        with store.read() as db:
            assert db.execute("SELECT count(*) FROM attempts").fetchone()[0] == 0
        assert not path.parent.exists()
        with store.write():
            pass
    assert scalar(path, "PRAGMA user_version") == len(MIGRATIONS)
    assert scalar(path, "PRAGMA application_id") == APPLICATION_ID
    assert scalar(path, "PRAGMA journal_mode") == "wal"


def test_a_block_that_raises_leaves_nothing(path: Path) -> None:
    insert = "INSERT INTO attempts (sha, name, attempt, queued) VALUES ('s', 'n', 1, 0)"
    with Store(path) as store:
        with pytest.raises(RuntimeError, match="halfway"), store.write() as db:  # noqa: PT012  raised halfway
            db.execute(insert)
            raise RuntimeError("halfway")
        with store.write() as db:
            assert db.execute("SELECT count(*) FROM attempts").fetchone()[0] == 0
            db.execute(insert)
        with store.read() as db:
            assert db.execute("SELECT count(*) FROM attempts").fetchone()[0] == 1


def test_foreign_keys_hold(path: Path) -> None:
    with Store(path) as store, pytest.raises(sqlite3.IntegrityError), store.write() as db:
        db.execute("INSERT INTO labels VALUES (5, 'x')")


def test_threads_take_turns(path: Path) -> None:
    def add(store: Store) -> None:
        for _ in range(20):
            with store.write() as db:
                value = db.execute("SELECT count(*) FROM attempts").fetchone()[0]
                db.execute(
                    "INSERT INTO attempts (sha, name, attempt, queued) VALUES ('s', ?, 1, 0)", (str(value),)
                )

    with Store(path) as store:
        threads = [threading.Thread(target=add, args=(store,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with store.read() as db:
            assert db.execute("SELECT count(*) FROM attempts").fetchone()[0] == 80


def make(path: Path) -> None:
    with Store(path) as store, store.write() as db:
        rows = [("s" * 40, f"check {number}", 1, 0) for number in range(500)]
        db.executemany("INSERT INTO attempts (sha, name, attempt, queued) VALUES (?, ?, ?, ?)", rows)


def garbage(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this is no database" * 1000)


def damaged(path: Path) -> None:
    make(path)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


def newer(path: Path) -> None:
    make(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")


def foreign(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url)")


def directory(path: Path) -> None:
    path.mkdir(parents=True)


def file_above(path: Path) -> None:
    path.parent.parent.mkdir()
    path.parent.write_text("a file where the directory should be")


@pytest.mark.parametrize(
    ("prepare", "words"),
    [
        (garbage, "cannot be used: file is not a database"),
        (damaged, "cannot be used: database disk image is malformed"),
        (newer, "has schema 99, this syncline knows up to"),
        (foreign, "is another program's database"),
        (directory, "cannot be used: unable to open database file"),
        (file_above, "cannot be used: .*Not a directory"),
    ],
)
def test_unusable_files_are_clear_errors(path: Path, prepare: Callable[[Path], None], words: str) -> None:
    prepare(path)
    with LocalForge(path.parent, "demo") as forge, pytest.raises(ForgeError, match=words) as raised:
        forge.rollup("s" * 40)
    assert str(path) in raised.value.message


def test_one_that_is_made_meanwhile_is_no_other_programs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process makes the tables while this one asks whose database it is."""

    def make() -> None:
        with Store(path) as other, other.write():
            pass

    connect, makers = store._connect, [threading.Thread(target=make)]

    def watched(place: Path | str) -> sqlite3.Connection:
        db = connect(place)

        def meanwhile(statement: str) -> None:
            if statement.startswith("SELECT count") and makers:
                maker = makers.pop()
                maker.start()
                maker.join(0.5)  # it must wait until the answer is whole
                started.append(maker)

        db.set_trace_callback(meanwhile)
        return db

    started: list[threading.Thread] = []
    monkeypatch.setattr(store, "_connect", watched)
    with Store(path) as mine, mine.write() as db:
        assert db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    (maker,) = started
    maker.join()


def test_another_programs_database_is_not_touched(path: Path) -> None:
    foreign(path)
    before = path.read_bytes()
    with Store(path) as store, pytest.raises(ForgeError), store.write():
        pass
    assert path.read_bytes() == before


def test_a_full_disk_is_a_clear_error_and_nothing_is_half_done(path: Path) -> None:
    with LocalForge(path.parent, "demo") as forge:
        forge.start_checks(SHA, [Spec("first")])
        with forge._store.read() as db:
            # SQLite's own limit gives the error a full disk gives.
            db.execute("PRAGMA max_page_count = 1")
        many = [Spec(f"check {number} " + "x" * 200) for number in range(500)]
        with pytest.raises(ForgeError, match="database or disk is full") as raised:
            forge.start_checks(SHA, many)
        assert "make room" in raised.value.hint
        assert [check.name for check in forge.rollup(SHA).checks] == ["first"]


@contextmanager
def read_only_directory(prepare: Callable[[Path], None], path: Path) -> Generator[None]:
    """Make `path` and then nothing of it writable, not even for root, while the block runs."""
    prepare(path)
    for place in path.parent.iterdir():
        place.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        with without_override():
            with pytest.raises(PermissionError):
                path.with_name("new").touch()
            yield
    finally:
        path.parent.chmod(0o755)


def test_writing_to_a_read_only_directory_is_a_clear_error(path: Path) -> None:
    with read_only_directory(make, path), LocalForge(path.parent, "demo") as forge:
        with pytest.raises(ForgeError, match="cannot be used") as raised:
            forge.start_checks(SHA, [Spec("a")])
        assert "writable" in raised.value.hint


def test_looking_makes_nothing(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with LocalForge(path.parent, "demo") as forge:
        assert forge.proposals(None) == ()
        assert forge.rollup(SHA).checks == ()
        for ask in (forge.proposal, forge.comments):
            with pytest.raises(ForgeError, match="there is no proposal 1"):
                ask(1)
        assert list(path.parent.iterdir()) == []
        forge.start_checks(SHA, [Spec("a")])
        assert [check.name for check in forge.rollup(SHA).checks] == ["a"]


def written_before(path: Path) -> None:
    make(path)


def killed_while_writing(path: Path) -> None:
    """A write-ahead log is left, with all that was written in it."""
    make(path)
    program = (
        "import os, sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute(\"UPDATE attempts SET name = 'later' WHERE id = 1\")\nos.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, path], check=False)
    assert path.with_name("forge.db-wal").stat().st_size > 0


def old_schema(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        for statement in MIGRATIONS[0]:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("PRAGMA user_version = 1")
        db.execute("INSERT INTO attempts (sha, name, attempt, queued) VALUES (?, 'check 0', 1, 0)", ("s" * 40,))


def without_tables(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.touch()


@pytest.mark.parametrize(
    ("prepare", "count", "first"),
    [
        (written_before, 500, "check 0"),
        (killed_while_writing, 500, "later"),
        (old_schema, 1, "check 0"),
        (without_tables, 0, None),
    ],
)
def test_what_cannot_be_written_to_is_read(
    path: Path, prepare: Callable[[Path], None], count: int, first: str | None
) -> None:
    with read_only_directory(prepare, path):
        before = sorted(path.parent.iterdir())
        with LocalForge(path.parent, "demo") as forge:
            found = forge.rollup("s" * 40).checks
            assert (len(found), found[0].name if found else None) == (count, first)
            assert forge.proposals(None) == ()
        assert sorted(path.parent.iterdir()) == before

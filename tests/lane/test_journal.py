"""The journal: append-only, and whole again after a torn line."""

from pathlib import Path

from syncline.lane.journal import Journal


def test_entries_come_back_in_order(tmp_path: Path) -> None:
    journal = Journal.of(tmp_path, "nightly")
    journal.write("begin", action="Push", details={"branch": "b"})
    journal.write("done", action="Push", what="created")
    assert [entry["event"] for entry in journal.read()] == ["begin", "done"]
    assert next(iter(journal.read()))["details"] == {"branch": "b"}


def test_a_torn_last_line_costs_only_itself(tmp_path: Path) -> None:
    journal = Journal.of(tmp_path, "nightly")
    journal.write("one")
    with journal.path.open("ab") as file:
        file.write(b'{"event": "torn", "det')
    journal.write("two")
    assert [entry["event"] for entry in journal.read()] == ["one", "two"]


def test_a_journal_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert list(Journal.of(tmp_path, "nightly").read()) == []


def test_text_that_is_no_unicode_is_kept_readable(tmp_path: Path) -> None:
    journal = Journal.of(tmp_path, "nightly")
    journal.write("x", path="caf\udce9")
    assert "caf" in next(iter(journal.read()))["path"]

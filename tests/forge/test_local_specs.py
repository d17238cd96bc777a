"""A result is one of a command, not of a name: what the configuration says now is what must have been run."""

import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from syncline.checks.model import CheckState, Conclusion
from syncline.forge.local.forge import LocalForge
from syncline.forge.local.schema import APPLICATION_ID, MIGRATIONS
from syncline.forge.spec_digest import spec_digest
from tests.forge.support import SHA, Spec, conclusions, newest, work

OLD = Spec("a", ("true",), timeout=60, env={"X": "1"})
CHANGES: dict[str, dict[str, Any]] = {
    "command": {"command": ("false",)},
    "one more argument": {"command": ("true", "")},
    "arguments split elsewhere": {"command": ("true", "a b")},
    "a variable's value": {"env": {"X": "2"}},
    "a variable more": {"env": {"X": "1", "Y": ""}},
    "no variable": {"env": {}},
    "needs": {"needs": ("b",)},
    "time limit": {"timeout": 61},
}
SAME: dict[str, dict[str, Any]] = {
    "pairs for a mapping": {"env": (("X", "1"),)},
    "a float for an int": {"timeout": 60.0},
    "a list for a tuple": {"command": ["true"]},
    "the name": {"name": "other"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_spec_has_another_digest_and_runs_again(forge: LocalForge, change: dict[str, Any]) -> None:
    new = replace(OLD, **change)
    assert spec_digest(new) != spec_digest(OLD)
    assert len({spec_digest(replace(OLD, **one)) for one in CHANGES.values()}) == len(CHANGES)
    others = [Spec("b")]
    work(forge, [OLD, *others])
    assert newest(forge.rollup(SHA))["a"].spec == spec_digest(OLD)
    queued = forge.start_checks(SHA, [new, *others])
    assert conclusions(queued) == {"a": CheckState.QUEUED, "b": Conclusion.SUCCESS}
    assert newest(queued)["a"].spec == spec_digest(new)
    ended = newest(work(forge, [new, *others]))["a"]
    assert ended.conclusion is (Conclusion.FAILURE if new.command == ("false",) else Conclusion.SUCCESS)
    assert ended.spec == spec_digest(new)
    again = forge.start_checks(SHA, [new, *others])
    assert [check.name for check in again.checks] == ["a", "b", "a"]


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_what_changes_nothing_keeps_the_result(change: dict[str, Any]) -> None:
    assert spec_digest(replace(OLD, **change)) == spec_digest(OLD)


def test_work_alone_runs_what_is_configured_now(forge: LocalForge) -> None:
    work(forge, [Spec("a", ("true",))])
    assert conclusions(work(forge, [Spec("a", ("false",))])) == {"a": Conclusion.FAILURE}
    assert len(work(forge, [Spec("a", ("false",))]).checks) == 2


def test_a_queued_attempt_is_queued_for_the_new_spec(forge: LocalForge) -> None:
    forge.start_checks(SHA, [Spec("a", ("true",))])
    new = Spec("a", ("false",))
    rollup = forge.start_checks(SHA, [new])
    assert [check.spec for check in rollup.checks] == [spec_digest(new)]


def test_the_digest_is_that_of_what_ran_and_not_of_what_was_queued(forge: LocalForge) -> None:
    forge.start_checks(SHA, [Spec("a", ("true",))])
    new = Spec("a", ("false",))
    assert [(check.spec, check.conclusion) for check in work(forge, [new]).checks] == [
        (spec_digest(new), Conclusion.FAILURE)
    ]


def test_what_was_skipped_because_of_it_runs_too(forge: LocalForge) -> None:
    chain = [Spec("b", needs=("a",)), Spec("c", needs=("b",))]
    work(forge, [Spec("a", ("false",)), *chain])
    rollup = work(forge, [Spec("a", ("true",)), *chain])
    assert set(conclusions(rollup).values()) == {Conclusion.SUCCESS}


def test_a_check_taken_out_and_put_back_runs(forge: LocalForge) -> None:
    forge.start_checks(SHA, [Spec("a"), Spec("b")])
    forge.start_checks(SHA, [Spec("b")])
    assert conclusions(work(forge, [Spec("a"), Spec("b")]))["a"] is Conclusion.SUCCESS


def test_two_workers_of_different_configurations_come_to_an_end(state_dir: Path) -> None:
    def go(command: tuple[str, ...]) -> None:
        with LocalForge(state_dir, "demo", grace=1.0) as forge:
            work(forge, [Spec("a", command), Spec("b", ("sleep", "0.5"), needs=("a",))])

    threads = [threading.Thread(target=go, args=(command,)) for command in (("true",), ("true", "x"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    with LocalForge(state_dir, "demo") as forge:
        # Each may have queued each check once because of the other.
        assert len(forge.rollup(SHA).checks) <= 6


def test_results_of_a_database_without_digests_are_not_trusted(state_dir: Path) -> None:
    state_dir.mkdir()
    with closing(sqlite3.connect(state_dir / "forge.db")) as db, db:
        for statement in MIGRATIONS[0]:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("PRAGMA user_version = 1")
        db.execute(
            "INSERT INTO attempts (sha, name, attempt, state, conclusion, queued)"
            " VALUES (?, 'a', 1, 'completed', 'success', 0)",
            (SHA,),
        )
    with LocalForge(state_dir, "demo") as forge:
        assert [(check.conclusion, check.spec) for check in forge.rollup(SHA).checks] == [(Conclusion.SUCCESS, "")]
        assert conclusions(forge.start_checks(SHA, [Spec("a")])) == {"a": CheckState.QUEUED}

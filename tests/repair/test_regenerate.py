"""Files that are made anew by commands of the lane: when that is due, what is taken of it, what is refused."""

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from syncline.config.models import CoupledSet, Lane, PathRule, Regenerate, RepairSettings
from syncline.git import Repository, TreeId
from syncline.lane.mended import looker
from syncline.programs.apart import apart
from syncline.repair.generator import Made, run_generator
from syncline.repair.prove import Look
from syncline.repair.regenerate import Regenerated, regenerate
from testing.audited import task_of
from testing.content import Content
from tests.repair.test_mends import text_at

MIDDLE = "".join(f"{number}\n" for number in range(10, 20))
BASE = {"deps.in": MIDDLE, "deps.out": f"# made\n{MIDDLE}", "note.txt": "note\n"}
OURS = {"deps.in": f"05\n{MIDDLE}", "deps.out": f"# made\n05\n{MIDDLE}"}
THEIRS = {"deps.in": f"{MIDDLE}25\n", "deps.out": f"# made\n{MIDDLE}25\n"}
MERGED = {"deps.in": f"05\n{MIDDLE}25\n", "deps.out": f"# made\n05\n{MIDDLE}"}
RIGHT = f"# made\n05\n{MIDDLE}25\n"
MAKE = "{ echo '# made'; cat deps.in; } > deps.out"


def command(script: str, **more: object) -> Regenerate:
    return Regenerate.model_validate(
        {
            "name": "lock", "match": ("/deps.out", "made/"), "inputs": ("/deps.in",),
            "command": ("sh", "-c", script), "network": True, "timeout": 60.0, **more,
        }
    )  # fmt: skip


@dataclass(frozen=True)
class Ran:
    """What came of it."""

    done: Regenerated
    files: Mapping[str, str | None]
    runs: int


def ran(
    place: Path,
    *commands: Regenerate,
    theirs: Mapping[str, Content] = THEIRS,
    merged: Mapping[str, Content] = MERGED,
    waiting: frozenset[bytes] = frozenset(),
    made: tuple[str, ...] = (),
    paths: tuple[PathRule, ...] = (),
    coupled: tuple[CoupledSet, ...] = (),
) -> Ran:
    lane = Lane(
        name="l", source="main", target="dev", paths=paths, coupled=coupled,
        repair=RepairSettings(regenerate=commands),
    )  # fmt: skip
    runs = 0

    def run(tree: TreeId, what: Regenerate) -> Made:
        nonlocal runs
        runs += 1
        return run_generator(trees.repository, tree, what)

    def look(settled: frozenset[bytes]) -> Look:
        return looker(trees.repository, lane, ours=trees.ours, theirs=trees.theirs, waiting=waiting - settled)

    with task_of(place, BASE, OURS, theirs, merged) as task:
        trees = task.trees
        done = regenerate(trees.repository, trees.merged_tree, look, commands, made, run)
        paths_shown = ("deps.out", "deps.in", "note.txt", "made/new.txt", "beside.txt")
        return Ran(done, {path: text_at(trees.repository, done.tree, path) for path in paths_shown}, runs)


def test_what_both_sides_changed_is_made_from_both(tmp_path: Path) -> None:
    got = ran(tmp_path, command(MAKE + "; mkdir made; echo 1 > made/new.txt; echo 2 > beside.txt; rm note.txt"))
    assert got.files["deps.out"] == RIGHT
    assert got.files["made/new.txt"] == "1\n"
    assert (got.files["beside.txt"], got.files["note.txt"]) == (None, "note\n")
    (one,) = got.done.done
    assert "lock made deps.out, made/new.txt anew" in one.words
    assert "left out: what it changed in beside.txt, note.txt" in one.words
    assert not got.done.failed


def test_it_is_not_made_again_for_the_same(tmp_path: Path) -> None:
    first = ran(tmp_path / "1", command(MAKE))
    again = ran(tmp_path / "2", command(MAKE), made=tuple(one.digest for one in first.done.done))
    assert (again.runs, again.done.done) == (0, ())
    other = ran(tmp_path / "3", command(MAKE + " "), made=tuple(one.digest for one in first.done.done))
    assert other.runs == 1


def test_it_is_not_due_where_one_side_alone_changed_what_it_is_made_from(tmp_path: Path) -> None:
    got = ran(tmp_path, command(MAKE), theirs={"note.txt": "new\n"}, merged={})
    assert (got.runs, got.done.done, got.done.failed) == (0, (), ())


def test_a_finding_in_it_makes_it_due(tmp_path: Path) -> None:
    broken = {"deps.out": "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"}
    got = ran(tmp_path, command(MAKE), theirs={"note.txt": "new\n"}, merged=broken)
    assert got.files["deps.out"] == OURS["deps.out"]
    assert "conflict-marker" in got.done.done[0].words


def test_what_takes_no_finding_away_is_left_out(tmp_path: Path) -> None:
    broken = {"deps.out": "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"}
    got = ran(tmp_path, command("echo 1 >> deps.out"), theirs={"note.txt": "new\n"}, merged=broken)
    assert got.files["deps.out"] == broken["deps.out"]
    assert "without lock: it changes nothing about" in got.done.failed[0]


def test_a_coupled_file_makes_it_due(tmp_path: Path) -> None:
    both = CoupledSet(name="deps", paths=("/deps.in", "/deps.out"), take="together")
    split = {"deps.in": MIDDLE, "deps.out": THEIRS["deps.out"]}
    got = ran(
        tmp_path, command(MAKE, inputs=("/none",)), merged={**split, "deps.in": OURS["deps.in"]}, coupled=(both,)
    )
    assert got.files["deps.out"] == OURS["deps.out"], got.done
    assert "coupled-set-split" in got.done.done[0].words


WAITS = frozenset({b"deps.out"})


def test_it_settles_the_conflict_in_what_it_makes(tmp_path: Path) -> None:
    marked = {**MERGED, "deps.out": f"# made\n<<<<<<< a\n05\n=======\n>>>>>>> b\n{MIDDLE}25\n"}
    got = ran(tmp_path, command("test \"$(grep -c '<<<' deps.out)\" = 0 && " + MAKE), merged=marked, waiting=WAITS)
    assert got.files["deps.out"] == RIGHT, got.done
    assert got.done.done[0].settles == (b"deps.out",)


def test_while_people_settle_what_it_is_made_from_it_waits(tmp_path: Path) -> None:
    got = ran(tmp_path, command(MAKE), waiting=WAITS | {b"deps.in"})
    assert (got.runs, got.done.done) == (0, ())


def test_a_rule_that_always_applies_stands_above_it(tmp_path: Path) -> None:
    rules = (PathRule(match=("deps.out",), take="ours", when="always"),)
    got = ran(tmp_path, command(MAKE), paths=rules)
    assert got.files["deps.out"] == MERGED["deps.out"]
    got = ran(tmp_path / "2", command(MAKE), paths=(PathRule(match=("deps.out",), take="protect"),))
    assert got.files["deps.out"] == MERGED["deps.out"]


FAILS = {
    "fails": ("echo 'no such package' >&2; exit 3", {}, "exit code 3: .*no such package"),
    "takes too long": (MAKE + "; sleep 60", {"timeout": 0.5}, "over its time limit of 0.5 s"),
    "wants a variable": (MAKE, {"pass_env": ("NO_SUCH_VARIABLE",)}, "NO_SUCH_VARIABLE, which is not set"),
    "a link": ("ln -sf /etc/passwd deps.out", {}, "deps.out .*symbolic link"),
    "a pipe": ("rm deps.out; mkfifo deps.out", {}, "deps.out .*no regular file"),
    "markers": ("printf '<<<<<<< a\\n1\\n=======\\n2\\n>>>>>>> b\\n' > deps.out", {}, "brings what was not there"),
    "says a secret": (
        "echo $SECRET_OF_TEST >&2; exit 1", {"pass_env": ("SECRET_OF_TEST",)}, "exit code 1: (?!.*squirrel)",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "more", "words"), FAILS.values(), ids=FAILS)
def test_what_goes_wrong_changes_nothing_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, more: Mapping[str, object], words: str
) -> None:
    monkeypatch.setenv("SECRET_OF_TEST", "squirrel-of-test")
    got = ran(tmp_path, command(script, **more))
    assert got.files["deps.out"] == MERGED["deps.out"]
    assert not got.done.done
    (told,) = got.done.failed
    assert told.startswith("without lock: ")
    assert re.search(words, told), told


def test_it_has_nothing_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_TEST", "squirrel")
    monkeypatch.setenv("WANTED_OF_TEST", "wanted")
    script = 'echo "$SECRET_OF_TEST$WANTED_OF_TEST $(ls "$HOME" | wc -l)" > deps.out; git for-each-ref >> deps.out'
    got = ran(tmp_path, command(script, pass_env=("WANTED_OF_TEST",)))
    assert got.files["deps.out"] == "wanted 0\n"


def test_without_being_let_it_has_no_network(repository_of: tuple[Repository, TreeId]) -> None:
    repository, tree = repository_of
    made = run_generator(repository, tree, command("cat /proc/net/dev > deps.out", network=False))
    if apart(network=False) is None:
        assert "lets nobody shut that off" in made.trouble
        return
    ((path, entry),) = made.entries
    assert (path, entry is not None) == (b"deps.out", True)
    assert entry is not None
    names = [line.partition(b":")[0].strip() for line in repository.blob(entry.oid).splitlines()[2:]]
    assert names == [b"lo"]


@pytest.fixture
def repository_of(tmp_path: Path) -> Generator[tuple[Repository, TreeId]]:
    with task_of(tmp_path, BASE, OURS, THEIRS, MERGED) as task:
        yield task.trees.repository, task.trees.merged_tree

"""`syncline init` sees on which branches others attempt the same sync."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from syncline.config.load import load
from syncline.config.starter.pairs import Wish
from syncline.config.starter.survey import look
from syncline.config.starter.text import starter_text
from syncline.git import Repository
from syncline.merge.resolvers.patterns import matches
from testing.builder import Branch, RepositoryBuilder

NIGHTS = ("2026-01-02", "2026-01-03", "2026-02-11")


def diverged(builder: RepositoryBuilder) -> tuple[Branch, Branch]:
    main = builder.branch("main")
    main.commit("start", {"a.txt": "a\n"})
    dev = main.branch("dev")
    dev.commit("dev 1", {"dev.txt": "1\n"})
    main.commit("main 1", {"main.txt": "1\n"})
    return main, dev


def attempts(dev: Branch, main: Branch, names: Iterable[str]) -> list[Branch]:
    found = []
    for name in names:
        branch = dev.branch(name)
        branch.merge(main, f"attempt {name}")
        found.append(branch)
    return found


def seen(path: Path, *, remote: str | None = None) -> tuple[str | None, str]:
    """The pattern that was found, and the file with all suggestions taken."""
    with Repository.open(path) as repository:
        survey = look(repository, Wish("main", "dev", remote))
    assert (survey.attempts is not None) == any("did not land" in line for line in survey.branch_evidence())
    text = "\n".join(
        line.removeprefix("#") if line[1:2] != " " else line for line in starter_text(survey).split("\n")
    )
    return survey.attempts.pattern if survey.attempts else None, text


@pytest.mark.parametrize(
    ("names", "pattern", "not_matched"),
    [
        ([f"bot/{night}" for night in NIGHTS], "/bot/*", "other/bot/1"),
        ([f"main2dev/{number}" for number in (1, 20)], "/main2dev/*", "main2dev"),
        ([f"sync-{night}" for night in NIGHTS], "/sync-*", "x/sync-1"),
        (["v1-sync", "v2-sync"], "/v*", "sync"),
        (["tries/ü1", "tries/ü2"], "/tries/ü*", "tries/u1"),
    ],
)
def test_branches_that_differ_in_numbers(
    builder: RepositoryBuilder, tmp_path: Path, names: list[str], pattern: str, not_matched: str
) -> None:
    main, dev = diverged(builder)
    attempts(dev, main, names)
    found, text = seen(builder.finish().path)
    assert found == pattern
    (tmp_path / "syncline.toml").write_text(text, encoding="utf-8")
    (lane,) = load(tmp_path / "syncline.toml").lanes.values()
    assert lane.attempts == (pattern,)
    assert all(matches(lane.attempts, name.encode()) for name in names)
    assert not matches(lane.attempts, not_matched.encode())


def _one_only(main: Branch, dev: Branch) -> None:
    attempts(dev, main, ["bot/1"])


def _landed(main: Branch, dev: Branch) -> None:
    for branch in attempts(dev, main, ["bot/1", "bot/2"]):
        dev.merge(branch, "landed")


def _features_brought_up_to_date(main: Branch, dev: Branch) -> None:
    features = [main.branch(f"feature/{number}") for number in (1, 2)]
    for feature in features:
        feature.commit("feature", {f"{feature.name}.txt": "f\n"})
    main.commit("main 2", {"main.txt": "2\n"})
    for feature in features:
        feature.merge(main, "up to date")
    dev.commit("dev 2", {"dev.txt": "2\n"})


def _plain_work_on_target(_main: Branch, dev: Branch) -> None:
    for number in (1, 2):
        dev.branch(f"work/{number}").commit("work", {"w.txt": f"{number}\n"})


def _less_than_half(main: Branch, dev: Branch) -> None:
    attempts(dev, main, ["pull/1", "pull/2"])
    for number in range(3, 7):
        dev.branch(f"pull/{number}").commit("work", {"w.txt": f"{number}\n"})


def _names_of_numbers(main: Branch, dev: Branch) -> None:
    attempts(dev, main, ["1", "2"])


def _names_the_target_begins_with(main: Branch, dev: Branch) -> None:
    attempts(dev, main, ["dev1", "dev2"])


@pytest.mark.parametrize(
    "build",
    [
        _one_only,
        _landed,
        _features_brought_up_to_date,
        _plain_work_on_target,
        _less_than_half,
        _names_of_numbers,
        _names_the_target_begins_with,
    ],
)
def test_what_is_no_kind_of_attempts(builder: RepositoryBuilder, build: Callable[[Branch, Branch], None]) -> None:
    main, dev = diverged(builder)
    build(main, dev)
    found, text = seen(builder.finish().path)
    assert found is None
    assert "attempts =" not in text


def test_the_newest_kind_counts_and_many_others_do_not_hide_it(builder: RepositoryBuilder) -> None:
    main, dev = diverged(builder)
    attempts(dev, main, ["old/1", "old/2", "new/1", "new/2"])
    for number in range(60):
        dev.branch(f"pull/{number}").commit("work", {"w.txt": f"{number}\n"})
    assert seen(builder.finish().path)[0] == "/new/*"


def test_attempts_at_a_remote_and_in_a_shallow_clone(builder: RepositoryBuilder, tmp_path: Path) -> None:
    main, dev = diverged(builder)
    attempts(dev, main, ["bot/1", "bot/2"])
    repo = builder.finish()
    assert seen(repo.clone(tmp_path / "whole").path, remote="origin")[0] == "/bot/*"
    shallow = repo.shallow_clone(tmp_path / "shallow", 1)
    assert seen(shallow.path, remote="origin")[0] is None

"""`syncline replay`: what it tells, and every kind of bad input."""

import json
from pathlib import Path
from typing import Any

import pytest

from syncline.cli import replay_run
from syncline.cli.options import Common
from syncline.errors import ConfigError, SynclineError
from syncline.merge.ladder.weights import Weights
from syncline.replay.summary import STRATEGIES
from testing.builder import RepositoryBuilder
from testing.cli import run_syncline
from testing.repository import BuiltRepository
from testing.weights import weights_by_voice
from tests.replay.histories import without_seconds

LINES = "".join(f"line {number}\n" for number in range(9))


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> BuiltRepository:
    builder = RepositoryBuilder(tmp_path_factory.mktemp("cli") / "repo")
    main = builder.branch("main")
    main.commit("Start", {"a.md": LINES, "uv.lock": LINES})
    dev = main.branch("dev")
    for turn in range(3):
        for branch in (main, dev):
            text = LINES.replace("line 4", f"{branch.name} {turn}")
            branch.commit(f"{branch.name} {turn}", {"a.md": text, "uv.lock": text, f"{branch.name}{turn}": ""})
        dev.merge(main, f"Sync {turn}", take="ours")
    return builder.finish(head="dev")


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """A file of weights by which nothing is settled."""
    file = tmp_path / "weights.json"
    file.write_text(json.dumps(as_json(weights_by_voice())))
    return file


def as_json(weights: Weights) -> dict[str, Any]:
    kinds = {
        name: {"intercept": one.intercept, "weights": dict(one.weights)} for name, one in weights.kinds.items()
    }
    rest = {"priors": dict(weights.priors), "levels": weights.levels, "repositories": list(weights.repositories)}
    return {"format": 1, "kinds": kinds} | rest


def a_dataset(repo: BuiltRepository, file: Path, **changes: str) -> Path:
    """A dataset of the repository's syncs, newest first, as such files are."""
    merges = []
    for turn in range(3):
        sync = repo.oid(f"Sync {turn}")
        ours, theirs = repo.text("rev-parse", f"{sync}^1", f"{sync}^2").split()
        row = {"merge": sync, "ours": ours, "theirs": theirs, "date": f"2026-06-0{turn + 1}"}
        merges.insert(0, row | changes)
    file.write_text(json.dumps({"repo": "some/where", "merges": merges}))
    return file


def replay(repo: BuiltRepository, capsys: pytest.CaptureFixture[str], weights: Path, **asked: Any) -> Any:
    wishes: dict[str, Any] = {
        "last": None, "datasets": (), "revision": "HEAD", "lane": None, "precision": 0.9, "jobs": 1,
        "history": True, "html": None,
    }  # fmt: skip
    request = replay_run.Request(**(wishes | asked), weights=weights)
    assert replay_run.run(Common(repo.path, None, as_json=True), request) == 0
    return without_seconds(json.loads(capsys.readouterr().out))


def test_the_newest_merges_and_a_dataset_of_them_tell_the_same(
    repo: BuiltRepository, capsys: pytest.CaptureFixture[str], weights: Path, tmp_path: Path
) -> None:
    dataset = a_dataset(repo, tmp_path / "set.json")
    newest = replay(repo, capsys, weights, last=10)
    listed = replay(repo, capsys, weights, datasets=(dataset,))
    assert [one.pop("date") for one in listed["per_merge"]] == ["2026-06-01", "2026-06-02", "2026-06-03"]
    assert [one.pop("date")[:10] for one in newest["per_merge"]] == ["2023-11-14"] * 3
    assert newest == listed
    assert (newest["merges"], newest["files"], newest["hunks"], newest["locks"]) == (3, 6, 3, 3)
    assert list(newest["results"]) == list(STRATEGIES)
    assert newest["results"]["ours"]["hunks"] == {"resolved": 3, "agree": 3, "disagree": 0, "unresolved": 0}
    assert list(newest["curve"]) == ["0.80", "0.85", "0.90", "0.95"]


def test_a_merge_that_two_datasets_list_counts_once(
    repo: BuiltRepository, capsys: pytest.CaptureFixture[str], weights: Path, tmp_path: Path
) -> None:
    datasets = (a_dataset(repo, tmp_path / "one.json"), a_dataset(repo, tmp_path / "two.json"))
    assert replay(repo, capsys, weights, datasets=datasets)["merges"] == 3


def test_two_jobs_tell_the_same(repo: BuiltRepository, capsys: pytest.CaptureFixture[str], weights: Path) -> None:
    assert replay(repo, capsys, weights, last=3, jobs=2) == replay(repo, capsys, weights, last=3)


def attempted_twice(build: RepositoryBuilder) -> BuiltRepository:
    """Two syncs, each attempted in vain before source went on; the answers are what landed."""
    main = build.branch("main")
    main.commit("Start", {"a.md": LINES, "b.md": LINES})
    dev = main.branch("dev")
    for turn in range(2):
        answer = LINES.replace("line 4", f"both {turn}")
        for branch in (main, dev):
            branch.commit(f"{branch.name} {turn}", {"a.md": LINES.replace("line 4", f"{branch.name} {turn}")})
        dev.branch(f"try/{turn}").merge(main, f"Attempt {turn}", {"a.md": answer})
        main.commit(f"main went on {turn}", {f"more{turn}": ""})
        dev.merge(main, f"Sync {turn}", {"a.md": answer})
    return build.finish(head="dev")


def test_attempts_that_were_there_before_are_evidence(
    builder: RepositoryBuilder, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    repo = attempted_twice(builder)
    file = tmp_path / "weights.json"
    file.write_text(json.dumps(as_json(weights_by_voice({"attempted": 6.0}))))
    found = replay(repo, capsys, file, last=2, attempts=("try/*",))
    # Nothing is accepted in the first merge there is.
    assert found["results"]["syncline"]["by_resolver"]["attempted"] == {
        "resolved": 1, "agree": 1, "disagree": 0, "unresolved": 0
    }  # fmt: skip
    assert replay(repo, capsys, file, last=2, attempts=("try/*",), jobs=2) == found
    assert "attempted" not in replay(repo, capsys, file, last=2)["results"]["syncline"]["by_resolver"]
    assert "attempted" not in str(replay(repo, capsys, file, last=2, attempts=("elsewhere/*",)))


def test_attempts_that_meet_no_branch_are_told(builder: RepositoryBuilder, weights: Path, tmp_path: Path) -> None:
    repo = attempted_twice(builder)
    clone = repo.clone(tmp_path / "clone")
    for place in (repo, clone):  # here, and as branches of a remote
        asked = ("replay", "--last", "1", "--weights", weights, "--branch", repo["dev"])
        done = run_syncline(*asked, "--attempts", "try/*", "--attempts", "zzz/*", "--json", repo=place)
        assert done.code == 0
        told = [line for line in done.err.splitlines() if "matches the attempts" in line]
        assert [line.partition("attempts ")[2].partition(":")[0] for line in told] == ["'zzz/*'"]


def test_a_branch_without_merges(repo: BuiltRepository, capsys: pytest.CaptureFixture[str], weights: Path) -> None:
    with pytest.raises(ConfigError, match=r"no merge to replay: main \(.*\) has none") as caught:
        replay(repo, capsys, weights, last=3, revision="main")
    assert "--branch" in caught.value.hint
    assert "squashing" in caught.value.hint


def test_in_words(repo: BuiltRepository, weights: Path) -> None:
    done = run_syncline("replay", "--last", "2", "--weights", weights, repo=repo)
    assert done.code == 0
    assert done.out.startswith("2 merges, 4 files, 2 hunks (and 2 in lock files)\n")
    assert "100.0 %" in next(line for line in done.out.splitlines() if line.startswith("ours"))
    assert done.err == ""


def test_one_is_no_plural(repo: BuiltRepository, weights: Path) -> None:
    done = run_syncline("replay", "--last", "1", "--weights", weights, repo=repo)
    assert done.out.startswith("1 merge, 2 files, 1 hunk (and 1 in lock files)\n")


def test_strategies_stand_side_by_side_for_each_class_of_file(repo: BuiltRepository, weights: Path) -> None:
    done = run_syncline("replay", "--last", "2", "--weights", weights, repo=repo)
    for title, name in (("by group of files", "data"), ("by file type", ".md")):
        _, _, table = done.out.partition(f"{title}, % answered/right")
        head, row, *_ = table.splitlines()
        assert head.split() == ["hunks", *(name.replace("syncline+", "+") for name in STRATEGIES)]
        # Nothing is settled by these weights, and every sync took target's side.
        assert row.split() == [name, "2", "0.0/-", "0.0/-", "100.0/100.0", "100.0/0.0", "100.0/0.0"]


@pytest.mark.parametrize(("count", "said"), [(1, "1 merge left out: it has"), (2, "2 merges left out: they have")])
def test_merges_without_a_conflict_are_left_out_in_words(
    builder: RepositoryBuilder, weights: Path, count: int, said: str
) -> None:
    main = builder.branch("main")
    main.commit("Start", {"a.md": LINES})
    dev = main.branch("dev")
    for turn in range(count):
        main.commit(f"Main {turn}", {f"main{turn}": "x\n"})
        dev.commit(f"Dev {turn}", {f"dev{turn}": "x\n"})
        dev.merge(main, f"Sync {turn}")
    done = run_syncline("replay", "--last", "5", "--weights", weights, repo=builder.finish(head="dev"))
    assert done.code == 0
    assert f"{said} no conflict\n" in done.out
    assert "nothing to score" in done.out
    assert "strategy" not in done.out


def test_what_some_merges_lack_leaves_those_out(
    repo: BuiltRepository, capsys: pytest.CaptureFixture[str], weights: Path, tmp_path: Path
) -> None:
    lost = a_dataset(repo, tmp_path / "lost.json", merge="1" * 40)
    found = replay(repo, capsys, weights, datasets=(a_dataset(repo, tmp_path / "set.json"), lost))
    assert found["merges"] == 3
    assert sum(found["left_out"].values()) >= 1


def test_a_dataset_of_another_repository_is_an_error(
    repo: BuiltRepository, capsys: pytest.CaptureFixture[str], weights: Path, tmp_path: Path
) -> None:
    lost = a_dataset(repo, tmp_path / "lost.json", merge="1" * 40, ours="2" * 40, theirs="3" * 40)
    with pytest.raises(ConfigError, match=r"none of the \d+ merges? is in .*repo") as caught:
        replay(repo, capsys, weights, datasets=(lost,))
    assert "-C DIR" in caught.value.hint


@pytest.mark.parametrize(("arguments", "wanted"), [
    ((), "either --last N or --dataset FILE was expected, none was given"),
    (("--last", "5", "--dataset", "x.json"), "both were given"),
    (("--last", "0"), "invalid value for '--last'"),
    (("--last", "x"), "invalid value for '--last'"),
    (("--last", "5", "--jobs", "0"), "invalid value for '--jobs'"),
    (("--last", "5", "--jobs", "65"), "invalid value for '--jobs'"),
    (("--last", "5", "--precision", "0.4"), "invalid value for '--precision'"),
    (("--last", "5", "--precision", "1"), "invalid value for '--precision'"),
    (("--last", "5", "--precision", "nan"), "precision"),
    (("--dataset", "nowhere.json"), "nowhere.json cannot be read"),
    (("--dataset", "."), "cannot be read"),
    (("--last", "5", "--weights", "nowhere.json"), "nowhere.json holds no weights"),
    (("--last", "5", "--attempts", "!try/*"), "--attempts '!try/*' is no pattern of branches"),
    (("--last", "5", "--branch", "nosuch"), "no commit is named 'nosuch'"),
])  # fmt: skip
def test_wrong_words(repo: BuiltRepository, weights: Path, arguments: tuple[str, ...], wanted: str) -> None:
    own = () if "--weights" in arguments else ("--weights", weights)
    done = run_syncline("replay", *arguments, *own, repo=repo)
    assert done.code == 2, done.out
    assert wanted in done.err.lower() or wanted in done.err
    assert done.out == ""


FULL = "1" * 40


@pytest.mark.parametrize(("content", "why"), [
    ("", "it is no JSON at line 1, column 1"),
    ('{\n"merges": [,', "it is no JSON at line 2, column 12"),
    ("[]", "it is a list, and an object was expected"),
    ("{}", 'it has no "merges"'),
    ('{"merges": 5}', 'its "merges" is 5, no list'),
    ('{"merges": [{"merge": "x"}]}', 'merge 1 of 1: its "merge" is "x", no full commit id'),
    ('{"merges": [{"merge": 5}, 5]}', 'merge 1 of 2: its "merge" is 5, no full commit id'),
    (f'{{"merges": [{{"merge": "{FULL}"}}]}}', 'merge 1 of 1 has no "ours"'),
    (f'{{"merges": [{{"merge": "{FULL}", "ours": "{FULL}", "theirs": "{FULL}", "date": 1}}]}}', "is 1, no date"),
    ('{"merges": [null]}', "merge 1 of 1 is null, and an object was expected"),
    ("[" * 9999, "it is nested too deeply"),
    ("9" * 9999, "it holds a number of too many digits"),
])  # fmt: skip
def test_a_file_that_is_no_dataset(
    repo: BuiltRepository,
    capsys: pytest.CaptureFixture[str],
    weights: Path,
    tmp_path: Path,
    content: str,
    why: str,
) -> None:
    file = tmp_path / "set.json"
    file.write_text(content)
    with pytest.raises(SynclineError, match=r"set\.json is no dataset: ") as caught:
        replay(repo, capsys, weights, datasets=(file,))
    assert why in caught.value.message
    assert capsys.readouterr().out == ""


def test_a_dataset_without_merges(
    repo: BuiltRepository, capsys: pytest.CaptureFixture[str], weights: Path, tmp_path: Path
) -> None:
    file = tmp_path / "set.json"
    file.write_text('{"merges": []}')
    with pytest.raises(ConfigError, match=r"no merge to replay: none is listed in .*set\.json"):
        replay(repo, capsys, weights, datasets=(file,))


@pytest.mark.parametrize("place", ["/dev/null/x", "/proc/x"])
def test_pages_that_cannot_be_written(
    repo: BuiltRepository, capsys: pytest.CaptureFixture[str], weights: Path, place: str
) -> None:
    with pytest.raises(ConfigError, match=f"the pages were to go to {place}, which cannot be written") as caught:
        replay(repo, capsys, weights, last=1, html=Path(place))
    assert "name a new directory" in caught.value.hint


def test_outside_of_a_repository(tmp_path: Path, weights: Path) -> None:
    done = run_syncline("-C", tmp_path, "replay", "--last", "5", "--weights", weights)
    assert done.code == 2
    assert "repository" in done.err

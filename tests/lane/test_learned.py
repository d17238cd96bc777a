"""The lane's record at work: in `merge --lane`, in a sync, and when the run is judged again."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from syncline.cli import learn_run, merge_run, sync_run
from syncline.cli.options import Common
from syncline.config.load import load
from syncline.errors import LaneBusyError
from syncline.git import BlobId, CommitId, Repository
from syncline.git.commit import read_commit
from syncline.lane.learned import hold_record, read_learned
from syncline.lane.remake import remake
from syncline.lane.shape import Shape
from syncline.merge.ladder import weights
from syncline.merge.merge import merge
from syncline.merge.model import MergeResult
from testing.builder import RepositoryBuilder
from testing.handmade import handmade_weights
from testing.lane import LaneStory
from testing.learning import build_past

COMMITTED = 'learned = ".syncline/nightly.json"\n'


@pytest.fixture(autouse=True)
def _weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "shipped", handmade_weights)


@pytest.fixture
def story(tmp_path: Path) -> LaneStory:
    return build_past(tmp_path)


def learn(story: LaneStory, *forget: str) -> None:
    learn_run.run(Common(story.repo.path, story.config, True), learn_run.Request(None, 100, 1, False, forget, ()))  # noqa: FBT003


class Machine:
    """Runs commands in this process, where the weights are ours."""

    def __init__(self, story: LaneStory, capsys: pytest.CaptureFixture[str]) -> None:
        self.story, self.capsys = story, capsys

    def merge(self, *, text: bool = False, lane: str | None = None, evidence: bool = False) -> Any:
        options = Common(self.story.repo.path, self.story.config, not text)
        self.capsys.readouterr()
        merge_run.run(options, "dev", "main", lane_name=lane, evidence=evidence, commit=False, message=None)
        return self._out(text=text)

    def sync(self, *, text: bool = False) -> Any:
        options = Common(self.story.repo.path, self.story.config, not text)
        self.capsys.readouterr()
        sync_run.run(options, None, sync_run.Asked(), wait=0)
        return self._out(text=text)

    def _out(self, *, text: bool) -> Any:
        out = self.capsys.readouterr().out
        return out if text else json.loads(out)


def states(document: dict[str, Any]) -> dict[str, tuple[str, str | None, int]]:
    """For each path what became of it, by whom, and how many candidates its hunk has."""
    return {
        path["path"]: (path["status"], path["side"], len(path["hunks"][0]["candidates"]))
        for path in document["paths"]
    }


def test_a_merge_without_a_lane_is_as_ever(story: LaneStory, capsys: pytest.CaptureFixture[str]) -> None:
    learn(story)
    done = Machine(story, capsys).merge()
    assert set(states(done).values()) == {("unresolved", "ours", 0)}


def test_without_a_record_candidates_are_shown_and_none_is_accepted(
    story: LaneStory, capsys: pytest.CaptureFixture[str]
) -> None:
    machine = Machine(story, capsys)
    for done in (machine.merge(lane="nightly"), machine.merge(evidence=True)):
        assert {(status, side) for status, side, _ in states(done).values()} == {("unresolved", "ours")}
        assert all(count >= 2 for _, _, count in states(done).values())
    out = machine.merge(evidence=True, text=True)
    assert "conf/app.txt  [content]  nothing settled it" in out
    assert "      hunk 1: open; likeliest " in out


def test_a_record_settles_what_the_lane_always_settled_so(
    story: LaneStory, capsys: pytest.CaptureFixture[str]
) -> None:
    learn(story)
    machine = Machine(story, capsys)
    found = states(machine.merge(lane="nightly"))
    assert found["conf/app.txt"][:2] == ("resolved", "ours")
    assert found["figures/a.csv"][:2] == ("resolved", "theirs")
    assert found["words.txt"][0] == "unresolved"
    out = machine.merge(lane="nightly", text=True)
    assert "figures/a.csv  [content]  lane-record, 1.00 sure" in out
    assert (
        "      hunk 1: source's side (the lane's record, 1.00 sure): source's side was taken in 100% of about"
        in out
    )
    assert "answers at least so sure in generated files were right 100% of" in out
    assert "words.txt  [content]  nothing settled it" in out
    assert "      hunk 1: open; " in out


def test_a_run_names_its_record_and_is_judged_by_it(story: LaneStory, capsys: pytest.CaptureFixture[str]) -> None:
    learn(story)
    machine = Machine(story, capsys)
    first = machine.sync()
    assert (first["outcome"], [one["path"] for one in first["unresolved"]]) == ("needs-people", ["words.txt"])
    assert first["findings"] == []
    assert story.repo.read(first["head"], "figures/a.csv") == b"main 7\n"
    message = story.repo.text("log", "-1", "--format=%B", first["merge"])
    assert "settled by rule 0, by evidence 2, open 1." in message
    record = message.partition("Syncline-Learned: ")[2].splitlines()[0]
    assert story.repo.text("rev-parse", f"refs/syncline/learned/nightly/{first['run']}").strip() == record
    # Whatever is learned meanwhile: the run stays what it is.
    learn(story, story.repo.oid("sync 1"))
    again = machine.sync()
    assert (again["run"], again["outcome"], again["findings"]) == (first["run"], "needs-people", [])
    assert [one["path"] for one in again["unresolved"]] == ["words.txt"]
    assert "conflicts  3: 0 by rule, 2 by evidence, 0 by people, 1 open" in machine.sync(text=True)


def test_a_run_whose_record_is_gone_is_open_where_evidence_settled(
    story: LaneStory, capsys: pytest.CaptureFixture[str]
) -> None:
    learn(story)
    machine = Machine(story, capsys)
    run = machine.sync()["run"]
    ref = f"refs/syncline/learned/nightly/{run}"
    record = story.repo.text("rev-parse", ref).strip()
    story.repo.git("update-ref", "-d", ref)
    (story.repo.git_dir / "objects" / record[:2] / record[2:]).unlink()
    done = machine.sync()
    assert (done["run"], done["findings"]) == (run, [])
    assert [one["path"] for one in done["unresolved"]] == ["conf/app.txt", "figures/a.csv", "words.txt"]


def test_a_record_in_target_decides_on_every_machine(tmp_path: Path) -> None:
    story = build_past(tmp_path, keys=COMMITTED)
    lane = load(story.config).lane()
    with Repository.open(story.repo.path) as repository:
        assert read_learned(repository, lane, CommitId(story.repo["dev"])).content == b""
    learn(story)
    content = (story.repo.path / ".syncline/nightly.json").read_bytes()
    build = RepositoryBuilder.resume(story.repo)
    build.branch("dev").commit("what was learned", {".syncline/nightly.json": content})
    repo = build.finish(checkout=False)
    with Repository.open(repo.path) as repository:
        learned = read_learned(repository, lane, CommitId(repo["dev"]))
        assert (learned.content, len(learned.record.learned)) == (content, 6)
        assert read_learned(repository, lane, CommitId(repo["main"])).content == b""


def test_one_learns_at_a_time(story: LaneStory) -> None:
    lane = load(story.config).lane()
    busy = pytest.raises(LaneBusyError, match=r"lane 'nightly \(learning\)' is held by process")
    with Repository.open(story.repo.path) as repository, ExitStack() as held:
        held.enter_context(hold_record(repository, lane))
        with busy:
            held.enter_context(hold_record(repository, lane))


@pytest.mark.parametrize(
    ("files", "unexplained"),
    [
        ({"words.txt": "of nobody\n"}, False),
        ({"words.txt": "of nobody\n", "clean.txt": "slipped in\n"}, True),
        ({"words.txt": "of dev\n"}, False),
    ],
)
def test_what_a_run_s_record_could_not_have_done_is_seen(
    builder: RepositoryBuilder, files: dict[str, str], *, unexplained: bool
) -> None:
    main = builder.branch("main")
    main.commit("start", {"words.txt": "0\n", "clean.txt": "clean\n"})
    dev = main.branch("dev")
    main.commit("main 1", {"words.txt": "of main\n"})
    dev.commit("dev 1", {"words.txt": "of dev\n"})
    dev.merge(main, "sync", files, trailers={"Syncline-Learned": "ab" * 20})
    repo = builder.finish()
    with Repository.open(repo.path) as repository:
        commit = read_commit(repository, CommitId(repo["dev"]))
        shape = Shape("nightly", "run", "branch", "policy", commit.oid, commit, None, ())

        def with_record(_ours: CommitId, _theirs: CommitId, record: BlobId | None) -> MergeResult:
            assert record == "ab" * 20
            repository.blob(record)
            raise AssertionError

        remade = remake(repository, shape, with_record, lambda ours, theirs: merge(repository, ours, theirs))
    assert remade.unexplained is unexplained
    assert [decision.path for decision in remade.result.unresolved] == [b"words.txt"]
    told = "settled by evidence when the merge was made" in str(remade.result.unresolved[0].evidence[0])
    assert told is (files["words.txt"] != "of dev\n")

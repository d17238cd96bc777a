"""`syncline learn`: what is written, what is told, what can be revoked."""

import json
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from syncline.cli import learn_run
from syncline.cli.options import Common
from syncline.config.load import load
from syncline.errors import ConfigError, SynclineError
from syncline.merge.ladder import weights
from testing.handmade import handmade_weights
from testing.lane import LaneStory
from testing.learning import build_past


@pytest.fixture(autouse=True)
def _weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "shipped", handmade_weights)


def learn(story: LaneStory, capsys: pytest.CaptureFixture[str], *, text: bool = False, **asked: Any) -> Any:
    request = replace(learn_run.Request(None, 100, 1, False, (), ()), **asked)  # noqa: FBT003
    code = learn_run.run(Common(story.repo.path, story.config, not text), request)
    assert code == 0
    out = capsys.readouterr().out
    return out if text else json.loads(out)


def test_it_tells_what_was_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = build_past(tmp_path)
    done = learn(story, capsys)
    assert (done["syncs"], len(done["learned"]), done["files"], done["hunks"]) == (6, 6, 18, 18)
    assert done["learned"] == [story.repo.oid(f"sync {number}") for number in range(1, 7)]
    assert done["record"] == str(story.repo.git_dir / "syncline/learned/nightly.json")
    assert json.loads(Path(done["record"]).read_text())["learned"] == done["learned"]
    assert done["gate"]["data"]["open_from"] == 0.88
    assert done["gate"]["data"]["right"] == 1.0
    assert done["recorded"] == 18
    # The same history teaches the same.
    before = Path(done["record"]).read_bytes()
    learn(story, capsys)
    assert Path(done["record"]).read_bytes() == before


def test_it_suggests_rules_that_can_be_pasted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = build_past(tmp_path)
    suggestions = learn(story, capsys)["suggestions"]
    assert [(one["match"], one["take"], one["right"], one["total"], one["syncs"]) for one in suggestions] == [
        (["/conf/app.txt"], "ours", 6, 6, 6),
        (["/figures/a.csv"], "theirs", 6, 6, 6),
    ]
    since = suggestions[0]["since"]
    pasted = "\n".join(one["toml"] for one in suggestions)
    assert f"# ours 6 of 6 times in 6 syncs since {since}" in pasted
    assert tomllib.loads(pasted)["lanes"]["nightly"]["paths"][0] == {"match": ["/conf/app.txt"], "take": "ours"}
    story.config.write_text(f"{story.config.read_text()}\n{pasted}\n")
    assert len(load(story.config).lane().paths) == 2
    # What a rule decides is not suggested again.
    assert learn(story, capsys)["suggestions"] == []


def test_it_reads_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = build_past(tmp_path)
    out = learn(story, capsys, text=True)
    assert "nightly: 6 past syncs into dev; learned from 6 with conflicts: 18 files, 18 hunks" in out
    assert "from confidence 0.88 on; so sure 100% of about" in out
    assert "closed; candidates are shown, none is accepted" not in out
    assert '[[lanes.nightly.paths]]\nmatch = ["/conf/app.txt"]\ntake = "ours"' in out
    recorded = learn(story, capsys, text=True, recorded=True)
    assert "18 recorded resolutions from 6 merges" in recorded
    assert (
        "sync 6: 3\n  conf/app.txt  1: 1 ours\n  figures/a.csv  1: 1 theirs\n  words.txt  1: 1 new text"
        in recorded
    )


def test_a_lane_without_a_past_keeps_its_gate_closed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = build_past(tmp_path, syncs=0)
    out = learn(story, capsys, text=True)
    assert "0 past syncs" in out
    assert "one landed by squashing is not seen" in out
    assert out.count("closed; candidates are shown, none is accepted") == 3
    assert "no path rule to suggest" in out


def test_attempts_that_did_not_land_are_evidence_for_the_next_sync(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = build_past(tmp_path, keys='attempts = ["try/*"]\n', attempts=3)
    done = learn(story, capsys)
    assert done["attempts"] == [story.repo.oid(f"attempt {number}") for number in (2, 1, 0)]
    assert "3 attempts at the next sync that did not land, the newest" in learn(story, capsys, text=True)
    shown = story.run("merge", "--lane", "nightly", "dev", "main", "--json")
    (words,) = [path for path in shown.json()["paths"] if path["path"] == "words.txt"]
    told = {
        "".join(said["lines"]) if said.get("lines") else said["side"]: said["evidence"]
        for said in words["hunks"][0]["candidates"]
    }
    why = [reason["why"] for reasons in told.values() for reason in reasons]
    assert "1 of 3 earlier attempts at this sync settled the same conflict so" in why
    # Without the key nothing of it is known.
    story.config.write_text(story.config.read_text().replace('attempts = ["try/*"]\n', ""))
    assert learn(story, capsys)["attempts"] == []


def test_what_a_merge_taught_can_be_revoked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = build_past(tmp_path)
    learn(story, capsys)
    sync = story.repo.oid("sync 3")
    done = learn(story, capsys, forget=(sync[:12],))
    assert (done["forgotten"], sync in done["learned"], done["recorded"]) == ([sync], False, 15)
    # It stays so.
    done = learn(story, capsys)
    assert (done["forgotten"], sync in done["learned"]) == ([sync], False)
    listed = learn(story, capsys, recorded=True)
    assert listed["forgotten"] == [sync]
    assert sync not in [merge["merge"] for merge in listed["merges"]]
    assert len(learn(story, capsys, remember=(sync,))["learned"]) == 6
    with pytest.raises(ConfigError, match="was not forgotten"):
        learn(story, capsys, remember=(sync,))
    with pytest.raises(ConfigError, match="is none of the 6 syncs"):
        learn(story, capsys, forget=("main",))


@pytest.mark.parametrize("option", ["forget", "remember"])
def test_a_listing_revokes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    story = build_past(tmp_path, syncs=1)
    asked: dict[str, Any] = {option: ("main",)}
    with pytest.raises(ConfigError, match=f"only lists and changes nothing, and --{option} was given") as caught:
        learn(story, capsys, recorded=True, **asked)
    assert f"syncline learn --{option} SHA" in caught.value.hint


def test_a_record_that_is_committed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = build_past(tmp_path, keys='learned = ".syncline/nightly.json"\n')
    done = learn(story, capsys)
    place = story.repo.path / ".syncline/nightly.json"
    assert (done["record"], done["in_force"]) == (str(place), False)
    assert learn(story, capsys, recorded=True)["recorded"] == 0  # what counts is what target holds
    assert "in force once it is committed to dev" in learn(story, capsys, text=True)
    subprocess.run(["git", "add", ".syncline"], cwd=story.repo.path, check=True)  # noqa: S607
    subprocess.run(["git", "commit", "-qm", "What was learned"], cwd=story.repo.path, check=True)  # noqa: S607
    assert learn(story, capsys)["in_force"] is True
    assert learn(story, capsys, recorded=True)["recorded"] == 18


def test_a_broken_record_is_refused_and_written_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = build_past(tmp_path, syncs=1)
    place = Path(learn(story, capsys)["record"])
    place.write_text('{"format": 99}')
    with pytest.raises(
        SynclineError, match=r"nightly\.json was expected to hold what a lane learned \(format 1\)"
    ):
        learn(story, capsys, recorded=True)
    learn(story, capsys, anew=True)
    assert learn(story, capsys, recorded=True)["recorded"] == 3


def test_the_command_line(tmp_path: Path) -> None:
    story = build_past(tmp_path, syncs=1)
    listed = story.run("learn", "nightly", "--recorded", "--json")
    assert (listed.code, listed.json()["recorded"]) == (0, 0), listed.err
    assert not (story.repo.git_dir / "syncline").exists()
    refused = story.run("learn", "--forget", "nothing", "--json")
    assert (refused.code, refused.json()["error"].startswith("no commit is named 'nothing'")) == (2, True)
    assert story.run("learn", "elsewhere").code == 2

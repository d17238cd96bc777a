"""`syncline learn` where something of the past is damaged, missing or rewritten: what was known stays known."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from syncline.cli import learn_run
from syncline.cli.options import Common
from syncline.errors import SynclineError
from syncline.merge.ladder import weights
from testing.builder import RepositoryBuilder
from testing.handmade import handmade_weights
from testing.lane import LaneStory
from testing.learning import PAST_POLICY, build_past
from testing.missing import lose
from testing.sealed import sealed_environment, sealed_home
from testing.unprivileged import without_override

COMMITTED = 'learned = ".syncline/nightly.json"\n'


@pytest.fixture(autouse=True)
def _weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "shipped", handmade_weights)


def learn(story: LaneStory, capsys: pytest.CaptureFixture[str], *, text: bool = False, **asked: Any) -> Any:
    request = replace(learn_run.Request(None, 100, 1, False, (), ()), **asked)  # noqa: FBT003
    capsys.readouterr()
    learn_run.run(Common(story.repo.path, story.config, not text), request)
    out = capsys.readouterr().out
    return out if text else json.loads(out)


def git(where: Path, *words: str) -> None:
    environment = sealed_environment(sealed_home())
    subprocess.run(["git", *words], cwd=where, env=environment, check=True, capture_output=True)  # noqa: S607


# --- a damaged record -----------------------------------------------------------------------------------------

Damage = Callable[[bytes], bytes]
BEYOND_TELLING: dict[str, Damage] = {
    "empty": lambda _record: b"",
    "cut within what was revoked": lambda record: record[: record.index(b"forgotten") + 20],
    "cut before it": lambda record: record[:5],
    "zeros": lambda record: bytes(len(record)),
    "in conflict": lambda record: record.replace(b"{\n", b"{\n<<<<<<< ours\n", 1),
    "another document": lambda _record: b'{"format": 99}\n',
    "no ids": lambda record: re.sub(rb'("forgotten":\[\n")[0-9a-f]{40}', rb"\1abc", record),
}
BEHIND: dict[str, Damage] = {
    "cut": lambda record: record[: len(record) // 2],
    "one byte short": lambda record: record[:-3],
    "zeros": lambda record: record[: len(record) // 2] + bytes(len(record) // 2),
    "in conflict": lambda record: record.replace(b'"sizes"', b'<<<<<<< ours\n"sizes"'),
    "another format": lambda record: record.replace(b'"format":1', b'"format":99'),
}


def commit_record(story: LaneStory, content: bytes) -> None:
    (story.repo.path / ".syncline/nightly.json").write_bytes(content)
    git(story.repo.path, "add", ".syncline")
    git(story.repo.path, "commit", "-qm", "What was learned")


def damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str, damage: Damage
) -> tuple[LaneStory, Path]:
    """A lane with a revoked sync, and its record damaged: this machine's, target's, or the next for it."""
    story = build_past(tmp_path, syncs=2, keys="" if where == "this machine" else COMMITTED)
    record = Path(learn(story, capsys, forget=(story.repo.oid("sync 1"),))["record"])
    whole = record.read_bytes()
    if where == "target":
        commit_record(story, damage(whole))
        record.unlink()
    else:
        if where == "work tree":
            commit_record(story, whole.replace(story.repo.oid("sync 1").encode(), b"0" * 40))
        record.write_bytes(damage(whole))
    return story, record


@pytest.mark.parametrize("damage", BEYOND_TELLING.values(), ids=BEYOND_TELLING)
@pytest.mark.parametrize("where", ["this machine", "target", "work tree"])
def test_what_was_revoked_is_not_forgotten_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str, damage: Damage
) -> None:
    story, record = damaged(tmp_path, capsys, where, damage)
    before = record.read_bytes() if record.exists() else None
    for forget in ((), (story.repo.oid("sync 2"),)):
        with pytest.raises(SynclineError, match=r"nightly\.json.* was expected to ") as refused:
            learn(story, capsys, forget=forget)
        assert (record.read_bytes() if record.exists() else None) == before
    if "list full ids" in refused.value.message:
        return  # it is to be mended by hand, where somebody wrote it by hand
    assert "which merges were revoked in it cannot be told, and they would teach again" in refused.value.message
    assert "`syncline learn --anew`" in refused.value.hint
    done = learn(story, capsys, anew=True)
    assert story.repo.oid("sync 1") in done["learned"]
    assert "what was revoked there is not known any more" in done["notes"][0]
    assert json.loads(record.read_bytes())["learned"] == done["learned"]


@pytest.mark.parametrize("damage", BEHIND.values(), ids=BEHIND)
@pytest.mark.parametrize("where", ["this machine", "target", "work tree"])
def test_what_was_revoked_is_saved_from_a_damaged_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str, damage: Damage
) -> None:
    story, record = damaged(tmp_path, capsys, where, damage)
    sync = story.repo.oid("sync 1")
    out = learn(story, capsys, text=True)
    assert "note: " in out
    assert "was expected to hold what a lane learned" in out
    assert "its list of revoked merges (1) is whole, and kept" in out
    assert "1 left out: forgotten on request" in out
    written = json.loads(record.read_bytes())
    assert (sync in written["forgotten"], sync in written["learned"]) == (True, False)


def test_an_empty_record_is_none_to_merge_by_either(tmp_path: Path) -> None:
    story = build_past(tmp_path, syncs=1)
    record = story.repo.git_dir / "syncline/learned/nightly.json"
    record.parent.mkdir(parents=True)
    record.touch()
    for command in (("merge", "--lane", "nightly", "dev", "main"), ("learn", "--recorded"), ("learn",)):
        done = story.run(*command, "--json")
        assert done.code == 2, command
        assert "it is empty" in done.json()["error"]
    assert story.run("learn", "--anew").code == 0
    assert story.run("learn", "--recorded").code == 0


def test_what_cannot_be_written_is_not_learned_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    story = build_past(tmp_path, syncs=1)
    place = Path(learn(story, capsys)["record"]).parent
    monkeypatch.setattr(learn_run, "past_syncs", lambda *_: pytest.fail("it began to learn"))
    place.chmod(0o555)
    try:
        with without_override(), pytest.raises(SynclineError, match="was to be written, the system refused"):
            learn(story, capsys)
    finally:
        place.chmod(0o755)


# --- missing objects ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("left_out", ["blob:none", "tree:0"])
@pytest.mark.parametrize("known", [True, False], ids=["with a record", "without"])
def test_a_partial_clone_teaches_nothing_and_takes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], left_out: str, *, known: bool
) -> None:
    source = build_past(tmp_path, syncs=3)
    whole = learn(source, capsys, forget=(source.repo.oid("sync 2"),))
    record = Path(whole["record"])
    source.repo.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--bare", f"--filter={left_out}", source.repo.path.as_uri(), str(clone))
    story = LaneStory(replace(source.repo, path=clone, git_dir=clone), source.config)
    copy = clone / "syncline/learned/nightly.json"
    if known:
        copy.parent.mkdir(parents=True)
        copy.write_bytes(record.read_bytes())
    with pytest.raises(SynclineError, match="cannot be merged again, since objects are missing") as refused:
        learn(story, capsys)
    assert (copy.read_bytes() if copy.exists() else b"") == (record.read_bytes() if known else b"")
    git(clone, *shlex.split(refused.value.hint.split("`")[1])[1:])
    done = learn(story, capsys)
    assert done["learned"] == (whole["learned"] if known else source_syncs(source, 3))
    assert done["notes"] == []


def source_syncs(story: LaneStory, count: int) -> list[str]:
    return [story.repo.oid(f"sync {number}") for number in range(1, count + 1)]


def test_a_sync_that_cannot_be_merged_any_more_does_not_go_unsaid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = build_past(tmp_path, syncs=3)
    record = Path(learn(story, capsys)["record"])
    before = record.read_bytes()
    lose(story.repo.git_dir, story.repo.text("rev-parse", f"{story.repo.oid('main 3')}:words.txt"))
    with pytest.raises(SynclineError, match="the record has learned from 1 of these") as refused:
        learn(story, capsys)
    assert record.read_bytes() == before
    assert "git fsck" in refused.value.hint
    # The way out that the hint names:
    first, second, third = source_syncs(story, 3)
    assert learn(story, capsys, forget=(third,))["learned"] == [first, second]
    # What no record has learned from is nothing to lose.
    record.unlink()
    done = learn(story, capsys)
    assert (done["learned"], done["left_out"]) == ([first, second], {"objects or history are missing": 1})
    assert done["notes"][0].startswith("1 of 3 syncs cannot be merged again, since objects are missing: ")
    # Now it is missing from the record, too.
    assert learn(story, capsys)["learned"] == [first, second]


def test_unrelated_histories_are_no_missing_objects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build = RepositoryBuilder(tmp_path / "repo")
    main, dev = build.branch("main"), build.branch("dev")
    main.commit("main", {"a.txt": "a\n"})
    dev.commit("dev", {"b.txt": "b\n"})
    dev.merge(main, "join", {"a.txt": "both\n"})
    config = tmp_path / "policy.toml"
    config.write_text(PAST_POLICY)
    done = learn(LaneStory(build.finish(head="dev"), config), capsys)
    assert done["left_out"] == {"its sides have no common ancestor": 1}


# --- rewritten history ----------------------------------------------------------------------------------------


def rewrite(story: LaneStory, change: Callable[[bytes], bytes]) -> list[str]:
    """Change all commits, and return the syncs that are there now, the oldest first."""
    stream = change(story.repo.git("fast-export", "--all"))
    story.repo.git("fast-import", "--force", "--quiet", input=stream)
    return story.repo.text("rev-list", "--reverse", "--first-parent", "--merges", "dev").split()


def other_committer(stream: bytes) -> bytes:
    return re.sub(rb"^committer .*(?= <)", b"committer Somebody Else", stream, flags=re.MULTILINE)


def without_a_file(stream: bytes) -> bytes:
    return re.sub(rb"^M \d+ \S+ figures/a.csv\n", b"", stream, flags=re.MULTILINE)


def test_a_revoked_sync_stays_so_in_a_rewritten_history(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = build_past(tmp_path, syncs=3)
    old = story.repo.oid("sync 2")
    learn(story, capsys, forget=(old,))
    syncs = rewrite(story, other_committer)
    assert old not in syncs
    done = learn(story, capsys)
    assert (done["forgotten"], done["learned"]) == ([old, syncs[1]], [syncs[0], syncs[2]])
    assert done["left_out"] == {"forgotten on request": 1}
    assert len(done["notes"]) == 1
    assert f"{old[:10]} was revoked and is no longer in target's history" in done["notes"][0]
    assert f"and so is {syncs[1][:10]}, which took its place" in done["notes"][0]
    # Said once; and taken back once, by either name.
    record = Path(done["record"])
    both = record.read_bytes()
    assert learn(story, capsys)["notes"] == []
    for taken_back in (old, syncs[1]):
        record.write_bytes(both)
        done = learn(story, capsys, remember=(taken_back,))
        assert (done["forgotten"], done["learned"], done["notes"]) == ([], syncs, [])
        assert learn(story, capsys)["learned"] == syncs


def test_a_revoked_sync_with_another_content_now_is_pointed_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = build_past(tmp_path, syncs=3)
    old = story.repo.oid("sync 2")
    learn(story, capsys, forget=(old,))
    syncs = rewrite(story, without_a_file)
    done = learn(story, capsys)
    assert (done["forgotten"], done["learned"], done["left_out"]) == ([old], syncs, {})
    (note,) = done["notes"]
    assert f"it stays revoked, but {syncs[1][:10]} looks like what became of it, and teaches" in note
    followed = note.partition("--forget ")[2].rstrip(")")
    done = learn(story, capsys, forget=(followed,))
    assert (done["learned"], done["notes"]) == ([syncs[0], syncs[2]], [])


def test_a_revoked_sync_that_is_gone_from_the_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = build_past(tmp_path, syncs=3)
    old = story.repo.oid("sync 2")
    learn(story, capsys, forget=(old,))
    syncs = rewrite(story, other_committer)
    git(story.repo.path, "reflog", "expire", "--expire=now", "--all")
    git(story.repo.path, "gc", "-q", "--prune=now")
    done = learn(story, capsys)
    assert (done["forgotten"], done["learned"], done["left_out"]) == ([old], syncs, {})
    assert "what took its place in a rewritten history, if anything, teaches" in done["notes"][0]
    assert "forgotten on request" not in learn(story, capsys, text=True)
    assert learn(story, capsys, remember=(old,))["forgotten"] == []


def test_a_revoked_sync_that_is_only_older_is_not_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = build_past(tmp_path, syncs=3)
    old = story.repo.oid("sync 1")
    learn(story, capsys, forget=(old,))
    done = learn(story, capsys, last=2)
    assert (done["forgotten"], done["left_out"], done["notes"]) == ([old], {}, [])

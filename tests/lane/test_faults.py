"""What may go wrong around a sync: moving targets, another syncline, a full disk, keys, odd names."""

import shutil
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from syncline.config.load import load
from syncline.errors import FenceError
from syncline.forge.local.forge import LocalForge
from syncline.git import CommitId, Repository
from syncline.lane.act import Effects, act
from syncline.lane.actions import Action, MarkReady, Open, Prepare, Push
from syncline.lane.context import LaneContext
from syncline.lane.decide import decide
from syncline.lane.lock import hold_lane
from syncline.lane.observation import Observation
from syncline.lane.observe import observe, observed_state
from testing.lane import GREEN_CHECKS, POLICY, LaneStory, build_lane
from testing.sealed import git

NOW = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
EFFECTS = Effects(NOW, lambda _: None, lambda _: None, Event())


@contextmanager
def opened(story: LaneStory) -> Generator[LaneContext]:
    with Repository.open(story.repo.path) as repository:
        lane = load(story.config).lane()
        with LocalForge(repository.state_dir, "test") as forge:
            yield LaneContext.of(repository, lane, forge)


def until(context: LaneContext, kind: type[Action]) -> tuple[Observation, Action]:
    """Step until an action of `kind` is decided, and return it undone."""
    for _ in range(20):
        seen = observe(context, NOW)
        action = decide(seen)
        if isinstance(action, kind):
            return seen, action
        act(context, seen, action, EFFECTS)
    raise AssertionError(f"no {kind} in sight")


def test_a_target_that_moved_while_merging_is_refused_and_merged_again(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    with opened(story) as context:
        seen, push = until(context, Push)
        assert isinstance(push, Push)
        story.repo.git(
            "update-ref",
            "refs/heads/dev",
            story.repo.text("commit-tree", "-p", "dev", "-m", "x", "dev^{tree}").strip(),
        )
        with pytest.raises(FenceError):
            act(context, seen, push, EFFECTS)
        assert story.repo.git("branch", "--list", push.branch) == b""
        _, again = until(context, Push)
        assert isinstance(again, Push)
        assert again.target == CommitId(story.repo.tip("dev"))
        assert again.run != push.run
    assert story.run("sync", "--json").json()["outcome"] == "ready"


def test_a_head_that_moved_before_ready_is_not_marked(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    with opened(story) as context:
        seen, ready = until(context, MarkReady)
        assert isinstance(ready, MarkReady)
        moved = story.repo.text("commit-tree", "-p", ready.head, "-m", "person", f"{ready.head}^{{tree}}").strip()
        context.forge.update(ready.number, head_sha=moved)
        with pytest.raises(FenceError):
            act(context, seen, ready, EFFECTS)
        assert context.forge.proposal(ready.number).draft


def test_a_branch_that_moved_before_ready_is_not_marked(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    with opened(story) as context:
        seen, ready = until(context, MarkReady)
        assert isinstance(ready, MarkReady)
        moved = story.repo.text("commit-tree", "-p", ready.head, "-m", "person", f"{ready.head}^{{tree}}").strip()
        branch = context.forge.proposal(ready.number).branch
        story.repo.git("update-ref", f"refs/heads/{branch}", moved)
        with pytest.raises(FenceError):
            act(context, seen, ready, EFFECTS)
        assert context.forge.proposal(ready.number).draft


def test_what_is_reported_is_what_was_observed(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    proven = story.run("sync", "--json").json()["head"]
    with opened(story) as context:
        seen = observe(context, NOW)
        branch = seen.open_proposals[0].branch
        moved = story.repo.text("commit-tree", "-p", proven, "-m", "person", f"{proven}^{{tree}}").strip()
        story.repo.git("update-ref", f"refs/heads/{branch}", moved)
        state = observed_state(context, seen)
        assert state is not None
        assert state.shape.head == proven


def test_every_effect_may_be_done_twice(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    with opened(story) as context:
        for kind in (Prepare, Open, MarkReady):
            seen, action = until(context, kind)
            act(context, seen, action, EFFECTS)
            try:
                act(context, seen, action, EFFECTS)
            except FenceError:
                assert kind is Prepare  # its ref is there now
        assert len(context.forge.proposals(None)) == 1


def test_a_second_one_says_who_holds_the_lane(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    with hold_lane(story.repo.git_dir / "syncline", "nightly"):
        for command in ("sync", "tick", "abort"):
            done = story.run(command)
            assert done.code == 2
            assert "is held by process" in done.err
        # Looking is free.
        assert story.run("status").code == 0
        assert story.run("plan").code == 0


@contextmanager
def small_disk(place: Path, kib: int) -> Generator[None]:
    place.mkdir()
    mount = shutil.which("mount")
    if (
        mount is None
        or subprocess.run(
            [mount, "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", place], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("a small file system cannot be mounted here")
    try:
        yield
    finally:
        subprocess.run(["/bin/umount", "-l", place], check=True)


@pytest.mark.parametrize("free", [0, 16, 40, 72, 104, 140, 180, 240])
def test_a_full_disk_loses_nothing(tmp_path: Path, free: int) -> None:
    disk = tmp_path / "disk"
    with small_disk(disk, 2048):
        (disk / "lane").mkdir()
        story = build_lane(disk / "lane")
        block = disk / "filler"
        with block.open("wb", buffering=0) as file:
            try:
                while file.write(b"\0" * 4096):
                    pass
            except OSError:
                pass  # full, as wanted
        with block.open("r+b") as file:
            file.truncate(max(0, block.stat().st_size - free * 1024))
        done = story.run("sync", "--json")
        assert done.code == 2, done.out
        assert "error" in done.json()
        block.unlink()
        assert story.run("sync", "--json").json()["outcome"] == "ready"
        assert len(story.run("proposals", "--all", "--json").json()["proposals"]) == 1
        story.repo.git("fsck", "--strict")


def _ssh_key(place: Path) -> tuple[str, Callable[[LaneStory, str], None]]:
    keygen = shutil.which("ssh-keygen")
    if keygen is None:
        pytest.skip("ssh-keygen is not installed")
    key = place / "key"
    subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    allowed = place / "allowed"
    allowed.write_text(f"sync@example.org {key.with_suffix('.pub').read_text()}")

    def verify(story: LaneStory, commit: str) -> None:
        git(
            story.repo.path,
            "-c",
            f"gpg.ssh.allowedSignersFile={allowed}",
            "-c",
            "gpg.format=ssh",
            "verify-commit",
            commit,
        )

    return str(key), verify


def test_signed_and_signed_off(tmp_path: Path) -> None:
    key, verify = _ssh_key(tmp_path)
    policy = POLICY.replace(
        'email = "sync@example.org"',
        f'email = "sync@example.org"\nsignoff = true\n[lanes.nightly.signing]\nformat = "ssh"\nkey = "{key}"',
    )
    story = build_lane(tmp_path, policy=policy + GREEN_CHECKS)
    document = story.run("sync", "--json").json()
    assert document["outcome"] == "ready", document
    verify(story, document["merge"])
    trailers = story.repo.text("log", "-1", "--format=%(trailers)", document["merge"])
    assert "Signed-off-by: Sync Bot <sync@example.org>" in trailers
    for name in ("Syncline-Run", "Syncline-Lane", "Syncline-Source", "Syncline-Target", "Syncline-Policy"):
        assert f"{name}: " in trailers


def test_a_key_that_cannot_sign_stops_before_anything_is_pushed(tmp_path: Path) -> None:
    policy = POLICY + f'[lanes.nightly.signing]\nformat = "ssh"\nkey = "{tmp_path}/nokey"\n' + GREEN_CHECKS
    story = build_lane(tmp_path, policy=policy)
    done = story.run("sync")
    assert done.code == 2
    assert "nokey" in done.err or "sign" in done.err
    assert story.repo.git("for-each-ref", "refs/heads/main2dev", "refs/syncline") == b""


def test_a_formatter_that_breaks_a_promise_stops_it(tmp_path: Path) -> None:
    formatter = tmp_path / "bad"
    formatter.write_text("#!/bin/sh\nexit 3\n")
    formatter.chmod(0o755)
    table = f'[[lanes.nightly.formatters]]\nname = "bad"\ncommand = ["{formatter}"]\nmatch = ["*"]\n'
    story = build_lane(tmp_path, policy=POLICY + table + GREEN_CHECKS, conflict=True)
    # Both sides change app.txt, so there is something to format.
    tree = tmp_path / "dev-tree"
    story.repo.git("worktree", "add", str(tree), "-b", "side", "dev")
    (tree / "app.txt").write_text("one\ntwo\nthree\nfour\nfive\n")
    git(tree, "commit", "-qam", "five")
    story.repo.git("worktree", "remove", str(tree))
    story.repo.git("checkout", "-q", "--detach")
    story.repo.git("branch", "-f", "dev", "side")
    done = story.run("sync")
    assert done.code == 2
    assert "formatter 'bad'" in done.err
    assert "exit code 3" in done.err


def test_names_with_blanks_newlines_and_no_utf8_come_through(tmp_path: Path) -> None:
    from testing.builder import RepositoryBuilder  # noqa: PLC0415 - only here

    build = RepositoryBuilder(tmp_path / "repo")
    odd: tuple[bytes, ...] = (b"a b.txt", b"new\nline", b"caf\xe9", b'quo"te', b"tab\there", "ünï".encode())
    main = build.branch("main")
    main.commit("start", dict.fromkeys(odd, "1\n2\n3\n"))
    dev = main.branch("dev")
    dev.commit("dev", dict.fromkeys(odd, "1\n2\ndev\n"))
    main.commit("main", dict.fromkeys(odd, "1\n2\nmain\n"))
    config = tmp_path / "policy.toml"
    config.write_text(POLICY + GREEN_CHECKS.replace("test -f app.txt", "true"))
    story = LaneStory(build.finish(head="dev"), config)
    document = story.run("sync", "--json").json()
    assert document["outcome"] == "needs-people"
    assert len(document["unresolved"]) == len(odd)
    for name in odd:
        assert story.repo.read(document["head"], name) == b"1\n2\ndev\n"
    assert story.run("show", "1").code == 0

"""What may be done to a proposal's branch, to target and to source, by mistake or on purpose.

Ready must mean proven whatever people push, and what people pushed must survive whatever syncline does.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from testing.builder import RepositoryBuilder
from testing.content import Submodule
from testing.lane import GREEN_CHECKS, POLICY, LaneStory, build_lane
from testing.sealed import git


class Branch:
    """A proposal's branch in the hands of a person: a work tree of its own."""

    def __init__(self, story: LaneStory, place: Path) -> None:
        self.story = story
        document = story.run("sync", "--json").json()
        self.name: str = document["proposal"]["branch"]
        self.run_trailers = story.repo.text("log", "-1", "--format=%(trailers:only)", document["merge"])
        self.merge: str = document["merge"]
        self.tree = place
        story.repo.git("worktree", "add", "-q", str(place), self.name)

    def git(self, *arguments: str) -> str:
        return git(self.tree, *arguments).decode()

    def write(self, files: dict[str, str], message: str = "by hand", *more: str) -> str:
        for name, content in files.items():
            (self.tree / name).write_text(content)
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", message, *more)
        return self.git("rev-parse", "HEAD").strip()

    def done(self) -> None:
        self.story.repo.git("worktree", "remove", "--force", str(self.tree))

    def sync(self) -> dict[str, object]:
        self.done()
        document = self.story.run("sync", "--json").json()
        assert isinstance(document, dict)
        return document


Trick = Callable[[Branch], None]


def copied_trailers(branch: Branch) -> None:
    branch.write({"OWNERS": "all: mallory\n"}, "tidy")
    branch.git("checkout", "-q", "-b", "side", "HEAD~1")
    branch.write({"s": "s\n"})
    branch.git("checkout", "-q", branch.name)
    branch.git("merge", "-q", "side", "-m", f"Merge side\n\n{branch.run_trailers}")


def amended_merge(branch: Branch) -> None:
    (branch.tree / "OWNERS").write_text("all: mallory\n")
    branch.git("add", "--all")
    branch.git("commit", "-q", "--amend", "--no-edit")


def reverted_merge(branch: Branch) -> None:
    branch.git("revert", "-m", "1", "--no-edit", branch.merge)


def reverted_merge_and_something(branch: Branch) -> None:
    branch.git("revert", "-m", "1", "--no-edit", branch.merge)
    branch.write({"note.txt": "and a note\n"})


def moved_to_target(branch: Branch) -> None:
    branch.git("reset", "-q", "--hard", "dev")


def coupled_from_elsewhere(branch: Branch) -> None:
    branch.write({"deps.lock": "a 99\n"})


def protected_kept_back(branch: Branch) -> None:
    """Merge target, which changed a protected file meanwhile, and undo just that."""
    repo = branch.story.repo
    build = RepositoryBuilder.resume(repo)
    build.branch("dev").commit("dev's new owners", {"OWNERS": "all: NEW\n"})
    build.finish(head="main", checkout=False)
    branch.git("merge", "-q", "--no-commit", "dev")
    branch.git("checkout", branch.merge, "--", "OWNERS")
    branch.git("commit", "-q", "-m", "Merge dev")


def check_that_was_weakened_then_hardened(branch: Branch) -> None:
    config = branch.story.config
    config.write_text(config.read_text().replace('command = ["true"]', 'command = ["false"]'))


def undone_with_a_note(branch: Branch) -> None:
    branch.git("checkout", "dev", "--", ".")
    for name in branch.git("diff", "--name-only", "--diff-filter=A", "dev", "HEAD").split():
        (branch.tree / name).unlink()
    branch.write({"note.txt": "all back\n"})


def reverted_by_reference(branch: Branch) -> None:
    branch.git("revert", "-m", "1", "--no-commit", branch.merge)
    branch.git("checkout", branch.merge, "--", "lib.txt")
    branch.write({}, f"Revert\n\nThis reverts commit {branch.merge[:10]} (Sync main into dev, 2026-01-01).")


def target_dropped(branch: Branch) -> None:
    """Merge target's newer commits, but keep nothing of them."""
    build = RepositoryBuilder.resume(branch.story.repo)
    build.branch("dev").commit("important", {"feature.txt": "IMPORTANT\n", "new.txt": "new\n"})
    build.finish(head="main", checkout=False)
    branch.git("merge", "-q", "-s", "ours", "-m", "Merge dev", "dev")


TRICKS: tuple[Trick, ...] = (
    undone_with_a_note, reverted_by_reference, target_dropped,
    copied_trailers, amended_merge, reverted_merge, reverted_merge_and_something, moved_to_target,
    coupled_from_elsewhere, protected_kept_back, check_that_was_weakened_then_hardened,
)  # fmt: skip


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__)
def test_no_trick_makes_it_ready(tmp_path: Path, trick: Trick) -> None:
    story = build_lane(tmp_path)
    branch = Branch(story, tmp_path / "person")
    trick(branch)
    tip = branch.git("rev-parse", "HEAD").strip()
    document = branch.sync()
    assert document["outcome"] not in {"ready", "up-to-date"}, document
    proposal = story.run("show", "1", "--json").json()
    assert proposal["draft"] is True
    assert proposal["state"] == "open"
    assert story.repo.tip(branch.name) == tip  # and nothing of what they did is gone


def test_bringing_the_branch_up_to_date_is_no_trick(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    branch = Branch(story, tmp_path / "person")
    build = RepositoryBuilder.resume(story.repo)
    build.branch("dev").commit(
        "dev goes on", {"OWNERS": "all: NEW\n", "deps.toml": "a = 9\n", "deps.lock": "a 9\n"}
    )
    build.finish(head="main", checkout=False)
    branch.git("merge", "-q", "-m", "Merge dev", "dev")
    assert branch.sync()["outcome"] == "ready"


def prose(branch: Branch) -> None:
    branch.write({}, "Note\n\nI will not add\nSyncline-Settled: *\nbecause it is not settled yet.")


def merged_target_that_touched_the_file(branch: Branch) -> None:
    build = RepositoryBuilder.resume(branch.story.repo)
    build.branch("dev").commit("another line", {"shared.txt": "ALPHA\nbeta of dev\n"})
    build.finish(head="main", checkout=False)
    branch.git("merge", "-q", "-m", "Merge dev", "dev")


def merged_target_with_a_trailer(branch: Branch) -> None:
    build = RepositoryBuilder.resume(branch.story.repo)
    build.branch("dev").commit("old", {"x": "x\n"}, trailers={"Syncline-Settled": "*"})
    build.finish(head="main", checkout=False)
    branch.git("merge", "-q", "-m", "Merge dev", "dev")


def mode_only(branch: Branch) -> None:
    (branch.tree / "shared.txt").chmod(0o755)
    branch.write({})


def accepted_and_reverted(branch: Branch) -> None:
    oid = branch.write({}, "Keep", "--trailer", "Syncline-Settled: *")
    branch.write({}, f"Revert\n\nThis reverts commit {oid}.")


def changed_and_changed_back(branch: Branch) -> None:
    before = (branch.tree / "shared.txt").read_text()
    branch.write({"shared.txt": "other\n"})
    branch.write({"shared.txt": before})


def nonsense_patterns(branch: Branch) -> None:
    for pattern in ("!", "a\\", "[z-a]", "\\", "!*"):
        branch.write({}, "Keep", "--trailer", f"Syncline-Settled: {pattern}")


def half_removed_markers(branch: Branch) -> None:
    branch.write({"shared.txt": "<<<<<<< ours\nalpha\n=======\nbeta\n"})


def merged_a_feature_cut_from_target(branch: Branch) -> None:
    branch.git("checkout", "-q", "-b", "feature", "dev")
    branch.write({"shared.txt": "alpha\nbeta of a feature\n"})
    branch.git("checkout", "-q", branch.name)
    branch.git("merge", "-q", "-m", "Merge feature", "feature")


def merged_a_branch_with_a_trailer(branch: Branch) -> None:
    branch.git("checkout", "-q", "-b", "feature", "dev")
    branch.write({"f.txt": "f\n"}, "Old", "--trailer", "Syncline-Settled: *")
    branch.git("checkout", "-q", branch.name)
    branch.git("merge", "-q", "-m", "Merge feature", "feature")


def settled_then_dropped_by_merging_target(branch: Branch) -> None:
    branch.write({"shared.txt": "alpha\nbeta of both\n"})
    build = RepositoryBuilder.resume(branch.story.repo)
    build.branch("dev").commit("the same file", {"shared.txt": "alpha\nbeta of newer dev\n"})
    build.finish(head="main", checkout=False)
    branch.git("merge", "-q", "-X", "theirs", "-m", "Merge dev", "dev")


def only_the_middle_marker_left(branch: Branch) -> None:
    branch.write({"shared.txt": "alpha\nbeta of dev\n=======\nbeta of main\n"})


NOT_SETTLING: tuple[Trick, ...] = (
    merged_a_feature_cut_from_target, merged_a_branch_with_a_trailer, settled_then_dropped_by_merging_target,
    only_the_middle_marker_left,
    prose, merged_target_that_touched_the_file, merged_target_with_a_trailer, mode_only, accepted_and_reverted,
    changed_and_changed_back, nonsense_patterns, half_removed_markers,
)  # fmt: skip


@pytest.mark.parametrize("trick", NOT_SETTLING, ids=lambda trick: trick.__name__)
def test_what_settles_no_conflict(tmp_path: Path, trick: Trick) -> None:
    story = build_lane(tmp_path, conflict=True)
    branch = Branch(story, tmp_path / "person")
    trick(branch)
    document = branch.sync()
    assert document["outcome"] == "needs-people", document
    unresolved = document["unresolved"]
    assert isinstance(unresolved, list)
    assert [entry["path"] for entry in unresolved] == ["shared.txt"]


def test_abort_keeps_amended_and_half_rebased_work(tmp_path: Path) -> None:
    story = build_lane(tmp_path, conflict=True)
    branch = Branch(story, tmp_path / "person")
    (branch.tree / "work.txt").write_text("work\n")
    branch.git("add", "--all")
    branch.git("commit", "-q", "--amend", "--no-edit")
    tip = branch.git("rev-parse", "HEAD").strip()
    branch.done()
    assert story.run("abort").code == 0
    assert story.repo.tip(branch.name) == tip


def test_abort_with_the_branch_in_a_work_tree(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    branch = Branch(story, tmp_path / "person")
    done = story.run("abort")
    assert (done.code, "kept branch" in done.out) == (0, True)
    assert branch.git("status", "--porcelain") == ""
    assert "nothing to abort" in story.run("abort").out
    assert story.repo.git("for-each-ref", "refs/syncline/runs") == b""


@pytest.mark.parametrize(("branch", "to"), [("dev", "dev~1"), ("main", "main~4")])
def test_a_branch_moved_back_takes_the_proposal_with_it(tmp_path: Path, branch: str, to: str) -> None:
    story = build_lane(tmp_path)
    head = story.run("sync", "--json").json()["head"]
    story.repo.git("checkout", "-q", "--detach")
    story.repo.git("branch", "-f", branch, to)
    after = story.run("sync", "--json").json()
    old = story.run("show", "1", "--json").json()
    assert old["draft"] is True
    assert old["state"] in {"superseded", "closed"}
    assert after.get("head") != head or after["outcome"] != "ready"


def test_source_cannot_rewrite_the_policy(tmp_path: Path) -> None:
    build = RepositoryBuilder(tmp_path / "repo")
    policy = POLICY + GREEN_CHECKS.replace("test -f app.txt", "true")
    main = build.branch("main")
    main.commit("start", {"syncline.toml": policy, "OWNERS": "all: ada\n"})
    main.branch("dev").commit("dev", {"d": "d\n"})
    evil = policy.replace('take = "protect"', 'take = "theirs"').replace('["true"]', '["touch", "/tmp/pwned"]')
    main.commit("improve the policy", {"syncline.toml": evil, "m": "m\n"})
    repo = build.finish(head="dev")
    story = LaneStory(repo, repo.path / "syncline.toml")
    document = story.run("sync", "--json").json()
    assert document["outcome"] == "ready"
    assert repo.read(document["head"], "syncline.toml") == policy.encode()
    assert repo.read(document["head"], "m") == b"m\n"


def test_a_protected_directory_is_not_taken_by_a_submodule(tmp_path: Path) -> None:
    build = RepositoryBuilder(tmp_path / "repo")
    main = build.branch("main")
    main.commit("start", {"app.txt": "1\n"})
    main.branch("dev").commit("dev", {"d": "d\n"})
    main.commit("take it", {"own": Submodule("1" * 40), "m": "m\n"})
    config = tmp_path / "policy.toml"
    config.write_text(POLICY.replace('"/OWNERS"', '"/own/"') + GREEN_CHECKS)
    story = LaneStory(build.finish(head="dev"), config)
    document = story.run("sync", "--json").json()
    assert document["outcome"] == "ready"
    assert b"own" not in story.repo.entries(document["head"])


def test_a_check_that_commits_on_the_branch_does_not_go_on_for_ever(tmp_path: Path) -> None:
    place = tmp_path / "repo"
    script = tmp_path / "move"
    script.write_text(
        f"#!/bin/sh\nexport GIT_DIR={place}/.git\n"
        "branch=$(git for-each-ref --format='%(refname)' refs/heads/main2dev)\n"
        "git update-ref $branch $(git -c user.name=x -c user.email=x commit-tree -p $SYNCLINE_SHA -m more "
        "$SYNCLINE_SHA^{tree})\n"
    )
    script.chmod(0o755)
    checks = f"[[lanes.nightly.checks]]\nname = 'moves'\ncommand = ['{script}']\n"
    story = build_lane(tmp_path, policy=POLICY + checks)
    done = story.run("sync", "--json")
    assert done.code == 2, done.out
    assert "was moved" in done.json()["error"]


def test_a_branch_deleted_after_landing_has_landed(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    document = story.run("sync", "--json").json()
    story.repo.git("checkout", "-q", "--detach")
    story.repo.git("branch", "-f", "dev", document["head"])
    story.repo.git("branch", "-D", document["proposal"]["branch"])
    story.run("sync")
    assert story.run("show", "1", "--json").json()["state"] == "merged"


def test_remote_branch_names_may_follow_each_other(tmp_path: Path) -> None:
    upstream = build_lane(tmp_path)
    clone = upstream.repo.clone(tmp_path / "clone")
    text = upstream.config.read_text().replace('target = "dev"', 'target = "dev"\nremote = "origin"')
    config = tmp_path / "remote.toml"
    here = LaneStory(clone, config)
    config.write_text(text.replace('"main2dev/{slice}"', '"sync"'))
    assert here.run("sync").code == 0
    assert here.run("abort").code == 0
    config.write_text(text.replace('"main2dev/{slice}"', '"sync/{slice}"'))
    assert here.run("sync", "--restart", "--json").json()["outcome"] == "ready"


def test_a_commit_with_a_strange_encoding_stops_nothing(tmp_path: Path) -> None:
    story = build_lane(tmp_path, policy=POLICY.replace("slice = 4", "slice = 0") + GREEN_CHECKS)
    tree = story.repo.text("rev-parse", "main^{tree}").strip()
    for encoding in ("idna", "undefined", "base64", "nosuch"):
        who = "A <a@x> 1700000000 +0000"
        head = f"tree {tree}\nparent {story.repo.tip('main')}\nauthor {who}\ncommitter {who}\n"
        text = f"{head}encoding {encoding}\n\nh\u00e9\n".encode()
        oid = story.repo.git("hash-object", "-t", "commit", "-w", "--stdin", input=text).decode().strip()
        story.repo.git("update-ref", "refs/heads/main", oid)
    assert story.run("plan").code == 0
    assert story.run("sync", "--json").json()["outcome"] == "ready"


@pytest.mark.parametrize("name", ["main2dev", "main2dev/b96521f/x"])
def test_a_branch_in_the_way_is_named(tmp_path: Path, name: str) -> None:
    story = build_lane(tmp_path)
    story.repo.git("branch", name, "main")
    story.config.write_text(story.config.read_text().replace("{slice}", "b96521f"))
    done = story.run("sync")
    assert done.code == 2
    assert f"beside the branch '{name}'" in done.err
    assert story.repo.git("for-each-ref", "refs/syncline") == b""


def test_a_lane_whose_branch_is_only_a_tag_says_so_at_once(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    story.repo.git("checkout", "-q", "--detach")
    story.repo.git("tag", "dev", "dev")
    story.repo.git("branch", "-D", "dev")
    done = story.run("sync")
    assert done.code == 2
    assert "there is no branch 'dev', the target of lane 'nightly'" in done.err


def test_a_side_branch_off_the_proposal_settles(tmp_path: Path) -> None:
    story = build_lane(tmp_path, conflict=True)
    branch = Branch(story, tmp_path / "person")
    branch.git("checkout", "-q", "-b", "side")
    branch.write({"shared.txt": "alpha\nbeta of both\n"})
    branch.git("checkout", "-q", branch.name)
    branch.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    assert branch.sync()["outcome"] == "ready"


def test_a_file_that_is_about_markers_can_be_settled_by_an_edit(tmp_path: Path) -> None:
    about = "Git writes\n<<<<<<< ours\n=======\n>>>>>>> theirs\n"
    build = RepositoryBuilder(tmp_path / "repo")
    main = build.branch("main")
    main.commit("start", {"app.txt": "1\n", "doc.txt": about + "end\n"})
    main.branch("dev").commit("dev", {"doc.txt": about + "end of dev\n"})
    main.commit("main", {"doc.txt": about + "end of main\n"})
    config = tmp_path / "policy.toml"
    config.write_text(POLICY + GREEN_CHECKS)
    story = LaneStory(build.finish(head="dev"), config)
    branch = Branch(story, tmp_path / "person")
    branch.write({"doc.txt": about + "end of both\n"})
    assert branch.sync()["outcome"] == "ready"


def test_a_squash_is_noticed_and_mended_by_merging_after_all(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    first = story.run("sync", "--json").json()
    squashed = story.repo.text("commit-tree", "-p", "dev", "-m", "squash", f"{first['head']}^{{tree}}").strip()
    story.repo.git("checkout", "-q", "--detach")
    story.repo.git("branch", "-f", "dev", squashed)
    blocked = story.run("sync", "--json").json()
    assert (blocked["outcome"], blocked["proposal"]["draft"]) == ("blocked", True)
    assert "squash" in blocked["why"]
    merged = story.repo.text("commit-tree", "-p", "dev", "-p", first["head"], "-m", "m", "dev^{tree}").strip()
    story.repo.git("branch", "-f", "dev", merged)
    after = story.run("sync", "--json").json()
    assert (after["outcome"], after["proposal"]["number"]) == ("ready", 2)
    assert story.run("show", "1", "--json").json()["state"] == "merged"


def test_a_push_after_the_landing_does_not_undo_it(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    branch = Branch(story, tmp_path / "person")
    head = branch.git("rev-parse", "HEAD").strip()
    story.repo.git("checkout", "-q", "--detach")
    story.repo.git("branch", "-f", "dev", head)
    tip = branch.write({"late.txt": "late\n"})
    branch.done()
    story.run("sync")
    assert story.run("show", "1", "--json").json()["state"] == "merged"
    assert story.repo.tip(branch.name) == tip


def test_another_clone_takes_the_run_over(tmp_path: Path) -> None:
    upstream = build_lane(tmp_path, conflict=True)
    text = upstream.config.read_text().replace('target = "dev"', 'target = "dev"\nremote = "origin"')
    config = tmp_path / "remote.toml"
    config.write_text(text)
    heads = []
    for name in ("one", "two", "three"):
        clone = LaneStory(upstream.repo.clone(tmp_path / name), config)
        document = clone.run("sync", "--json").json()
        assert document["outcome"] == "needs-people"
        heads.append((document["proposal"]["branch"], document["head"], document["run"]))
    assert len(set(heads)) == 1
    assert len(upstream.repo.text("for-each-ref", "refs/heads/main2dev").splitlines()) == 1
    # What a person settled is seen by a clone that never saw the run before.
    upstream.repo.git("worktree", "add", "-q", str(tmp_path / "person"), heads[0][0])
    (tmp_path / "person" / "shared.txt").write_text("alpha\nbeta of both\n")
    git(tmp_path / "person", "commit", "-qam", "Settle")
    fresh = LaneStory(upstream.repo.clone(tmp_path / "four"), config)
    assert fresh.run("sync", "--json").json()["outcome"] == "ready"


def test_abort_leaves_the_branches_of_earlier_runs(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    first = story.run("sync", "--json").json()
    story.repo.git("checkout", "-q", "--detach")
    story.repo.git("branch", "-f", "dev", first["head"])
    second = story.run("sync", "--json").json()
    assert second["proposal"]["number"] == 2
    assert story.run("abort").code == 0
    left = story.repo.text("for-each-ref", "--format=%(refname:short)", "refs/heads/main2dev").split()
    assert left == [first["proposal"]["branch"]]
    assert story.repo.git("for-each-ref", "refs/syncline/runs") == b""

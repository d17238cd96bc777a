"""A lane from plan to ready and on, through the command line, on real repositories."""

from pathlib import Path

import pytest

from testing.builder import RepositoryBuilder
from testing.lane import GREEN_CHECKS, POLICY, LaneStory, build_lane
from testing.sealed import git
from testing.state import OWN_REFS, differences, snapshot


def _head(story: LaneStory, branch: str) -> str:
    return story.repo.tip(f"refs/heads/{branch}")


def _branch(document: dict[str, object]) -> str:
    proposal = document["proposal"]
    assert isinstance(proposal, dict)
    return str(proposal["branch"])


def test_from_plan_to_ready_and_the_next_slice(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    before = snapshot(story.repo)
    done = story.run("sync", "--json")
    assert (done.code, done.json()["outcome"]) == (0, "ready"), done.err
    branch = _branch(done.json())

    head = _head(story, branch)
    target, slice_tip = story.repo["dev"], story.repo.oid("source four")
    assert story.repo.text("rev-parse", f"{head}^1", f"{head}^2").split() == [target, slice_tip]
    assert (
        story.repo.text("log", "-1", "--format=%an <%ae>|%cn", head).strip()
        == "Sync Bot <sync@example.org>|Sync Bot"
    )
    assert story.repo.read(head, "OWNERS") == b"all: dev\n"
    assert story.repo.read(head, "run.gold") == b"2\n"
    assert (story.repo.read(head, "deps.toml"), story.repo.read(head, "deps.lock")) == (b"a = 2\n", b"a 2\n")
    assert story.repo.read(head, "app.txt").startswith(b"ONE\n")
    assert story.repo.read(head, "feature.txt") == b"dev\n"
    assert b"late.txt" not in story.repo.entries(head)
    story.repo.git("fsck", "--strict")
    changed = [line for line in differences(before, snapshot(story.repo)) if branch not in line]
    assert changed == []

    again = story.run("sync", "--json")
    assert (again.code, again.json()["outcome"]) == (0, "ready")
    assert story.run("proposals", "--json").json()["proposals"][0]["number"] == 1

    story.repo.git("update-ref", "refs/heads/dev", head)
    after = story.run("sync", "--json").json()
    assert (after["outcome"], after["proposal"]["number"]) == ("ready", 2)
    second = after["proposal"]["head"]
    assert story.repo.read(second, "late.txt") == b"later\n"
    assert story.run("show", "1", "--json").json()["state"] == "merged"

    story.repo.git("update-ref", "refs/heads/dev", second)
    done = story.run("sync", "--json")
    assert (done.code, done.json()["outcome"]) == (0, "up-to-date")
    assert story.run("proposals", "--json").json() == {"proposals": []}


def test_people_settle_and_syncline_goes_on(tmp_path: Path) -> None:
    story = build_lane(tmp_path, conflict=True)
    first = story.run("sync", "--json")
    document = first.json()
    assert (first.code, document["outcome"]) == (1, "needs-people")
    assert [entry["path"] for entry in document["unresolved"]] == ["shared.txt"]
    branch, run_merge = _branch(document), document["merge"]
    # Target's side stands in the tree until then.
    assert story.repo.read(document["head"], "shared.txt") == b"alpha\nbeta of dev\n"
    assert "shared.txt" in story.run("show", "1").out

    settle(story, branch, {"shared.txt": "alpha\nbeta of both\n"}, "Settle shared.txt")
    person = _head(story, branch)
    second = story.run("sync", "--json").json()
    assert (second["outcome"], second["head"], second["merge"]) == ("ready", person, run_merge)
    assert second["settled"] == [
        {"path": "shared.txt", "sha": person, "how": "changed on the branch", "agents": []}
    ]
    assert story.repo.tip(branch) == person


def test_markers_left_by_people_settle_nothing(tmp_path: Path) -> None:
    story = build_lane(tmp_path, conflict=True)
    branch = _branch(story.run("sync", "--json").json())
    settle(story, branch, {"shared.txt": "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"}, "Half done")
    document = story.run("sync", "--json").json()
    assert document["outcome"] == "needs-people"
    assert [finding["kind"] for finding in document["findings"]] == ["conflict-markers"]


def test_a_trailer_accepts_the_tree_as_it_stands(tmp_path: Path) -> None:
    story = build_lane(tmp_path, conflict=True)
    branch = _branch(story.run("sync", "--json").json())
    settle(story, branch, {}, "Keep target's side\n\nSyncline-Settled: /shared.txt")
    document = story.run("sync", "--json").json()
    assert document["outcome"] == "ready"
    assert "Syncline-Settled" in document["settled"][0]["how"]


@pytest.mark.parametrize(("choice", "content"), [
    ("ours", b"alpha\nbeta of dev\n"), ("theirs", b"alpha\nbeta of main\n"), ("markers", None),
])  # fmt: skip
def test_what_the_tree_holds_of_open_conflicts(tmp_path: Path, choice: str, content: bytes | None) -> None:
    policy = POLICY.replace("ci_trigger = ", f'unresolved = "{choice}"\nci_trigger = ') + GREEN_CHECKS
    story = build_lane(tmp_path, conflict=True, policy=policy)
    document = story.run("sync", "--json").json()
    assert document["outcome"] == "needs-people"
    held = story.repo.read(document["head"], "shared.txt")
    assert held == content if content is not None else held.count(b"<<<<<<<") == 1


def test_a_red_check_keeps_it_a_draft_until_it_is_mended(tmp_path: Path) -> None:
    policy = POLICY + GREEN_CHECKS.replace("test -f app.txt", "test -f fixed.txt")
    story = build_lane(tmp_path, policy=policy)
    red = story.run("sync", "--json")
    assert (red.code, red.json()["outcome"]) == (1, "checks-failed")
    assert red.json()["proposal"]["draft"] is True
    assert story.run("gate", "1").code == 1
    settle(story, _branch(red.json()), {"fixed.txt": "x\n"}, "Fix")
    green = story.run("sync", "--json")
    assert (green.code, green.json()["outcome"]) == (0, "ready")
    assert story.run("gate", "1").code == 0

    # A push after ready: nothing is proven about the new head until its own checks have run.
    settle(story, _branch(green.json()), {"fixed.txt": None}, "Break it again")
    broken = story.run("sync", "--json")
    assert (broken.json()["outcome"], broken.json()["proposal"]["draft"]) == ("checks-failed", True)


def test_a_flake_is_run_again_when_asked(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    policy = POLICY + GREEN_CHECKS.replace("test -f app.txt", f"test -e {flag} || {{ touch {flag}; exit 1; }}")
    story = build_lane(tmp_path, policy=policy)
    assert story.run("sync", "--json").json()["outcome"] == "checks-failed"
    assert story.run("sync", "--json").json()["outcome"] == "checks-failed"
    assert story.run("sync", "--retry", "--json").json()["outcome"] == "ready"


def test_abort_and_begin_anew(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    branch = _branch(story.run("sync", "--json").json())
    assert story.run("abort", "--because", "wrong night").code == 0
    assert story.repo.git("branch", "--list", branch).strip() == b""
    rest = story.run("sync", "--json")
    assert (rest.code, rest.json()["outcome"]) == (1, "ended")
    anew = story.run("sync", "--restart", "--json").json()
    assert (anew["outcome"], anew["proposal"]["number"]) == ("ready", 2)
    assert story.run("abort").out.startswith("closed proposal 2")
    assert "nothing to abort" in story.run("abort").out


def test_abort_keeps_what_people_committed(tmp_path: Path) -> None:
    story = build_lane(tmp_path, conflict=True)
    branch = _branch(story.run("sync", "--json").json())
    settle(story, branch, {"shared.txt": "both\n"}, "Settle")
    person = _head(story, branch)
    assert "kept branch" in story.run("abort").out
    assert _head(story, branch) == person
    # The name is taken now: a new run gets another one.
    anew = story.run("sync", "--restart", "--json").json()
    assert _branch(anew) == f"{branch}-2"
    assert _head(story, branch) == person


def test_a_policy_change_supersedes_with_a_word_on_the_old_one(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    story.run("sync")
    text = story.config.read_text()
    story.config.write_text(text.replace("slice = 4", "slice = 5"))
    same = story.run("sync", "--json").json()
    assert same["proposal"]["number"] == 1  # a longer slice alone is no reason to drop a proposal
    story.config.write_text(text.replace('"*.gold"', '"*.golden"'))
    changed = story.run("sync", "--json").json()
    assert changed["proposal"]["number"] == 2
    old = story.run("show", "1", "--json").json()
    assert (old["state"], old["superseded_by"]) == ("superseded", 2)
    assert any("Superseded by proposal 2" in comment["body"] for comment in old["comments"])


def test_a_policy_change_never_drops_people_s_work(tmp_path: Path) -> None:
    story = build_lane(tmp_path, conflict=True)
    branch = _branch(story.run("sync", "--json").json())
    settle(story, branch, {"shared.txt": "both\n"}, "Settle")
    person = _head(story, branch)
    story.config.write_text(story.config.read_text().replace('"*.gold"', '"*.golden"'))
    blocked = story.run("sync", "--json")
    assert (blocked.code, blocked.json()["outcome"]) == (1, "blocked")
    assert _head(story, branch) == person
    assert "--restart" in blocked.json()["why"]


def test_target_moving_on_without_conflict_changes_nothing(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    head = story.run("sync", "--json").json()["head"]
    commit_on(story, "dev", {"other.txt": "x\n"}, "Target goes on")
    document = story.run("sync", "--json").json()
    assert (document["outcome"], document["head"], document["proposal"]["number"]) == ("ready", head, 1)


def test_target_moving_into_conflict_is_merged_again(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    story.run("sync")
    commit_on(story, "dev", {"app.txt": "uno\ntwo\nthree\nfour\n"}, "Target edits the same line")
    document = story.run("sync", "--json").json()
    assert document["proposal"]["number"] == 2
    assert [entry["path"] for entry in document["unresolved"]] == ["app.txt"]


def test_a_deleted_or_rewritten_branch_is_noticed(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    branch = _branch(story.run("sync", "--json").json())
    story.repo.git("update-ref", f"refs/heads/{branch}", story.repo["main"])
    rewritten = story.run("sync", "--json").json()
    assert (rewritten["outcome"], rewritten["proposal"]["draft"]) == ("blocked", True)
    story.repo.git("update-ref", "-d", f"refs/heads/{branch}")
    assert story.run("sync", "--json").json()["outcome"] == "ended"


def test_a_person_s_push_onto_a_protected_file_stops_it(tmp_path: Path) -> None:
    story = build_lane(tmp_path)
    branch = _branch(story.run("sync", "--json").json())
    settle(story, branch, {"OWNERS": "all: mallory\n"}, "Take over")
    document = story.run("sync", "--json").json()
    assert (document["outcome"], document["findings"][0]["kind"]) == ("needs-people", "protected-path")


def test_a_bare_repository_and_branches_at_a_remote(tmp_path: Path) -> None:
    story = build_lane(tmp_path, bare=True)
    assert story.run("sync", "--json").json()["outcome"] == "ready"

    upstream = build_lane(tmp_path / "second")
    clone = upstream.repo.clone(tmp_path / "clone")
    config = tmp_path / "remote.toml"
    config.write_text(upstream.config.read_text().replace('target = "dev"', 'target = "dev"\nremote = "origin"'))
    here = LaneStory(clone, config)
    # A push moves git's own note of where the pushed branch is.
    ours = (*OWN_REFS, "refs/remotes/origin/main2dev/")
    before = snapshot(clone, ours)
    document = here.run("sync", "--json").json()
    assert document["outcome"] == "ready", document
    assert upstream.repo.tip(_branch(document)) == document["head"]
    assert differences(before, snapshot(clone, ours)) == []

    # Somebody pushes to the branch at the remote; the clone follows it.
    settle(upstream, _branch(document), {"note.txt": "hello\n"}, "A note")
    followed = here.run("sync", "--json").json()
    assert (followed["outcome"], followed["head"]) == ("ready", upstream.repo.tip(_branch(document)))


def test_formatters_make_the_one_repair_commit(tmp_path: Path) -> None:
    formatter = tmp_path / "upper"
    formatter.write_text(
        '#!/bin/sh\nfor f in "$@"; do tr a-z A-Z < "$f" > "$f.new"; cat "$f.new" > "$f"; rm "$f.new"; done\n'
    )
    formatter.chmod(0o755)
    policy = POLICY.replace(
        "[lanes.nightly.identity]",
        f'[[lanes.nightly.formatters]]\nname = "upper"\ncommand = ["{formatter}"]\nmatch = ["*.txt"]\n'
        "[lanes.nightly.identity]",
    )
    story = build_lane(tmp_path, policy=policy + GREEN_CHECKS)
    commit_on(story, "dev", {"app.txt": "one\ntwo\nthree\nfour\nfive\n"}, "Both sides change app.txt")
    document = story.run("sync", "--json").json()
    assert document["outcome"] == "ready", document
    assert document["repair"] == document["head"] != document["merge"]
    assert story.repo.text("rev-parse", f"{document['head']}^").strip() == document["merge"]
    # Only what both sides had changed is formatted; what is one side's own stays as that side wrote it.
    assert story.repo.read(document["head"], "app.txt") == b"ONE\nTWO\nTHREE\nFOUR\nFIVE\n"
    assert story.repo.read(document["head"], "feature.txt") == b"dev\n"
    assert story.run("verify", _branch(document)).code == 0


def settle(story: LaneStory, branch: str, files: dict[str, str | None], message: str) -> None:
    """Do what a person does: another work tree, edit, commit."""
    place = story.repo.path.parent / f"person-{len(list(story.repo.path.parent.iterdir()))}"
    story.repo.git("worktree", "add", "--force", str(place), branch)
    for name, content in files.items():
        if content is None:
            (place / name).unlink()
        else:
            (place / name).write_text(content)
    git(place, "add", "--all")
    git(place, "commit", "--allow-empty", "-m", message)
    story.repo.git("worktree", "remove", "--force", str(place))


def commit_on(story: LaneStory, branch: str, files: dict[str, str], message: str) -> None:
    """Move a branch on, beside any work tree."""
    build = RepositoryBuilder.resume(story.repo)
    build.branch(branch).commit(message, files)  # type: ignore[arg-type]
    build.finish(head="main", checkout=False)

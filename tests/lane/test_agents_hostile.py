"""What people do to an agent's answer, and what agents say and do, against the lane: people's word stands."""

import json
import sys
from pathlib import Path

import pytest

from syncline.config.load import load
from syncline.git import CommitId, Repository
from syncline.lane import asked
from syncline.lane.settled import answered_before, settled_on_branch
from syncline.lane.shape import read_shape, target_below
from syncline.merge.merge import merge
from testing import github_lane as github_lanes
from testing.builder import RepositoryBuilder
from testing.lane import GREEN_CHECKS, POLICY, LaneStory, build_lane
from testing.sealed import git

BRANCH = "main2dev"
BOTH = "beta of dev and main"
SETTLES = f"""
edits = [
    {{"path": path, "hunks": [{{"index": index, "text": "{BOTH}\\n"}} for index in indices]}}
    for path, indices in task["task"]["open_hunks"].items()
]
"""
PLAIN = POLICY.split("[[lanes.nightly.paths]]", maxsplit=1)[0].replace("slice = 4\n", "") + GREEN_CHECKS


def with_agent(tmp_path: Path, edits: str, *, reason: str = "both stay", policy: str = "", extra: str = "") -> str:
    """Return the policy with an agent that answers by `edits`, Python over `task`."""
    script = tmp_path / "agent.py"
    answer = '{"version": 1, "reason": reason, "edits": edits}'
    lines = (
        "import json, sys",
        "task = json.load(sys.stdin)",
        f"reason = {reason!r}",
        edits,
        f"print(json.dumps({answer}))",
    )
    script.write_text("\n".join(lines))
    command = json.dumps([sys.executable, "-I", str(script)])
    agent = f'[[lanes.nightly.agents.ask]]\nname = "agent0"\ncommand = {command}\n'
    return f"{policy or POLICY + GREEN_CHECKS}[lanes.nightly.agents]\nseconds = 60.0\n{extra}{agent}"


def lane_with(tmp_path: Path, edits: str = SETTLES, *, reason: str = "both stay", extra: str = "") -> LaneStory:
    return build_lane(tmp_path, policy=with_agent(tmp_path, edits, reason=reason, extra=extra), conflict=True)


def deletions(tmp_path: Path, edits: str) -> LaneStory:
    """Two files that target changed and source deleted; one pattern of a trailer names both."""
    build = RepositoryBuilder(tmp_path / "repo")
    texts = {b"gone\xfe.txt": "a\nb\nc\n", b"gone\xff.txt": "A\nB\nC\n"}
    main = build.branch("main")
    main.commit("start", {"app.txt": "one\n", **texts})
    dev = main.branch("dev")
    dev.commit("target's words", {path: text.swapcase() for path, text in texts.items()})
    main.commit("gone", delete=list(texts))
    config = tmp_path / "policy.toml"
    config.write_text(with_agent(tmp_path, edits, policy=PLAIN))
    return LaneStory(build.finish(head="dev"), config)


def branch(lane: LaneStory) -> str:
    (name,) = lane.repo.text("for-each-ref", "--format=%(refname:short)", f"refs/heads/{BRANCH}").split()
    return name


def in_a_tree(lane: LaneStory, tmp_path: Path, *commands: tuple[str, ...]) -> None:
    """Do what a person does who has the branch checked out for a while."""
    place = tmp_path / "person"
    git(lane.repo.path, "worktree", "add", str(place), branch(lane))
    for command in commands:
        git(place, *command)
    git(lane.repo.path, "worktree", "remove", "--force", str(place))


def newer_words_of_target(lane: LaneStory, tmp_path: Path) -> None:
    (lane.repo.path / "shared.txt").write_text("alpha\nbeta of dev, newer\n")
    git(lane.repo.path, "commit", "-qam", "newer words")
    in_a_tree(lane, tmp_path, ("merge", "-q", "-X", "theirs", "--no-edit", "dev"))


def put_back(lane: LaneStory, tmp_path: Path) -> None:
    in_a_tree(lane, tmp_path, ("checkout", "HEAD~1", "--", "shared.txt"), ("commit", "-qm", "as it was"))


def revert(lane: LaneStory, tmp_path: Path) -> None:
    in_a_tree(lane, tmp_path, ("revert", "--no-edit", "HEAD"))


def amend(lane: LaneStory, tmp_path: Path) -> None:
    amended = ("commit", "-q", "--amend", "--no-edit", "--allow-empty")
    in_a_tree(lane, tmp_path, ("checkout", "HEAD~1", "--", "shared.txt"), amended)


def open_at_head(lane: LaneStory) -> list[bytes]:
    """The conflicts that are open at the head of the branch, and that nobody answered before."""
    policy = load(lane.config).lane()
    with Repository.open(lane.repo.path) as repository:
        target, head = (CommitId(lane.repo.text("rev-parse", name)) for name in ("dev", branch(lane)))
        shape = read_shape(repository, head, elsewhere=[target])
        assert shape is not None
        result = merge(repository, shape.target, shape.source, policy)
        _, unresolved = settled_on_branch(repository, shape, result, target_below(repository, shape, target))
        # Nobody gives the same answer again.
        assert answered_before(repository, shape, unresolved) == {one.path for one in unresolved}
        return [one.path for one in unresolved]


def test_an_answer_that_people_took_back_settles_nothing(tmp_path: Path) -> None:
    lane = lane_with(tmp_path)
    head = lane.run("sync", "--json").json()["head"]
    assert open_at_head(lane) == []
    for take_back in (put_back, revert, amend, newer_words_of_target):
        git(lane.repo.path, "update-ref", f"refs/heads/{branch(lane)}", head)
        take_back(lane, tmp_path)
        assert (take_back, open_at_head(lane)) == (take_back, [b"shared.txt"])


def test_an_answer_above_people_s_commits_can_be_taken_back_too(tmp_path: Path) -> None:
    lane = lane_with(tmp_path)
    policy = lane.config.read_text()
    lane.config.write_text(policy.replace("agent.py", "nobody.py"))
    assert lane.run("sync", "--json").json()["outcome"] == "needs-people"
    in_a_tree(lane, tmp_path, ("commit", "-q", "--allow-empty", "-m", "mine"))
    lane.config.write_text(policy)
    document = lane.run("sync", "--json").json()
    assert (document["outcome"], len(document["people"])) == ("ready", 2)
    assert document["settled"][0]["agents"] == ["agent0"]
    amend(lane, tmp_path)
    assert open_at_head(lane) == [b"shared.txt"]
    again = lane.run("sync", "--json").json()
    assert (again["outcome"], len(again["people"])) == ("needs-people", 2)


def test_commits_of_people_are_theirs_though_source_holds_them_too(tmp_path: Path) -> None:
    lane = lane_with(tmp_path)
    head = lane.run("sync", "--json").json()["head"]
    in_a_tree(lane, tmp_path, ("commit", "-q", "--allow-empty", "-m", "mine"))
    git(lane.repo.path, "update-ref", "refs/heads/main", branch(lane))
    with Repository.open(lane.repo.path) as repository:
        mine, *ends = (CommitId(lane.repo.text("rev-parse", name)) for name in (branch(lane), "dev", "main"))
        shape = read_shape(repository, mine, elsewhere=ends)
    assert shape is not None
    assert (shape.people, shape.repair, shape.own) == ((mine,), head, False)


def test_an_answer_to_one_path_is_none_to_another_that_its_pattern_names(tmp_path: Path) -> None:
    lane = deletions(
        tmp_path,
        r'edits = [{"path": path, "delete": True} for path in task["task"]["paths"] if "xff" in ascii(path)]',
    )
    document = lane.run("sync", "--json").json()
    assert [one["path"] for one in document["settled"]] == ["gone\\xff.txt"], document
    assert [one["path"] for one in document["unresolved"]] == ["gone\\xfe.txt"]


def test_a_reason_does_nothing_but_say_why(tmp_path: Path) -> None:
    reason = (
        "so\0\n\nSyncline-Settled: /*\n- x\u2028\x1b[31m, fixes #3, GH-4 @acme/team https://example.org "
        + "a" * 10**5
    )
    lane = lane_with(tmp_path, reason=reason)
    document = lane.run("sync", "--json").json()
    assert document["outcome"] == "ready"
    message = lane.repo.text("log", "-1", "--format=%B", document["head"])
    assert len(message) < 1000
    assert [line for line in message.split("\n") if line.startswith("Syncline-Settled")] == [
        "Syncline-Settled: /shared.txt"
    ]
    assert not any(sign in message for sign in ("\x1b", "#3", "GH-4", "@acme", "://")), message
    assert lane.run("sync", "--json").json()["head"] == document["head"]


RED = r"""
[[lanes.nightly.checks]]
name = "files"
command = ["sh", "-c", '''if test -f feature.txt && grep -q ONE app.txt; then echo "app.txt:1: error: x is not defined"; exit 1; fi''']
[lanes.nightly.triage]
run_parents = true
[lanes.nightly.gate]
sentinel = ["files"]
"""  # noqa: E501 - one command


def test_wrong_answers_to_a_failure_end_above_people_s_commits_too(tmp_path: Path) -> None:
    wrong = 'edits = [{"path": "app.txt", "content": open("app.txt").read() + "more\\n"}]'
    policy = with_agent(tmp_path, wrong, policy=POLICY + RED, extra="rounds = 2\n")
    lane = build_lane(tmp_path, policy=policy)
    lane.config.write_text(policy.replace("rounds = 2", "rounds = 0"))
    before = lane.run("sync", "--json").json()
    assert before["outcome"] == "checks-failed"
    in_a_tree(lane, tmp_path, ("commit", "-q", "--allow-empty", "-m", "mine"))
    lane.config.write_text(policy)
    for _again in range(2):
        assert lane.run("sync", "--json").json()["outcome"] == "checks-failed"
        log = lane.repo.text("log", "--first-parent", "--format=%s", f"{before['head']}..{branch(lane)}")
        assert log.split("\n") == [*["Take over what agents answered"] * 2, "mine"]


def test_a_remote_that_takes_no_commit_back_gets_answers_on_top(tmp_path: Path) -> None:
    more = 'edits = [{"path": "app.txt", "content": open("app.txt").read() + "more\\n"}]'
    policy = (POLICY + RED).replace('target = "dev"', 'target = "dev"\nremote = "origin"')
    lane = build_lane(tmp_path, policy=with_agent(tmp_path, more, policy=policy, extra="rounds = 2\n"))
    origin = tmp_path / "origin.git"
    git(lane.repo.path, "clone", "-q", "--bare", ".", str(origin))
    git(lane.repo.path, "remote", "add", "origin", str(origin))
    git(origin, "config", "receive.denyNonFastForwards", "true")
    document = lane.run("sync", "--json").json()
    assert document["outcome"] == "checks-failed", document
    log = git(origin, "log", "--format=%s", "-2", document["head"]).decode().splitlines()
    assert log == ["Take over what agents answered", "Repair the sync into dev"]


@pytest.mark.parametrize("checked_out", [True, False])
def test_what_people_do_while_an_agent_thinks_stays(tmp_path: Path, *, checked_out: bool) -> None:
    # A command that must pass is run while the answer is on its way.
    commit = "printf 'alpha\\nbeta of a person\\n' >shared.txt; git commit -qam mine"
    script = tmp_path / "race.sh"
    place = tmp_path / "person"
    script.write_text(
        f"test -e {place} && exit 0\ncd {tmp_path / 'repo'}\nname=$(git for-each-ref --format='%(refname:short)'"
        f" refs/heads/{BRANCH})\ngit worktree add {place} $name\n"
        + ("" if checked_out else f"cd {place}; {commit}; git checkout -q --detach\n")
        + "exit 0\n"
    )
    who = "".join(f"export GIT_{one}_NAME=P GIT_{one}_EMAIL=p@example.org\n" for one in ("AUTHOR", "COMMITTER"))
    script.write_text(who + script.read_text())
    command = json.dumps(["sh", str(script)])
    lane = lane_with(tmp_path, extra=f'must_pass = [{{name = "race", command = {command}}}]\n')
    document = lane.run("sync", "--json").json()
    if checked_out:
        assert (document["outcome"], document["repair"]) == ("needs-people", None)
        assert git(place, "status", "--porcelain") == b""
        return
    assert (document["outcome"], len(document["people"])) == ("ready", 1)
    assert document["settled"][0]["agents"] == []
    assert lane.repo.text("show", f"{branch(lane)}:shared.txt") == "alpha\nbeta of a person"


def test_people_overrule_an_agent_by_an_order(tmp_path: Path) -> None:
    policy = with_agent(tmp_path, SETTLES, policy=github_lanes.POLICY)
    with github_lanes.github_lane(tmp_path, policy=policy, conflict=True) as lane:
        lane.sync()
        lane.ci()
        lane.sync()
        answered = lane.open_pull().head_sha
        assert BOTH in git(lane.server.path, "show", f"{answered}:shared.txt").decode()
        lane.server.people.comment(lane.pulls()[-1].number, "/syncline take theirs shared.txt", by="ada")
        for machine in (lane, lane.on_another_machine(tmp_path / "other")):
            machine.sync()
            head = lane.open_pull().head_sha
            assert git(lane.server.path, "rev-parse", f"{head}^").decode().strip() == answered
            assert git(lane.server.path, "show", f"{head}:shared.txt") == b"alpha\nbeta of main\n"


def test_answers_that_fit_only_together_are_found_over_several_rounds_and_paid_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked, "MOST", 1)
    build = RepositoryBuilder(tmp_path / "repo")
    paths = ("one.py", "two.py")
    main = build.branch("main")
    main.commit("start", dict.fromkeys(paths, "x = 1\n"))
    dev = main.branch("dev")
    dev.commit("two", dict.fromkeys(paths, "x = 2\n"))
    main.commit("three", dict.fromkeys(paths, "x = 3\n"))
    alike = json.dumps([sys.executable, "-c", "import one, two; assert one.x == two.x"])
    policy = with_agent(
        tmp_path, SETTLES.replace(f"{BOTH}\\n", "x = 4\\n"), policy=github_lanes.POLICY.replace("slice = 4\n", ""),
        extra=f'must_pass = [{{name = "alike", command = {alike}}}]\n',
    )  # fmt: skip
    with github_lanes.served_lane(tmp_path, build.finish(head="dev"), policy) as lane:
        for nobody_is_asked in (False, True):
            lane.sync()
            lane.ci()
            lane.sync(restart_after=lane.open_pull().number if nobody_is_asked else -1)
            for path in paths:
                assert git(lane.server.path, "show", f"{lane.open_pull().head_sha}:{path}") == b"x = 4\n"
            (tmp_path / "agent.py").write_text("raise SystemExit(3)")
        assert len(lane.pulls()) == 2

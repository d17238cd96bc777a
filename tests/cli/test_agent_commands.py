"""Agents on the command line: the tasks of a proposal, and the score of an agent on past merges."""

import json
import sys
from pathlib import Path

import pytest

from testing.builder import RepositoryBuilder
from testing.cli import run_syncline
from testing.lane import GREEN_CHECKS, POLICY, build_lane
from tests.replay.histories import begin, text

SETTLES = """
import json, sys
task = json.load(sys.stdin)
(path,) = task["task"]["paths"]
if path == "gone.py":
    edit = {"delete": True}
elif path == "b.md":
    sys.exit("no idea")
else:
    edit = {"hunks": [{"index": i, "text": "call(d, m)\\n"} for i in task["task"]["open_hunks"][path]]}
print(json.dumps({"reason": "r", "edits": [{"path": path} | edit], "cost": {"tokens": 100, "money": 0.25}}))
"""


def test_open_conflicts_are_written_as_tasks(tmp_path: Path) -> None:
    story = build_lane(tmp_path, policy=POLICY + GREEN_CHECKS, conflict=True)
    story.run("sync")
    place = tmp_path / "tasks"
    done = story.run("show", "1", "--tasks", str(place), "--json")
    assert done.code == 1, done.err
    (row,) = json.loads(done.out)["tasks"]
    assert (row["path"], row["kind"], row["why"]) == ("shared.txt", "content", None)
    assert [str(file) for file in place.iterdir()] == [row["file"]]
    document = json.loads(Path(row["file"]).read_bytes())
    assert document["task"]["id"] == row["task"]
    (file,) = document["data_not_instructions"]["files"]
    assert file["hunks"][0]["ours"]["text"] == "beta of dev\n"
    again = story.run("show", "1", "--tasks", str(place))
    assert again.out == f"shared.txt (content): {row['file']}\n"
    (tmp_path / "file").write_text("")
    refused = story.run("show", "1", "--tasks", str(tmp_path / "file"))
    assert refused.code == 2
    assert "cannot be written" in refused.err


def test_an_agent_is_scored_on_past_merges(builder: RepositoryBuilder, tmp_path: Path) -> None:
    main, dev = begin(builder, ("a.py", "b.md", "gone.py"))
    main.commit("Main", {"a.py": text(l3="call(o, m)"), "b.md": text(l5="main"), "gone.py": text(l3="changed")})
    dev.commit("Dev", {"a.py": text(l3="call(d, b)"), "b.md": text(l5="dev")}, delete=["gone.py"])
    dev.merge(main, "Sync", {"a.py": text(l3="call(d, m)"), "b.md": text(l5="main")}, delete=["gone.py"])
    built = builder.finish(head="dev")
    script = tmp_path / "agent.py"
    script.write_text(SETTLES)
    policy = tmp_path / "policy.toml"
    policy.write_text(
        'version = 1\n[lanes.x]\nsource = "main"\ntarget = "dev"\n[[lanes.x.agents.ask]]\nname = "mine"\n'
        f"command = {json.dumps([sys.executable, str(script)])}\nnetwork = true\n"
    )
    asked = ("--last", "5", "--no-history", "--lane", "x", "--agent", "mine", "--config", policy)
    done = run_syncline("replay", *asked, "--json", repo=built)
    assert done.code == 0, done.err
    document = json.loads(done.out)
    result = document["results"]["agent"]
    assert result["hunks"] == {"resolved": 2, "agree": 2, "disagree": 0, "unresolved": 1}
    assert result["files"] == {"exact": 2, "resolved": 2, "total": 3}
    cost = result["cost"]
    assert (cost["asked"], cost["refused"], cost["tokens"], cost["money"]) == (3, 1, 200, 0.5)
    assert cost["why"] == ["it gave no answer: exit code 1: no idea"]
    assert document["per_merge"][0]["results"]["agent"]["hunks"]["agree"] == 2
    assert "cost" not in document["results"]["syncline"]
    plain = run_syncline("replay", *asked, "--agent-most", "1", repo=built)
    assert "the agent was asked 1 time, 0 without an answer" in plain.out
    assert " s, 100 tokens, 0.25 in money\n" in plain.out
    assert "asking mine about a.py of" in plain.err


def test_an_agent_that_fails_each_time_has_one_reason_and_no_price(builder: RepositoryBuilder) -> None:
    main, dev = begin(builder, ("a.md", "b.md"))
    for branch in (main, dev):
        branch.commit(branch.name, {"a.md": text(l3=branch.name), "b.md": text(l3=branch.name)})
    dev.merge(main, "Sync", {"a.md": text(l3="both"), "b.md": text(l3="both")})
    asked = ("replay", "--last", "1", "--no-history", "--agent", "false")
    done = run_syncline(*asked, repo=builder.finish(head="dev"))
    _, _, told = done.out.partition("the agent was asked ")
    first, *reasons = told.splitlines()
    assert first.startswith("2 times, 2 without an answer; ")
    assert first.endswith(" s")
    assert len(reasons) == 1


@pytest.mark.parametrize(("command", "words"), [
    ("", "--agent is empty"),
    ("'a", "is no command"),
    ("nosuchcmd --fast", "agent 'nosuchcmd' cannot be started: `nosuchcmd` is no program on PATH"),
    ("/nowhere/agent", "`/nowhere/agent` is no program at that place"),
    ("./agent", "/agent` is no program at that place"),
])  # fmt: skip
def test_a_command_that_is_none_is_told(builder: RepositoryBuilder, command: str, words: str) -> None:
    main, _ = begin(builder)
    main.commit("More", {"c": ""})
    done = run_syncline("replay", "--last", "1", "--agent", command, repo=builder.finish(head="main"))
    assert done.code == 2
    assert words in done.err

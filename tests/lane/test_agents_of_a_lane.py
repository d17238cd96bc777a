"""A lane asks its agents before people: what stands up to everything is on the branch, the rest is left open."""

import json
import sys
from pathlib import Path

import pytest

from syncline.config.models import AgentSettings
from syncline.lane.spent import Spent
from syncline.repair.agents.answer import Cost
from testing.lane import GREEN_CHECKS, POLICY, LaneStory, build_lane

ANSWERS = {
    # Settles each open hunk with both sides' words.
    "settles": """
import json, sys
task = json.load(sys.stdin)
edits = [
    {"path": path, "hunks": [{"index": index, "text": "beta of dev and main\\n"} for index in indices]}
    for path, indices in task["task"]["open_hunks"].items()
]
print(json.dumps({"version": 1, "reason": "both words stay", "edits": edits}))
""",
    "does not know": """
import json
print(json.dumps({"version": 1, "reason": "two teams have to talk", "edits": []}))
""",
    "talks": "print('I have settled everything!')",
    "goes elsewhere": """
import json
print(json.dumps({"version": 1, "reason": "x", "edits": [{"path": "OWNERS", "content": "all: me\\n"}]}))
""",
    "leaves markers": """
import json, sys
task = json.load(sys.stdin)
text = "<<<<<<< ours\\na\\n=======\\nb\\n>>>>>>> theirs\\n"
edits = [{"path": path, "content": text} for path in task["task"]["paths"]]
print(json.dumps({"version": 1, "reason": "x", "edits": edits}))
""",
    "dies": "raise SystemExit(3)",
}


def lane_with(tmp_path: Path, *agents: str, extra: str = "") -> LaneStory:
    tables = "[lanes.nightly.agents]\nseconds = 60.0\n" + extra
    for number, name in enumerate(agents):
        script = tmp_path / f"agent{number}.py"
        script.write_text(ANSWERS[name])
        command = json.dumps([sys.executable, "-I", str(script)])
        tables += f'[[lanes.nightly.agents.ask]]\nname = "agent{number}"\ncommand = {command}\n'
    return build_lane(tmp_path, policy=POLICY + GREEN_CHECKS + tables, conflict=True)


def log_of(lane: LaneStory) -> str:
    return lane.repo.text("log", "-1", "--format=%B", "main2dev/" + branch_end(lane))


def branch_end(lane: LaneStory) -> str:
    names = lane.repo.text("for-each-ref", "--format=%(refname:short)", "refs/heads/main2dev/").split()
    assert len(names) == 1
    return names[0].removeprefix("main2dev/")


def test_an_answer_that_stands_up_takes_the_lane_to_ready(tmp_path: Path) -> None:
    lane = lane_with(tmp_path, "settles")
    document = lane.run("sync", "--json").json()
    assert (document["outcome"], document["unresolved"]) == ("ready", []), document
    message = log_of(lane)
    assert "shared.txt, by agent0: both words stay" in message
    assert "Syncline-Agent: agent0" in message
    assert lane.repo.text("show", f"main2dev/{branch_end(lane)}:shared.txt") == "alpha\nbeta of dev and main"
    assert journal(lane).count('"event": "done", "action": "AskAgents"') == 1


@pytest.mark.parametrize("agent", ["does not know", "talks", "goes elsewhere", "leaves markers", "dies"])
def test_what_does_not_stand_up_changes_nothing_and_is_not_asked_again(tmp_path: Path, agent: str) -> None:
    lane = lane_with(tmp_path, agent)
    document = lane.run("sync", "--json").json()
    assert document["outcome"] == "needs-people"
    assert [one["path"] for one in document["unresolved"]] == ["shared.txt"]
    assert document["people"] == []
    again = lane.run("sync", "--json").json()
    assert (again["outcome"], again["head"]) == ("needs-people", document["head"])
    told = journal(lane)
    assert "no agent's answer was taken: shared.txt: agent0: " in told
    assert told.count('"event": "done", "action": "AskAgents"') == 1


def test_an_accepted_answer_is_not_paid_for_again(tmp_path: Path) -> None:
    lane = lane_with(tmp_path, "settles")
    lane.run("sync")
    (tmp_path / "agent0.py").write_text(ANSWERS["dies"])
    again = lane.run("sync", "--restart", "--json")
    document = again.json()
    assert (document["outcome"], document["unresolved"]) == ("ready", [])
    assert document["proposal"]["number"] == 2
    assert "agent0 answered about shared.txt before" in again.err
    # Without the answer that is kept, it is asked anew, and says nothing now.
    for kept in (lane.repo.path / ".git/syncline/cache/agents/answers").iterdir():
        kept.write_text("{}")
    assert lane.run("sync", "--restart", "--json").json()["outcome"] == "needs-people"


def test_an_answer_is_in_the_one_repair_commit(tmp_path: Path) -> None:
    lane = lane_with(tmp_path, "settles")
    document = lane.run("sync", "--json").json()
    assert document["people"] == []
    assert document["repair"] == document["head"]
    assert document["settled"] == [
        {"path": "shared.txt", "sha": document["repair"], "how": "answered by agent0", "agents": ["agent0"]}
    ]


def test_what_agents_take_together_is_bounded() -> None:
    spent = Spent()
    settings = AgentSettings(sync_seconds=10.0, sync_money=1.0)
    assert spent.over(settings) == ""
    spent.add(Cost(seconds=4.0, money=0.5))
    spent.add(Cost(seconds=4.0))
    assert spent.over(settings) == ""
    spent.add(Cost(seconds=1.0, money=0.5))
    assert spent.over(settings) == "agents cost 1.00, and 1.00 is allowed to one sync"
    spent.add(Cost(seconds=1.0))
    assert spent.over(settings) == "agents took 10 s, and 10 s are allowed to one sync"


def journal(lane: LaneStory) -> str:
    return (lane.repo.path / ".git" / "syncline" / "journal" / "nightly.jsonl").read_text()


def test_the_next_agent_is_asked_where_the_first_one_fails(tmp_path: Path) -> None:
    lane = lane_with(tmp_path, "talks", "settles")
    assert lane.run("sync", "--json").json()["outcome"] == "ready"
    assert "Syncline-Agent: agent1" in log_of(lane)


def test_one_alone_is_not_enough_where_two_must_agree(tmp_path: Path) -> None:
    lane = lane_with(tmp_path, "settles", "does not know", extra="agree = true\n")
    assert lane.run("sync", "--json").json()["outcome"] == "needs-people"


def test_no_agent_no_question(tmp_path: Path) -> None:
    lane = build_lane(tmp_path, policy=POLICY + GREEN_CHECKS, conflict=True)
    assert lane.run("sync", "--json").json()["outcome"] == "needs-people"
    assert "AskAgents" not in journal(lane)

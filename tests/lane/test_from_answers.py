"""What people answer on the branch, told to the conflicts still open: asked first, offered, taken over."""

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from syncline.cli import learn_run, sync_run
from syncline.cli.options import Common
from syncline.merge.ladder import weights
from syncline.merge.ladder.weights import Linear, Weights
from testing.builder import RepositoryBuilder
from testing.github import github
from testing.handmade import handmade_weights
from testing.lane import LaneStory
from testing.learning import PAST_POLICY
from testing.repository import BuiltRepository
from testing.sealed import sealed_environment, sealed_home

PATHS = ("pins/a.txt", "pins/b.txt", "pins/caf\u00e9 [1].txt")
OTHER = "words.py"


def weights_that_listen() -> Weights:
    """A side is as sure as people's answers to conflicts of the same form in the same merge make it."""
    deaf, listening, other = Linear(0.0, {}), Linear(0.0, {"now_shape": 4.0}), Linear(-3.0, {})
    kinds = {"ours": deaf, "theirs": deaf, "merged": other}
    kinds |= {"ours+answers": listening, "theirs+answers": listening, "merged+answers": other}
    made = handmade_weights()
    # The words are code, in which answers were right nowhere.
    return replace(made, kinds=kinds, levels={"data": made.levels["data"]})


@pytest.fixture(autouse=True)
def _weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "shipped", weights_that_listen)


def pins(side: str, number: int) -> dict[str, str]:
    """What a side has in the pins; two have the same text, the third is only of the same form."""
    return {path: f"{'pin' if path in PATHS[:2] else 'cafe'} {side} {number}\n" for path in PATHS}


@pytest.fixture
def story(tmp_path: Path) -> LaneStory:
    """The pins are always taken from one side, all from the same, but from now this one and now that."""
    build = RepositoryBuilder(tmp_path / "repo")
    main = build.branch("main")
    main.commit("start", pins("of both", 0) | {OTHER: "one = 1\n"})
    dev = main.branch("dev")
    for number in range(1, 6):
        for name, branch in (("main", main), ("dev", dev)):
            branch.commit(
                f"{name} {number}", pins(name, number) | {OTHER: f"{name} = {number}\nmore = {number}\n"}
            )
        if number < 5:
            side = "main" if number % 2 else "dev"
            settled = pins(side, number) | {OTHER: f"both = {number}\n"}
            dev.merge(main, f"sync {number}", settled)
    config = tmp_path / "policy.toml"
    config.write_text(PAST_POLICY)
    return LaneStory(build.finish(head="dev"), config)


class Machine:
    """Learns and syncs in this process, where the weights are ours; people commit with git."""

    def __init__(self, story: LaneStory, capsys: pytest.CaptureFixture[str]) -> None:
        self.story, self.repo, self.capsys = story, story.repo, capsys
        options = Common(self.repo.path, story.config, True)  # noqa: FBT003
        learn_run.run(options, learn_run.Request(None, 100, 1, False, (), ()))  # noqa: FBT003

    def sync(self) -> Any:
        self.capsys.readouterr()
        options = Common(self.repo.path, self.story.config, True)  # noqa: FBT003
        sync_run.run(options, None, sync_run.Asked(), wait=0)
        return json.loads(self.capsys.readouterr().out)

    def in_words(self) -> str:
        options = Common(self.repo.path, self.story.config, False)  # noqa: FBT003
        sync_run.run(options, None, sync_run.Asked(), wait=0)
        return self.capsys.readouterr().out

    def body(self) -> str:
        return self.story.run("show", "1").out

    def report(self, run: str, name: str = "report.html") -> Path:
        return self.repo.git_dir / "syncline/reports/nightly" / run / name

    def commit(self, branch: str, files: Mapping[str, str], *message: str) -> str:
        self.repo.git("switch", "-q", branch)
        for path, content in files.items():
            (self.repo.path / path).write_text(content)
        self.repo.git("add", "-A")
        self.repo.git("commit", "-q", "--allow-empty", *(word for one in message for word in ("-m", one)))
        self.repo.git("switch", "-q", "-")
        return self.repo.tip(branch)

    def take_over(self, body: str) -> str:
        """Run the commands that the body gives for it, the sync aside."""
        shown = body.partition("To look at them and take them over:")[2]
        commands = shown.partition("```sh\n")[2].partition("```")[0].splitlines()
        assert commands.pop() == "syncline sync nightly"
        script = ["sh", "-ec", "\n".join(commands)]
        environment = sealed_environment(sealed_home())
        subprocess.run(script, cwd=self.repo.path, env=environment, check=True, capture_output=True)
        return "\n".join(commands)


@pytest.fixture
def machine(story: LaneStory, capsys: pytest.CaptureFixture[str]) -> Machine:
    return Machine(story, capsys)


def branch_of(document: dict[str, Any]) -> str:
    return str(document["proposal"]["branch"])


def open_paths(document: dict[str, Any]) -> set[str]:
    return {one["path"] for one in document["unresolved"]}


def test_the_answer_that_speaks_for_most_is_asked_first(machine: Machine) -> None:
    done = machine.sync()
    assert open_paths(done) == {*PATHS, OTHER}
    body = machine.body()
    asked = "**Answer this first:** `pins/a.txt`; it speaks for 2 more: 1 with the same text, numbers aside"
    assert f"{asked}, 1 of the same form in this directory.\n" in body
    assert "more can be settled" not in body
    assert "- Hunk 1: open; the likeliest answers:\n" in body
    assert not machine.report(done["run"], "answers.patch").exists()
    page = machine.report(done["run"]).read_text()
    assert "<strong>Answer this first:</strong>" in page
    assert page.count('<div class="judged">') == 4


def test_the_terminal_and_json_ask_in_that_order_and_tell_what_answers_opened(machine: Machine) -> None:
    first = machine.sync()
    asked = [(one["path"], one["speaks_for"]) for one in first["unresolved"]]
    assert asked == [(PATHS[0], 2), (PATHS[1], 0), (PATHS[2], 0), (OTHER, 0)]
    assert first["from_answers"] == {"paths": [], "patch": None, "message": None}
    lines = machine.in_words().splitlines()
    opened = [line.strip() for line in lines if "open: " in line]
    assert opened[0] == f"open: {PATHS[0]} [content], its answer speaks for 2 more"
    assert not any(line.startswith("  answers ") for line in lines)

    machine.commit(branch_of(first), {PATHS[0]: "pin main 5\n"}, "The pin of main")
    second = machine.sync()
    assert [one["path"] for one in second["unresolved"]] == [OTHER, *PATHS[1:]]
    offered = second["from_answers"]
    assert offered["paths"] == list(PATHS[1:])
    assert [offered[name] for name in ("patch", "message")] == [
        str(machine.report(first["run"], name)) for name in ("answers.patch", "answers.txt")
    ]
    assert "  answers    2 more can be settled from yours: syncline show 1 tells how\n" in machine.in_words()


def test_one_answer_settles_its_like_once_people_take_it_over(machine: Machine) -> None:
    first = machine.sync()
    branch = branch_of(first)
    answer = machine.commit(branch, {PATHS[0]: "pin main 5\n"}, "The pin of main")
    second = machine.sync()
    assert (second["run"], second["head"], open_paths(second)) == (first["run"], answer, {*PATHS[1:], OTHER})
    body = machine.body()
    assert "**Now 2 more can be settled from your answers.**" in body
    assert "the same conflict was settled so elsewhere in this merge" in body
    assert "source's side was taken in 1 of 1 conflict in this directory that people settled" in body
    # What is offered is neither asked nor spoken for.
    assert "Answer this first" not in body
    assert body.index("| `words.py` |") < body.index("| `pins/b.txt` | content |")
    assert "Now 2 more can be settled from your answers." in machine.report(first["run"]).read_text()
    # Nothing is done before people say so.
    assert machine.repo.tip(branch) == answer
    assert "git apply" in machine.take_over(body)
    assert machine.repo.text("rev-parse", f"{branch}^") == answer
    for path, content in pins("main", 5).items():
        assert machine.repo.read(branch, path) == content.encode()
    assert machine.repo.text("diff", "--name-only", "-z", answer, branch).split("\0") == [*PATHS[1:], ""]
    message = machine.repo.text("log", "-1", "--format=%B", branch)
    assert message.startswith("Settle 2 conflicts of the sync as the others were\n\n- pins/b.txt: source's side")
    third = machine.sync()
    assert (third["run"], open_paths(third), third["findings"]) == (first["run"], {OTHER}, [])
    assert "more can be settled" not in machine.body()
    assert not machine.report(first["run"], "answers.patch").exists()
    machine.commit(branch, {OTHER: "both = 5\n"}, "The words")
    assert machine.sync()["outcome"] == "ready"


def test_answers_that_the_tree_holds_already_are_accepted_by_a_trailer(machine: Machine) -> None:
    branch = branch_of(machine.sync())
    machine.commit(branch, {}, "Keep target's", f"Syncline-Settled: /{PATHS[0]}")
    machine.sync()
    body = machine.body()
    assert "the same conflict was settled so elsewhere in this merge" in body
    assert "git apply" not in machine.take_over(body)
    done = machine.sync()
    assert (open_paths(done), done["findings"]) == ({OTHER}, [])
    assert machine.repo.read(branch, PATHS[1]) == b"pin dev 5\n"


@pytest.mark.parametrize(
    ("answers", "message", "offered"),
    [
        ({OTHER: "both = 5\n"}, "nothing alike", 0),
        ({PATHS[0]: "pin main 5\n", PATHS[1]: "<<<<<<< HEAD\npin main 5\n"}, "in the middle of it", 1),
        ({PATHS[0]: "pin main 5\n"}, "Syncline-Answered: of syncline itself", 0),
        # Whatever was answered to the very same conflict; not what was answered to one of the same form.
        ({PATHS[0]: "pin of nobody\n"}, "neither side", 1),
        ({PATHS[2]: "cafe of nobody\n"}, "neither side, of the same form", 0),
    ],
)
def test_what_is_offered(machine: Machine, answers: dict[str, str], message: str, offered: int) -> None:
    first = machine.sync()
    machine.commit(branch_of(first), answers, "An answer", message)
    machine.sync()
    found = re.findall(r"Now (\d+) more can be settled", machine.body())
    assert [int(number) for number in found] == [offered][: offered > 0]
    assert machine.report(first["run"], "answers.txt").exists() is (offered > 0)


def test_without_a_record_nothing_is_offered(story: LaneStory, capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine(story, capsys)
    (story.repo.git_dir / "syncline/learned/nightly.json").unlink()
    branch = branch_of(machine.sync())
    machine.commit(branch, {PATHS[0]: "pin main 5\n"}, "The pin of main")
    assert open_paths(machine.sync()) == {*PATHS[1:], OTHER}
    assert "more can be settled" not in machine.body()


def test_no_path_of_this_machine_is_told_on_github(
    story: LaneStory, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with github(tmp_path / "github", story.repo, default_branch="main") as server:
        monkeypatch.setenv("GITHUB_TOKEN", server.token)
        at_github = 'target = "dev"\nremote = "origin"\nforge = "github"\n'
        story.config.write_text(
            PAST_POLICY.replace('target = "dev"\n', at_github)
            + f'[lanes.nightly.github]\nrepository = "acme/engine"\napi = "{server.api}"\n'
        )
        clone = BuiltRepository(server.path, server.path, "sha1", {}, {}, 0).clone(tmp_path / "clone")
        machine = Machine(LaneStory(clone, story.config), capsys)
        first = machine.sync()
        server.people.push(branch_of(first), {PATHS[0]: "pin main 5\n"})
        machine.sync()
        (pull,) = server.world.pulls.values()
        said = [pull.body or "", *(comment.body for comment in server.world.comments_of(pull.number))]
        assert "Now 2 more can be settled from your answers." in said[0]
        assert "A patch with them lies beside the report, on the machine that made it." in said[0]
        assert machine.report(first["run"], "answers.patch").exists()
        assert not [words for words in said if str(tmp_path) in words]

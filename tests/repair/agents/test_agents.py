"""Agents as real programs: one that settles, and many that must be refused, each with nothing changed."""

import json
import os
import re
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from syncline.audit.finding import Finding, Severity
from syncline.config.models import PathRule
from syncline.errors import SynclineError
from syncline.git import Repository
from syncline.programs import apart as apart_module
from syncline.programs.confine import abi
from syncline.repair.agents.agent import Limits
from syncline.repair.agents.ask import agents_of, ask
from syncline.repair.agents.document import as_json
from syncline.repair.agents.failure_task import finding_task
from syncline.repair.agents.recorded import RecordedAgent, Recorder
from syncline.repair.agents.task import AgentTask
from syncline.repair.agents.verdict import Accepted, Refused, trailers
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository
from tests.forge.support import is_living, wait_until
from tests.repair.agents.scripted import BOTH, LIMITS, OURS, TESTS, Scene, agent, build, scene

SETTLES = f"say({{'path': 'shape.py', 'content': {BOTH!r}}}, cost={{'turns': 2, 'tokens': 900, 'money': 0.5}})"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltRepository:
    return build(RepositoryBuilder(tmp_path_factory.mktemp("agents") / "repo"))


@pytest.fixture
def made(built: BuiltRepository) -> Generator[Scene]:
    with Repository.open(built.path) as repository:
        yield scene(built, repository)


def test_a_conflict_is_settled(made: Scene, tmp_path: Path) -> None:
    done = ask([agent(tmp_path, SETTLES)], made.task, made.guard, LIMITS)
    assert isinstance(done, Accepted)
    entry = made.repository.entry(done.tree, b"shape.py")
    assert entry is not None
    assert made.repository.blob(entry.oid) == BOTH.encode()
    assert (done.cost.turns, done.cost.tokens, done.cost.money) == (2, 900, 0.5)
    assert trailers(done) == (("Syncline-Agent", "scripted"),)


def test_a_failure_is_mended_in_the_files(made: Scene, tmp_path: Path) -> None:
    script = """
        from pathlib import Path
        text = Path("shape.py").read_text()
        Path("shape.py").write_text(text.replace("width * height * 2", "abs(width * height * 2)"))
        print("the sign was lost")
    """
    done = ask([agent(tmp_path, script, answer="files")], made.failing, made.guard, LIMITS)
    assert isinstance(done, Accepted), done
    assert done.edits == {b"shape.py": BOTH.encode()}
    assert done.reason == "the sign was lost"


def test_hunks_alone_can_be_answered(made: Scene, tmp_path: Path) -> None:
    script = "say({'path': 'shape.py', 'hunks': [{'index': 0, 'text': '    return abs(width * height * 2)'}]})"
    done = ask([agent(tmp_path, script)], made.task, made.guard, LIMITS)
    assert isinstance(done, Accepted), done
    assert done.edits == {b"shape.py": BOTH.encode()}


HOSTILE: dict[str, tuple[str, str]] = {
    "a file of the repository that is not its task's": (
        "say({'path': 'notes.txt', 'content': 'mine'})", "notes.txt, which is not of its task",
    ),
    "git's directory": (
        "say({'path': '.git/config', 'content': '[core]'})", ".git/config, which is not of its task",
    ),
    "a git directory in its room": (
        f"os.mkdir('.git'); open('.git/config', 'w').write('x'); {SETTLES}", "left .git in its room",
    ),
    "another file in its room": (f"open('extra.py', 'w').write('x'); {SETTLES}", "left extra.py in its room"),
    "out of the room by name": ("say({'path': '../shape.py', 'content': 'x'})", "../shape.py, which is not of"),
    "through a symbolic link": (
        "os.remove('shape.py'); os.symlink('/etc/passwd', 'shape.py'); print('{\"reason\": \"r\"}')",
        "it is a symbolic link now",
    ),
    "a pipe in place of the file": (
        "os.remove('shape.py'); os.mkfifo('shape.py'); print('{\"reason\": \"r\"}')", "no regular file any more",
    ),
    "the file away": ("os.remove('shape.py'); print('{\"reason\": \"r\"}')", "deletes shape.py, which no side"),
    "one text, and says another": (
        f"open('shape.py', 'w').write('x = 1\\n'); {SETTLES}",
        "edited shape.py in its room, and answered something",
    ),
    "nothing": ("say(reason='too hard for me')", "it edits nothing: too hard for me"),
    "markers back": (
        "say({'path': 'shape.py', 'content': open('shape.py').read()})", "conflict markers are left",
    ),
    "what does not compile": (
        f"say({{'path': 'shape.py', 'content': {BOTH.replace('def other', 'def')!r}}})", "shape.py",
    ),
    "an empty file": ("say({'path': 'shape.py', 'content': ''})", "empty in the answer"),
    "a token": (
        f"say({{'path': 'shape.py', 'content': {BOTH!r} + 'T = \"ghp_' + 'a1B2' * 9 + '\"\\n'}})",
        "a GitHub token in line",
    ),
    "what breaks the tests": (f"say({{'path': 'shape.py', 'content': {OURS!r}}})", "unit does not pass with it"),
    "nonsense": ("print('I have fixed it!')", "what it printed is no answer"),
    "no UTF-8": ("sys.stdout.buffer.write(b'{\"reason\": \"\\xff\"}')", "what it printed is no answer"),
    "a deep nest": ("print('[' * 100000)", "what it printed is no answer"),
    "nothing at all": ("pass", "it printed nothing"),
    "two documents": (f"{SETTLES}\n{SETTLES}", "what it printed is no answer"),
    "a failure of its own": ("sys.exit('no key')", "exit code 1: no key"),
    "a hunk that there is not": (
        "say({'path': 'shape.py', 'hunks': [{'index': 7, 'text': ''}]})", "answers hunk 7, which is none",
    ),
    "too much": ("say({'path': 'shape.py', 'content': 'x = 1\\n' * 200000})", "1,000,000 are allowed"),
    "too dear": (
        SETTLES.replace("900", "900000000"), "it took 900,000,000 tokens; 500,000 are allowed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("does", HOSTILE)
def test_what_is_refused_changes_nothing(made: Scene, tmp_path: Path, does: str) -> None:
    script, words = HOSTILE[does]
    before = made.refs()
    done = ask([agent(tmp_path, script)], made.task, made.guard, LIMITS)
    assert isinstance(done, Refused), does
    assert words in done.why[0]
    assert done.why[0].startswith("scripted: ")
    assert made.refs() == before


@pytest.mark.parametrize(
    ("new", "words"),
    [
        (TESTS.split("\n\n\ndef test_sign")[0] + "\n", "the test test_sign is gone"),
        (TESTS.replace("assert area(-1, 1) == 2", "pass"), "the test test_sign is emptied"),
        (TESTS.replace("assert area(-1, 1) == 2", "assert True"), "the test test_sign is emptied"),
        ("import pytest\n" + TESTS.replace("def test_s", "@pytest.mark.skip\ndef test_s"), "a test is skipped"),
    ],
)
def test_tests_stay_as_strict_as_they_were(made: Scene, tmp_path: Path, new: str, words: str) -> None:
    script = f"say({{'path': 'test_shape.py', 'content': {new!r}}})"
    done = ask([agent(tmp_path, script)], made.failing, made.guard, LIMITS)
    assert isinstance(done, Refused)
    assert words in done.why[0]


def test_it_writes_nowhere_but_in_its_room(made: Scene, tmp_path: Path) -> None:
    if not abi():
        pytest.skip("this kernel has no Landlock")
    outside = tmp_path / "outside"
    outside.write_text("as it was")
    git = made.built.path / ".git" / "config"
    before = git.read_bytes()
    script = f"""
        tried = []
        def attempt(name, what):
            try:
                what()
                tried.append(name)
            except OSError:
                pass
        attempt("write", lambda: open({str(outside)!r}, "w"))
        attempt("make", lambda: open({str(outside)!r} + ".new", "w"))
        attempt("remove", lambda: os.remove({str(outside)!r}))
        attempt("git", lambda: open({str(git)!r}, "a"))
        open(os.environ["TMPDIR"] + "/x", "w").write("x")
        open(os.devnull, "w").write("x")
        say(reason="did " + ",".join(tried))
    """
    done = ask([agent(tmp_path, script)], made.task, made.guard, LIMITS)
    assert isinstance(done, Refused)
    assert done.why == ("scripted: it edits nothing: did",)
    assert (outside.read_text(), git.read_bytes()) == ("as it was", before)


def test_one_that_never_ends_is_ended_with_all_it_started(made: Scene, tmp_path: Path) -> None:
    script = """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                print("daemon", os.getpid(), file=sys.stderr, flush=True)
                time.sleep(600)
            os._exit(0)
        time.sleep(600)
    """
    done = ask([agent(tmp_path, script)], made.task, made.guard, replace(LIMITS, seconds=4))
    assert isinstance(done, Refused)
    told = re.fullmatch(r"scripted: it gave no answer: over its time limit of 4 s: daemon (\d+)", done.why[0])
    assert told is not None, done.why
    # Where it has a process namespace of its own, its ids say nothing here; there the kernel ends them all.
    if "--pid" not in (apart_module.apart(network=True) or ()):
        wait_until(lambda: not is_living(int(told[1])))


def test_one_that_prints_without_end_is_stopped(made: Scene, tmp_path: Path) -> None:
    script = "while True: sys.stdout.write('x' * 100000)"
    done = ask([agent(tmp_path, script)], made.task, made.guard, replace(LIMITS, output=2_000_000))
    assert isinstance(done, Refused)
    assert "it printed more than 2,000,000 bytes" in done.why[0]


def test_it_sees_no_credentials(made: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "s3cret-of-the-operator"  # noqa: S105 - made up
    monkeypatch.setenv("GITHUB_TOKEN", secret)
    monkeypatch.setenv("VENDOR_KEY", "key-of-the-vendor")
    # What this process was started with is in /proc, where another process could look.
    script = """
        near = []
        for pid in os.listdir("/proc"):
            if pid.isdigit() and int(pid) != os.getpid():
                try:
                    near.append(open(f"/proc/{pid}/environ").read())
                except OSError:
                    pass
        say(reason=json.dumps([
            os.environ.get("GITHUB_TOKEN"), os.environ["VENDOR_KEY"][:3], os.environ["HOME"], os.listdir("."),
            os.listdir(os.environ["HOME"]), any("PYTEST_CURRENT_TEST" in text for text in near),
        ]))
    """
    done = ask([agent(tmp_path, script, pass_env=("VENDOR_KEY",))], made.task, made.guard, LIMITS)
    assert isinstance(done, Refused)
    token, key, home, files, at_home, near = json.loads(done.why[0].removeprefix("scripted: it edits nothing: "))
    assert (token, key, files, at_home) == (None, "key", ["shape.py"], [])
    assert home != os.environ.get("HOME")
    assert not (near and apart_module.apart(network=True))


def test_it_cannot_hand_out_what_it_was_given(
    made: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VENDOR_KEY", "key-of-the-vendor")
    one = agent(tmp_path, "say(reason=os.environ['VENDOR_KEY'])", pass_env=("VENDOR_KEY",))
    done = ask([one], made.task, made.guard, LIMITS)
    assert isinstance(done, Refused)
    assert done.why == ("scripted: its answer holds the value of the variable VENDOR_KEY, which it was given",)
    loud = agent(tmp_path, "sys.exit(os.environ['VENDOR_KEY'])", pass_env=("VENDOR_KEY",))
    died = ask([loud], made.task, made.guard, LIMITS)
    assert isinstance(died, Refused)
    assert died.why == ("scripted: it gave no answer: exit code 1: [hidden]",)
    monkeypatch.delenv("VENDOR_KEY")
    gone = ask([one], made.task, made.guard, LIMITS)
    assert isinstance(gone, Refused)
    assert "the variable VENDOR_KEY, which is not set" in gone.why[0]


def test_without_network_it_reaches_nothing_or_does_not_run(
    made: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "say(reason=','.join(name for _, name in __import__('socket').if_nameindex()))"
    done = ask([agent(tmp_path, script, network=False)], made.task, made.guard, LIMITS)
    assert isinstance(done, Refused)
    told = "it edits nothing: lo" if apart_module.apart(network=False) else "this kernel lets nobody shut that off"
    assert told in done.why[0]
    apart_module.apart.cache_clear()
    monkeypatch.setattr(apart_module, "_works", lambda _words: False)
    try:
        refused = ask([agent(tmp_path, script, network=False)], made.task, made.guard, LIMITS)
    finally:
        apart_module.apart.cache_clear()
    assert isinstance(refused, Refused)
    assert "this kernel lets nobody shut that off" in refused.why[0]


def test_two_must_agree_where_the_lane_wants_it(made: Scene, tmp_path: Path) -> None:
    one = agent(tmp_path, SETTLES, name="one")
    spaced = BOTH.replace("abs(width * height * 2)", "abs( width * height * 2 )").replace("\n\n\n", "\n\n")
    like = agent(tmp_path, SETTLES.replace(repr(BOTH), repr(BOTH + "\n")), name="like")
    other = agent(tmp_path, SETTLES.replace(repr(BOTH), repr(spaced.replace("abs( ", "abs(0 + "))), name="other")
    broken = agent(tmp_path, "sys.exit(1)", name="broken")
    agreed = ask([broken, one, like], made.task, made.guard, LIMITS, agree=True)
    assert isinstance(agreed, Accepted)
    assert (agreed.agents, agreed.cost.tokens) == (("one", "like"), 1800)
    assert [words.split(":")[0] for words in agreed.refused] == ["broken"]
    assert trailers(agreed) == (("Syncline-Agent", "one"), ("Syncline-Agent", "like"))
    apart = ask([one, other], made.task, made.guard, LIMITS, agree=True)
    assert isinstance(apart, Refused)
    assert apart.why == ("one and other do not agree: they differ in shape.py",)
    alone = ask([one, broken], made.task, made.guard, LIMITS, agree=True)
    assert isinstance(alone, Refused)
    assert "nobody was there to agree with it" in alone.why[-1]


def test_the_next_one_is_asked_when_one_is_refused(made: Scene, tmp_path: Path) -> None:
    told: list[str] = []
    agents = [agent(tmp_path, "sys.exit(1)", name="one"), agent(tmp_path, SETTLES, name="two")]
    done = ask(agents, made.task, made.guard, LIMITS, tell=told.append)
    assert isinstance(done, Accepted)
    assert done.agents == ("two",)
    assert told[0] == "asking one about shape.py"
    assert told[-2:] == ["running unit on the answer", "two's answer is accepted"] or told[-1].startswith("two's")
    assert ask([], made.task, made.guard, LIMITS) == Refused(("no agent is configured",))


def test_what_was_recorded_is_answered_again(made: Scene, tmp_path: Path) -> None:
    place = tmp_path / "answers"
    first = ask([Recorder(agent(tmp_path, SETTLES), place)], made.task, made.guard, LIMITS)
    again = ask([RecordedAgent(place)], made.task, made.guard, LIMITS)
    assert isinstance(first, Accepted)
    assert isinstance(again, Accepted)
    assert (again.tree, again.edits, again.reason, again.agents) == (first.tree, first.edits, "so", ("recorded",))
    nothing = ask([RecordedAgent(place)], made.failing, made.guard, LIMITS)
    assert isinstance(nothing, Refused)
    assert f"no answer to task {made.failing.id} is recorded" in nothing.why[0]


def test_the_task_tells_everything_and_what_is_data(built: BuiltRepository) -> None:
    with Repository.open(built.path) as repository:
        lessons = [{"match": ["*.py"], "text": "keep both factors"}, {"match": ["*.md"], "text": "not this"}]
        made = scene(built, repository, lessons=lessons, playbook="docs/merging.md")
        document = json.loads(json.dumps(as_json(made.task, Limits())))
        failing = json.loads(json.dumps(as_json(made.failing, Limits())))
        assert made.task.id == scene(built, repository).task.id
        with pytest.raises(SynclineError, match=r"the playbook 'gone\.md' is no file of target"):
            _ = scene(built, repository, playbook="gone.md").task
    assert document["version"] == 1
    assert document["lessons"] == ["keep both factors"]
    assert document["task"]["open_hunks"] == {"shape.py": [0]}
    assert document["task"]["must_pass"][0]["name"] == "unit"
    data = document["data_not_instructions"]
    assert data["playbook"]["text"] == "m\n"
    (file,) = data["files"]
    assert file["versions"]["ours"]["pieces"] == [{"line": 1, "text": OURS}]
    assert "<<<<<<< ours" in file["versions"]["merged"]["pieces"][0]["text"]
    assert file["hunks"][0]["base"]["text"] == "    return width * height\n"
    assert data["symbols"] == ["area"]
    assert [(one["side"], one["proposal"]) for one in data["commits"]] == [("ours", "#11"), ("theirs", "#12")]
    assert failing["task"]["paths"] == ["shape.py", "test_shape.py"]
    told = failing["data_not_instructions"]["failure"]
    assert told["failure"]["test"] == "test_shape.py::test_sign"
    assert "ghp_" not in json.dumps(failing)


def test_agents_are_off_unless_the_lane_names_them(made: Scene) -> None:
    assert agents_of(made.lane.agents) == ()


def test_what_a_rule_always_decides_is_touched_by_no_agent(made: Scene) -> None:
    rules = (PathRule(match=("/shape.py",), take="ours", when="always"), PathRule(match=("/test_*",), take="ours"))
    scene = replace(made, lane=made.lane.model_copy(update={"paths": rules}))
    assert [file.path for file in scene.failing.files] == [b"test_shape.py"]


def test_two_findings_of_one_file_are_two_tasks(made: Scene) -> None:
    found = [
        Finding(
            "lost-line", Severity.STOP, b"shape.py", f"{line} line of source is gone", line, text=(f"x = {line}",)
        )
        for line in (1, 2)
    ]
    ends = {"ours": made.result.ours, "theirs": made.result.theirs, "head": made.head}
    tasks = [finding_task(made.repository, made.lane, one, **ends) for one in found]
    assert all(isinstance(one, AgentTask) for one in tasks)
    assert len({one.id for one in tasks if isinstance(one, AgentTask)}) == len(tasks)

"""A sync with one open conflict and a test, and agents that are small Python programs."""

import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from syncline.checks.logs.failure import LogFailure, Weight
from syncline.checks.triage.cause import Cluster
from syncline.config.models import AgentSettings, AuditSettings, Lane, MustPass
from syncline.git import CommitId, Repository
from syncline.git.commit import read_commit
from syncline.merge.merge import merge
from syncline.merge.model import MergeResult
from syncline.repair.agents.agent import Limits
from syncline.repair.agents.command import CommandAgent
from syncline.repair.agents.conflict_task import conflict_task
from syncline.repair.agents.failure_task import failure_task
from syncline.repair.agents.guard import Guard
from syncline.repair.agents.task import AgentTask
from testing.builder import RepositoryBuilder
from testing.repository import BuiltRepository

BASE = "import os\n\n\ndef area(width, height):\n    return width * height\n\n\ndef other():\n    return os.name\n"
OURS = BASE.replace("width * height", "width * height * 2")
THEIRS = BASE.replace("width * height", "abs(width * height)")
BOTH = BASE.replace("width * height", "abs(width * height * 2)")
TESTS = (
    "from shape import area\n\n\ndef test_area():\n    assert area(2, 3) == 12\n\n\n"
    "def test_sign():\n    assert area(-1, 1) == 2\n"
)
PASSES = MustPass(
    name="unit", command=(sys.executable, "-c", "import test_shape as t; t.test_area(); t.test_sign()")
)


@dataclass(frozen=True)
class Scene:
    """A merge made in memory and committed, with its guard."""

    built: BuiltRepository
    repository: Repository
    lane: Lane
    result: MergeResult
    head: CommitId

    @property
    def guard(self) -> Guard:
        commit = read_commit(self.repository, self.head)
        merge_commit = commit if len(commit.parents) == 2 else read_commit(self.repository, commit.parents[0])
        return Guard(self.repository, self.lane, merge_commit, self.result, self.head)

    @property
    def task(self) -> AgentTask:
        (decision,) = self.result.unresolved
        found = conflict_task(self.repository, self.result, decision, self.lane.agents)
        assert isinstance(found, AgentTask)
        return found

    @property
    def failing(self) -> AgentTask:
        """What `test_shape.py` says of `shape.py`, target's version of which the merge holds."""
        failure = LogFailure(
            "pytest", "AssertionError", "assert -2 == 2", Weight.CAUSE, 7, path="shape.py", line=5, symbol="area",
            test="test_shape.py::test_sign", excerpt=("assert area(-1, 1) == 2",),
        )  # fmt: skip
        found = failure_task(
            self.repository, self.lane, Cluster(failure.signature, failure, ("unit",)),
            ours=self.result.ours, theirs=self.result.theirs, head=self.head, paths=(b"test_shape.py", b"../x"),
            excerpt="E  assert -2 == 2\ntoken=ghp_" + "a1B2" * 9,
        )  # fmt: skip
        assert isinstance(found, AgentTask)
        return found

    def refs(self) -> str:
        """Everything a repository and its work tree could show of a change."""
        return self.built.text("for-each-ref") + self.built.text("status", "--porcelain")


def build(builder: RepositoryBuilder) -> BuiltRepository:
    """Both sides changed `area`; the merge commit holds target's version for the time being."""
    main = builder.branch("main")
    main.commit(
        "start", {"shape.py": BASE, "test_shape.py": TESTS, "notes.txt": "keep\n", "docs/merging.md": "m\n"}
    )
    dev = main.branch("dev")
    dev.commit("Double it (#11)", {"shape.py": OURS}, author="Ada")
    main.commit("No negative areas (#12)", {"shape.py": THEIRS}, author="Bo")
    dev.merge(main, "Sync", {"shape.py": OURS})
    return builder.finish(head="dev")


def scene(built: BuiltRepository, repository: Repository, **settings: object) -> Scene:
    """The merge of `build`, with settings of agents."""
    head = CommitId(built["dev"])
    ours, theirs = read_commit(repository, head).parents
    agents = AgentSettings.model_validate({"must_pass": (PASSES,), **settings})
    # The checkers start programs, and have tests of their own.
    audits = AuditSettings(skip=("ruff", "pyrefly", "ty"))
    lane = Lane(name="nightly", source="main", target="dev", agents=agents, audit=audits)
    return Scene(built, repository, lane, merge(repository, ours, theirs), head)


def agent(place: Path, script: str, *, name: str = "scripted", **options: object) -> CommandAgent:
    """A command that runs a Python script; `task` is its task, `say` prints an answer."""
    file = place / f"{name}.py"
    head = """
        import json, os, sys, time
        task = json.load(sys.stdin)
        def say(*edits, reason="so", **more):
            print(json.dumps({"version": 1, "reason": reason, "edits": list(edits), **more}))
    """
    file.write_text(textwrap.dedent(head) + textwrap.dedent(script))
    given = {"network": True} | options
    return CommandAgent(name, (sys.executable, str(file)), **given)  # type: ignore[arg-type]


LIMITS = Limits(seconds=60)

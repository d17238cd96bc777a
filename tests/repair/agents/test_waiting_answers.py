"""Answers that wait for one another: what does not fit yet is kept, and judged again with the rest."""

import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from syncline.config.models import AgentSettings, AuditSettings, Lane, MustPass
from syncline.git import CommitId, Repository, TreeId
from syncline.git.commit import Person, read_commit, write_commit
from syncline.merge.merge import merge
from syncline.merge.model import MergeResult
from syncline.repair.agents.agent import Limits
from syncline.repair.agents.answer import Answer, Edit
from syncline.repair.agents.conflict_task import conflict_task
from syncline.repair.agents.guard import Guard
from syncline.repair.agents.task import AgentTask
from syncline.repair.agents.verdict import Accepted, Held, Refused
from testing.builder import RepositoryBuilder

PATHS = ("one.py", "two.py")
ALIKE = "import one, two; assert one.x == two.x"
FIVE = "import one, two; assert one.x == two.x == 5"
NOBODY = Person("x", "x@example.org")


@dataclass(frozen=True)
class Pair:
    """Two open conflicts of one merge, `x = 2` against `x = 3` in each; the head holds target's."""

    repository: Repository
    result: MergeResult
    head: CommitId

    def guard(self, *, at: TreeId | None = None, unresolved: Sequence[str] = ()) -> Guard:
        merged, head = read_commit(self.repository, self.head), self.head
        if at is not None:
            head = write_commit(
                self.repository, tree=at, parents=(head,), message="x\n", author=NOBODY, committer=NOBODY,
                when=datetime.now(UTC),
            )  # fmt: skip
        audits = AuditSettings(skip=("ruff", "pyrefly", "ty"))
        lane = Lane(name="n", source="main", target="dev", audit=audits)
        return Guard(
            self.repository, lane, merged, self.result, head, unresolved=frozenset(map(str.encode, unresolved))
        )


@pytest.fixture
def pair(builder: RepositoryBuilder) -> Generator[Pair]:
    main = builder.branch("main")
    main.commit("start", dict.fromkeys(PATHS, "x = 1\n"))
    dev = main.branch("dev")
    dev.commit("two", dict.fromkeys(PATHS, "x = 2\n"))
    main.commit("three", dict.fromkeys(PATHS, "x = 3\n"))
    dev.merge(main, "Sync", dict.fromkeys(PATHS, "x = 2\n"))
    built = builder.finish(head="dev")
    with Repository.open(built.path) as repository:
        head = CommitId(built["dev"])
        ours, theirs = read_commit(repository, head).parents
        result = merge(repository, ours, theirs, Lane(name="n", source="main", target="dev"))
        yield Pair(repository, result, head)


def tasks(pair: Pair, code: str) -> tuple[AgentTask, AgentTask]:
    command = MustPass(name="both", command=(sys.executable, "-c", code))
    settings = AgentSettings(must_pass=(command,))
    one, two = (
        conflict_task(pair.repository, pair.result, decision, settings) for decision in pair.result.unresolved
    )
    assert isinstance(one, AgentTask)
    assert isinstance(two, AgentTask)
    return one, two


def answers(path: str, text: str) -> Answer:
    return Answer((Edit(path, text.encode()),), "so")


def test_what_fits_only_together_is_kept_and_judged_together(pair: Pair) -> None:
    one, two = tasks(pair, ALIKE)
    guard = pair.guard()
    first, second = (
        guard.judge(task, answers(path, "x = 4\n"), Limits()) for task, path in zip((one, two), PATHS, strict=True)
    )
    assert isinstance(first, Refused)
    assert isinstance(second, Refused)
    assert "both does not pass with it" in first.why[0]
    assert first.held is not None
    assert second.held is not None
    assert isinstance(guard.fits([(one, first.held)]), str)
    tree = guard.fits([(one, first.held), (two, second.held)])
    assert isinstance(tree, TreeId)
    for path in PATHS:
        entry = pair.repository.entry(tree, path.encode())
        assert entry is not None
        assert pair.repository.blob(entry.oid) == b"x = 4\n"


def test_two_answers_that_edit_one_file_otherwise_do_not_fit(pair: Pair) -> None:
    one, two = tasks(pair, ALIKE)
    why = pair.guard().fits([(one, Held({b"one.py": b"x = 2\n"}, "")), (two, Held({b"one.py": b"x = 9\n"}, ""))])
    assert why == "two answers edit one.py, and differ"


def test_what_is_wrong_by_itself_is_not_kept(pair: Pair) -> None:
    one, _two = tasks(pair, ALIKE)
    judged = pair.guard().judge(one, answers("one.py", "x = (\n"), Limits())
    assert isinstance(judged, Refused)
    assert judged.held is None


def test_a_command_that_fails_before_counts_from_the_last_conflict_on(pair: Pair) -> None:
    one, two = tasks(pair, FIVE)
    first = pair.guard(unresolved=PATHS).judge(one, answers("one.py", "x = 5\n"), Limits())
    assert isinstance(first, Accepted), first
    last = pair.guard(at=first.tree, unresolved=["two.py"])
    wrong = last.judge(two, answers("two.py", "x = 6\n"), Limits())
    assert isinstance(wrong, Refused)
    assert "both does not pass with it" in wrong.why[0]
    assert isinstance(last.judge(two, answers("two.py", "x = 5\n"), Limits()), Accepted)

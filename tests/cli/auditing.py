"""Audits for the commands that show and steer them: what they find is plain, so that it can be told beforehand."""

from collections.abc import Iterator

import pytest

from syncline.audit import registry
from syncline.audit.finding import Asked, Did, Finding, Severity
from syncline.audit.four_trees import SIDES
from syncline.audit.task import Answer, NotRun, Task
from syncline.cli import answer, main
from testing.builder import RepositoryBuilder
from testing.cli import Result
from testing.repository import BuiltRepository

START = "def f():\n    g()\n\n\ndef h():\n    pass\n"


def lost_calls(task: Task) -> Iterator[Answer]:
    """A call of `g` that a side has and the merge has not."""
    for file in task.files:
        contents = task.trees.contents(file)
        for side in SIDES:
            if contents is not None and b"g()" in contents.of(side) and b"g()" not in contents.merged:
                asks = (Asked(side, file.path_of(side), b"g()", Did.ADDED, "added the call"),)
                yield Finding(
                    "lost-call", Severity.FIX, file.path, "the call of g() is gone", line=2, symbol="f",
                    side=side.value, text=("    g()\n",), asks=asks, suggestion="put it back",
                )  # fmt: skip
                break


def markers(task: Task) -> Iterator[Answer]:
    """A line of conflict markers."""
    for file in task.files:
        if b"<<<<<<<" in task.trees.text(file.merged):
            yield Finding("conflict-markers", Severity.STOP, file.path, "conflict markers are left", line=1)


def missing(_task: Task) -> Iterator[Answer]:
    """An audit that needs what is not there."""
    yield NotRun("types", "pyrefly is not\ninstalled")


def use(patch: pytest.MonkeyPatch, *, with_missing: bool = False) -> None:
    """Have these audits and no others."""
    found = {"calls": lost_calls, "markers": markers}
    patch.setattr(registry, "AUDITS", found | ({"types": missing} if with_missing else {}))
    patch.setattr(answer._State, "given", False)


def run(capsys: pytest.CaptureFixture[str], repo: BuiltRepository, *arguments: str) -> Result:
    """Run a command in this very process, which knows the audits above."""
    answer._State.given = False
    code = main.run([arguments[0], "-C", str(repo.path), *arguments[1:]])
    printed = capsys.readouterr()
    return Result(code, printed.out, printed.err)


def built(builder: RepositoryBuilder, merged: str = START.replace("g()", "pass")) -> BuiltRepository:
    """A repository in which dev merges main, and `a.py` comes out as `merged`."""
    dev = builder.branch("dev")
    dev.commit("start", {"a.py": "def f():\n    pass\n", "b.txt": "1\n"})
    main_branch = dev.branch("main")
    dev.commit("ours", {"o.txt": "1\n", "b.txt": "2\n"})
    main_branch.commit("call g (#12)", {"a.py": START})
    dev.merge(main_branch, "sync", {"a.py": merged})
    return builder.finish(head="dev")

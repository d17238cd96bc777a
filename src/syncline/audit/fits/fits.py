"""The audit: asks every checker about the merge and its sides, and tells what is wrong in the merge alone."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from syncline.audit.fits.ask import ask
from syncline.audit.fits.compare import Fresh
from syncline.audit.fits.explain import Explainer
from syncline.audit.fits.python_tools import FAULTS, TYPE_CHECKERS, python_tool, reads_python
from syncline.audit.fits.said import Answers, CheckerError
from syncline.audit.fits.three_trees import ThreeTrees
from syncline.audit.fits.tool import Tool, configured, find_program
from syncline.audit.fits.wording import SELF, About, about
from syncline.audit.task import Answer, NotRun, Task
from syncline.config.models import Checker

NAME = "fits"
"""What the policy's `skip` calls the audit; it takes the names of single checkers as well."""
_INSTALL = "install it (`pip install 'syncline[checkers]'`), or skip it in the lane"

Told = tuple[About, Fresh]


def fits(task: Task) -> Iterator[Answer]:
    """Yield what checkers say of the merge and of neither side; and which of them did not do their work.

    Raises:
        GitError: an object is missing.
    """
    trees = ThreeTrees(task.trees)
    explainer = Explainer(task, trees)
    with Answers.about(task.trees.repository) as answers:
        yield from _python(task, trees, answers, explainer)
        for checker in task.settings.checkers:
            if checker.name not in task.settings.skip:
                yield from _configured(checker, task, trees, answers, explainer)


def _configured(
    checker: Checker, task: Task, trees: ThreeTrees, answers: Answers, explainer: Explainer
) -> Iterator[Answer]:
    """Ask a checker that people configured."""
    for tool, found in ask([configured(checker)], trees, answers, open_paths=task.open_paths):
        if isinstance(found, CheckerError):
            yield NotRun(tool.name, str(found))
            continue
        by_place: dict[tuple[bytes, str, str], list[Fresh]] = defaultdict(list)
        for one in found:
            by_place[one.diagnostic.path, one.diagnostic.rule, one.diagnostic.normal].append(one)
        for group in by_place.values():
            yield explainer.said_by(tool.name, group)


def _python(task: Task, trees: ThreeTrees, answers: Answers, explainer: Explainer) -> Iterator[Answer]:
    """Ask the checkers for Python, where a Python file differs."""
    if not any(reads_python(file.path) for file in task.files):
        return
    tools: list[Tool] = []
    for name, program in _programs(task):
        if program is None:
            yield NotRun(name, f"not installed: {_INSTALL}")
        else:
            tools.append(python_tool(name, program))
    told: list[Told] = []
    for tool, found in ask(tools, trees, answers, open_paths=task.open_paths):
        if isinstance(found, CheckerError):
            yield NotRun(tool.name, str(found))
        else:
            told += _meant(task, tool, found, explainer)
    groups: dict[tuple[bytes, str], list[Told]] = defaultdict(list)
    for subject, one in told:
        symbol = "" if explainer.is_doubled_import(subject, one) else subject.symbol
        groups[one.diagnostic.path, symbol].append((subject, one))
    for (path, symbol), group in groups.items():
        yield explainer.fault(path, group) if symbol else explainer.doubled_imports(path, group)


def _meant(task: Task, tool: Tool, found: list[Fresh], explainer: Explainer) -> Iterator[Told]:
    """Yield what is said of code that is written here, and can come from the merge."""
    for one in found:
        subject = about(tool.name, one.diagnostic.rule, one.diagnostic.message)
        if subject is not None and subject.owner == SELF:
            subject = replace(subject, owner=explainer.class_around(one))
        if subject is not None and not task.ignores(one.diagnostic.path) and explainer.concerns(subject, one):
            yield subject, one


def _programs(task: Task) -> Iterator[tuple[str, str | None]]:
    """Yield the checkers for Python that are to run, and where they are: ruff, and the first type checker found.

    One that people configured under the same name stands for it.
    """
    taken = {*task.settings.skip, *(checker.name for checker in task.settings.checkers)}
    typed = [name for name in TYPE_CHECKERS if name not in taken]
    found = {name: find_program(name) for name in typed}
    if typed:
        name = next((name for name in typed if found[name] is not None), typed[0])
        yield name, found[name]
    for name in FAULTS:
        if name not in TYPE_CHECKERS and name not in taken:
            yield name, find_program(name)

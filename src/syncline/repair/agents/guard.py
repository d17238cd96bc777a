"""The guard: what an agent's answer must stand up to before anything is made of it.

It is judged like any other change, and against the same things: the task's own limits, both sides, the hard
invariants, the audits and the commands that must pass. The first thing that is wrong is told; nothing changes.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from syncline.audit.audit import audit, audits
from syncline.audit.finding import Finding, Severity
from syncline.audit.four_trees import FourTrees
from syncline.audit.open_conflicts import left_open
from syncline.audit.task import Task
from syncline.audit.verify import IN_VERIFY, verify
from syncline.config.models import Lane, MustPass
from syncline.git import CommitId, Entry, Mode, Repository, TreeId
from syncline.git.commit import Commit, Person, read_commit, write_commit
from syncline.git.paths import json_path
from syncline.merge.acceptance import faults
from syncline.merge.hunks import split_lines
from syncline.merge.model import MergeResult
from syncline.merge.read_cases import read_case
from syncline.merge.side_version import file_at
from syncline.programs.logfile import one_line
from syncline.repair.agents.agent import Limits
from syncline.repair.agents.answer import Answer, NoAnswerError
from syncline.repair.agents.edits import contents
from syncline.repair.agents.must_pass import failing
from syncline.repair.agents.task import AgentTask, TaskFile, TaskKind
from syncline.repair.agents.tests_kept import lost_tests
from syncline.repair.agents.verdict import Accepted, Held, Refused
from syncline.secrets.hide import hidden
from syncline.secrets.patterns import secrets_in

_NOBODY = Person("syncline", "syncline@localhost")
"""Of commits that are judged and never kept."""
_TOLD = 3
_REASON = 2000


@dataclass
class Guard:
    """Judges answers to tasks of one run, at its head.

    `merge` is the run's merge commit, `result` that merge made again; `head` is what the answer is put upon.
    """

    repository: Repository
    lane: Lane
    merge: Commit
    result: MergeResult
    head: CommitId
    target: CommitId | None = None
    """The newest commit of target that the head holds, where that is not the one merged into."""
    tell: Callable[[str], None] = field(default=lambda _text: None)
    unresolved: frozenset[bytes] = frozenset()
    """The paths whose conflicts are open at the head."""
    _before: dict[MustPass, bool] = field(default_factory=dict, init=False)
    """Of commands, whether they fail at the head."""

    def judge(self, task: AgentTask, answer: Answer, limits: Limits) -> Accepted | Refused:
        """Return the tree with the answer, or why it is refused; no ref moves either way.

        Raises:
            GitError: missing objects.
        """
        try:
            edits = contents(task, answer)
        except NoAnswerError as error:
            return Refused((error.message,), answer.cost)
        wrong = next(self._own_faults(task, edits, answer, limits), None)
        if wrong is not None:
            return Refused((wrong,), answer.cost)
        held = Held(edits, hidden(answer.reason)[:_REASON])
        judged = self.fits([(task, held)])
        if not isinstance(judged, TreeId):
            return Refused((judged,), answer.cost, held)
        return Accepted(judged, edits, held.reason, answer.cost)

    def fits(self, answers: Sequence[tuple[AgentTask, Held]]) -> TreeId | str:
        """Return the head's tree with all of some answers, each right by itself; or why they do not fit, in words.

        Raises:
            GitError: missing objects.
        """
        edits: dict[bytes, bytes | None] = {}
        for _task, held in answers:
            for path, content in held.edits.items():
                if edits.setdefault(path, content) != content:
                    return f"two answers edit {json_path(path)}, and differ"
        entries = self._entries(edits)
        if isinstance(entries, str):
            return entries
        tree = self.repository.edit_tree(self._head_tree, entries)
        tasks = [task for task, _held in answers]
        if tree == self._head_tree and any(task.kind is TaskKind.FAILURE for task in tasks):
            return "it changes nothing, and what fails would fail again"
        commit = self._commit(tree)
        unmended = {task.finding for task in tasks if task.finding}
        if wrong := self._wrong_findings(tree, commit, unmended):
            return wrong
        commands = tuple(dict.fromkeys(command for task in tasks for command in task.must_pass))
        others_open = self.unresolved - {file.path for task in tasks for file in task.files}
        return next(self._failing(commands, commit, others_open=bool(others_open)), None) or tree

    # --- the answer by itself -----------------------------------------------------------------------------------

    def _own_faults(
        self, task: AgentTask, edits: Mapping[bytes, bytes | None], answer: Answer, limits: Limits
    ) -> Iterator[str]:
        """Yield what is wrong with an answer, as far as it tells by itself; the gravest first."""
        if not edits:
            yield f"it edits nothing: {one_line(hidden(answer.reason)) or 'it gave no reason'}"
        if len(edits) > limits.files:
            yield f"it edits {len(edits)} files; {limits.files} are allowed"
        size = sum(len(content) for content in edits.values() if content is not None)
        if size > limits.bytes:
            yield f"its files have {size:,} bytes; {limits.bytes:,} are allowed"
        for file in task.files:
            if file.path in edits:
                yield from self._file_faults(task, file, edits[file.path])

    def _file_faults(self, task: AgentTask, file: TaskFile, content: bytes | None) -> Iterator[str]:
        if content is None:
            return  # `contents` saw to it that a side deleted it, too
        versions = [version for version in (file.base, file.ours, file.theirs, file.merged) if version is not None]
        sides = [side for side in (file.ours, file.theirs) if side is not None]
        if words := left_open(content, sides):
            yield f"{file.name}: {words}"
        if b"\0" in content and not any(b"\0" in version for version in versions):
            yield f"{file.name} is binary in the answer, and text on both sides"
        if not content.strip() and all(side.strip() for side in sides):
            yield f"{file.name} is empty in the answer, and on no side"
        for secret in _new_secrets(content, versions):
            yield f"{file.name} holds {secret}, which no side has"
        before = sides if task.kind is TaskKind.CONFLICT else [file.merged or b""]
        if lost := lost_tests(file.path, before, content, base=file.base or b""):
            yield f"{file.name}: {lost}"
        if task.conflict is not None and file.hunks:
            yield from (f"{file.name}: {fault}" for fault in self._acceptance(task, content))

    def _acceptance(self, task: AgentTask, content: bytes) -> tuple[str, ...]:
        assert task.conflict is not None  # noqa: S101 - only asked for conflicts
        merged = self.repository.entry(self.result.git_tree, task.conflict.path)
        case = read_case(self.repository, task.conflict, merged, self.result.ours, self.result.theirs)
        return faults(case, content) if case is not None else ()

    # --- the tree with it ---------------------------------------------------------------------------------------

    @cached_property
    def _head_tree(self) -> TreeId:
        return read_commit(self.repository, self.head).tree

    def _entries(self, edits: Mapping[bytes, bytes | None]) -> dict[bytes, Entry | None] | str:
        """Return what the tree is to hold; or, in words, why a path cannot be written."""
        found: dict[bytes, Entry | None] = {}
        sides = [read_commit(self.repository, side).tree for side in (self.result.ours, self.result.theirs)]
        for path, content in edits.items():
            now = file_at(self.repository, self._head_tree, path)
            if now is not None and not now.mode.is_file:
                return f"{json_path(path)} is no regular file at the head"
            if content is None:
                found[path] = None
                continue
            known = [now, *(file_at(self.repository, side, path) for side in sides)]
            mode = next((entry.mode for entry in known if entry is not None and entry.mode.is_file), Mode.FILE)
            found[path] = Entry(mode, self.repository.write_blob(content))
        return found

    def _commit(self, tree: TreeId) -> CommitId:
        """Return a commit of the tree upon the head, to be looked at; nothing points to it."""
        return write_commit(
            self.repository, tree=tree, parents=(self.head,), message="An answer that is judged\n",
            author=_NOBODY, committer=_NOBODY, when=datetime.now(UTC),
        )  # fmt: skip

    def _wrong_findings(self, tree: TreeId, commit: CommitId, unmended: Container[str]) -> str | None:
        """Return what the invariants and audits find with the answer and not without it; None for nothing.

        What of `unmended` they still find is told, too: the answer was to mend it.
        """
        known = {finding.id for finding in self._found_before}
        found = [*self._broken(commit), *self._audited(tree)]
        if still := next((one for one in found if one.id in unmended), None):
            return f"with it there is still: {json_path(still.path)}: {hidden(still.message)}"
        new = [one for one in found if one.id not in known and one.severity is not Severity.LOOK]
        if not new:
            return None
        told = "; ".join(
            f"{json_path(one.path)}: {one.message}" if one.path else one.message for one in new[:_TOLD]
        )
        more = f"; and {len(new) - _TOLD} more" if len(new) > _TOLD else ""
        return f"with it there would be what was not there: {hidden(told)}{more}"

    @cached_property
    def _found_before(self) -> tuple[Finding, ...]:
        return (*self._broken(self.head), *self._audited(self._head_tree))

    def _broken(self, head: CommitId) -> tuple[Finding, ...]:
        return verify(self.repository, self.lane, self.merge, head, self.target)

    def _audited(self, tree: TreeId) -> tuple[Finding, ...]:
        ours = self.target or self.result.ours
        task = Task(FourTrees(self.repository, ours, self.result.theirs, tree), self.lane)
        return audit(task, only=audits().keys() - IN_VERIFY).findings

    def _failing(self, commands: Iterable[MustPass], commit: CommitId, *, others_open: bool) -> Iterator[str]:
        """Yield each command that does not succeed on the tree.

        While other conflicts are open, one that fails without the answer as well says nothing of it.
        """
        for command in commands:
            self.tell(f"running {command.name} on the answer")
            words = failing(self.repository, command, commit)
            if words and not (others_open and self._fails_before(command)):
                yield words

    def _fails_before(self, command: MustPass) -> bool:
        if command not in self._before:
            self.tell(f"running {command.name} without it")
            self._before[command] = bool(failing(self.repository, command, self.head))
        return self._before[command]


def _new_secrets(content: bytes, versions: list[bytes]) -> Iterator[str]:
    known = {line for version in versions for line in split_lines(version)}
    for number, line in enumerate(split_lines(content), 1):
        if line not in known:
            yield from (f"{secret.name} in line {number} ({secret.masked})" for secret in secrets_in(line))

"""What an agent is asked: one conflict or one failure, with all that is known of it. Frozen values, no I/O."""

from dataclasses import dataclass
from enum import StrEnum

from syncline.checks.logs.failure import LogFailure
from syncline.checks.triage.cause import Verdict
from syncline.config.models import MustPass
from syncline.git.paths import json_path
from syncline.merge.model import Conflict, Evidence, Offer


class TaskKind(StrEnum):
    """What the task is about."""

    CONFLICT = "conflict"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class TaskHunk:
    """One conflicted region of a file."""

    index: int
    line: int
    """The line of its first marker in git's conflicted file, 1-based."""
    base: bytes
    ours: bytes
    theirs: bytes
    settled: bytes | None
    """The text that evidence settled it with; None while it is open."""
    candidates: tuple[Offer, ...]
    """Possible answers, the likeliest first."""
    evidence: tuple[Evidence, ...]
    """Why it was settled so, or why what was sure enough was not accepted."""


@dataclass(frozen=True, slots=True)
class TaskFile:
    """One file that the task may touch; None where a tree has nothing there."""

    path: bytes
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None
    merged: bytes | None
    """What the room holds: git's merge with the markers of what is open, or the file as it is at the head."""
    near: tuple[int, ...] = ()
    """The lines of `merged`, 1-based, that matter most: where a long file is not cut."""
    hunks: tuple[TaskHunk, ...] = ()
    parts: tuple[bytes | int, ...] = ()
    """The conflicted file: texts, and the indices of the hunks between them; empty where it has none."""
    may_delete: bool = False
    """Whether an answer may delete it: where a side did."""

    @property
    def name(self) -> str:
        """The path as the agent is told it, and as it answers."""
        return json_path(self.path)

    def with_hunks(self, answers: dict[int, bytes]) -> bytes:
        """Return the whole file with answers in place of the open hunks; each of them must be answered."""
        settled = {hunk.index: hunk.settled for hunk in self.hunks}
        texts = []
        for part in self.parts:
            if isinstance(part, bytes):
                texts.append(part)
                continue
            known = settled[part]
            texts.append(answers[part] if known is None else known)
        return b"".join(texts)


@dataclass(frozen=True, slots=True)
class TaskCommit:
    """A commit behind one side of the task's files."""

    side: str
    """`ours` or `theirs`."""
    sha: str
    author: str
    date: str
    subject: str
    proposal: str
    """`#123` where the subject names its proposal, else empty."""


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """A failure, why it is there as far as that is known, and what the log says."""

    failure: LogFailure
    checks: tuple[str, ...]
    tests: tuple[str, ...]
    verdict: Verdict | None
    excerpt: str
    """Of the log; secrets are masked."""


@dataclass(frozen=True, slots=True)
class AgentTask:
    """Everything an agent is told."""

    id: str
    """Sixteen hex digits: the same for the same question, whenever and wherever it comes up."""
    kind: TaskKind
    files: tuple[TaskFile, ...]
    """The files it may touch, and no other."""
    symbols: tuple[str, ...] = ()
    """The functions, classes and keys concerned."""
    commits: tuple[TaskCommit, ...] = ()
    """Those behind each side, newest first."""
    lessons: tuple[str, ...] = ()
    """What people wrote of such files in the policy."""
    playbook: bytes = b""
    """Target's own advice on merging."""
    conflict: Conflict | None = None
    failure: TaskFailure | None = None
    must_pass: tuple[MustPass, ...] = ()
    """The commands that must succeed with the answer."""
    finding: str = ""
    """The id of the audit's finding that must be gone with the answer, where that is the failure."""

    @property
    def by_name(self) -> dict[str, TaskFile]:
        """The files by the name they are told under."""
        return {file.name: file for file in self.files}

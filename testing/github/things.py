"""What the test GitHub keeps: one mutable class for each kind of thing. No behaviour."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from testing.github.actors import App, User

JSON = Any


@dataclass(slots=True)
class Label:
    """A label of the repository."""

    id: int
    name: str
    color: str = "ededed"
    description: str | None = None


@dataclass(slots=True)
class Reaction:
    """Somebody's `+1`, `eyes`, `rocket`, ... on a comment."""

    id: int
    user: User
    content: str
    created: datetime


@dataclass(slots=True)
class Comment:
    """A comment on the pull request numbered `pull`."""

    id: int
    pull: int
    user: User
    body: str
    created: datetime
    updated: datetime
    app: App | None = None
    reactions: list[Reaction] = field(default_factory=list)


@dataclass(slots=True)
class Review:
    """A review. `state` as in REST: `APPROVED`, `CHANGES_REQUESTED`, `COMMENTED`, `DISMISSED`."""

    id: int
    user: User
    state: str
    body: str
    sha: str
    submitted: datetime


@dataclass(slots=True)
class ReviewComment:
    """A comment on a line of the change."""

    id: int
    review: int
    user: User
    path: str
    line: int
    body: str
    sha: str
    created: datetime


@dataclass(slots=True)
class AutoMerge:
    """The wish to merge as soon as it is possible."""

    by: User
    method: str
    enabled: datetime
    title: str | None = None
    message: str | None = None


@dataclass(slots=True)
class Pull:
    """A pull request. `head_sha` follows the branch while the pull request is open."""

    id: int
    number: int
    user: User
    title: str
    body: str | None
    head: str
    base: str
    head_sha: str
    base_sha: str
    created: datetime
    updated: datetime
    draft: bool = False
    state: str = "open"
    closed: datetime | None = None
    merged: datetime | None = None
    merged_by: User | None = None
    merge_commit: str | None = None
    labels: list[Label] = field(default_factory=list)
    assignees: list[User] = field(default_factory=list)
    reviewers: list[User] = field(default_factory=list)
    teams: list[str] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    review_comments: list[ReviewComment] = field(default_factory=list)
    auto_merge: AutoMerge | None = None
    previous_sha: str | None = None
    """The head before the last push."""
    fork: User | None = None
    """Whose fork the head branch is in; None: the repository itself."""

    @property
    def head_ref(self) -> str:
        """Where the head lies: branches of forks are kept in the same bare repository, out of sight."""
        return f"refs/forks/{self.fork.login}/{self.head}" if self.fork else f"refs/heads/{self.head}"

    def head_label(self, owner: User) -> str:
        """The head as `OWNER:BRANCH`, in a repository of `owner`'s."""
        return f"{(self.fork or owner).login}:{self.head}"

    unknown_for: int = 0
    """How many more reads are answered with "mergeability not known yet"."""


@dataclass(slots=True)
class Suite:
    """The checks that one App, or one workflow run, has for a commit."""

    id: int
    app: App
    sha: str
    branch: str | None
    created: datetime
    updated: datetime
    run: int | None = None
    """The workflow run that it belongs to."""


@dataclass(slots=True)
class CheckRun:
    """A check run. `status` and `conclusion` as in REST."""

    id: int
    suite: int
    app: App
    sha: str
    name: str
    status: str
    conclusion: str | None
    started: datetime | None
    completed: datetime | None
    details_url: str | None = None
    external_id: str = ""
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: list[JSON] = field(default_factory=list)
    leg: int = 0
    """Tells jobs of one name in one attempt apart: a matrix whose job names leave out what differs."""


@dataclass(slots=True)
class Status:
    """A commit status. `state`: `error`, `failure`, `pending`, `success`."""

    id: int
    sha: str
    context: str
    state: str
    user: User
    created: datetime
    description: str | None = None
    target_url: str | None = None


@dataclass(slots=True)
class Workflow:
    """A workflow file."""

    id: int
    name: str
    path: str
    created: datetime


@dataclass(slots=True)
class Job:
    """A job of an attempt of a workflow run; its id is also its check run's."""

    id: int
    run: int
    attempt: int
    name: str
    leg: int = 0
    log: bytes = b""
    steps: list[tuple[str, str]] = field(default_factory=list)
    """Name and conclusion of each step."""


@dataclass(slots=True)
class WorkflowRun:
    """A run of a workflow. Its status comes from its jobs."""

    id: int
    number: int
    workflow: Workflow
    event: str
    branch: str | None
    sha: str
    suite: int
    actor: User
    created: datetime
    started: datetime
    attempt: int = 1
    waiting: str | None = None
    """`action_required`, `waiting`, `pending`: why it has no jobs yet."""
    inputs: dict[str, JSON] = field(default_factory=dict)
    logs_gone: bool = False


@dataclass(slots=True)
class Artifact:
    """A file that a workflow run left; `content` is the zip."""

    id: int
    run: int
    name: str
    content: bytes
    created: datetime
    expired: bool = False


@dataclass(slots=True)
class Protection:
    """The protection of a branch. `checks` are (context, App id or None for any)."""

    checks: list[tuple[str, int | None]] | None = None
    strict: bool = False
    approvals: int = 0
    code_owners: bool = False
    dismiss_stale: bool = False
    enforce_admins: bool = False
    linear_history: bool = False
    signatures: bool = False


@dataclass(slots=True)
class Ruleset:
    """Rules for the branches that `include` matches (`~DEFAULT_BRANCH`, `~ALL`, `refs/heads/rel-*`)."""

    id: int
    name: str
    include: list[str]
    rules: list[JSON]
    """As GitHub's API writes them: `{"type": "required_status_checks", "parameters": {...}}`."""
    created: datetime
    enforcement: str = "active"

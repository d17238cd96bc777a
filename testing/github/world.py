"""Everything the test GitHub knows, and what changes by itself: heads follow branches, merged is noticed."""

import copy
import fnmatch
import threading
from collections.abc import Callable, Iterator
from typing import Any

from testing.github.actors import App, Installation, Role, Token, User
from testing.github.bare import Bare
from testing.github.clock import Clock
from testing.github.rate import Rate
from testing.github.things import (
    Artifact,
    CheckRun,
    Comment,
    Job,
    Label,
    Protection,
    Pull,
    Ruleset,
    Status,
    Suite,
    Workflow,
    WorkflowRun,
)

JSON = Any


class World:
    """The repository `owner/name`, its accounts and all that happens to it. One lock for all."""

    def __init__(self, bare: Bare, owner: str, name: str) -> None:
        self.bare = bare
        self.clock = Clock()
        self.rate = Rate()
        self.lock = threading.RLock()
        self.web = ""
        """The address of the website, `http://127.0.0.1:PORT`."""
        self.api = ""
        """The root of the REST API."""
        self._ids = 1000
        self.users: dict[str, User] = {}
        self.owner = self.user(owner, kind="Organization")
        self.name = name
        self.full_name = f"{owner}/{name}"
        self.id = self.next_id()
        self.old_names: list[str] = []
        """`OWNER/NAME` that the repository had before: requests for them are redirected."""
        self.settings: dict[str, bool] = {
            "allow_merge_commit": True, "allow_squash_merge": True, "allow_rebase_merge": True,
            "allow_auto_merge": True, "allow_update_branch": False, "delete_branch_on_merge": False,
            "archived": False, "private": False, "fork": False,
        }  # fmt: skip
        self.default_branch = "main"
        self.slow_mergeability = 0
        """How many reads after a change of head or base find that GitHub does not know yet."""
        self.tokens: dict[str, Token] = {}
        self.apps: dict[str, App] = {}
        self.installations: dict[int, Installation] = {}
        self.pulls: dict[int, Pull] = {}
        self.comments: dict[int, Comment] = {}
        self.labels: dict[str, Label] = {}
        self.suites: dict[int, Suite] = {}
        self.check_runs: dict[int, CheckRun] = {}
        self.statuses: list[Status] = []
        self.workflows: dict[str, Workflow] = {}
        self.runs: dict[int, WorkflowRun] = {}
        self.jobs: dict[int, Job] = {}
        self.artifacts: dict[int, Artifact] = {}
        self.protections: dict[str, Protection] = {}
        self.rulesets: dict[int, Ruleset] = {}
        self.events: list[tuple[str, str, JSON]] = []
        """What happened, oldest first: event, action, and the thing it happened to."""
        self.listener: Callable[[str, str, JSON], None] | None = None
        """Who is told at once; webhooks are made so."""
        self._branches: dict[str, str] = {}
        self._is_past = False
        self.actions = self.app("github-actions", {"checks": "write", "contents": "write"})

    def frozen(self) -> "World":
        """Return the world as it is now; what is done to this one does not show there."""
        with self.lock:
            keep: dict[int, Any] = {
                id(self.lock): self.lock,
                id(self.clock): self.clock,
                id(self.rate): self.rate,
                id(self.bare): self.bare.freeze(),
            }
            self.settle()
            keep[id(self.listener)] = None
            past = copy.deepcopy(self, keep)
            past.listener, past._is_past = None, True  # noqa: SLF001 - the same class
            return past

    def next_id(self) -> int:
        """A number that nothing has yet."""
        self._ids += 1
        return self._ids

    def happened(self, event: str, action: str, thing: JSON) -> None:
        """Note an event."""
        self.events.append((event, action, thing))
        if self.listener is not None:
            self.listener(event, action, thing)

    def user(self, login: str, *, kind: str = "User", role: Role | None = None) -> User:
        """The account of that name; made when there is none."""
        if login not in self.users:
            self.users[login] = User(self.next_id(), login, kind, role or "read")  # type: ignore[arg-type]
        if role is not None:
            self.users[login].role = role
        return self.users[login]

    def app(self, slug: str, permissions: dict[str, str] | None = None) -> App:
        """The App of that name; made when there is none."""
        if slug not in self.apps:
            bot = self.user(f"{slug}[bot]", kind="Bot", role="write")
            self.apps[slug] = App(self.next_id(), slug, bot, permissions=permissions or {})
        return self.apps[slug]

    def label(self, name: str) -> Label | None:
        """The label of that name; GitHub does not tell upper and lower case apart."""
        return self.labels.get(name.lower())

    def comments_of(self, number: int) -> list[Comment]:
        """The comments of a pull request, oldest first."""
        return [comment for comment in self.comments.values() if comment.pull == number]

    def checks_of(self, sha: str, *, newest: bool = True) -> list[CheckRun]:
        """The check runs of a commit, oldest first; with `newest` the last of each name in its suite."""
        found = [run for run in self.check_runs.values() if run.sha == sha]
        return list({(run.suite, run.name, run.leg): run for run in found}.values()) if newest else found

    def statuses_of(self, sha: str, *, newest: bool = True) -> list[Status]:
        """The statuses of a commit, newest first; with `newest` the last of each context."""
        found = [status for status in self.statuses if status.sha == sha]
        if newest:
            found = list({status.context: status for status in found}.values())
        return found[::-1]

    def rules_of(self, branch: str) -> Iterator[tuple[Ruleset, JSON]]:
        """The rules that hold for a branch, with the set each is from."""
        for ruleset in self.rulesets.values():
            if ruleset.enforcement == "active" and any(self._names(word, branch) for word in ruleset.include):
                for rule in ruleset.rules:
                    yield ruleset, rule

    def _names(self, word: str, branch: str) -> bool:
        if word == "~DEFAULT_BRANCH":
            return branch == self.default_branch
        return word == "~ALL" or fnmatch.fnmatchcase(f"refs/heads/{branch}", word)

    def required(self, branch: str) -> list[tuple[str, int | None]]:
        """The contexts that must succeed before something lands on a branch, with the App they must be from."""
        protection = self.protections.get(branch)
        found = list(protection.checks or []) if protection else []
        for _, rule in self.rules_of(branch):
            if rule["type"] == "required_status_checks":
                for check in rule["parameters"]["required_status_checks"]:
                    found.append((check["context"], check.get("integration_id")))
        return found

    def settle(self) -> None:
        """Let happen what happens by itself after pushes: called before and after every request."""
        from testing.github.landing import try_auto_merge  # noqa: PLC0415 - landing changes worlds

        if self._is_past:
            return
        if self.listener is not None:
            self._notice_pushes()
        for pull in self.pulls.values():
            if pull.state == "open":
                self._follow(pull)
            if pull.state == "open" and pull.auto_merge is not None:
                try_auto_merge(self, pull)

    def _notice_pushes(self) -> None:
        now = self.bare.branches()
        for name in sorted(now.keys() | self._branches.keys()):
            before, after = self._branches.get(name), now.get(name)
            if before != after:
                self.happened("push", "", (f"refs/heads/{name}", before, after))
        self._branches = now

    def listen(self, listener: Callable[[str, str, JSON], None]) -> None:
        """Tell somebody what happens from now on."""
        self.settle()
        self._branches = self.bare.branches()
        self.listener = listener

    def _follow(self, pull: Pull) -> None:
        head, base = self.bare.ref(pull.head_ref), self.bare.tip(pull.base)
        if head is None or base is None:
            self.close(pull)
            return
        if (head, base) != (pull.head_sha, pull.base_sha):
            pull.unknown_for = self.slow_mergeability
        if head != pull.head_sha:
            pull.previous_sha, pull.head_sha = pull.head_sha, head
            pull.updated = self.clock.now
            self.bare.point(f"refs/pull/{pull.number}/head", head)
            self._dismiss_reviews(pull)
            self.happened("pull_request", "synchronize", pull)
        if base != pull.base_sha and self.bare.contains(base, head):
            # Somebody pushed the merge to the base branch: GitHub calls that merged as well.
            self.mark_merged(pull, base, None)
        else:
            pull.base_sha = base

    def _dismiss_reviews(self, pull: Pull) -> None:
        protection = self.protections.get(pull.base)
        if protection is not None and protection.dismiss_stale:
            for review in pull.reviews:
                if review.state == "APPROVED":
                    review.state = "DISMISSED"

    def close(self, pull: Pull) -> None:
        """Close a pull request that was not merged."""
        pull.state, pull.closed, pull.updated = "closed", self.clock.now, self.clock.now
        pull.auto_merge = None
        self.happened("pull_request", "closed", pull)

    def mark_merged(self, pull: Pull, commit: str, by: User | None) -> None:
        """Close a pull request as merged by a commit."""
        pull.merge_commit, pull.merged, pull.merged_by = commit, self.clock.now, by or pull.user
        self.close(pull)
        if self.settings["delete_branch_on_merge"] and pull.fork is None:
            self.bare.point(pull.head_ref, None)

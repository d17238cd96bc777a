"""What people, CI and other programs do on the test GitHub, in one call each: no request is made for it."""

from dataclasses import dataclass
from typing import Any

from testing.content import to_bytes
from testing.github.actors import App, Installation, Role, Token, User
from testing.github.landing import land
from testing.github.rest.actions import jobs_of, new_job, new_run, zipped
from testing.github.rest.checks import set_state, suite_for
from testing.github.rest.comments import new_comment, new_reaction
from testing.github.rest.labels import put_label
from testing.github.rest.pulls import change_pull, new_pull, reopen, set_draft
from testing.github.rest.reviews import ask, new_review
from testing.github.shown.checks import suite_state
from testing.github.things import (
    Artifact,
    AutoMerge,
    CheckRun,
    Comment,
    Job,
    Protection,
    Pull,
    Reaction,
    Review,
    ReviewComment,
    Ruleset,
    Status,
    WorkflowRun,
)
from testing.github.world import World
from testing.sealed import git

JSON = Any


@dataclass(frozen=True, slots=True)
class People:
    """Everybody but the client under test. Accounts named for the first time are made, with role `write`."""

    world: World

    # Accounts

    def user(self, login: str, role: Role | None = None) -> User:
        """The account of that name, with that role from now on if one is given."""
        with self.world.lock:
            if login.endswith("[bot]"):
                return self.world.app(login.removesuffix("[bot]")).bot
            known = login in self.world.users
            return self.world.user(login, role=role or (None if known else "write"))

    def token(self, login: str, role: Role | None = None) -> str:
        """A new token of a person's."""
        with self.world.lock:
            user = self.user(login, role)
            token = f"ghp_{self.world.next_id()}"
            self.world.tokens[token] = Token(user)
            return token

    def workflow_token(self, **permissions: str) -> str:
        """A token as workflows have it (`GITHUB_TOKEN`), with these permissions; all if none are given."""
        names = ("actions", "checks", "contents", "issues", "pull_requests", "statuses")
        with self.world.lock:
            app = self.world.actions
            token = f"ghs_{self.world.next_id()}"
            granted = permissions or dict.fromkeys(names, "write")
            self.world.tokens[token] = Token(app.bot, app, {"metadata": "read", **granted})
            return token

    def install_app(self, slug: str, public_key: str, **permissions: str) -> Installation:
        """Install an App on the repository's owner; `public_key` in PEM verifies its own requests."""
        with self.world.lock:
            app = self.world.app(slug, {"metadata": "read", **permissions})
            app.public_key = public_key
            made = Installation(self.world.next_id(), app)
            self.world.installations[made.id] = made
            return made

    # Branches

    def push(
        self, branch: str, files: dict[str, str | bytes | None], message: str = "A person's commit", *,
        start: str | None = None, force: bool = False,
    ) -> str:  # fmt: skip
        """Commit files (None: delete) on top of a branch and return the commit.

        The branch begins at `start`, a branch or commit, when it is new or `force` throws away what it had.
        """
        with self.world.lock:
            bare = self.world.bare
            old = bare.tip(branch)
            parent = bare.commit(start) if start and (force or old is None) else old
            assert parent is not None, f"there is no branch {branch}: say where it starts"
            commit = bare.new_commit(self._tree(parent, files), [parent], message)
            bare.point(f"refs/heads/{branch}", commit)
            self.world.settle()
            return commit

    def _tree(self, parent: str, files: dict[str, str | bytes | None]) -> str:
        path = self.world.bare.path
        entries: dict[bytes, bytes] = {}
        for line in git(path, "ls-tree", "-r", "-z", "--full-tree", parent).split(b"\0")[:-1]:
            about, _, name = line.partition(b"\t")
            entries[name] = about
        for name, content in files.items():
            if content is None:
                del entries[to_bytes(name)]
                continue
            blob = git(path, "hash-object", "-w", "--stdin", input=to_bytes(content)).strip()
            entries[to_bytes(name)] = b"100644 blob " + blob
        return self._write_tree(entries)

    def _write_tree(self, entries: dict[bytes, bytes]) -> str:
        lines = []
        inside: dict[bytes, dict[bytes, bytes]] = {}
        for name, about in entries.items():
            first, slash, rest = name.partition(b"/")
            if slash:
                inside.setdefault(first, {})[rest] = about
            else:
                lines.append(about + b"\t" + name)
        lines += [
            b"040000 tree " + self._write_tree(below).encode() + b"\t" + name for name, below in inside.items()
        ]
        return (
            git(self.world.bare.path, "mktree", "-z", input=b"".join(line + b"\0" for line in lines))
            .decode()
            .strip()
        )

    def push_to_fork(self, login: str, branch: str, files: dict[str, str | bytes | None], *, start: str) -> str:
        """Commit files on a branch of somebody's fork, which begins at `start`: `LOGIN:BRANCH` names it."""
        with self.world.lock:
            bare, name = self.world.bare, f"refs/forks/{self.user(login).login}/{branch}"
            parent = bare.ref(name) or bare.commit(start)
            assert parent is not None, f"there is no {start}"
            commit = bare.new_commit(self._tree(parent, files), [parent], "A commit on a fork")
            bare.point(name, commit)
            self.world.settle()
            return commit

    def delete_branch(self, branch: str) -> None:
        """Delete a branch; its open pull requests are closed by that."""
        with self.world.lock:
            self.world.bare.point(f"refs/heads/{branch}", None)
            self.world.settle()

    # Pull requests

    def open_pull(
        self, head: str, base: str, title: str = "A person's change", body: str | None = None, *,
        by: str = "ada", draft: bool = False,
    ) -> Pull:  # fmt: skip
        """Open a pull request."""
        with self.world.lock:
            return new_pull(self.world, self.user(by), head, base, title, body, draft=draft)

    def pull(self, number: int) -> Pull:
        """A pull request as it is now."""
        with self.world.lock:
            self.world.settle()
            return self.world.pulls[number]

    def comment(self, number: int, body: str, *, by: str = "ada") -> Comment:
        """Comment on a pull request."""
        with self.world.lock:
            return new_comment(self.world, number, self.user(by), body)

    def react(self, comment: Comment, content: str, *, by: str = "ada") -> Reaction:
        """React to a comment: `+1`, `-1`, `eyes`, `rocket`, ..."""
        with self.world.lock:
            return new_reaction(self.world, comment, self.user(by), content)

    def ask_review(self, number: int, *people: str, teams: list[str] | None = None) -> None:
        """Ask people and teams to review a pull request."""
        with self.world.lock:
            found = [self.user(login) for login in people]
            ask(self.world, self.world.pulls[number], found, teams or [])

    def edit_body(self, number: int, body: str) -> None:
        """Rewrite a pull request's body by hand."""
        with self.world.lock:
            change_pull(self.world, self.world.pulls[number], {"body": body})

    def review(self, number: int, state: str = "APPROVED", body: str = "", *, by: str = "ada") -> Review:
        """Review: `APPROVED`, `CHANGES_REQUESTED` or `COMMENTED`."""
        with self.world.lock:
            made = new_review(self.world, self.world.pulls[number], self.user(by), state, body)
            self.world.settle()
            return made

    def review_line(self, number: int, path: str, line: int, body: str, *, by: str = "ada") -> ReviewComment:
        """Comment on a line of a pull request."""
        with self.world.lock:
            pull, user = self.world.pulls[number], self.user(by)
            review = new_review(self.world, pull, user, "COMMENTED", "")
            made = ReviewComment(
                self.world.next_id(), review.id, user, path, line, body, pull.head_sha, self.world.clock.now
            )
            pull.review_comments.append(made)
            return made

    def label(self, number: int, name: str) -> None:
        """Put a label on a pull request."""
        with self.world.lock:
            put_label(self.world, self.world.pulls[number], name)

    def set_draft(self, number: int, *, draft: bool) -> None:
        """Make a pull request a draft, or ready."""
        with self.world.lock:
            set_draft(self.world, self.world.pulls[number], draft=draft)

    def close(self, number: int) -> None:
        """Close a pull request without merging it."""
        with self.world.lock:
            self.world.close(self.world.pulls[number])

    def reopen(self, number: int) -> None:
        """Reopen a closed pull request."""
        with self.world.lock:
            reopen(self.world, self.world.pulls[number])

    def merge(self, number: int, method: str = "merge", *, by: str = "ada") -> str:
        """Merge a pull request (`merge`, `squash`, `rebase`) and return the commit."""
        with self.world.lock:
            return land(self.world, self.world.pulls[number], method=method, by=self.user(by))

    def auto_merge(self, number: int, method: str = "merge", *, by: str = "ada") -> None:
        """Have a pull request merged as soon as it can be."""
        with self.world.lock:
            self.world.pulls[number].auto_merge = AutoMerge(self.user(by), method, self.world.clock.now)
            self.world.settle()

    # Checks

    def check(
        self, sha: str, name: str, state: str = "success", *, app: str = "ci-app", again: bool = False,
        summary: str | None = None, details_url: str | None = None,
    ) -> CheckRun:  # fmt: skip
        """Report a check run of an App; the one with this name changes, or with `again` a newer one comes.

        `state` is a conclusion, or a status (`queued`, `in_progress`) of what has not ended. Jobs of workflows are
        reported by `job`.
        """
        with self.world.lock:
            owner = self.world.app(app, {"checks": "write"})
            found = [run for run in self.world.checks_of(sha) if (run.name, run.app) == (name, owner)]
            if again or not found:
                suite = suite_for(self.world, app, sha)
                made = CheckRun(
                    self.world.next_id(), suite.id, owner, sha, name, "queued", None, self.world.clock.now, None
                )
                self.world.check_runs[made.id] = made
                found = [made]
            one = found[-1]
            one.summary = summary if summary is not None else one.summary
            one.details_url = details_url or one.details_url
            self._move(one, state)
            return one

    def _move(self, one: CheckRun, state: str) -> None:
        if state in {"queued", "in_progress", "waiting", "pending", "requested"}:
            set_state(self.world, one, state, None)
        else:
            set_state(self.world, one, "completed", state)
        self.world.happened("check_run", "completed" if one.conclusion else "created", one)
        self.world.settle()

    def status(
        self, sha: str, context: str, state: str = "success", *, by: str = "ci-bot",
        description: str | None = None, target_url: str | None = None,
    ) -> Status:  # fmt: skip
        """Set a commit status: `pending`, `success`, `failure`, `error`."""
        with self.world.lock:
            user = self.user(by)
            made = Status(
                self.world.next_id(), sha, context, state, user, self.world.clock.now, description, target_url
            )
            self.world.statuses.append(made)
            self.world.happened("status", "", made)
            self.world.settle()
            return made

    def run(
        self, sha: str, workflow: str = "CI", *, event: str = "pull_request", branch: str | None = None,
        waiting: str | None = None, by: str | None = None,
    ) -> WorkflowRun:  # fmt: skip
        """Start a run of a workflow.

        `waiting` keeps it from having jobs: a status, or `action_required`, `startup_failure`, `cancelled`.
        """
        with self.world.lock:
            actor = self.user(by) if by else None
            made = new_run(self.world, workflow, sha, event=event, branch=branch, actor=actor)
            made.waiting = waiting
            return made

    def job(
        self, run: WorkflowRun, name: str, state: str = "success", *, log: str | None = None,
        steps: list[tuple[str, str]] | None = None, leg: int = 0,
    ) -> Job:  # fmt: skip
        """Report a job of a run's present attempt, `state` as in `check`; its check run has the same number.

        `steps` are names and conclusions; `leg` tells jobs of one name apart.
        """
        with self.world.lock:
            key = name, leg, run.attempt
            found = [job for job in jobs_of(self.world, run) if (job.name, job.leg, job.attempt) == key]
            one = found[0] if found else new_job(self.world, run, name, leg)
            one.steps = one.steps if steps is None else steps
            if log is not None:
                one.log = log.encode()
            self._move(self.world.check_runs[one.id], state)
            if suite_state(self.world, self.world.suites[run.suite])[0] == "completed":
                self.world.happened("workflow_run", "completed", run)
            return one

    def artifact(self, run: WorkflowRun, name: str, files: dict[str, bytes], *, expired: bool = False) -> Artifact:
        """Leave an artifact."""
        with self.world.lock:
            made = Artifact(self.world.next_id(), run.id, name, zipped(files), self.world.clock.now, expired)
            self.world.artifacts[made.id] = made
            return made

    # Rules

    def protect(
        self, branch: str, checks: list[str | tuple[str, str]] | None = None, *, strict: bool = False,
        approvals: int = 0, code_owners: bool = False, dismiss_stale: bool = False, enforce_admins: bool = False,
        linear_history: bool = False, signatures: bool = False,
    ) -> Protection:  # fmt: skip
        """Protect a branch. Required checks are contexts, or (context, App) where the App matters."""
        with self.world.lock:
            wanted = None if checks is None else [self._context(check) for check in checks]
            made = Protection(
                wanted, strict, approvals, code_owners, dismiss_stale, enforce_admins, linear_history, signatures
            )
            self.world.protections[branch] = made
            return made

    def _context(self, check: str | tuple[str, str]) -> tuple[str, int | None]:
        return (check, None) if isinstance(check, str) else (check[0], self.world.app(check[1]).id)

    def ruleset(
        self, name: str, rules: list[JSON], *, include: list[str] | None = None, active: bool = True
    ) -> Ruleset:
        """Add a ruleset, for the default branch unless `include` says else; `required_checks` makes a rule."""
        with self.world.lock:
            made = Ruleset(
                self.world.next_id(), name, include or ["~DEFAULT_BRANCH"], rules, self.world.clock.now,
                "active" if active else "evaluate",
            )  # fmt: skip
            self.world.rulesets[made.id] = made
            return made

    def required_checks(self, *checks: str | tuple[str, str], strict: bool = False) -> JSON:
        """A rule for `ruleset` that requires checks, as in `protect`."""
        with self.world.lock:
            wanted = [self._context(check) for check in checks]
            return {
                "type": "required_status_checks",
                "parameters": {
                    "strict_required_status_checks_policy": strict,
                    "do_not_enforce_on_create": False,
                    "required_status_checks": [
                        {"context": context} if owner is None else {"context": context, "integration_id": owner}
                        for context, owner in wanted
                    ],
                },
            }

    def app(self, slug: str) -> App:
        """The App of that name."""
        with self.world.lock:
            return self.world.app(slug)

"""The embedded forge: one repository's proposals and checks in a directory, nothing to install or serve."""

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Self

from syncline.checks.gate import Verdict
from syncline.checks.model import Check, CheckState, Rollup
from syncline.errors import ForgeError
from syncline.forge.local import attempts, plan, proposals, runner, workers
from syncline.forge.local.proposals import NewProposal
from syncline.forge.local.store import Store
from syncline.forge.protocol import Beside, Checkout, CheckSpec, Comment, Landed, Proposal, ProposalState, Shown
from syncline.forge.spec_digest import spec_digest
from syncline.programs.process import GRACE


class LocalForge:
    """A `Forge` whose data lie in `state_dir`: the database `forge.db`, `logs/` and the locks of `workers/`.

    `repository_label` names the repository in URLs and messages. `grace` is the time in seconds a command
    has between SIGTERM and SIGKILL. Any number of processes may use the same directory. Nothing is opened
    or made before the first call; `disconnect` it when done, or use it as a context manager.
    """

    def __init__(self, state_dir: Path, repository_label: str, *, grace: float = GRACE) -> None:
        self._state_dir = state_dir.absolute()
        self._label = repository_label
        self._grace = grace
        self._store = Store(self._state_dir / "forge.db")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.disconnect()

    def disconnect(self) -> None:
        """Let go of the database; the next call opens it again."""
        self._store.close()

    @property
    def name(self) -> str:
        """The kind of forge."""
        return "local"

    @property
    def lander(self) -> None:
        """People land here, by git."""
        return

    @property
    def dispatcher(self) -> None:
        """None: there are no workflows."""
        return

    @property
    def steering(self) -> None:
        """Nobody orders here but on the command line."""
        return

    # Proposals. See the Protocol for what each method promises.

    def proposals(self, lane: str | None, *, state: ProposalState | None = None) -> tuple[Proposal, ...]:
        """The proposals of a lane (of all lanes: None), in one state or in any, oldest first."""
        with self._store.read() as db:
            return proposals.find(db, self._label, lane, state)

    def proposal(self, number: int) -> Proposal:
        """The proposal with this number."""
        with self._store.read() as db:
            return proposals.get(db, self._label, number)

    def open_proposal(
        self,
        *,
        lane: str,
        run: str,
        branch: str,
        target: str,
        title: str,
        body: str,
        head_sha: str,
        labels: Sequence[str] = (),
    ) -> Proposal:
        """Open a draft proposal for a run, or give the one the run has."""
        plan.require_commit(head_sha)
        new = NewProposal(lane, run, branch, target, title, body, head_sha)
        with self._store.write() as db:
            found, made = proposals.insert(db, self._label, new, datetime.now(UTC))
            if made:
                proposals.add_labels(db, found.number, labels)
            return proposals.get(db, self._label, found.number)

    def update(
        self, number: int, *, title: str | None = None, body: str | None = None, head_sha: str | None = None
    ) -> Proposal:
        """Change what is given; a new head makes a ready proposal a draft again."""
        if head_sha is not None:
            plan.require_commit(head_sha)
        with self._store.write() as db:
            found = proposals.get(db, self._label, number)
            proposals.update(db, found, title=title, body=body, head_sha=head_sha)
            return proposals.get(db, self._label, number)

    def mark_ready(self, number: int, *, head_sha: str) -> Proposal:
        """Make it ready if `head_sha` is still its head, else FenceError."""
        with self._store.write() as db:
            proposals.mark_ready(db, proposals.get(db, self._label, number), head_sha)
            return proposals.get(db, self._label, number)

    def mark_draft(self, number: int) -> Proposal:
        """Make it a draft."""
        with self._store.write() as db:
            proposals.mark_draft(db, proposals.get(db, self._label, number))
            return proposals.get(db, self._label, number)

    def comment(self, number: int, marker: str, body: str) -> Comment:
        """Write the comment `marker` of this proposal, or change its body."""
        with self._store.write() as db:
            found = proposals.get(db, self._label, number)
            return proposals.comment(db, found.number, marker, body, datetime.now(UTC))

    def comments(self, number: int) -> tuple[Comment, ...]:
        """The comments of a proposal, oldest first."""
        with self._store.read() as db:
            found = proposals.get(db, self._label, number)
            return proposals.comments(db, found.number)

    def add_labels(self, number: int, labels: Sequence[str]) -> Proposal:
        """Add those labels that are not there yet."""
        with self._store.write() as db:
            found = proposals.get(db, self._label, number)
            proposals.add_labels(db, found.number, labels)
            return proposals.get(db, self._label, number)

    def close(self, number: int, *, state: ProposalState, superseded_by: int | None = None) -> Proposal:
        """End an open proposal, or add its successor once that is known."""
        with self._store.write() as db:
            found = proposals.get(db, self._label, number)
            if superseded_by is not None:
                proposals.get(db, self._label, superseded_by)
            proposals.close(db, found, state, superseded_by)
            return proposals.get(db, self._label, number)

    # Checks.

    def start_checks(self, sha: str, specs: Sequence[CheckSpec]) -> Rollup:
        """Queue what has no result for this commit yet, has one of another spec, or was cut off.

        What is queued for nobody is skipped.
        """
        plan.require_commit(sha)
        digests = {spec.name: spec_digest(spec) for spec in plan.checked(specs)}
        runner.recover(self._store, self._state_dir)
        with self._store.write() as db:
            now = time.time()
            attempts.queue_missing(db, sha, digests, now)
            for name, attempt in attempts.latest(db, sha).items():
                if name not in digests:  # taken out of the configuration: nobody would ever run it
                    words = "not configured any more"
                    attempts.skip(db, attempt, blocked_by="", summary=words, spec="", now=now)
        return self.rollup(sha)

    def retry(self, sha: str, names: Sequence[str]) -> Rollup:
        """Queue completed checks again, and those that were skipped because of them."""
        with self._store.write() as db:
            found = attempts.latest(db, sha)
            unknown = [name for name in names if name not in found]
            if unknown:
                raise ForgeError(
                    f"commit {sha} has no check {', '.join(unknown)}",
                    hint=f"it has: {', '.join(found) or 'none'}",
                )
            wanted = dict.fromkeys(names)
            while more := [name for name, one in found.items() if one.blocked_by in wanted and name not in wanted]:
                wanted |= dict.fromkeys(more)
            for name in wanted:
                if found[name].state is CheckState.COMPLETED:
                    attempts.queue(db, sha, name, time.time(), spec=found[name].spec)
        return self.rollup(sha)

    def rollup(self, sha: str) -> Rollup:
        """Every attempt at every check of this commit."""
        with self._store.read() as db:
            found = attempts.of_commit(db, sha)
        return Rollup(sha, tuple(attempt.check(self._state_dir) for attempt in found))

    def log_file(self, check: Check, to: Path) -> Path | None:  # noqa: ARG002 - the Protocol's
        """The log itself, which lies on this machine."""
        file = Path(check.log)
        return file if check.log and file.is_file() else None

    def beside(self, check: Check, folder: Path, wanted: Callable[[str], bool]) -> Beside:  # noqa: ARG002 - the Protocol's
        """What a check left in the directory that it was told of: each thing there is an artifact by its name."""
        left = runner.artifacts_of(Path(check.log)) if check.log else None
        if left is None or not left.is_dir():
            return Beside()
        return Beside(tuple(one for one in sorted(left.iterdir()) if not one.is_symlink() and wanted(one.name)))

    def landed(self, target: str, most: int) -> tuple[Landed, ...]:
        """The proposals that landed on a branch last, the newest first."""
        merged = [one for one in self.proposals(None, state=ProposalState.MERGED) if one.target == target]
        return tuple(
            Landed(one.number, one.head_sha, one.head_sha) for one in reversed(merged[-most:] if most else [])
        )

    def show_verdict(self, verdict: Verdict) -> Shown:  # noqa: ARG002 - the Protocol's
        """Refuse: nobody looks at this forge but by syncline itself."""
        raise ForgeError(
            "the local forge has no place to post the gate's verdict at",
            hint='leave --post out; it is for lanes with forge = "github"',
        )

    def shows_verdict(self, verdict: Verdict) -> bool:  # noqa: ARG002 - the Protocol's
        """There is no place for it."""
        return True

    def work(
        self,
        sha: str,
        specs: Sequence[CheckSpec],
        *,
        checkout: Checkout,
        on_event: Callable[[Check], None],
        parallel: int,
        cancelled: Event,
        lane: str = "",
    ) -> Rollup:
        """Run what is queued for this commit until every spec has ended or `cancelled` is set.

        Checks that another live worker runs are waited for, not run twice.
        """
        if parallel < 1:
            raise ForgeError(f"at least one check must be allowed to run at a time, found {parallel}")
        plan.require_commit(sha)
        job = runner.Job(sha, lane, plan.checked(specs), checkout, on_event, parallel, cancelled, self._grace)
        with workers.worker(self._state_dir / "workers") as worker:
            runner.Runner(self._store, self._state_dir, worker, job).run()
        return self.rollup(sha)

"""Runs the queued checks of one commit, several at once, until all have ended.

The calling thread alone decides and tells (`on_event`); each running check has a thread of its own. Any
number of processes may do this for the same commit: the database says who has which attempt, and whoever
finds an attempt whose worker is dead ends its processes and queues it again.
"""

import contextlib
import hashlib
import os
import queue
import re
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from syncline.checks.model import Check, CheckState, Conclusion
from syncline.errors import SynclineError
from syncline.forge.local import attempts
from syncline.forge.local.attempts import Attempt
from syncline.forge.local.environment import environment
from syncline.forge.local.store import Store
from syncline.forge.local.workers import is_alive
from syncline.forge.protocol import Checkout, CheckSpec
from syncline.forge.spec_digest import spec_digest
from syncline.programs.leftovers import boot_id, kill_leftovers, start_time
from syncline.programs.logfile import BoundedLog, one_line
from syncline.programs.process import STOPPED, Command, Ended, run

_POLL = 0.2
"""Seconds between two looks at what other workers have done."""


@dataclass(frozen=True, slots=True)
class Job:
    """What one call of `work` is about."""

    sha: str
    lane: str
    specs: tuple[CheckSpec, ...]
    checkout: Checkout
    on_event: Callable[[Check], None]
    parallel: int
    cancelled: threading.Event
    grace: float


def recover(store: Store, state_dir: Path) -> None:
    """Settle every attempt whose worker has died: end its processes, note it, queue the next attempt."""
    with store.read() as db:
        running = attempts.running(db)
    workers = state_dir / "workers"
    for attempt in running:
        if is_alive(workers, attempt.worker):
            continue
        # Before the next attempt can be claimed: the two must not run at the same time.
        kill_leftovers(attempt.token, attempt.pid, attempt.pid_start, attempt.boot)
        with store.write() as db:
            deaths = attempts.deaths_in_a_row(db, attempt.sha, attempt.name, spec=attempt.spec)
            again = deaths + 1 < attempts.MAX_DEATHS
            settled = attempts.finish(
                db,
                attempt,
                # Given up is a failure, so that "cancelled" always means: `start_checks` sees to another try.
                conclusion=Conclusion.CANCELLED if again else Conclusion.FAILURE,
                summary="cut off: the syncline that ran it has died"
                + ("" if again else f", {attempts.MAX_DEATHS} times in a row"),
                now=time.time(),
                cut_off=attempts.DIED,
            )
            if settled and again:
                attempts.queue(db, attempt.sha, attempt.name, time.time(), spec=attempt.spec)


def log_path(sha: str, name: str, number: int) -> str:
    """Where an attempt's log lies, relative to the state directory: readable, and different for each name."""
    slug = re.sub(r"[^a-z0-9._-]+", "-", name.lower())[:60]
    if slug != name:
        slug += "-" + hashlib.blake2s(name.encode(errors="surrogateescape"), digest_size=4).hexdigest()
    return f"logs/{sha}/{slug}-{number}.log"


def artifacts_of(log: Path) -> Path:
    """Where an attempt leaves what is to be kept of it beside its log (`SYNCLINE_ARTIFACTS`)."""
    return log.with_suffix(".artifacts")


class Runner:
    """One worker at one job."""

    def __init__(self, store: Store, state_dir: Path, worker: str, job: Job) -> None:
        self._store = store
        self._state_dir = state_dir
        self._worker = worker
        self._job = job
        self._stop = threading.Event()
        self._threads: dict[int, threading.Thread] = {}
        self._done: queue.Queue[tuple[Attempt, Ended | BaseException]] = queue.Queue()
        self._told: dict[str, tuple[int, CheckState]] = {}
        self._digests = {spec.name: spec_digest(spec) for spec in job.specs}
        self._queued_anew: set[str] = set()

    def run(self) -> None:
        """Return when every check of the job has ended, or the job is cancelled and nothing of it runs."""
        try:
            self._told = {name: (one.id, one.state) for name, one in self._latest().items()}
            while not self._stopping():
                recover(self._store, self._state_dir)
                self._queue()
                found = self._look()
                if self._advance(found):
                    continue
                if not self._threads and all(one.state is CheckState.COMPLETED for one in found.values()):
                    return
                self._collect(_POLL)
        finally:
            # Also reached by an interrupt or an error: what runs is stopped and its end is written down.
            self._stop.set()
            errors: list[BaseException] = []
            while self._threads:
                try:
                    self._collect(None)
                except BaseException as error:  # noqa: BLE001  raised below, when no thread is left
                    errors.append(error)
            if errors:
                raise errors[0]
        self._look()

    def _queue(self) -> None:
        """See that every check has an attempt that counts; mostly there is nothing to write.

        A result of another spec makes this worker queue each check once only: two workers that go by
        different configurations would otherwise do so in turns for ever.
        """
        found = self._latest()
        wanted = attempts.to_be_queued(found, self._specs(found))
        if wanted:
            with self._store.write() as db:
                found = attempts.latest(db, self._job.sha)
                specs = self._specs(found)
                self._queued_anew |= attempts.to_be_queued(found, specs)
                attempts.queue_missing(db, self._job.sha, specs, time.time())

    def _specs(self, found: Mapping[str, Attempt]) -> dict[str, str]:
        """The digest of each check; for one that was queued anew already, that of the attempt it stands at."""
        settled = {name: found[name].spec for name in self._queued_anew & found.keys()}
        return self._digests | settled

    def _stopping(self) -> bool:
        return self._stop.is_set() or self._job.cancelled.is_set()

    def _latest(self) -> dict[str, Attempt]:
        with self._store.read() as db:
            latest = attempts.latest(db, self._job.sha)
        return {spec.name: latest[spec.name] for spec in self._job.specs if spec.name in latest}

    def _look(self) -> dict[str, Attempt]:
        """How the job's checks stand; tells what has changed since the last look, whoever changed it."""
        found = self._latest()
        for name, attempt in found.items():
            now = (attempt.id, attempt.state)
            if self._told.get(name) != now:
                self._told[name] = now
                self._job.on_event(attempt.check(self._state_dir))
        return found

    def _advance(self, found: dict[str, Attempt]) -> bool:
        """Start or skip the first queued check that can be; False if there is none now."""
        for spec in self._job.specs:
            attempt = found[spec.name]
            if attempt.state is not CheckState.QUEUED:
                continue
            needs = [found[need] for need in spec.needs]
            failed = next((one for one in needs if _failed(one)), None)
            if failed is not None:
                summary = f"skipped: it needs {failed.name}, which ended as {failed.conclusion}"
                with self._store.write() as db:
                    return attempts.skip(
                        db, attempt, blocked_by=failed.name, summary=summary, spec=self._digests[spec.name],
                        now=time.time(),
                    )  # fmt: skip
            if len(self._threads) < self._job.parallel and all(_passed(one) for one in needs):
                self._start(spec, attempt)
                return True
        return False

    def _start(self, spec: CheckSpec, attempt: Attempt) -> None:
        token = uuid.uuid4().hex
        log = log_path(attempt.sha, attempt.name, attempt.number)
        with self._store.write() as db:
            if not attempts.claim(
                db, attempt, worker=self._worker, token=token, log=log, spec=self._digests[spec.name],
                now=time.time(),
            ):  # fmt: skip
                return
            claimed = attempts.latest(db, attempt.sha)[attempt.name]
        thread = threading.Thread(target=self._attempt, args=(spec, claimed), name=f"check {spec.name}")
        self._threads[claimed.id] = thread
        thread.start()
        self._look()

    def _collect(self, timeout: float | None) -> None:
        """Write down the result of a check that has ended, waiting for one at most `timeout` seconds."""
        try:
            attempt, ended = self._done.get(timeout=timeout)
        except queue.Empty:
            return
        self._threads.pop(attempt.id).join()
        error = ended if isinstance(ended, BaseException) else None
        if isinstance(ended, BaseException):
            summary = one_line(f"cut off by an error in syncline: {ended}")
            ended = Ended(Conclusion.CANCELLED, summary, STOPPED)
        with self._store.write() as db:
            attempts.finish(
                db,
                attempt,
                conclusion=ended.conclusion,
                summary=ended.summary,
                now=time.time(),
                cut_off=ended.cut_off,
            )
        if error is not None:
            raise error

    def _attempt(self, spec: CheckSpec, attempt: Attempt) -> None:
        """The whole life of one attempt, in its thread."""
        try:
            self._done.put((attempt, self._run(spec, attempt)))
        except BaseException as error:  # noqa: BLE001  raised again in the calling thread
            self._done.put((attempt, error))

    def _run(self, spec: CheckSpec, attempt: Attempt) -> Ended:
        ended: Ended | None = None
        with BoundedLog(self._state_dir / attempt.log) as log:
            try:
                with self._job.checkout(attempt.sha) as directory:
                    ended = run(
                        self._command(spec, attempt, directory),
                        log,
                        started=lambda pid: self._note_process(attempt, pid),
                        stop=self._stopping,
                    )
            except (SynclineError, OSError) as error:
                if ended is None:
                    log.note(f"could not be started: {error}")
                    return Ended(Conclusion.STARTUP_FAILURE, one_line(f"could not be started: {error}"))
                log.note(f"its directory could not be taken away: {error}")
        with contextlib.suppress(OSError):  # it left something
            artifacts_of(self._state_dir / attempt.log).rmdir()
        return ended

    def _command(self, spec: CheckSpec, attempt: Attempt, directory: Path) -> Command:
        left = artifacts_of(self._state_dir / attempt.log)
        left.mkdir(parents=True, exist_ok=True)
        env = environment(
            os.environ, dict(spec.env), sha=attempt.sha, lane=self._job.lane, artifacts=str(left),
            token=attempt.token,
        )  # fmt: skip
        return Command(spec.command, directory, env, attempt.token, spec.timeout, self._job.grace)

    def _note_process(self, attempt: Attempt, pid: int) -> None:
        with self._store.write() as db:
            attempts.set_process(db, attempt.id, pid, start_time(pid), boot_id())


def _passed(attempt: Attempt) -> bool:
    return attempt.conclusion is Conclusion.SUCCESS


def _failed(attempt: Attempt) -> bool:
    """Ended without success, and not to be tried again by itself."""
    return attempt.conclusion is not None and not _passed(attempt) and attempt.cut_off != STOPPED

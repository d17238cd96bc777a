"""What syncline asks of a forge: proposals, comments, and checks. Values and a Protocol, no I/O.

Every effect is idempotent by a key that survives a crash (a run, a marker, a commit and a check's name), so
that a caller killed after the effect and before writing it down may simply call again.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import Literal, Protocol

from syncline.checks.gate import Verdict
from syncline.checks.model import Check, Rollup
from syncline.forge.landing import Lander
from syncline.forge.orders import Steering


class ProposalState(StrEnum):
    """Where a proposal is. All but `OPEN` are final."""

    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pull request, as any forge knows it. `created` is in UTC; `run` is the sync it belongs to."""

    number: int
    lane: str
    run: str
    branch: str
    target: str
    title: str
    body: str
    draft: bool
    state: ProposalState
    head_sha: str
    labels: tuple[str, ...]
    created: datetime
    superseded_by: int | None
    url: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on the proposal numbered `proposal`. `marker` names it among that proposal's comments."""

    number: int
    proposal: int
    marker: str
    body: str
    created: datetime


@dataclass(frozen=True, slots=True)
class Shown:
    """How a forge shows the gate's verdict on a commit. `changed`: it did not before this call."""

    kind: Literal["check", "status"]
    id: int
    changed: bool


@dataclass(frozen=True, slots=True)
class Beside:
    """What tells of a check beside its log."""

    files: tuple[Path, ...] = ()
    """Logs, and archives of them."""
    notes: tuple[str, ...] = ()
    """What could not be had, and why."""


@dataclass(frozen=True, slots=True)
class Landed:
    """A proposal that landed, and the head on which its checks ran."""

    number: int
    head_sha: str
    commit: str
    """The commit by which it landed on its target."""


class Dispatcher(Protocol):
    """A forge whose CI runs a workflow when it is asked to. Every method raises ForgeError when it refuses."""

    def dispatch(self, workflow: str, branch: str, inputs: Mapping[str, str]) -> int:
        """Start a workflow, named by its file, as a branch has it; give the number of its run."""

    def checks_of(self, run: int) -> tuple[Check, ...] | None:
        """The jobs of a run as checks; None while it is at work."""


class CheckSpec(Protocol):
    """A check that this forge runs itself."""

    @property
    def name(self) -> str:
        """The check's name, unique among the lane's checks."""

    @property
    def command(self) -> tuple[str, ...]:
        """Program and arguments; no shell reads them."""

    @property
    def timeout(self) -> float:
        """Seconds the command may take."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Names of the checks that must have succeeded before."""

    @property
    def env(self) -> Mapping[str, str] | tuple[tuple[str, str], ...]:
        """Environment variables set on top of the few that are passed through."""


Checkout = Callable[[str], AbstractContextManager[Path]]
"""Gives a clean directory with the files of a commit, for one check, and takes it away afterwards."""


class Forge(Protocol):
    """Where proposals and checks live.

    Every method raises ForgeError when the forge refuses, cannot answer, or knows no such proposal.
    """

    @property
    def name(self) -> str:
        """The kind of forge: `local` or `github`."""

    @property
    def lander(self) -> Lander | None:
        """What can be asked of landing; None where people land by git alone."""

    @property
    def steering(self) -> Steering | None:
        """People's orders on proposals; None where the forge takes none."""

    @property
    def dispatcher(self) -> Dispatcher | None:
        """What runs workflows when asked; None where the forge has none, or nothing is to be started."""

    def proposals(self, lane: str | None, *, state: ProposalState | None = None) -> tuple[Proposal, ...]:
        """The proposals of a lane (of all lanes: None), in one state or in any, oldest first."""

    def proposal(self, number: int) -> Proposal:
        """The proposal with this number."""

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
        """Open a draft proposal for a run.

        The same run again gives the proposal that the first call made, whatever became of it. Raises
        ForgeError, naming it, while another proposal of the lane is open: close that as superseded first,
        and name its successor with a second `close` afterwards.
        """

    def update(
        self, number: int, *, title: str | None = None, body: str | None = None, head_sha: str | None = None
    ) -> Proposal:
        """Change what is given. A new head makes a ready proposal a draft again: nothing is proved about it.

        On a forge whose heads move by pushing, call `mark_draft` before the push.
        """

    def mark_ready(self, number: int, *, head_sha: str) -> Proposal:
        """Make it ready for review, if `head_sha` is still its head: else FenceError, and nothing changes."""

    def mark_draft(self, number: int) -> Proposal:
        """Make it a draft."""

    def comment(self, number: int, marker: str, body: str) -> Comment:
        """Write the comment `marker` of this proposal; if it is there already, its body becomes `body`."""

    def comments(self, number: int) -> tuple[Comment, ...]:
        """The comments of a proposal that carry a marker, oldest first."""

    def add_labels(self, number: int, labels: Sequence[str]) -> Proposal:
        """Add those labels that are not there yet."""

    def close(self, number: int, *, state: ProposalState, superseded_by: int | None = None) -> Proposal:
        """End an open proposal in `state`.

        The same state again changes nothing but a `superseded_by` not known before. Another state:
        ForgeError.
        """

    def start_checks(self, sha: str, specs: Sequence[CheckSpec]) -> Rollup:
        """Have a result, at least a queued one, for every spec on this commit.

        Checks that have one are left alone, except those cut off before they could end (their worker died or
        was stopped) and those whose result is that of another spec under the same name: these are queued
        again.
        """

    def retry(self, sha: str, names: Sequence[str]) -> Rollup:
        """Queue the named completed checks of this commit again, and those skipped because of them."""

    def rollup(self, sha: str) -> Rollup:
        """Every result for this commit, old attempts included."""

    def log_file(self, check: Check, to: Path) -> Path | None:
        """Where the log of one of a commit's checks can be read; None: there is none, or none any more.

        `to` is a file that is not there yet, for forges that keep logs elsewhere. Very long logs may come without
        their middle.
        """

    def beside(self, check: Check, folder: Path, wanted: Callable[[str], bool]) -> Beside:
        """What else tells of a check that has ended: files in `folder`, an empty directory of the caller's.

        `wanted` tells of the name of an artifact whether it may hold logs.
        """

    def landed(self, target: str, most: int) -> tuple[Landed, ...]:
        """The proposals that landed on a branch last, whoever made them, at most `most`, the newest first."""

    def show_verdict(self, verdict: Verdict) -> Shown:
        """Have the forge show the gate's verdict on its commit, as the check `syncline/gate`.

        The same verdict again changes nothing. Raises ForgeError where the forge has no place for it.
        """

    def shows_verdict(self, verdict: Verdict) -> bool:
        """Whether the forge shows this verdict, or has no place for any."""

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

        At most `parallel` checks run at once. `on_event` gets each check whose state changed, in the calling
        thread. A forge that runs checks itself elsewhere returns the rollup at once.
        """

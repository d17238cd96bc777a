"""A forge that tells every write instead of doing it. What it would have done it shows itself from then on.

Reads go to the forge behind it, so what follows from a write (the next step of a lane, say) can be told too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

from syncline.checks.gate import Verdict
from syncline.checks.model import Check, CheckState, Conclusion, Rollup
from syncline.errors import FenceError, ForgeError
from syncline.forge.dry_lander import DryLander
from syncline.forge.dry_orders import DrySteering
from syncline.forge.protocol import (
    Beside,
    Checkout,
    CheckSpec,
    Comment,
    Forge,
    Landed,
    Proposal,
    ProposalState,
    Shown,
)
from syncline.forge.spec_digest import spec_digest


@dataclass(frozen=True, slots=True)
class Write:
    """A write that is told instead of done: what, in words that follow "would"; and the whole text, if any."""

    what: str
    text: str = ""

    def __str__(self) -> str:
        return f"would {self.what}" + "".join(f"\n{f'  {line}'.rstrip()}" for line in self.text.splitlines())


class DryRunForge:
    """A `Forge` before another one. Nothing that goes through it changes anything there.

    Args:
        forge: answers the reads.
        tell: told of each write.
    """

    def __init__(self, forge: Forge, tell: Callable[[Write], None]) -> None:
        self._forge = forge
        self._tell = tell
        self._lander = DryLander(forge.lander, self._would) if forge.lander is not None else None
        self._made: dict[int, Proposal] = {}
        there = forge.steering
        self._steering = DrySteering(there, self._made, self._would) if there is not None else None
        self._changed: dict[int, dict[str, Any]] = {}
        """Fields of proposals that are there; whatever else changes in these still shows."""
        self._comments: dict[tuple[int, str], Comment] = {}
        self._queued: dict[str, dict[str, Check]] = {}
        """By commit and name: checks that would wait to be run."""
        self._ran: set[str] = set()
        self._verdicts: dict[str, Verdict] = {}

    @property
    def name(self) -> str:
        """The kind of the forge behind."""
        return self._forge.name

    @property
    def lander(self) -> DryLander | None:
        """What can be asked of landing; what would be landed is told."""
        return self._lander

    @property
    def dispatcher(self) -> None:
        """None: nothing is started."""
        return

    @property
    def steering(self) -> DrySteering | None:
        """People's orders; what would be answered is told."""
        return self._steering

    def proposals(self, lane: str | None, *, state: ProposalState | None = None) -> tuple[Proposal, ...]:
        """The proposals of a lane, those that would be there among them, oldest first."""
        there = {one.number: self._as_told(one) for one in self._forge.proposals(lane)}
        there |= {number: one for number, one in self._made.items() if lane in {None, one.lane}}
        return tuple(one for _, one in sorted(there.items()) if state in {None, one.state})

    def proposal(self, number: int) -> Proposal:
        """The proposal with this number, as it would be."""
        return self._made.get(number) or self._as_told(self._forge.proposal(number))

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
        """Tell of a draft that would be opened; give the one the run has."""
        known = self.proposals(lane)
        for one in known:
            if one.run == run:
                return one
        for one in known:
            if one.state is ProposalState.OPEN:
                raise ForgeError(
                    f"lane {lane} already has the open proposal {one.number} of run {one.run}",
                    hint=f"close proposal {one.number} first",
                )
        put = f", labelled {', '.join(labels)}" if labels else ""
        self._would(f"open a draft proposal from {branch} into {target}{put}: {title}", body)
        made = Proposal(
            number=self._free_number(known), lane=lane, run=run, branch=branch, target=target, title=title,
            body=body, draft=True, state=ProposalState.OPEN, head_sha=head_sha,
            labels=tuple(dict.fromkeys(labels)), created=datetime.now(UTC), superseded_by=None, url="",
        )  # fmt: skip
        self._made[made.number] = made
        return made

    def update(
        self, number: int, *, title: str | None = None, body: str | None = None, head_sha: str | None = None
    ) -> Proposal:
        """Tell what would be changed."""
        found = self.proposal(number)
        if head_sha not in {None, found.head_sha}:
            self._require_open(found, "get a new head")
            self._would(f"have proposal {number} follow its branch to {head_sha}, as a draft")
            found = self._keep(found, head_sha=head_sha, draft=True)
        if title not in {None, found.title}:
            self._would(f"call proposal {number}: {title}")
            found = self._keep(found, title=title)
        if body is not None and body != found.body:
            self._would(f"write the body of proposal {number}", body)
            found = self._keep(found, body=body)
        return found

    def mark_ready(self, number: int, *, head_sha: str) -> Proposal:
        """Tell of it, if `head_sha` is its head, else FenceError."""
        found = self.proposal(number)
        self._require_open(found, "become ready")
        if found.head_sha != head_sha:
            raise FenceError(
                f"proposal {number} was to become ready at {head_sha}, but its head is {found.head_sha}",
                hint="look at its new head and decide again",
            )
        if found.draft:
            self._would(f"mark proposal {number} ready at {head_sha}")
            found = self._keep(found, draft=False)
        return found

    def mark_draft(self, number: int) -> Proposal:
        """Tell of it."""
        found = self.proposal(number)
        self._require_open(found, "become a draft")
        if not found.draft:
            self._would(f"make proposal {number} a draft")
            found = self._keep(found, draft=True)
        return found

    def comment(self, number: int, marker: str, body: str) -> Comment:
        """Tell what would be written."""
        known = next((one for one in self.comments(number) if one.marker == marker), None)
        if known is not None and known.body == body:
            return known
        what = "edit the comment" if known is not None else "comment"
        self._would(f"{what} {marker!r} on proposal {number}", body)
        created = known.created if known is not None else datetime.now(UTC)
        made = Comment(known.number if known is not None else 0, number, marker, body, created)
        self._comments[number, marker] = made
        return made

    def comments(self, number: int) -> tuple[Comment, ...]:
        """The comments of a proposal as they would be, oldest first."""
        there = {} if number in self._made else {one.marker: one for one in self._forge.comments(number)}
        there |= {marker: one for (of, marker), one in self._comments.items() if of == number}
        return tuple(sorted(there.values(), key=lambda one: (one.created, one.number)))

    def add_labels(self, number: int, labels: Sequence[str]) -> Proposal:
        """Tell of those that are not there."""
        found = self.proposal(number)
        new = [label for label in dict.fromkeys(labels) if label not in found.labels]
        if new:
            self._would(f"label proposal {number}: {', '.join(new)}")
            found = self._keep(found, labels=(*found.labels, *new))
        return found

    def close(self, number: int, *, state: ProposalState, superseded_by: int | None = None) -> Proposal:
        """Tell of it."""
        found = self.proposal(number)
        if state is ProposalState.OPEN:
            raise ForgeError(f"proposal {number} cannot be closed as open")
        if found.state not in {ProposalState.OPEN, state}:
            raise ForgeError(f"proposal {number} is already {found.state}")
        by = found.superseded_by if superseded_by is None else superseded_by
        if (found.state, found.superseded_by) != (state, by):
            self._would(f"close proposal {number} as {state}{f' by {by}' if by is not None else ''}")
            found = self._keep(found, state=state, superseded_by=by)
        return found

    def start_checks(self, sha: str, specs: Sequence[CheckSpec]) -> Rollup:
        """Tell of those that have no result of this spec, or were cut off."""
        newest = self._newest(sha)
        missing = [
            spec
            for spec in specs
            if spec.name not in newest
            or newest[spec.name].spec != spec_digest(spec)
            or newest[spec.name].conclusion is Conclusion.CANCELLED
        ]
        if missing:
            self._would(f"start on {sha}: {', '.join(spec.name for spec in missing)}")
            self._queue(sha, {spec.name: spec_digest(spec) for spec in missing})
        return self.rollup(sha)

    def retry(self, sha: str, names: Sequence[str]) -> Rollup:
        """Tell of it."""
        newest = self._newest(sha)
        unknown = [name for name in names if name not in newest]
        if unknown:
            raise ForgeError(f"commit {sha} has no check {', '.join(unknown)}")
        self._would(f"run again on {sha}: {', '.join(names)}")
        self._queue(sha, {name: newest[name].spec for name in names})
        return self.rollup(sha)

    def rollup(self, sha: str) -> Rollup:
        """What there is, and what would be queued."""
        there = self._forge.rollup(sha)
        return Rollup(sha, (*there.checks, *self._queued.get(sha, {}).values()))

    def log_file(self, check: Check, to: Path) -> Path | None:
        """Where the log can be read, at the forge behind."""
        return self._forge.log_file(check, to)

    def beside(self, check: Check, folder: Path, wanted: Callable[[str], bool]) -> Beside:
        """What else tells of it, at the forge behind."""
        return self._forge.beside(check, folder, wanted)

    def landed(self, target: str, most: int) -> tuple[Landed, ...]:
        """Those that did land."""
        return self._forge.landed(target, most)

    def show_verdict(self, verdict: Verdict) -> Shown:
        """Tell of it."""
        if not self.shows_verdict(verdict):
            what = f"show the gate's verdict on {verdict.sha}: {verdict.state}"
            self._would(what, "\n".join(verdict.explain()))
            self._verdicts[verdict.sha] = verdict
            return Shown("check", 0, changed=True)
        return Shown("check", 0, changed=False)

    def shows_verdict(self, verdict: Verdict) -> bool:
        """Whether it would be shown."""
        told = self._verdicts.get(verdict.sha)
        return told == verdict if told is not None else self._forge.shows_verdict(verdict)

    def work(
        self,
        sha: str,
        specs: Sequence[CheckSpec],
        *,
        checkout: Checkout,  # noqa: ARG002 - the Protocol's
        on_event: Callable[[Check], None],  # noqa: ARG002
        parallel: int,  # noqa: ARG002
        cancelled: Event,  # noqa: ARG002
        lane: str = "",  # noqa: ARG002
    ) -> Rollup:
        """Tell of the checks that would be run here, once; none is."""
        waiting = {name for name, check in self._newest(sha).items() if check.state is not CheckState.COMPLETED}
        left = [spec.name for spec in specs if spec.name in waiting]
        if left and sha not in self._ran and self._forge.name == "local":
            self._ran.add(sha)
            self._would(f"run on this machine, on {sha}: {', '.join(left)}")
        return self.rollup(sha)

    def _newest(self, sha: str) -> dict[str, Check]:
        return {check.name: check for check in sorted(self.rollup(sha).checks, key=lambda check: check.order)}

    def _queue(self, sha: str, specs: dict[str, str]) -> None:
        last = max((check.order for check in self.rollup(sha).checks), default=0)
        queued = self._queued.setdefault(sha, {})
        for order, (name, spec) in enumerate(specs.items(), last + 1):
            queued[name] = Check(name, sha, CheckState.QUEUED, order=order, spec=spec)

    def _would(self, what: str, text: str = "") -> None:
        self._tell(Write(what, text))

    def _as_told(self, there: Proposal) -> Proposal:
        return replace(there, **self._changed.get(there.number, {}))

    def _keep(self, found: Proposal, **changes: Any) -> Proposal:
        changed = replace(found, **changes)
        if found.number in self._made:
            self._made[found.number] = changed
        else:
            self._changed[found.number] = self._changed.get(found.number, {}) | changes
        return changed

    def _free_number(self, known: Sequence[Proposal]) -> int:
        """A number that no proposal has, of another lane or of a person neither; not always the next one."""
        number = max([0, *self._made, *(one.number for one in known)]) + 1
        step = 1
        while self._is_taken(number):
            number, step = number + step, step * 2  # a repository may have thousands
        return number

    def _is_taken(self, number: int) -> bool:
        try:
            self._forge.proposal(number)
        except ForgeError:
            return False
        return True

    def _require_open(self, found: Proposal, what: str) -> None:
        if found.state is not ProposalState.OPEN:
            raise ForgeError(f"proposal {found.number} is {found.state}, so it cannot {what}")

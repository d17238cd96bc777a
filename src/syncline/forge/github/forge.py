"""The forge `github`: one repository's pull requests and checks, behind the Protocol every forge keeps."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Self

from syncline.checks.gate import Verdict
from syncline.checks.model import Check, CheckState, Conclusion, Rollup, is_commit_id
from syncline.errors import ForgeError
from syncline.forge.github import beside, comments, gate_check, proposals, pulls, reviewers, runs
from syncline.forge.github import required as required_checks
from syncline.forge.github import rollup as rollups
from syncline.forge.github.client import Client
from syncline.forge.github.dispatch import GitHubDispatcher
from syncline.forge.github.lander import GitHubLander
from syncline.forge.github.normalise import Result
from syncline.forge.github.proposals import NewProposal
from syncline.forge.github.required import Required
from syncline.forge.github.steer import Steering
from syncline.forge.landing import By
from syncline.forge.protocol import Beside, Checkout, CheckSpec, Comment, Landed, Proposal, ProposalState, Shown

_RERUN = frozenset({Conclusion.FAILURE, Conclusion.CANCELLED, Conclusion.TIMED_OUT, Conclusion.STARTUP_FAILURE})
"""What GitHub counts as failed when it runs "failed jobs" again."""


def _silent(words: str) -> None:
    """Nobody wants to know."""


class GitHubForge:
    """A `Forge` over a client of one repository.

    Heads move by pushing: `update` with a head waits until GitHub has noticed. The checks run elsewhere, so
    there is nothing to start and nothing to work on.

    Args:
        client: of the repository; the forge closes it.
        targets: lane -> the branch its proposals go to; its required checks are waited for.
        tell: told in a sentence what could not be done but stops nothing.
        land: who lands what is ready.
    """

    def __init__(
        self,
        client: Client,
        targets: Mapping[str, str],
        *,
        tell: Callable[[str], None] = _silent,
        land: By = By.PEOPLE,
    ) -> None:
        self._client = client
        self._targets = dict(targets)
        self._tell = tell
        self._lander = GitHubLander(client, land)
        self._steering = Steering(client)
        self._written: dict[tuple[int, str], Comment] = {}
        """What this process wrote, by proposal and marker."""

    def __repr__(self) -> str:
        return f"GitHubForge({self._client!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.disconnect()

    def disconnect(self) -> None:
        """Close the connection; the next call opens it again."""
        self._client.close()

    @property
    def name(self) -> str:
        """The kind of forge."""
        return "github"

    @property
    def lander(self) -> GitHubLander:
        """What can be asked of landing."""
        return self._lander

    @property
    def steering(self) -> Steering:
        """People's orders in comments."""
        return self._steering

    @property
    def dispatcher(self) -> GitHubDispatcher:
        """What starts workflows."""
        return GitHubDispatcher(self._client)

    # Proposals. See the Protocol for what each method promises.

    def proposals(self, lane: str | None, *, state: ProposalState | None = None) -> tuple[Proposal, ...]:
        """The proposals of a lane (of all lanes: None), oldest first; of ended ones the newest only."""
        found = proposals.find(self._client, lane, self._target(lane), state)
        return tuple(one.proposal for one in found)

    def proposal(self, number: int) -> Proposal:
        """The pull request with this number, whoever made it."""
        return proposals.get(self._client, number)

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
        """Open a draft for a run, or give the one the run has. Its head is what the branch is at GitHub."""
        _require_commit(head_sha)
        new = NewProposal(lane, run, branch, target, title, body, tuple(labels))
        return proposals.open_draft(self._client, new)

    def update(
        self, number: int, *, title: str | None = None, body: str | None = None, head_sha: str | None = None
    ) -> Proposal:
        """Change what is given; a new head makes a ready proposal a draft again.

        Raises:
            FenceError: GitHub does not show that head, even after waiting a while.
        """
        if head_sha is not None:
            _require_commit(head_sha)
        return proposals.update(self._client, number, title=title, body=body, head_sha=head_sha)

    def mark_ready(self, number: int, *, head_sha: str) -> Proposal:
        """Make it ready if `head_sha` is still its head, else FenceError; and ask for reviews."""
        found = proposals.ready(self._client, number, head_sha)
        wanted = self._client.settings.reviewers
        if wanted:
            reviewers.request(self._client, number, target=found.target, wanted=wanted, tell=self._tell)
        return found

    def mark_draft(self, number: int) -> Proposal:
        """Make it a draft."""
        return proposals.draft(self._client, number)

    def comment(self, number: int, marker: str, body: str) -> Comment:
        """Write the comment `marker` of this proposal, or change its body."""
        pulls.read(self._client, number)  # issues have comments too
        known = self._written.get((number, marker))
        made = comments.write(self._client, number, marker, body, known)
        self._written[number, marker] = made
        return made

    def comments(self, number: int) -> tuple[Comment, ...]:
        """The comments of a proposal that carry a marker, oldest first."""
        found = {comment.marker: comment for comment in comments.listed(self._client, number)}
        # A trigger that was posted must not be posted again because GitHub's list lags behind.
        mine = {marker: one for (of, marker), one in self._written.items() if of == number}
        return tuple(sorted((mine | found).values(), key=lambda one: one.number))

    def add_labels(self, number: int, labels: Sequence[str]) -> Proposal:
        """Add those labels that are not there yet."""
        return proposals.add_labels(self._client, number, labels)

    def close(self, number: int, *, state: ProposalState, superseded_by: int | None = None) -> Proposal:
        """End an open proposal, or add its successor once that is known."""
        return proposals.close(self._client, number, state, superseded_by)

    # Checks.

    def start_checks(self, sha: str, specs: Sequence[CheckSpec]) -> Rollup:  # noqa: ARG002 - the Protocol's
        """What there is: GitHub starts checks by itself, when a branch is pushed or somebody comments."""
        return self.rollup(sha)

    def retry(self, sha: str, names: Sequence[str]) -> Rollup:
        """Run the failed jobs of the workflow runs of the named checks again.

        A check of another app is asked for again of that app. One that is queued or runs is left alone.

        Raises:
            ForgeError: there is no such check; it is a commit status, which only its author can set anew, or a
                workflow run without a job; its workflow run has other jobs still at work.
        """
        found = rollups.results(self._client, sha)
        unknown = sorted(set(names) - {one.check.name for one in found})
        if unknown:
            known = ", ".join(sorted({one.check.name for one in found})) or "none"
            raise ForgeError(f"commit {sha} has no check {', '.join(unknown)}", hint=f"it has: {known}")
        named = [one for one in found if one.check.name in names and one.check.state is CheckState.COMPLETED]
        others = sorted({one.check.name for one in named if one.kind != "check"})
        if others:
            raise ForgeError(
                f"{', '.join(others)} of commit {sha} cannot be run again from here: they are commit statuses, or"
                " workflow runs without a job",
                hint="run them again where they come from",
            )
        self._rerun(named)
        return self.rollup(sha)

    def rollup(self, sha: str) -> Rollup:
        """Every result for this commit, and what the targets' rules require and is not there yet."""
        return rollups.rollup(self._client, sha, self.required())

    def log_file(self, check: Check, to: Path) -> Path | None:
        """The log of a job of GitHub Actions, written to `to`; results of other apps have none to read."""
        job = runs.job_at(check.log)
        if job is None or runs.job_log(self._client, job, to) is None:
            return None
        return to

    def beside(self, check: Check, folder: Path, wanted: Callable[[str], bool]) -> Beside:
        """Its annotations, and the artifacts of its workflow run that are its own."""
        return beside.beside(self._client, check, folder, wanted)

    def landed(self, target: str, most: int) -> tuple[Landed, ...]:
        """The pull requests that were opened last of those that landed on a branch, the newest first."""
        found = pulls.listed(self._client, states=pulls.MERGED, base=target, newest=most)
        return tuple(Landed(one.number, one.head_sha, one.landed_as) for one in found if one.landed_as)

    def show_verdict(self, verdict: Verdict) -> Shown:
        """Post the check run `syncline/gate`, or where this account may not, the commit status."""
        return gate_check.post(self._client, verdict)

    def shows_verdict(self, verdict: Verdict) -> bool:
        """Whether that check or status is there as `show_verdict` would leave it."""
        return gate_check.is_posted(self._client, verdict)

    def work(
        self,
        sha: str,
        specs: Sequence[CheckSpec],  # noqa: ARG002 - the Protocol's
        *,
        checkout: Checkout,  # noqa: ARG002
        on_event: Callable[[Check], None],  # noqa: ARG002
        parallel: int,  # noqa: ARG002
        cancelled: Event,  # noqa: ARG002
        lane: str = "",  # noqa: ARG002
    ) -> Rollup:
        """What there is: the work is done elsewhere."""
        return self.rollup(sha)

    def required(self) -> tuple[Required, ...]:
        """What the branches of the lanes require before anything may land there."""
        branches = sorted(set(self._targets.values()))
        found = {one for branch in branches for one in required_checks.required(self._client, branch)}
        return tuple(sorted(found, key=lambda one: (one.name, one.app or 0)))

    def _target(self, lane: str | None) -> str | None:
        return self._targets.get(lane) if lane is not None else None

    def _rerun(self, named: Sequence[Result]) -> None:
        failed = {one.run for one in named if one.run is not None and one.check.conclusion in _RERUN}
        for run in sorted(failed):
            runs.rerun_failed(self._client, run)
        for one in named:
            if one.run is None:
                runs.request_again(self._client, one.id)
            elif one.run not in failed:
                runs.rerun_job(self._client, one.run, one.id)


def _require_commit(sha: str) -> None:
    if not is_commit_id(sha):
        raise ForgeError(f"wanted a full commit id, found {sha!r}")

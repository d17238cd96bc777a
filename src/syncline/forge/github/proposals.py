"""Proposals as pull requests: found by the marker in the body and by the branch, and changed step by step.

GitHub has no transactions. Each function may be cut off between any two of its requests, and leaves what the
next call finds and completes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from syncline.errors import EndedError, FenceError, ForgeError
from syncline.forge.github import labels, pulls
from syncline.forge.github.body_block import Body, parse, render
from syncline.forge.github.client import Client
from syncline.forge.github.insiders import believed
from syncline.forge.github.limits import Wait
from syncline.forge.github.marker import ProposalMarker
from syncline.forge.github.pulls import Pull
from syncline.forge.github.trouble import RefusedError, UnknownError
from syncline.forge.protocol import Proposal, ProposalState

ENDED_LOOKED_AT = 200
"""How many of the newest ended pull requests are looked through; a lane asks for its latest runs only."""
_HEAD_WAITS = (1.0, 2.0, 4.0, 8.0)
"""Seconds to wait for GitHub to notice a push: it follows branches with some delay."""
_MERGED_WAITS = (1.0, 2.0, 4.0)
_LAG_WAITS = (0.5, 1.0, 2.0)
"""Seconds to wait until what was written is read: reads may lag behind writes."""

_READY = """
mutation Ready($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft headRefOid } }
}
"""
_DRAFT = """
mutation Draft($id: ID!) {
  convertPullRequestToDraft(input: {pullRequestId: $id}) { pullRequest { isDraft } }
}
"""


@dataclass(frozen=True, slots=True)
class NewProposal:
    """What is known of a proposal before it has a number."""

    lane: str
    run: str
    branch: str
    target: str
    title: str
    body: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A pull request that is a proposal of syncline's, and the parts of its body."""

    pull: Pull
    body: Body
    marker: ProposalMarker

    @property
    def state(self) -> ProposalState:
        """Where it is: GitHub tells open, closed and merged, the marker how syncline closed it."""
        if self.pull.state == "OPEN":
            return ProposalState.OPEN
        if self.pull.state == "MERGED":
            return ProposalState.MERGED
        return self.marker.ended or ProposalState.CLOSED

    @property
    def proposal(self) -> Proposal:
        """It as any forge tells it; the body is what syncline wrote, without its marks."""
        pull, marker = self.pull, self.marker
        ended = self.state is ProposalState.SUPERSEDED
        return Proposal(
            number=pull.number, lane=marker.lane, run=marker.run, branch=pull.branch, target=pull.base,
            title=pull.title, body=self.body.text, draft=pull.draft, state=self.state, head_sha=pull.head_sha,
            labels=pull.labels, created=pull.created, superseded_by=marker.superseded_by if ended else None,
            url=pull.url,
        )  # fmt: skip


def find(client: Client, lane: str | None, target: str | None, state: ProposalState | None) -> list[Found]:
    """The proposals of a lane (None: of all), into `target` (None: any branch), oldest first.

    Of ended ones only the newest are looked through, see `ENDED_LOOKED_AT`.
    """
    found: list[Found] = []
    if state in {None, ProposalState.OPEN}:
        found += _ours(client, pulls.listed(client, states=pulls.OPEN, base=target), lane)
    if state is not ProposalState.OPEN:
        ended = pulls.listed(client, states=pulls.ENDED, base=target, newest=ENDED_LOOKED_AT)
        found += [one for one in _ours(client, ended, lane) if state in {None, one.state}]
    return sorted(found, key=lambda one: one.pull.number)


def found_in(client: Client, pull: Pull) -> Found | None:
    """The proposal a pull request is; None for anybody else's, whatever marker was pasted into it.

    Who opened it may write what they like into it, and to open one from a branch that is there takes no right to
    write.
    """
    body = parse(pull.body)
    if body.marker is None or pull.foreign or body.marker.branch != pull.branch:
        return None
    if not believed(client, pull.author, pull.association):
        return None
    return Found(pull, body, body.marker)


def get(client: Client, number: int) -> Proposal:
    """Any pull request as a proposal; one that is not syncline's has no lane and no run."""
    pull = pulls.read(client, number)
    found = found_in(client, pull)
    if found is not None:
        return found.proposal
    states = {"OPEN": ProposalState.OPEN, "MERGED": ProposalState.MERGED}
    return Proposal(
        number=pull.number, lane="", run="", branch=pull.branch, target=pull.base, title=pull.title,
        body=pull.body, draft=pull.draft, state=states.get(pull.state, ProposalState.CLOSED),
        head_sha=pull.head_sha, labels=pull.labels, created=pull.created, superseded_by=None, url=pull.url,
    )  # fmt: skip


def open_draft(client: Client, new: NewProposal) -> Proposal:
    """The proposal of the run: the one there is, or a new draft."""
    found = _of_run(client, new)
    if found is None:
        for other in find(client, new.lane, new.target, ProposalState.OPEN):
            raise ForgeError(
                f"lane {new.lane} already has the open proposal {other.pull.number} of run {other.marker.run}",
                hint=f"close proposal {other.pull.number} first",
            )
        found = _create(client, new)
    return finish(client, found).proposal


def finish(client: Client, found: Found) -> Found:
    """Complete what a cut-off opening left: the labels, and then the mark that they are not there yet."""
    if not found.marker.unfinished or found.state is not ProposalState.OPEN:
        return found
    labels.add(client, found.pull.number, found.marker.labels, found.pull.labels)
    marker = replace(found.marker, unfinished=False, labels=())
    client.patch(f"pulls/{found.pull.number}", {"body": render(replace(found.body, marker=marker))})
    return _shown(client, found.pull.number, lambda now: not now.marker.unfinished)


def update(client: Client, number: int, *, title: str | None, body: str | None, head_sha: str | None) -> Proposal:
    """Change what is given. A head that moves makes it a draft, and is waited for: GitHub follows late."""
    found = finish(client, ours(client, number))
    if head_sha is not None and found.pull.head_sha != head_sha:
        _require_open(found, "get a new head")
        if not found.pull.draft:
            draft(client, number)
        found = _await_head(client, number, head_sha)
    fields: dict[str, Any] = {}
    if title is not None and title != found.pull.title:
        fields["title"] = title
    if body is not None:
        text = render(replace(found.body, text=body))
        if text != found.pull.body.replace("\r\n", "\n"):
            fields["body"] = text
    if fields:
        client.patch(f"pulls/{number}", fields)
        told = parse(fields["body"]).text.strip() if "body" in fields else None
        found = _shown(
            client,
            number,
            lambda now: title in {None, now.pull.title} and told in {None, now.body.text.strip()},
        )
    return found.proposal


def ready(client: Client, number: int, head_sha: str) -> Proposal:
    """Make it ready for exactly `head_sha`; FenceError where its head is another one before or after."""
    found = finish(client, ours(client, number))
    _require_open(found, "become ready")
    _require_head(found.pull, head_sha)
    if found.pull.draft:
        # The answer to the change itself is newer than any read before or after may be.
        head = (_mutate(client, _READY, found.pull) or {}).get("headRefOid", head_sha)
        found = _shown(client, number, lambda now: not now.pull.draft or now.pull.head_sha != head_sha)
        found = replace(found, pull=replace(found.pull, head_sha=head)) if head != head_sha else found
    if found.pull.head_sha != head_sha:  # somebody pushed meanwhile: nothing is proven of that
        _hold_back(client, replace(found, pull=replace(found.pull, draft=False)))
        _require_head(found.pull, head_sha)
    if found.pull.draft:
        raise ForgeError(f"GitHub left proposal {number} a draft", hint="run again")
    return found.proposal


def draft(client: Client, number: int) -> Proposal:
    """Make it a draft."""
    found = ours(client, number)
    _require_open(found, "become a draft")
    return _hold_back(client, found).proposal


def _hold_back(client: Client, found: Found) -> Found:
    """Make it a draft unless `found` says that it is one: a read may lag behind, so the caller says."""
    if found.pull.draft:
        return found
    try:
        _mutate(client, _DRAFT, found.pull)
    except RefusedError as error:
        raise _no_drafts(client, error) from None
    found = _shown(client, found.pull.number, lambda now: now.pull.draft)
    if not found.pull.draft:
        raise ForgeError(f"GitHub left proposal {found.pull.number} ready", hint="run again")
    return found


def add_labels(client: Client, number: int, wanted: Sequence[str]) -> Proposal:
    """Add those labels that are not there yet."""
    labels.add(client, number, wanted, pulls.read(client, number).labels)
    return get(client, number)


def close(client: Client, number: int, state: ProposalState, superseded_by: int | None) -> Proposal:
    """End it, or complete how it ended; in one request, so that it is never closed without a reason."""
    found = ours(client, number)
    _check_end(found, state, superseded_by)
    if superseded_by is not None and found.marker.superseded_by is None:
        pulls.read(client, superseded_by)
    if state is ProposalState.MERGED and found.state is ProposalState.OPEN:
        found = _await_merged(client, found)
    known = found.marker.superseded_by if found.state is not ProposalState.OPEN else None
    by = superseded_by if superseded_by is not None else known
    marker = replace(found.marker, ended=state, superseded_by=by)
    if found.pull.state == "OPEN" or (marker != found.marker and found.pull.state != "MERGED"):
        fields = {"state": "closed", "body": render(replace(found.body, marker=marker))}
        client.patch(f"pulls/{number}", fields)
        found = _shown(client, number, lambda now: now.pull.state != "OPEN" and now.marker == marker)
    return found.proposal


def ours(client: Client, number: int) -> Found:
    """The proposal with this number, which syncline made.

    Raises:
        ForgeError: there is none, or it is somebody else's: nothing of it is changed.
    """
    found = found_in(client, pulls.read(client, number))
    if found is None:
        raise ForgeError(
            f"pull request {number} of {client.settings.repository} is none of syncline's: its mark is gone, or"
            " who opened it may not write to the repository",
            hint="syncline changes its own only; give its account the role write, or close this one",
        )
    return found


def _ours(client: Client, listed: Iterable[Pull], lane: str | None) -> Iterator[Found]:
    for pull in listed:
        found = found_in(client, pull)
        if found is not None and lane in {None, found.marker.lane}:
            yield found


def _of_run(client: Client, new: NewProposal) -> Found | None:
    """The first proposal that was made for the run, whatever became of it."""
    of_branch = pulls.listed(client, states=(*pulls.OPEN, *pulls.ENDED), head=new.branch)
    found = [one for one in _ours(client, of_branch, None) if one.marker.run == new.run]
    if not found:
        found = [one for one in find(client, new.lane, new.target, None) if one.marker.run == new.run]
    for one in found:
        if one.marker.lane != new.lane:
            raise ForgeError(f"run {new.run} belongs to lane {one.marker.lane}, not to {new.lane}")
        if one.state is ProposalState.OPEN and one.pull.base != new.target:
            raise ForgeError(
                f"proposal {one.pull.number} of run {new.run} goes into {one.pull.base} now, not {new.target}",
                hint=f"change its base back to {new.target}, or close it",
            )
        return one
    return None


def _create(client: Client, new: NewProposal) -> Found:
    marker = ProposalMarker(new.lane, new.run, new.branch, new.labels, unfinished=bool(new.labels))
    fields = {"title": new.title, "head": new.branch, "base": new.target, "draft": True}
    try:
        made = client.post("pulls", {**fields, "body": render(Body(new.body, marker))})
    except UnknownError:
        found = _of_run(client, new)
        if found is None:
            raise
        return found
    except RefusedError as error:
        refusal = error
    else:
        return _shown(client, made["number"], lambda now: True)  # noqa: ARG005 - any answer will do
    low = refusal.words.casefold()
    if "already exists" in low:
        return _adopt(client, new, marker)
    if "draft" in low:
        raise _no_drafts(client, refusal)
    if "no commits between" in low:
        raise ForgeError(f"{new.branch} has nothing that {new.target} has not: {refusal.words}")
    if "head" in low and "invalid" in low:
        raise FenceError(f"GitHub knows no branch {new.branch}: {refusal.words}", hint="push it and try again")
    if "base" in low and "invalid" in low:
        raise ForgeError(f"GitHub knows no branch {new.target}: {refusal.words}", hint="check the lane's `target`")
    raise refusal


def _adopt(client: Client, new: NewProposal, marker: ProposalMarker) -> Found:
    """The pull request that stands in the way of a new one: our branch's, whose mark somebody took out."""
    for pull in pulls.listed(client, states=pulls.OPEN, base=new.target, head=new.branch):
        if pull.foreign:
            continue
        other = found_in(client, pull)
        if other is not None and other.marker.run != new.run:
            raise ForgeError(
                f"branch {new.branch} already has the open proposal {pull.number} of run {other.marker.run}",
                hint=f"close proposal {pull.number} first",
            )
        text = render(Body(new.body, replace(marker, unfinished=True), before=pull.body.replace("\r\n", "\n")))
        if other is None:
            client.patch(f"pulls/{pull.number}", {"body": text})
        if not pull.draft:
            draft(client, pull.number)
        return ours(client, pull.number)
    raise ForgeError(
        f"GitHub says that {new.branch} has a pull request already, but tells of none", hint="run again"
    )


def _no_drafts(client: Client, error: RefusedError) -> ForgeError:
    """Without drafts, "not proven yet" could not be told from "ready"."""
    if "draft" not in error.words.casefold() or "not supported" not in error.words.casefold():
        return error
    return ForgeError(
        f"{client.settings.repository} has no draft pull requests, so a proposal could not be held back until it"
        f" is proven: {error.words}",
        hint="drafts need a public repository, or a paid plan (GitHub Team or better) for a private one",
    )


def _mutate(client: Client, mutation: str, pull: Pull) -> dict[str, Any] | None:
    """The pull request as the change left it; None where that is not known: the caller looks."""
    try:
        answer = client.graphql(mutation, {"id": pull.id})
    except UnknownError:
        return None
    return next((one.get("pullRequest") for one in answer.values() if one), None)


def _shown(client: Client, number: int, there: Callable[[Found], bool]) -> Found:
    """The proposal, once GitHub shows what was written; after some waiting as it shows it."""
    for seconds in _LAG_WAITS:
        pull = pulls.find(client, number)
        found = found_in(client, pull) if pull is not None else None
        if found is not None and there(found):
            return found
        client.wait(Wait(seconds, f"GitHub does not show yet how proposal {number} was changed"))
    return ours(client, number)


def _await_head(client: Client, number: int, head_sha: str) -> Found:
    found = ours(client, number)
    for seconds in _HEAD_WAITS:
        if found.pull.head_sha == head_sha:
            return found
        client.wait(Wait(seconds, f"GitHub has not noticed yet that proposal {number} moved to {head_sha[:10]}"))
        found = ours(client, number)
    _require_head(found.pull, head_sha)
    return found


def _await_merged(client: Client, found: Found) -> Found:
    """GitHub itself marks what has landed as merged, which tells more than closing it; give it a moment."""
    for seconds in _MERGED_WAITS:
        client.wait(Wait(seconds, f"GitHub has not marked proposal {found.pull.number} as merged yet"))
        found = ours(client, found.pull.number)
        if found.pull.state != "OPEN":
            break
    return found


def _require_open(found: Found, what: str) -> None:
    if found.state is not ProposalState.OPEN:
        raise EndedError(f"proposal {found.pull.number} is {found.state}, so it cannot {what}")


def _require_head(pull: Pull, head_sha: str) -> None:
    if pull.head_sha != head_sha:
        raise FenceError(
            f"proposal {pull.number} was to be judged at {head_sha}, but its head is {pull.head_sha}",
            hint="look at its new head and decide again",
        )


def _check_end(found: Found, state: ProposalState, superseded_by: int | None) -> None:
    number = found.pull.number
    if state is ProposalState.OPEN:
        raise ForgeError(f"proposal {number} cannot be closed as open")
    if superseded_by is not None and state is not ProposalState.SUPERSEDED:
        raise ForgeError(f"proposal {number} cannot be {state} and have a successor, {superseded_by}")
    if superseded_by == number:
        raise ForgeError(f"proposal {number} cannot supersede itself")
    known = found.marker.superseded_by if found.state is not ProposalState.OPEN else None
    if found.state not in {ProposalState.OPEN, state} or (
        superseded_by is not None and known not in {None, superseded_by}
    ):
        by = f" by {known}" if known is not None else ""
        raise EndedError(f"proposal {number} is already {found.state}{by}")

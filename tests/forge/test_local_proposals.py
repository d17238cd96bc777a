"""Proposals, comments and labels of the local forge."""

import multiprocessing
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from syncline.errors import FenceError, ForgeError
from syncline.forge.local.forge import LocalForge
from syncline.forge.protocol import Forge, Proposal, ProposalState
from tests.forge.support import OTHER_SHA, SHA


def opened(forge: Forge, **more: Any) -> Proposal:
    given: dict[str, Any] = {
        "lane": "nightly",
        "run": "run-1",
        "branch": "sync/nightly/1",
        "target": "dev",
        "title": "Sync",
        "body": "body",
        "head_sha": SHA,
        **more,
    }
    return forge.open_proposal(**given)


def test_a_new_proposal_is_an_open_draft(forge: LocalForge) -> None:
    before = datetime.now(UTC)
    found = opened(forge, labels=("sync", "bot", "sync"))
    assert forge.name == "local"
    assert (found.draft, found.state, found.labels) == (True, ProposalState.OPEN, ("sync", "bot"))
    assert found.created.utcoffset() == timedelta(0)
    assert before - timedelta(seconds=1) <= found.created <= datetime.now(UTC)
    assert found.url == "local:demo#1"
    assert forge.proposal(found.number) == found
    assert forge.proposals(None) == forge.proposals("nightly") == (found,)


def test_everything_survives_reopening(forge: LocalForge, state_dir: Path) -> None:
    found = opened(forge, title="Überführung \N{SNOWMAN} '; DROP TABLE", labels=("x",))
    forge.disconnect()
    with LocalForge(state_dir, "demo") as again:
        assert again.proposal(1) == found


def test_opening_is_idempotent_by_run(forge: LocalForge) -> None:
    first = opened(forge)
    assert opened(forge, title="other words", head_sha=OTHER_SHA, labels=("more",)) == first
    closed = forge.close(first.number, state=ProposalState.CLOSED)
    assert opened(forge) == closed
    assert len(forge.proposals("nightly")) == 1


def test_a_run_belongs_to_one_lane(forge: LocalForge) -> None:
    opened(forge)
    with pytest.raises(ForgeError, match="run-1 belongs to lane nightly, not to weekly"):
        opened(forge, lane="weekly")


def test_one_open_proposal_per_lane_and_how_to_supersede_it(forge: LocalForge) -> None:
    old = opened(forge)
    with pytest.raises(ForgeError, match="already has the open proposal 1 of run run-1"):
        opened(forge, run="run-2")
    opened(forge, lane="weekly", run="run-w")
    forge.close(old.number, state=ProposalState.SUPERSEDED)
    new = opened(forge, run="run-2")
    linked = forge.close(old.number, state=ProposalState.SUPERSEDED, superseded_by=new.number)
    assert linked.superseded_by == new.number
    assert forge.close(old.number, state=ProposalState.SUPERSEDED) == linked
    assert forge.proposals("nightly", state=ProposalState.OPEN) == (new,)
    assert [one.number for one in forge.proposals(None)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ({"state": ProposalState.MERGED}, {"state": ProposalState.CLOSED}, "already merged"),
        ({"state": ProposalState.CLOSED}, {"state": ProposalState.MERGED}, "already closed"),
        (
            {"state": ProposalState.CLOSED},
            {"state": ProposalState.CLOSED, "superseded_by": 2},
            "cannot be closed and",
        ),
        ({"state": ProposalState.CLOSED}, {"state": ProposalState.OPEN}, "cannot be closed as open"),
        (
            {"state": ProposalState.SUPERSEDED, "superseded_by": 2},
            {"state": ProposalState.SUPERSEDED, "superseded_by": 3},
            "already superseded by 2",
        ),
        (
            {"state": ProposalState.SUPERSEDED},
            {"state": ProposalState.SUPERSEDED, "superseded_by": 1},
            "cannot supersede itself",
        ),
        (
            {"state": ProposalState.SUPERSEDED},
            {"state": ProposalState.SUPERSEDED, "superseded_by": 9},
            "no proposal 9",
        ),
    ],
)
def test_an_end_is_final(forge: LocalForge, first: dict[str, Any], second: dict[str, Any], words: str) -> None:
    for number in (1, 2, 3):
        opened(forge, lane=f"lane-{number}", run=f"run-{number}")
    ended = forge.close(1, **first)
    with pytest.raises(ForgeError, match=words):
        forge.close(1, **second)
    assert forge.proposal(1) == ended


def test_ready_only_at_the_head_it_was_decided_for(forge: LocalForge) -> None:
    found = opened(forge)
    with pytest.raises(FenceError, match=f"at {OTHER_SHA}, but its head is {SHA}"):
        forge.mark_ready(found.number, head_sha=OTHER_SHA)
    assert forge.proposal(found.number).draft
    assert not forge.mark_ready(found.number, head_sha=SHA).draft
    assert not forge.mark_ready(found.number, head_sha=SHA).draft
    assert forge.mark_draft(found.number).draft


def test_a_new_head_makes_a_ready_proposal_a_draft(forge: LocalForge) -> None:
    found = opened(forge)
    forge.mark_ready(found.number, head_sha=SHA)
    assert not forge.update(found.number, title="t", body="b", head_sha=SHA).draft
    moved = forge.update(found.number, head_sha=OTHER_SHA)
    assert (moved.head_sha, moved.draft, moved.title, moved.body) == (OTHER_SHA, True, "t", "b")


@pytest.mark.parametrize(
    "act",
    [
        lambda forge: forge.mark_ready(1, head_sha=SHA),
        lambda forge: forge.mark_draft(1),
        lambda forge: forge.update(1, head_sha=OTHER_SHA),
    ],
)
def test_an_ended_proposal_does_not_move(forge: LocalForge, act: Any) -> None:
    opened(forge)
    ended = forge.close(1, state=ProposalState.MERGED)
    with pytest.raises(ForgeError, match="proposal 1 is merged"):
        act(forge)
    assert forge.proposal(1) == ended
    assert forge.update(1, body="superseded, see 2").body == "superseded, see 2"


@pytest.mark.parametrize(
    "act",
    [
        lambda forge: forge.proposal(7),
        lambda forge: forge.update(7, title="x"),
        lambda forge: forge.mark_ready(7, head_sha=SHA),
        lambda forge: forge.mark_draft(7),
        lambda forge: forge.comment(7, "m", "b"),
        lambda forge: forge.comments(7),
        lambda forge: forge.add_labels(7, ("x",)),
        lambda forge: forge.close(7, state=ProposalState.CLOSED),
    ],
)
def test_an_unknown_number_is_a_clear_error(forge: LocalForge, act: Any) -> None:
    with pytest.raises(ForgeError, match="there is no proposal 7 in demo"):
        act(forge)


@pytest.mark.parametrize("head", ["", "main", "a" * 39, "../../etc"])
def test_a_head_is_a_full_commit_id(forge: LocalForge, head: str) -> None:
    with pytest.raises(ForgeError, match=re.escape(f"found {head!r}")):
        opened(forge, head_sha=head)
    opened(forge)
    with pytest.raises(ForgeError, match="wanted a full commit id"):
        forge.update(1, head_sha=head)


def test_comments_are_idempotent_by_marker(forge: LocalForge) -> None:
    opened(forge)
    opened(forge, lane="weekly", run="run-w")
    first = forge.comment(1, "status", "one")
    second = forge.comment(1, "report", "two")
    elsewhere = forge.comment(2, "status", "three")
    again = forge.comment(1, "status", "one, newer")
    assert (again.number, again.created, again.body) == (first.number, first.created, "one, newer")
    assert forge.comments(1) == (again, second)
    assert forge.comments(2) == (elsewhere,)


def test_labels_are_added_once(forge: LocalForge) -> None:
    opened(forge, labels=("a",))
    forge.add_labels(1, ("b", "a"))
    assert forge.add_labels(1, ("b", "c")).labels == ("a", "b", "c")


def crowd(state_dir: str, index: int) -> None:
    """One of several processes that use a forge nobody has made yet."""
    with LocalForge(Path(state_dir), "demo") as forge:
        for turn in range(5):
            opened(forge, lane="shared", run="shared")
            own = opened(forge, lane=f"lane-{index}", run=f"run-{index}")
            forge.comment(own.number, f"m-{turn}", "x")
            forge.comment(1, "everybody's", str(index))
            forge.add_labels(1, (f"label-{index}",))


def test_several_processes_at_once(state_dir: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=crowd, args=(str(state_dir), index)) for index in range(5)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
        process.close()
    with LocalForge(state_dir, "demo") as forge:
        runs = sorted(proposal.run for proposal in forge.proposals(None))
        assert runs == [*(f"run-{index}" for index in range(5)), "shared"]
        shared = forge.proposals("shared")[0]
        assert sorted(shared.labels) == [f"label-{index}" for index in range(5)]
        everybodys = [one for one in forge.comments(1) if one.marker == "everybody's"]
        assert len(everybodys) == 1
        own = [one for proposal in forge.proposals(None) for one in forge.comments(proposal.number)]
        assert len([one for one in own if one.marker.startswith("m-")]) == 25

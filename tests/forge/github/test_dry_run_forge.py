import threading
from pathlib import Path

import pytest

from syncline.checks.model import CheckState
from syncline.errors import FenceError, ForgeError
from syncline.forge.dry_run import DryRunForge, Write
from syncline.forge.github.forge import GitHubForge
from syncline.forge.local.forge import LocalForge
from syncline.forge.protocol import Forge, ProposalState
from testing.github import GitHubServer
from tests.forge.github.opening import open_one, tip
from tests.forge.support import SHA, Spec, checkout, work


def same_story(forge: Forge, server: GitHubServer) -> list[object]:
    """Steps whose answers must be the same, whether they are done or only told."""
    head = tip(server)
    new = {
        "lane": "x", "run": "r1", "branch": "sync/1", "target": "dev", "title": "One", "body": "Body\n\nof one",
        "head_sha": head, "labels": ("sync",),
    }  # fmt: skip
    told: list[object] = []
    for _ in range(2):
        made = forge.open_proposal(**new)  # type: ignore[arg-type]
        number = made.number
        forge.comment(number, "trigger", "/test")
        forge.comment(number, "trigger", "/test again")
        told += [forge.update(number, title="Other", body="Text"), forge.add_labels(number, ["late", "sync"])]
        told += [forge.mark_ready(number, head_sha=head), forge.mark_draft(number)]
        told += [(one.marker, one.body) for one in forge.comments(number)]
        told += [forge.proposal(number), *forge.proposals("x"), *forge.proposals("y"), forge.rollup(head)]
    told += [forge.close(number, state=ProposalState.CLOSED), *forge.proposals("x", state=ProposalState.OPEN)]
    return told


def plain(told: list[object]) -> list[str]:
    return [repr(one).split(", created=", maxsplit=1)[0] for one in told]


def test_what_would_be_done_is_told_and_nothing_is_done(forge: GitHubForge, server: GitHubServer) -> None:
    told: list[Write] = []
    dry = same_story(DryRunForge(forge, told.append), server)
    assert server.world.pulls == {}
    assert not [one for one in server.log.entries if one.method != "GET" and one.path != "/graphql"]
    assert [str(write) for write in told] == [
        "would open a draft proposal from sync/1 into dev, labelled sync: One\n  Body\n\n  of one",
        "would comment 'trigger' on proposal 1\n  /test",
        "would edit the comment 'trigger' on proposal 1\n  /test again",
        "would call proposal 1: Other",
        "would write the body of proposal 1\n  Text",
        "would label proposal 1: late",
        f"would mark proposal 1 ready at {tip(server)}",
        "would make proposal 1 a draft",
        "would edit the comment 'trigger' on proposal 1\n  /test",
        "would edit the comment 'trigger' on proposal 1\n  /test again",
        f"would mark proposal 1 ready at {tip(server)}",
        "would make proposal 1 a draft",
        "would close proposal 1 as closed",
    ]
    assert plain(dry) == plain(same_story(forge, server))


def test_it_goes_on_from_what_is_there(forge: GitHubForge, server: GitHubServer) -> None:
    made = open_one(forge, server)
    forge.comment(made.number, "trigger", "/test")
    told: list[Write] = []
    dry = DryRunForge(forge, told.append)
    assert dry.proposals("x") == (made,)
    assert dry.comment(made.number, "trigger", "/test") == forge.comments(made.number)[0]
    assert dry.update(made.number, title=made.title, body=made.body, head_sha=made.head_sha) == made
    assert dry.mark_draft(made.number) == made
    assert told == []
    with pytest.raises(ForgeError, match="already has the open proposal 1 of run r1"):
        dry.open_proposal(
            lane="x", run="r2", branch="sync/2", target="dev", title="t", body="b", head_sha=tip(server, "sync/2")
        )  # fmt: skip
    with pytest.raises(FenceError):
        dry.mark_ready(made.number, head_sha="b" * 40)
    assert dry.update(made.number, head_sha="b" * 40).draft
    dry.close(made.number, state=ProposalState.SUPERSEDED)
    dry.close(made.number, state=ProposalState.SUPERSEDED, superseded_by=9)
    with pytest.raises(ForgeError, match="already superseded"):
        dry.close(made.number, state=ProposalState.CLOSED)
    with pytest.raises(ForgeError, match="so it cannot become ready"):
        dry.mark_ready(made.number, head_sha="b" * 40)
    with pytest.raises(ForgeError, match="has no check unit"):
        dry.retry(made.head_sha, ["unit"])
    server.people.check(made.head_sha, "unit", "failure")
    assert dry.retry(made.head_sha, ["unit"]).checks[-1].state is CheckState.QUEUED
    again = f"would run again on {made.head_sha}: unit"
    assert [str(write) for write in told[-2:]] == ["would close proposal 1 as superseded by 9", again]
    assert forge.proposal(made.number) == made


def test_what_changes_meanwhile_still_shows(forge: GitHubForge, server: GitHubServer) -> None:
    number = open_one(forge, server).number
    dry = DryRunForge(forge, list[Write]().append)
    dry.update(number, title="Sync 1")  # changes nothing
    dry.update(number, body="Less")
    dry.mark_draft(number)
    moved = server.people.push("sync/1", {"more": "x"})
    forge.add_labels(number, ["by-hand"])
    shown = dry.proposal(number)
    assert (shown.body, shown.head_sha, shown.labels) == ("Less", moved, ("by-hand",))
    assert dry.proposals("x") == (shown,)


def test_a_new_proposal_takes_nobodys_number(forge: GitHubForge, server: GitHubServer) -> None:
    theirs = server.people.open_pull("sync/2", "main").number
    dry = DryRunForge(forge, list[Write]().append)
    made = dry.open_proposal(
        lane="x", run="r1", branch="sync/1", target="dev", title="t", body="b", head_sha=tip(server)
    )  # fmt: skip
    assert made.number == theirs + 1
    assert dry.proposal(theirs).branch == "sync/2"
    assert dry.proposal(made.number) == made


def test_over_the_embedded_forge_no_check_is_run(tmp_path: Path) -> None:
    ran, told = tmp_path / "ran", list[Write]()
    specs = [Spec("unit", ("touch", str(ran))), Spec("lint")]
    with LocalForge(tmp_path / "state", "demo") as local:
        dry = DryRunForge(local, told.append)
        for _ in range(2):
            assert [check.state for check in dry.start_checks(SHA, specs).checks] == [CheckState.QUEUED] * 2
            dry.work(SHA, specs, checkout=checkout, on_event=print, parallel=1, cancelled=threading.Event())
        assert not ran.exists()
        assert local.rollup(SHA).checks == ()
        work(local, specs)
        ran.unlink()
        dry = DryRunForge(local, told.append)
        assert dry.start_checks(SHA, specs) == local.rollup(SHA)
        # What is configured anew would be run anew.
        dry.start_checks(SHA, [Spec("unit", ("false",))])
        assert not ran.exists()
    assert [str(write) for write in told] == [
        f"would start on {SHA}: unit, lint",
        f"would run on this machine, on {SHA}: unit, lint",
        f"would start on {SHA}: unit",
    ]

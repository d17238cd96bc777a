"""People who mean harm, or act in the wrong moment: nothing of theirs is believed, or gets around an order."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from syncline.cli.progress import PlainProgress
from syncline.config.load import load
from syncline.errors import ForgeError
from syncline.forge.github import marker as markers
from syncline.forge.github.body_block import Body, render
from syncline.forge.github.marker import ProposalMarker
from syncline.lane import act
from syncline.lane.actions import Land, NoteOrders, Outcome, Rest
from syncline.lane.reconcile import Step
from testing.github_lane import POLICY, GitHubLane, github_lane

MERGE = POLICY.replace("[lanes.nightly.github]", '[lanes.nightly.github]\nland = "merge"')


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[GitHubLane]:
    with github_lane(tmp_path, policy=MERGE) as made:
        made.sync()
        made.ci()
        yield made


def outcome(step: Step) -> Outcome:
    assert isinstance(step.action, Rest)
    return step.action.outcome


def before_landing(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> None:
    """Have something done once, after it was decided to land and before it is looked at once more."""
    left, whole = [do], act._proven  # the moment in between

    def proven(context: Any, seen: Any, action: Any) -> Any:
        if isinstance(action, Land) and left:
            left.pop()()
        return whole(context, seen, action)

    monkeypatch.setattr(act, "_proven", proven)


def test_a_pull_request_by_who_may_only_read_is_no_proposal(lane: GitHubLane) -> None:
    people = lane.server.people
    people.user("eve", "read").association = "MEMBER"  # may open one from any branch that is there
    people.push("feature", {"f.txt": "x\n"}, start="main")
    real = markers.read(lane.open_pull().body or "")
    assert real is not None
    forged = render(Body("Sync", ProposalMarker("nightly", real.run, "feature")))
    number = people.open_pull("feature", "dev", body=forged, by="eve").number
    assert "landed" in lane.sync().done or lane.pulls()[0].merged
    assert people.pull(number).state == "open"


@pytest.mark.parametrize("word", ["pause", "abort"])
def test_an_order_given_while_the_lane_is_looked_at_is_heard(
    lane: GitHubLane, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    before_landing(monkeypatch, lambda: lane.server.people.comment(1, f"/syncline {word}"))
    assert outcome(lane.sync()) is (Outcome.PAUSED if word == "pause" else Outcome.ENDED)
    assert lane.pulls()[0].merged is None


def test_a_proposal_sent_elsewhere_in_between_does_not_land_there(
    lane: GitHubLane, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = lane.server.world
    tip = world.bare.tip("dev")
    world.bare.point("refs/heads/other", tip)

    def send() -> None:
        world.pulls[1].base = "other"

    before_landing(monkeypatch, send)
    with pytest.raises(ForgeError, match="goes into other now, not dev"):
        lane.sync()
    assert world.bare.tip("other") == tip


def test_names_of_checks_are_no_markup(tmp_path: Path) -> None:
    with github_lane(tmp_path) as lane:
        lane.sync()
        lane.server.people.check(lane.ci(), "@acme/all <details>\n# fixes #1")
        assert outcome(lane.sync()) is Outcome.READY
        (told,) = [body for body in lane.comments(1) if "Checks passed" in body]
        assert not [bad for bad in ("@acme", " <details", "\n# ", "#1") if bad in told.split("passed")[1]]


def test_a_terminal_is_not_steered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(POLICY.replace('"API"', '"https://github.example.org/api/v3"'))
    progress = PlainProgress(load(policy).lane())
    progress.acted(NoteOrders(1), "take \x1b[2J of eve")
    progress.tell("\x9b31m")
    assert not {"\x1b", "\x9b"}.intersection(capsys.readouterr().err)

"""The demo's repository on GitHub, the whole way: plan, draft, red, mended by a person, green, ready.

And killed before and after every effect of it (request, push, fetch, change of refs): the next sync goes on, and
at the end there is what there is without a kill. Every effect with SYNCLINE_TESTS=long; otherwise a few.
"""

import os
import re
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from syncline.demo import engineer, story
from syncline.git import Repository
from syncline.lane.actions import Outcome, Rest
from syncline.lane.observe import observed_state
from syncline.lane.reconcile import Step
from testing.github_lane import Fate, GitHubLane, Killed, served_lane
from testing.repository import BuiltRepository
from testing.sealed import git

_LONG = os.environ.get("SYNCLINE_TESTS") == "long"
_FEWEST, _MOST = 100, 260
"""How many effects the way has, at least and at most."""
KILLS = (
    [(number, when) for number in range(_MOST) for when in ("before", "after")]
    if _LONG
    else [(number, ("before", "after")[number % 2]) for number in range(4, _MOST, 37)]
)

_AT_GITHUB = """
remote = "origin"
forge = "github"
ci_trigger = "/ok to test {sha}"
"""
_REST = """
[lanes.main-to-dev.github]
repository = "acme/engine"
api = "API"
"""


def policy(*, checkers: bool) -> str:
    """The demo's own policy, its checks run by GitHub; without `checkers`, which take most of the time."""
    text = re.sub(r"\[\[lanes\.main-to-dev\.checks\]\]\n(?:[^\[\n].*\n|\n)*", "", story.config_text())
    text = text.replace("checks_parallel = 2\n", _AT_GITHUB) + _REST
    skip = '[lanes.main-to-dev.audit]\nskip = ["ruff", "pyrefly", "ty"]\n'
    return text if checkers else text + skip


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> BuiltRepository:
    """The demo's repository."""
    place = tmp_path_factory.mktemp("demo") / "tinytron"
    story.build(place)
    return BuiltRepository(place, place / ".git", "sha1", {}, {}, 0)


@contextmanager
def demo(place: Path, origin: BuiltRepository, *, checkers: bool = False) -> Generator[GitHubLane]:
    """Serve it, with a clone."""
    place.mkdir(exist_ok=True)
    with served_lane(place, origin, policy(checkers=checkers)) as lane:
        yield lane


@dataclass
class Way:
    """The way of one proposal, on which the process may die once."""

    lane: GitHubLane
    fate: Fate = field(default_factory=Fate)
    deaths: int = 0

    def sync(self, wanted: Outcome) -> Step:
        """Sync, and once more where the process died."""
        try:
            step = self.lane.sync(self.fate)
        except Killed:
            self.deaths += 1
            step = self.lane.sync()
        assert isinstance(step.action, Rest)
        assert step.action.outcome is wanted, step.done
        return step

    def to_ready(self) -> tuple[str, str]:
        """Go it, and return the two heads: as syncline made it, and as a person mended it."""
        lane, people = self.lane, self.lane.server.people
        step = self.sync(Outcome.NEEDS_PEOPLE)
        assert lane.open_pull().draft
        first = lane.ci("failure", ["compile", "lint"])
        lane.ci("skipped", ["tests"])
        step = self.sync(Outcome.NEEDS_PEOPLE)
        assert "compile" in (lane.open_pull().body or "")
        with people.world.lock, lane.context() as context, Repository.open(lane.server.path) as at_server:
            state = observed_state(context, step.seen)
            assert state is not None
            open_paths = [decision.path for decision in state.unresolved]
            second = engineer.settle(at_server, lane.open_pull().head, unresolved=open_paths)
        assert len(open_paths) == 10
        self.sync(Outcome.WAITING)
        assert lane.open_pull().draft
        assert lane.ci("success", ["compile", "lint", "tests"]) == second
        self.sync(Outcome.READY)
        return first, second

    def hold(self, first: str, second: str) -> None:
        """What there is at the end, whether the process died or not."""
        lane = self.lane
        (pull,) = lane.pulls()
        assert (pull.head_sha, pull.draft, pull.state) == (second, False, "open")
        assert lane.branches() == [pull.head]
        assert sorted(label.name for label in pull.labels) == ["automated sync", "main2dev"]
        assert "unfinished" not in (pull.body or "")
        assert re.findall(r"syncline:state=\w+", pull.body or "") != []
        text = "\n".join(lane.comments(pull.number))
        markers = Counter(re.findall(r'syncline:comment \{"marker":"([^"]+)"', text))
        assert markers == {f"trigger:{first}": 1, f"trigger:{second}": 1, f"ready:{second}": 1}
        assert Counter(re.findall(r"^/ok to test (\w+)", text, re.MULTILINE)) == {first: 1, second: 1}
        bare = lane.server.world.bare
        assert bare.contains(second, first)
        for branch in ("main", "dev"):
            assert bare.tip(branch) == lane.repo.text("rev-parse", f"origin/{branch}")
        git(lane.server.path, "fsck", "--strict")
        assert lane.repo.text("status", "--porcelain") == ""
        assert lane.repo.text("symbolic-ref", "HEAD") == "refs/heads/main"


def test_from_plan_to_ready(tmp_path: Path, origin: BuiltRepository) -> None:
    with demo(tmp_path, origin, checkers=True) as lane:
        way = Way(lane)
        first, second = way.to_ready()
        way.hold(first, second)
        assert _FEWEST < way.fate.met <= _MOST
        # Landed by a merge at GitHub, the next sync takes the five commits that were left for later.
        lane.server.people.merge(1)
        lane.server.clock.advance(days=1)
        lane.sync()
        assert [pull.state for pull in lane.pulls()] == ["closed", "open"]
        bare = lane.server.world.bare
        assert len(bare.commits(bare.tip("dev") or "", bare.tip("main") or "")) == 5


@pytest.mark.parametrize(("number", "when"), KILLS)
def test_killed_before_or_after_an_effect(tmp_path: Path, origin: BuiltRepository, number: int, when: str) -> None:
    with demo(tmp_path, origin) as lane:
        way = Way(lane, Fate(number, when))
        way.hold(*way.to_ready())
        assert way.deaths == 1 or number >= _FEWEST
